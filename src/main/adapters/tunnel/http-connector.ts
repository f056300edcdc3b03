import { buildConnector } from 'undici';
import type { OpenTunnel, Target, TunnelFailure } from './tunnel.ts';

/** A connection that did not come about, as the HTTP library hands it on. */
export class NoConnection extends Error {
  readonly failure: TunnelFailure;

  constructor(failure: TunnelFailure) {
    super(failure.text);
    this.name = 'NoConnection';
    this.failure = failure;
  }
}

const NO_SIGNAL = new AbortController().signal;

/**
 * Connects the HTTP library through a tunnel. TLS goes over it end to end, with the certificate checked against the host
 * of the address, whatever the environment says; `ca` (PEM) replaces the authorities of the machine.
 */
export function connectThrough(options: {
  readonly tunnel: OpenTunnel;
  readonly deadlineMs: number;
  readonly ca?: string | string[] | undefined;
  readonly target?: Pick<Target, 'refuse' | 'lookup'>;
}): buildConnector.connector {
  const { tunnel, deadlineMs, ca, target } = options;
  const secure = buildConnector({
    timeout: deadlineMs,
    allowH2: false,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });
  return (wanted, done) => {
    const isSecure = wanted.protocol === 'https:';
    const port = Number(wanted.port) || (isSecure ? 443 : 80);
    void tunnel({ ...target, host: wanted.hostname, port }, { deadlineMs, signal: NO_SIGNAL }).then((opened) => {
      if (!opened.ok) done(new NoConnection(opened.error), null);
      else if (isSecure) secure({ ...wanted, httpSocket: opened.value }, done);
      else done(null, opened.value);
    });
  };
}
