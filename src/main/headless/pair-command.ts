import { assertNever } from '../../shared/result.ts';
import type { CloudFailure } from '../engine/ports.ts';
import { signInChanges } from '../engine/sign-in-clients.ts';
import { type PairFailure, pair } from '../pair.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { openForWriting, openSecrets, openTunnels, setUpOf } from './open.ts';
import type { Terminal } from './terminal.ts';
import { VERSION } from './version.ts';

/** `pair URL CODE`: exchanges the code for a token and binds this data folder to that cloud and user. */
export async function pairCommand(
  terminal: Terminal,
  url: string,
  code: string,
  name: string | undefined,
): Promise<void> {
  const ledger = openForWriting(terminal);
  try {
    const setUp = setUpOf(ledger);
    const parts = {
      secrets: openSecrets(terminal),
      version: VERSION,
      boundTo: setUp.pairing,
      tunnel: openTunnels(terminal, setUp).web,
    };
    const paired = await pair(parts, { cloudUrl: url, code, agentName: name ?? null });
    if (!paired.ok) throw commandError(terminal, url, paired.error);
    const { agentId, cloudUrl, userId, userName } = paired.value.pairing;
    const written = ledger.commit([
      { kind: 'setting', key: 'pairing', value: paired.value.pairing },
      ...signInChanges(ledger, paired.value.signIn),
      { kind: 'hold-lifted', holdKind: 'token' },
    ]);
    if (!written.ok) throw new CommandError(EXIT.ledger, written.error.kind);
    terminal.result(
      { paired: true, agent: agentId, user: { id: userId, name: userName }, cloud: cloudUrl },
      terminal.texts.paired(userName, cloudUrl),
    );
  } finally {
    ledger.close();
  }
}

function commandError(terminal: Terminal, url: string, failure: PairFailure): CommandError {
  switch (failure.kind) {
    case 'bad-address': {
      const allowed = 'allowed is https://host, or http://127.0.0.1:port for a cloud on this machine, without a path.';
      return new CommandError(EXIT.usage, `URL ${url}: ${allowed}`);
    }
    case 'bad-code':
      return new CommandError(EXIT.usage, 'CODE: allowed is a pairing code of the form ABCD-1234.');
    case 'other-owner': {
      const { cloudUrl, userName } = failure.owner;
      return new CommandError(EXIT.usage, terminal.texts.alreadyPaired(cloudUrl, userName));
    }
    case 'cloud':
      return new CommandError(EXIT.cloud, cloudFailureText(failure.failure));
    case 'strange-answer':
      return new CommandError(EXIT.usage, failure.text);
    case 'secrets':
      return new CommandError(EXIT.secrets, failure.failure.text);
    default:
      return assertNever(failure);
  }
}

function cloudFailureText(failure: CloudFailure): string {
  return failure.kind === 'problem' ? `${failure.detail} (${failure.code})` : failure.text;
}
