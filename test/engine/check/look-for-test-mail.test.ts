import { describe, expect, it } from 'vitest';
import { lookForTestMail } from '../../../src/main/engine/check/look-for-test-mail.ts';
import type { FoundMail, Mailbox } from '../../../src/main/engine/ports.ts';
import { err, ok } from '../../../src/shared/result.ts';
import { VirtualClock } from '../../support/fakes-clock.ts';

const NEVER = new AbortController().signal;
const ID = '<account-check-1@office.test>';
const found = (by: FoundMail['by']): FoundMail => ({ messageId: ID, by, currentMessageId: '<x@y>', copies: 1 });

/** `sent` and `inbox`: from which look on the mail is there, and under which id. */
async function look(where: { readonly sent?: [number, FoundMail]; readonly inbox?: [number, FoundMail] }) {
  const clock = new VirtualClock();
  const startMs = clock.monotonicMs();
  const counts = { sent: 0, inbox: 0 };
  const find: Mailbox['find'] = async (folder, messageIds) => {
    expect(messageIds).toEqual([ID]);
    counts[folder] += 1;
    const there = where[folder];
    return ok({ folder, found: there !== undefined && counts[folder] >= there[0] ? [there[1]] : [] });
  };
  let ended = false;
  const seen = lookForTestMail({ clock, mailbox: { find } }, ID, NEVER).finally(() => {
    ended = true;
  });
  await clock.runUntil(() => ended);
  return { seen: await seen, counts, atMs: clock.monotonicMs() - startMs };
}

describe('the test mail to oneself', () => {
  it('found in Sent shows that the provider keeps a copy and the Message-ID', async () => {
    expect((await look({ sent: [1, found('message-id')] })).seen).toEqual(
      ok({ savesCopy: 'yes', keepsMessageId: 'yes' }),
    );
  });

  it('found in Sent by its old Message-ID shows that the provider gives its own', async () => {
    expect((await look({ sent: [3, found('original-message-id')] })).seen).toEqual(
      ok({ savesCopy: 'yes', keepsMessageId: 'no' }),
    );
  });

  it('in the inbox while Sent stays empty shows that the provider keeps none', async () => {
    const { seen, counts } = await look({ inbox: [2, found('message-id')] });

    expect(seen).toEqual(ok({ savesCopy: 'no', keepsMessageId: 'yes' }));
    // Twice more after the look at which it had come.
    expect(counts).toEqual({ sent: 4, inbox: 4 });
  });

  it('in the inbox under an id of the provider’s own shows that the Message-ID does not stay', async () => {
    const { seen } = await look({ inbox: [1, found('original-message-id')] });

    expect(seen).toEqual(ok({ savesCopy: 'no', keepsMessageId: 'no' }));
  });

  it('that comes to Sent only after it came to the inbox counts as kept', async () => {
    expect((await look({ inbox: [1, found('message-id')], sent: [3, found('message-id')] })).seen).toEqual(
      ok({ savesCopy: 'yes', keepsMessageId: 'yes' }),
    );
  });

  it('that is nowhere shows nothing, and is not looked for forever', async () => {
    const { seen, counts, atMs } = await look({});

    expect(seen).toEqual(ok({ savesCopy: 'unknown', keepsMessageId: 'unknown' }));
    expect(counts).toEqual({ sent: 9, inbox: 9 });
    expect(atMs).toBe(8 * 5_000);
  });

  it('is not looked for any more once the person has left', async () => {
    const left = new AbortController();
    let looks = 0;
    const find: Mailbox['find'] = async (folder) => {
      looks += 1;
      left.abort('left');
      return ok({ folder, found: [] });
    };

    await lookForTestMail({ clock: new VirtualClock(), mailbox: { find } }, ID, left.signal);

    expect(looks).toBe(2);
  });

  it.each(['sent', 'inbox'] as const)('leaves it open where a folder cannot be read: %s', async (unread) => {
    const failure = { kind: 'login', text: 'refused' } as const;
    const find: Mailbox['find'] = async (folder) => (folder === unread ? err(failure) : ok({ folder, found: [] }));
    const mailbox = { find };

    expect(await lookForTestMail({ clock: new VirtualClock(), mailbox }, ID, NEVER)).toEqual(err(failure));
  });
});
