import { describe, expect, it } from 'vitest';
import { firstMemory, noticesOf } from '../../src/main/window-host/notices.ts';
import type { StatusView } from '../../src/shared/status.ts';
import { hold, statusWith } from '../support/status-sample.ts';

/** What is said while the status takes these values one after another. */
function said(...statuses: readonly [StatusView, ...StatusView[]]): string[] {
  let memory = firstMemory(statuses[0]);
  return statuses.flatMap((status) => {
    const step = noticesOf(memory, status, 'en');
    memory = step.memory;
    return step.notices.map(({ kind, text }) => `${kind}: ${text}`);
  });
}

describe('notifications', () => {
  it('tell once that a batch is through, with what it came to', () => {
    const words = said(
      statusWith({ counts: { sent: 5 } }),
      statusWith({ counts: { sent: 5, waiting: 3 } }),
      statusWith({ counts: { sent: 6, waiting: 1, sending: 1 } }),
      statusWith({ counts: { sent: 7, failed: 1 } }),
      statusWith({ counts: { sent: 7, failed: 1 } }),
    );

    expect(words).toEqual(['batch-done: All mails are through: 2 accepted by your mail server, 1 refused.']);
  });

  it('do not call a batch through while the queue still holds mails of it', () => {
    const task = { taskId: 't', name: 'T', failed: 0, uncertain: 0 };
    const words = said(
      statusWith({ counts: { waiting: 1 }, tasks: [{ ...task, total: 40, sent: 0 }] }),
      statusWith({ counts: { sent: 1 }, tasks: [{ ...task, total: 40, sent: 1 }] }),
      statusWith({ counts: { sent: 40 }, tasks: [{ ...task, total: 40, sent: 40 }] }),
    );

    expect(words).toEqual(['batch-done: All mails are through: 40 accepted by your mail server.']);
  });

  it('are silent when waiting mails were only taken back', () => {
    expect(said(statusWith({ counts: { waiting: 2 } }), statusWith({ counts: { cancelled: 2 } }))).toEqual([]);
  });

  it('tell of each new doubt, and not of one that was there at the start', () => {
    const words = said(
      statusWith({ counts: { uncertain: 1 } }),
      statusWith({ counts: { uncertain: 1 } }),
      statusWith({ counts: { uncertain: 2 } }),
      statusWith({ counts: { uncertain: 1 } }),
    );

    expect(words).toEqual(['needs-you: 2 mails need your answer.']);
  });

  it('tell in its own words that the account was refused, once until it is mended', () => {
    const refused = statusWith({ holds: [hold('account', 'The login was refused.')] });

    expect(said(statusWith(), refused, refused, statusWith(), refused)).toEqual([
      'account-refused: The login was refused.',
      'account-refused: The login was refused.',
    ]);
  });
});
