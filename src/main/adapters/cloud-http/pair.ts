import { err, type Result } from '../../../shared/result.ts';
import { isAllowedCloudUrl } from '../../../shared/settings.ts';
import { PairReply, type PairRequest } from '../../../shared/wire/messages.ts';
import type { CloudFailure } from '../../engine/ports.ts';
import { openDirect } from '../tunnel/open-tunnel.ts';
import type { OpenTunnel } from '../tunnel/tunnel.ts';
import { BODY_BYTES_MAX, call, DEADLINES, type Deadlines } from './call.ts';
import { openConnections } from './connection.ts';

export type PairOptions = {
  /** As a person typed it; anything but https or this very machine is answered as `nonsense`. */
  readonly cloudUrl: string;
  readonly request: PairRequest;
  readonly signal: AbortSignal;
  readonly ca?: string | undefined;
  /** The way to the cloud; straight where it is missing. */
  readonly tunnel?: OpenTunnel;
  readonly deadlines?: Partial<Deadlines>;
};

/** Exchanges a pairing code for an agent token, once: a lost answer may have used the code up. Never rejects. */
export async function pairWithCloud(options: PairOptions): Promise<Result<PairReply, CloudFailure>> {
  const { cloudUrl, request, ca, signal } = options;
  if (!isAllowedCloudUrl(cloudUrl)) {
    const text = 'the cloud address must begin with https:// (http:// only for this machine) and have no path';
    return err({ kind: 'nonsense', text, retryAfterMs: null });
  }
  const pool = openConnections({ origin: cloudUrl, ca, tunnel: options.tunnel ?? openDirect, connections: 1 });
  const settings = {
    version: request.version,
    deadlines: { ...DEADLINES, ...options.deadlines },
    bodyBytes: BODY_BYTES_MAX,
    nowMs: Date.now,
  };
  try {
    const wanted = { route: 'pair', body: JSON.stringify(request), schema: PairReply } as const;
    return await call(pool, settings, request.pairing_code, wanted, signal);
  } finally {
    await pool.destroy();
  }
}
