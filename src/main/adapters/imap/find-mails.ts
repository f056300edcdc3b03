import type { FetchMessageObject, ImapFlow } from 'imapflow';
import type { FoundMail } from '../../engine/ports.ts';

/** A mail that no search finds is looked for among so many of the folder's newest. */
const NEWEST_MAX = 200;
/** Copies of one mail that are looked at. */
const COPIES_MAX = 20;
const HEADERS = ['message-id', 'x-microsoft-original-message-id'] as const;
const FINDABLE = ['Message-ID', 'X-Microsoft-Original-Message-ID'] as const;

/**
 * Looks for mails in the open folder. A search by header only narrows down, because it matches parts and some servers
 * answer it with nothing at all: what counts are the headers themselves, and for mails not found so far those of the
 * newest mails too.
 */
export async function findMails(client: ImapFlow, messageIds: readonly string[]): Promise<readonly FoundMail[]> {
  const wanted = new Set(messageIds);
  const seen = new Map<number, FetchMessageObject>();
  for (const messageId of wanted) {
    for (const header of FINDABLE) {
      const uids = await searchFor(client, header, messageId);
      for (const row of await headersOf(client, uids.slice(-COPIES_MAX), 'uid')) seen.set(row.uid, row);
      if (uids.length > 0) break;
    }
  }
  let found = readFound([...seen.values()], wanted);
  const count = client.mailbox === false ? 0 : client.mailbox.exists;
  if (found.length < wanted.size && count > 0) {
    const from = Math.max(1, count - NEWEST_MAX + 1);
    for (const row of await headersOf(client, [`${from}:${count}`], 'place')) seen.set(row.uid, row);
    found = readFound([...seen.values()], wanted);
  }
  return found;
}

async function searchFor(client: ImapFlow, header: string, messageId: string): Promise<readonly number[]> {
  // Without its brackets: some servers keep none in their index.
  const uids = await client.search({ header: { [header]: messageId.replace(/^<|>$/g, '') } }, { uid: true });
  return uids === undefined || uids === false ? [] : uids;
}

async function headersOf(
  client: ImapFlow,
  which: readonly (number | string)[],
  by: 'uid' | 'place',
): Promise<readonly FetchMessageObject[]> {
  if (which.length === 0) return [];
  return client.fetchAll(which.join(','), { uid: true, headers: [...HEADERS] }, { uid: by === 'uid' });
}

function readFound(rows: readonly FetchMessageObject[], wanted: ReadonlySet<string>): readonly FoundMail[] {
  const found = new Map<string, FoundMail>();
  for (const row of rows) {
    const text = row.headers?.toString('latin1') ?? '';
    const current = headerId(text, 'message-id');
    const original = headerId(text, 'x-microsoft-original-message-id');
    for (const messageId of wanted) {
      const by = current === messageId ? 'message-id' : original === messageId ? 'original-message-id' : null;
      if (by === null) continue;
      const copies = (found.get(messageId)?.copies ?? 0) + 1;
      found.set(messageId, { messageId, by, currentMessageId: current, copies });
    }
  }
  return [...found.values()];
}

/** The id in one header of a block, unfolded; null where there is none. */
function headerId(block: string, name: string): string | null {
  const line = new RegExp(`^${name}:([^\\r\\n]*(?:\\r?\\n[ \\t][^\\r\\n]*)*)`, 'im').exec(block);
  return /<[^<>\s]{1,996}>/.exec(line?.[1] ?? '')?.[0] ?? null;
}
