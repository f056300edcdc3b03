import { createHash } from 'node:crypto';
import path from 'node:path';
import { createKeychain } from '../adapters/keychain/keychain.ts';
import { createSecretFile } from '../adapters/keychain/secret-file.ts';
import { type OpenedLedger, openLedger } from '../adapters/sqlite/open-ledger.ts';
import { environmentRoutes } from '../adapters/tunnel/environment-routes.ts';
import type { Tunnels } from '../adapters/tunnel/open-tunnel.ts';
import type { Secrets } from '../engine/ports.ts';
import { readSetUp, type SetUp } from '../set-up.ts';
import { tunnelsOf } from '../tunnels.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** Opens the ledger as its only writer, or ends the command with what stands in the way. */
export function openForWriting(terminal: Terminal): OpenedLedger['ledger'] {
  const opened = openLedger({ folder: terminal.folder });
  if (!opened.ok) {
    throw opened.error.kind === 'in-use'
      ? new CommandError(EXIT.inUse, terminal.texts.inUse)
      : new CommandError(EXIT.ledger, opened.error.text);
  }
  const { ledger, notice } = opened.value;
  if (notice !== null) terminal.say(terminal.texts.damagedSetAside(notice.file, notice.why));
  return ledger;
}

/** The system's keychain, or the file that --secret-file names. */
export function openSecrets({ secretFile, folder }: Pick<Terminal, 'secretFile' | 'folder'>): Secrets {
  if (secretFile !== null) return createSecretFile({ file: path.resolve(secretFile) });
  // Two data folders on one computer are two agents, each with secrets of its own.
  const profile = createHash('sha256').update(path.resolve(folder)).digest('hex').slice(0, 16);
  return createKeychain({ profile, folder });
}

/** The ways to cloud and mail servers; in a terminal the computer's own proxy is the environment's. */
export const openTunnels = (terminal: Terminal, { proxy }: Pick<SetUp, 'proxy'>): Tunnels =>
  tunnelsOf({ proxy, secrets: openSecrets(terminal), resolveRoutes: environmentRoutes(process.env) });

export function setUpOf(ledger: OpenedLedger['ledger']): SetUp {
  const setUp = readSetUp(ledger);
  if (!setUp.ok) throw new CommandError(EXIT.usage, setUp.error);
  return setUp.value;
}

export function requirePairing(terminal: Terminal, setUp: SetUp): NonNullable<SetUp['pairing']> {
  if (setUp.pairing === null) throw new CommandError(EXIT.notSetUp, terminal.texts.notPaired);
  return setUp.pairing;
}

export function requireAccount(terminal: Terminal, setUp: SetUp): NonNullable<SetUp['account']> {
  if (setUp.account === null) throw new CommandError(EXIT.notSetUp, terminal.texts.noAccount);
  return setUp.account;
}
