import type { ImapFlow } from 'imapflow';
import { err, type Result } from '../../../shared/result.ts';
import type { ImapServer } from '../../../shared/settings.ts';
import { type ListedFolder, sentFolderOf } from '../../core/sent-folder.ts';
import type { Mailbox, MailboxFailure } from '../../engine/ports.ts';
import type { AskMailSecret } from '../oauth/mail-secret.ts';
import { openDirect } from '../tunnel/open-tunnel.ts';
import type { OpenTunnel } from '../tunnel/tunnel.ts';
import { findMails } from './find-mails.ts';
import { IMAP_DEADLINES, type ImapDeadlines } from './limits.ts';
import { readLetters } from './read-letters.ts';
import { isRefusal, VisitRefused, visit } from './visit.ts';

export type ImapMailboxOptions = {
  /** The way to the server; straight where it is missing. */
  readonly tunnel?: OpenTunnel;
  readonly server: ImapServer;
  readonly userName: string;
  /** Asked anew for each visit. */
  readonly secret: AskMailSecret;
  readonly version: string;
  readonly deadlines?: Partial<ImapDeadlines>;
};

/** The account's mailbox over IMAP: one short visit for each question. */
export function createImapMailbox(options: ImapMailboxOptions): Mailbox {
  const deadlines = { ...IMAP_DEADLINES, ...options.deadlines };
  const client = { name: 'Mail Agent', version: options.version };

  /** A token that the server refuses is replaced once: it may have been taken back before its time. */
  const go = async <T>(
    signal: AbortSignal,
    work: (client: ImapFlow) => Promise<T>,
    refused: string | null = null,
  ): Promise<Result<T, MailboxFailure>> => {
    const secret = await options.secret(refused);
    if (!secret.ok) {
      const { kind, text } = secret.error;
      return err({ kind: kind === 'unreachable' ? 'unreachable' : 'no-credentials', text });
    }
    const login = { userName: options.server.userName ?? options.userName, secret: secret.value };
    const tunnel = options.tunnel ?? openDirect;
    const done = await visit({ server: options.server, login, tunnel, deadlines, signal, client }, work);
    const { kind, value } = secret.value;
    const isStale = refused === null && kind === 'access-token' && !done.ok && done.error.kind === 'login';
    return isStale ? go(signal, work, value) : done;
  };

  return {
    find: (where, messageIds, signal) =>
      go(signal, async (imap) => {
        const folder = where === 'inbox' ? 'INBOX' : (await sentFolder(imap)).path;
        await imap.mailboxOpen(folder, { readOnly: true });
        return { folder, found: await findMails(imap, messageIds) };
      }),
    keepCopies: (copies, signal) =>
      go(signal, async (imap) => {
        const { path: folder } = await sentFolder(imap);
        await imap.mailboxOpen(folder);
        const ends = new Map<string, 'kept' | 'there-already' | 'refused'>();
        const found = await findMails(
          imap,
          copies.map(({ messageId }) => messageId),
        );
        for (const { messageId } of found) ends.set(messageId, 'there-already');
        for (const { messageId, bytes, dateMs } of copies) {
          if (!ends.has(messageId)) ends.set(messageId, await append(imap, folder, bytes, dateMs));
        }
        return ends;
      }),
    letters: (cursor, sinceMs, signal) =>
      go(signal, async (imap) => {
        await imap.mailboxOpen('INBOX', { readOnly: true });
        return readLetters(imap, cursor, sinceMs);
      }),
  };
}

/** A mail that the folder does not take says so; whatever else happens ends the visit. */
async function append(imap: ImapFlow, folder: string, bytes: Buffer, dateMs: number): Promise<'kept' | 'refused'> {
  try {
    await imap.append(folder, bytes, ['\\Seen'], new Date(dateMs));
    return 'kept';
  } catch (error) {
    if (isRefusal(error)) return 'refused';
    throw error;
  }
}

async function sentFolder(imap: ImapFlow): Promise<ListedFolder> {
  const listed = await imap.list();
  const folder = sentFolderOf(
    listed.map(({ path, name, specialUse, specialUseSource, flags }) => ({
      path,
      name,
      isSentByServer: specialUse === '\\Sent' && specialUseSource === 'extension',
      isSentByName: specialUse === '\\Sent' && specialUseSource === 'name',
      isSelectable: !flags.has('\\Noselect') && !flags.has('\\NonExistent'),
    })),
  );
  if (folder !== null) return folder;
  throw new VisitRefused({ kind: 'no-folder', text: 'The mailbox has no folder for sent mails.' });
}
