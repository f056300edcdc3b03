import { z } from 'zod';
import { LOCAL_TEXTS } from '../../shared/texts/local-texts.ts';
import { type Bounce, namesIn, readBounce } from '../core/bounce.ts';
import { type Fact, factId, heldKeyOf } from '../core/facts.ts';
import type { Letter } from '../core/letter.ts';
import { isNameOf, mailIdIn } from '../core/message-id.ts';
import type { Context } from './context.ts';
import type { InboxCursor, LedgerChange, LedgerMail, Mailbox, MailboxFailure } from './ports.ts';
import { settledBy } from './settle-uncertain.ts';

const CURSOR_KEY = 'inbox-cursor';
const Cursor = z.object({ account: z.string(), uidValidity: z.string(), uidNext: z.int().min(1) });
/** How far back a folder is read that was never read before. */
const FIRST_LOOK_MS = 3 * 24 * 3_600_000;
const VISITS_MAX = 10;
/** A letter storm about one mail tells no more than its first letters. */
const FACTS_MAX = 20;

/** Reads what came into the inbox for bounces of our mails and answers to them. Answers what kept it from reading. */
export async function readInbox(
  context: Context,
  mailbox: Mailbox,
  signal: AbortSignal,
): Promise<MailboxFailure | null> {
  const { ports, journal, bells } = context;
  for (let visit = 0; visit < VISITS_MAX; visit += 1) {
    const read = await mailbox.letters(cursorOf(context), ports.clock.nowMs() - FIRST_LOOK_MS, signal);
    if (!read.ok) return read.error;
    const { cursor, letters, isRest } = read.value;
    const taught = new Map<string, number>();
    const learned = letters.flatMap((letter) => changesFor(context, letter, taught));
    const value = { account: context.config.account.address, ...cursor };
    // In one commit: a letter is behind the cursor only when what it says is on disk.
    const known = JSON.stringify(cursorOf(context)) === JSON.stringify(cursor);
    if (learned.length > 0 || !known) {
      const written = journal.commit([...learned, { kind: 'setting', key: CURSOR_KEY, value }]);
      if (!written.ok) return { kind: 'busy', text: 'the ledger could not be written' };
    }
    if (learned.length > 0) {
      bells.report.ring();
      bells.send.ring();
      context.changed();
    }
    if (!isRest) return null;
  }
  return null;
}

/** Null where the inbox of this account was never read. */
function cursorOf({ ports, config }: Context): InboxCursor | null {
  const parsed = Cursor.safeParse(ports.ledger.setting(CURSOR_KEY));
  if (!parsed.success || parsed.data.account !== config.account.address) return null;
  const { uidValidity, uidNext } = parsed.data;
  return { uidValidity, uidNext };
}

/** `taught`: how many facts the letters before this one brought about a mail, not written yet. */
function changesFor(context: Context, letter: Letter, taught: Map<string, number>): readonly LedgerChange[] {
  const bounce = readBounce(letter);
  const mail = mailOf(context, bounce === null ? letter.answers : namesIn(letter));
  if (mail === null) return [];
  if (bounce === null && (letter.isAutomatic || isOurs(context, letter))) return [];
  const kind = bounce === null ? 'replied' : 'bounced';
  const id = factId(mail.id, kind, letter.key);
  const known = context.ports.ledger.facts(mail.id);
  const unwritten = taught.get(mail.id) ?? 0;
  if (known.length + unwritten >= FACTS_MAX || known.some((fact) => fact.id === id)) return [];
  taught.set(mail.id, unwritten + 1);
  context.ports.log.info('mailbox.fact', { mail: mail.id, kind, hard: bounce?.hard ?? null });
  return [...settled(context, mail, kind), ...facts(context, mail, letter, { id, bounce })];
}

/** A bounce and an answer both prove that the mail had left. Told before the fact. */
function settled(context: Context, mail: LedgerMail, kind: Fact['kind']): readonly LedgerChange[] {
  if (mail.state.kind !== 'uncertain') return [];
  const texts = LOCAL_TEXTS[context.config.language];
  const evidence =
    kind === 'bounced'
      ? ({ kind: 'bounce', note: texts['came-back'] } as const)
      : ({ kind: 'reply', note: texts['was-answered'] } as const);
  return [settledBy(context, mail, 'sent', evidence)];
}

function facts(
  { ports }: Context,
  mail: LedgerMail,
  letter: Letter,
  { id, bounce }: { readonly id: string; readonly bounce: Bounce | null },
): readonly LedgerChange[] {
  const nowMs = ports.clock.nowMs();
  const atMs = letter.arrivedAtMs > 0 ? Math.min(letter.arrivedAtMs, nowMs) : nowMs;
  if (bounce === null) return [{ kind: 'fact', mailId: mail.id, fact: { id, kind: 'replied', atMs }, atMs: nowMs }];
  const fact: LedgerChange = {
    kind: 'fact',
    mailId: mail.id,
    fact: { id, kind: 'bounced', atMs, ...bounce },
    atMs: nowMs,
  };
  const address = bounce.hard ? heldKeyOf(mail.payload) : null;
  if (address === null) return [fact];
  return [fact, { kind: 'address-held', held: { address, sinceMs: atMs, mailId: mail.id, text: bounce.text } }];
}

/** The mail one of these ids stands for, if this agent may have sent it. */
function mailOf({ ports }: Context, names: readonly string[]): LedgerMail | null {
  for (const name of names) {
    const own = mailIdIn(name);
    const id = own ?? ports.ledger.mailNamed(name);
    const mail = id === null ? null : ports.ledger.mail(id);
    if (mail === null || mail.state.attempt === 0 || (own !== null && !isNameOf(name, mail))) continue;
    return mail;
  }
  return null;
}

const isOurs = ({ config }: Context, letter: Letter): boolean =>
  [config.account.address, ...config.account.aliases].some((address) => address.toLowerCase() === letter.from);
