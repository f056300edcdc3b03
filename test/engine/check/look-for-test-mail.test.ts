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
  const counts = { sent: 0, inbox: 0 };
  const find: Mailbox['find'] = async (folder) => {
    counts[folder] += 1;
    const there = where[folder];
    return ok({ folder, found: there !== undefined && counts[folder] >= there[0] ? [there[1]] : [] });
  };
  let ended = false;
  const seen = lookForTestMail({ clock, mailbox: { find } }, ID, NEVER).finally(() => {
    ended = true;
  });
  await clock.runUntil(() => ended);
  return { seen: await seen, counts };
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
    expect(counts.sent).toBeGreaterThan(3);
  });

  it('that comes to Sent only after it came to the inbox counts as kept', async () => {
    expect((await look({ inbox: [1, found('message-id')], sent: [3, found('message-id')] })).seen).toEqual(
      ok({ savesCopy: 'yes', keepsMessageId: 'yes' }),
    );
  });

  it('that is nowhere shows nothing, and is not looked for forever', async () => {
    const { seen, counts } = await look({});

    expect(seen).toEqual(ok({ savesCopy: 'unknown', keepsMessageId: 'unknown' }));
    expect(counts.sent).toBeLessThan(20);
  });

  it('leaves it open where the folders cannot be read', async () => {
    const failure = { kind: 'login', text: 'refused' } as const;
    const mailbox = { find: async () => err(failure) };

    expect(await lookForTestMail({ clock: new VirtualClock(), mailbox }, ID, NEVER)).toEqual(err(failure));
  });
});
