import { type CloudMail, isSettled } from '../support/fakes-cloud-mail.ts';
import type { Computer } from './computer.ts';
import type { Mailroom } from './mailroom.ts';
import type { Safety } from './safety.ts';

/** The cloud refused what this agent knows, and its window shows both. */
const isConflict = (mail: CloudMail, computers: readonly Computer[]): boolean =>
  computers.some(({ disk }) => disk.file.reportFor(mail.id, null)?.ended === 'conflict');

/** I3: every mail is settled or stands before a person, and no computer has anything left to do or to tell. */
export function isAtRest(mails: Iterable<CloudMail>, computers: readonly Computer[]): boolean {
  for (const mail of mails) if (!isSettled(mail) && !isConflict(mail, computers)) return false;
  return computers.every(isIdle);
}

/** A waiting mail whose "not sent" the cloud refused stands before a person too, as a conflict. */
function isIdle({ disk: { file } }: Computer): boolean {
  const counts = file.counts();
  if (counts.attempting + counts['handed-over'] + counts.untold > 0) return false;
  if (counts.claimed === 0) return true;
  if (counts.claimed > counts.conflicts) return false;
  return file.list({ kinds: ['claimed'], limit: counts.claimed, offset: 0 }).every(({ id, state }) => {
    const isSettling = state.kind === 'claimed' && state.settlingNonce !== null;
    return isSettling && file.reportFor(id, null)?.ended === 'conflict';
  });
}

/** Whether this computer has read every letter; one that reads no folders has nothing to read. */
export function isInboxRead({ disk }: Computer, { model: { inbox } }: Mailroom): boolean {
  if (inbox.length === 0) return true;
  const cursor = disk.file.setting('inbox-cursor');
  return typeof cursor === 'object' && cursor !== null && Reflect.get(cursor, 'uidNext') > inbox.length;
}

/** What a letter said of a mail, the cloud was told, where the ledger that sent it is still the same. */
export function checkFacts({ written }: Mailroom, safety: Safety): void {
  for (const { mail, factId, sender } of written) {
    if (sender === null || sender.isShared || sender.disk.lineage > 0 || mail.facts.has(factId)) continue;
    safety.fail(`facts: the cloud was not told what a letter said of mail ${mail.id}`);
  }
}

/** What keeps the world from its rest, for a person. */
export function whatIsOpen(mails: Iterable<CloudMail>, computers: readonly Computer[], mailroom: Mailroom): string {
  const open = [...mails].filter((mail) => !isSettled(mail)).map((mail) => cloudWord(mail));
  const held = computers.flatMap((computer) => [
    ...computer.disk.file
      .held(1_000)
      .filter(({ state }) => state.kind !== 'uncertain')
      .map(({ id, state }) => `${computer.name} has ${id} ${JSON.stringify(state)}`),
    ...(computer.disk.file.counts().untold > 0 ? [`${computer.name} has reports left to tell`] : []),
    ...computer.disk.file.holds().map((hold) => `${computer.name} held: ${hold.kind}`),
    ...(isInboxRead(computer, mailroom) ? [] : [`${computer.name} has letters left to read`]),
  ]);
  return [...open, ...held].join('; ');
}

const cloudWord = ({ id, status, begun, agentId }: CloudMail): string =>
  `cloud has ${id} ${status}${begun === null ? '' : ' begun'} with ${agentId ?? 'nobody'}`;

/**
 * I2, at rest: what a ledger that was never exchanged knows for certain is what the cloud says, or a conflict that
 * stands before a person; and no accepted mail is forgotten.
 */
export function checkRest(mails: ReadonlyMap<string, CloudMail>, computers: readonly Computer[], safety: Safety): void {
  for (const [id, count] of safety.acceptances) {
    const mail = mails.get(id);
    if (count !== 1 || mail === undefined || safety.isSettledByPerson(id)) continue;
    const stands = mail.status === 'sending' && (mail.uncertain || isConflict(mail, computers));
    if (mail.status !== 'sent' && !stands) {
      safety.fail(`I2: mail ${id} was accepted, and the cloud says ${mail.status}`);
    }
  }
  for (const computer of computers) {
    const { file, lineage } = computer.disk;
    if (lineage > 0 || computer.isShared) continue;
    for (const { id, state } of file.list({ kinds: ['sent', 'failed'], limit: 10_000, offset: 0 })) {
      const mail = mails.get(id);
      const told = state.kind === 'sent' ? 'sent' : 'send_failed';
      if (mail === undefined || mail.status === told || safety.isSettledByPerson(id)) continue;
      if (file.reportFor(id, null)?.ended === 'conflict') continue;
      safety.fail(`I2: ${computer.name} knows mail ${id} as ${state.kind}, the cloud says ${mail.status}`);
    }
  }
}
