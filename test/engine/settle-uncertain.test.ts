import { describe, expect, it } from 'vitest';
import type { LedgerChange } from '../../src/main/engine/ports.ts';
import { messageIdOfMail } from '../../src/main/engine/prepare-mail.ts';
import { type LookMemory, nextLookAtMs, settleUncertain } from '../../src/main/engine/settle-uncertain.ts';
import {
  claimed,
  commitAll,
  handedOver,
  happened,
  lost,
  newMail,
  sendMail,
  started,
} from '../conformance/ledger-samples.ts';
import { type BareContext, bareContext } from '../support/bare-context.ts';
import { ModelMailbox } from '../support/fakes-mailbox.ts';
import { CONFIG } from '../support/fakes-world.ts';
import { memoryLedger } from '../support/memory-ledger.ts';

const HOUR_MS = 3_600_000;
const NEVER = new AbortController().signal;

function doubted({ ledger }: BareContext, ...numbers: readonly number[]): void {
  for (const number of numbers) {
    commitAll(ledger, claimed([newMail(number)]));
    for (const event of [started(1), handedOver(1), lost(`${number}`, 1)])
      commitAll(ledger, happened(`${number}`, event));
  }
}
const nameOf = ({ ledger }: BareContext, id: string): string => {
  const mail = ledger.mail(id);
  if (mail === null) throw new Error(`no mail ${id}`);
  return messageIdOfMail(mail, CONFIG.account.address);
};
/** With a provider that saves every mail it takes. */
const saving = (): BareContext => {
  const bare = bareContext();
  const account = { ...CONFIG.account, savesSentCopy: 'yes' } as const;
  return { ...bare, context: { ...bare.context, config: { ...CONFIG, account } } };
};
const look = (bare: BareContext, mailbox: ModelMailbox, memory: LookMemory) =>
  settleUncertain(bare.context, mailbox, memory, NEVER);
const kindOf = ({ ledger }: BareContext, id: string) => ledger.mail(id)?.state.kind;

describe('the next look', () => {
  it('is for the mail whose turn comes first, at once for one not looked for yet, and never without one', async () => {
    const bare = bareContext();
    const memory: LookMemory = new Map();
    expect(nextLookAtMs(bare.context, memory)).toBeNull();
    commitAll(bare.ledger, claimed([newMail(9)]));
    expect(nextLookAtMs(bare.context, memory)).toBeNull();
    doubted(bare, 1);
    expect(nextLookAtMs(bare.context, memory)).toBe(0);

    await look(bare, new ModelMailbox(), memory);
    const first = nextLookAtMs(bare.context, memory) ?? 0;
    doubted(bare, 2);

    expect(first).toBeGreaterThan(bare.clock.nowMs());
    expect(nextLookAtMs(bare.context, memory)).toBe(0);
    await look(bare, new ModelMailbox(), memory);
    const turns = [...memory.values()].map(({ nextAtMs }) => nextAtMs);
    expect(new Set(turns).size).toBe(2);
    expect(nextLookAtMs(bare.context, memory)).toBe(Math.min(...turns));
  });
});

describe('a look for uncertain mails', () => {
  it('settles those that are found, tells of it, and remembers no more of them', async () => {
    const bare = bareContext();
    const memory: LookMemory = new Map();
    const mailbox = new ModelMailbox();
    doubted(bare, 1, 2);
    await look(bare, mailbox, memory);
    mailbox.put(nameOf(bare, '1'));
    await bare.clock.advance(HOUR_MS);
    await look(bare, mailbox, memory);

    expect([kindOf(bare, '1'), kindOf(bare, '2')]).toEqual(['sent', 'uncertain']);
    expect(await bare.rung()).toEqual(['report']);
    expect(bare.changes()).toBe(1);
    await bare.clock.advance(HOUR_MS);
    await look(bare, mailbox, memory);
    expect([...memory.keys()]).toEqual(['2']);
  });

  it('keeps the name under which a provider filed the mail anew, and no other', async () => {
    const named: string[] = [];
    const ledger = memoryLedger();
    const commit = (changes: readonly LedgerChange[]) => {
      named.push(...changes.flatMap((change) => (change.kind === 'mail-named' ? [change.messageId] : [])));
      return ledger.commit(changes);
    };
    const bare = { ...bareContext({ ledger: { ...ledger, commit } }), ledger };
    const mailbox = new ModelMailbox();
    doubted(bare, 1, 2);
    mailbox.put(nameOf(bare, '1'), { by: 'original-message-id', currentMessageId: '<anew@x>' });
    mailbox.put(nameOf(bare, '2'), { by: 'message-id', currentMessageId: '<other@x>' });
    await look(bare, mailbox, new Map());

    expect([kindOf(bare, '1'), kindOf(bare, '2')]).toEqual(['sent', 'sent']);
    expect(bare.ledger.mailNamed('<anew@x>')).toBe('1');
    expect(named).toEqual(['<anew@x>']);
  });

  it('asks nothing where it is nobody’s turn', async () => {
    const bare = bareContext();
    const memory: LookMemory = new Map();
    const mailbox = new ModelMailbox();
    await look(bare, mailbox, memory);
    doubted(bare, 1);
    for (let turn = 0; turn < 3; turn += 1) await look(bare, mailbox, memory);

    expect(mailbox.visits).toEqual(['find']);
  });

  it('looks for each of several mails in its own time, in the Sent folder, with a few that were sent', async () => {
    const bare = bareContext();
    const memory: LookMemory = new Map();
    const mailbox = new ModelMailbox();
    const { find } = mailbox;
    const asked: [string, readonly string[]][] = [];
    mailbox.find = (where, messageIds, signal) => {
      asked.push([where, messageIds]);
      return find(where, messageIds, signal);
    };
    for (const number of [5, 6, 7, 8]) {
      commitAll(bare.ledger, claimed([newMail(number)]));
      sendMail(bare.ledger, `${number}`, 3_000 + number);
    }
    doubted(bare, 1, 2);
    for (let turn = 0; turn < 3; turn += 1) await look(bare, mailbox, memory);

    expect(asked).toEqual([['sent', ['2', '1', '8', '7', '6'].map((id) => nameOf(bare, id))]]);
  });

  it('answers what kept it from looking, and counts no look', async () => {
    const bare = bareContext();
    const memory: LookMemory = new Map();
    const mailbox = new ModelMailbox();
    const failure = { kind: 'unreachable', text: 'no route' } as const;
    mailbox.failure = () => failure;
    doubted(bare, 1);

    expect(await look(bare, mailbox, memory)).toEqual(failure);
    expect(memory.size).toBe(0);
  });

  it('finds that a mail was not sent only where another sent mail is found along, again and again over hours', async () => {
    const run = async (controls: readonly string[]): Promise<string | undefined> => {
      const bare = saving();
      const memory: LookMemory = new Map();
      const mailbox = new ModelMailbox();
      for (const number of [8, 9]) {
        commitAll(bare.ledger, claimed([newMail(number)]));
        sendMail(bare.ledger, `${number}`, 3_000);
      }
      for (const id of controls) mailbox.put(nameOf(bare, id));
      doubted(bare, 1);
      for (let turn = 0; turn < 20; turn += 1) {
        await look(bare, mailbox, memory);
        await bare.clock.advance(HOUR_MS);
      }
      return kindOf(bare, '1');
    };

    expect(await run(['9'])).toBe('failed');
    expect(await run(['8', '9'])).toBe('failed');
    expect(await run([])).toBe('uncertain');
  });
});
