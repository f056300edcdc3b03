import { hostname } from 'node:os';
import { isAllowedCloudUrl } from '../../shared/settings.ts';
import { PairRequest } from '../../shared/wire/messages.ts';
import { pairWithCloud } from '../adapters/cloud-http/pair.ts';
import type { CloudFailure } from '../engine/ports.ts';
import { checkSetting } from '../set-up.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { openForWriting, openSecrets, openTunnels, setUpOf } from './open.ts';
import type { Terminal } from './terminal.ts';
import { VERSION } from './version.ts';

const NAME_MAX_CHARS = 100;

/** `pair URL CODE`: exchanges the code for a token and binds this data folder to that cloud and user. */
export async function pairCommand(
  terminal: Terminal,
  url: string,
  code: string,
  name: string | undefined,
): Promise<void> {
  checkArguments(url, code);
  const ledger = openForWriting(terminal);
  try {
    const setUp = setUpOf(ledger);
    const before = setUp.pairing;
    const cloudUrl = withoutSlash(url);
    if (before !== null && before.cloudUrl !== cloudUrl) {
      throw new CommandError(EXIT.usage, terminal.texts.alreadyPaired(before.cloudUrl, before.userName));
    }
    const agentName = (name ?? hostname()).slice(0, NAME_MAX_CHARS);
    const paired = await pairWithCloud({
      cloudUrl,
      request: {
        pairing_code: asCode(code),
        agent_name: agentName,
        platform: process.platform,
        version: VERSION,
      },
      tunnel: openTunnels(terminal, setUp).web,
      signal: AbortSignal.timeout(60_000),
    });
    if (!paired.ok) throw new CommandError(EXIT.cloud, cloudFailureText(paired.error));
    const { agent_id: agentId, token, user } = paired.value;
    if (before !== null && before.userId !== user.id) {
      throw new CommandError(EXIT.usage, terminal.texts.alreadyPaired(before.cloudUrl, before.userName));
    }
    const pairing = checkSetting('pairing', { cloudUrl, agentId, agentName, userId: user.id, userName: user.name });
    if (!pairing.ok) throw new CommandError(EXIT.usage, pairing.error);
    const stored = await openSecrets(terminal).set('agent-token', token);
    if (!stored.ok) throw new CommandError(EXIT.secrets, stored.error.text);
    const written = ledger.commit([{ kind: 'setting', key: 'pairing', value: pairing.value }]);
    if (!written.ok) throw new CommandError(EXIT.ledger, written.error.kind);
    ledger.commit([{ kind: 'hold-lifted', holdKind: 'token' }]);
    terminal.result(
      { paired: true, agent: agentId, user, cloud: cloudUrl },
      terminal.texts.paired(user.name, cloudUrl),
    );
  } finally {
    ledger.close();
  }
}

function checkArguments(url: string, code: string): void {
  if (!isAllowedCloudUrl(withoutSlash(url))) {
    throw new CommandError(
      EXIT.usage,
      `URL ${url}: allowed is https://host, or http://127.0.0.1:port for a cloud on this machine, without a path.`,
    );
  }
  if (!PairRequest.shape.pairing_code.safeParse(asCode(code)).success) {
    throw new CommandError(EXIT.usage, 'CODE: allowed is a pairing code of the form ABCD-1234.');
  }
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');
const asCode = (text: string): string => text.trim().toUpperCase();

function cloudFailureText(failure: CloudFailure): string {
  return failure.kind === 'problem' ? `${failure.detail} (${failure.code})` : failure.text;
}
