import { describe, expect, it } from 'vitest';
import { type Accepted, type TaskMail, tallyUp } from '../../../scripts/demo/tally.ts';

const mail = (id: string, state: TaskMail['state']): TaskMail => ({
  id,
  toAddress: `${id}@customers.example`,
  state,
  messageId: state === 'sent' ? `<${id}@sales.example>` : null,
});
const arrival = (id: string): Accepted => ({
  messageId: `<${id}@sales.example>`,
  recipients: [`${id}@customers.example`],
});

const tallyOf = (facts: { mails: TaskMail[]; accepted: Accepted[]; earlier?: Accepted[] }) =>
  tallyUp({ earlier: [], seconds: 1, ...facts });

describe('tallyUp', () => {
  it('finds nothing wrong where every sent mail arrived once and uncertain ones may have', () => {
    const mails = [mail('1', 'sent'), mail('2', 'uncertain'), mail('3', 'uncertain'), mail('4', 'failed')];

    const { tally, problems } = tallyOf({ mails, accepted: [arrival('1'), arrival('2')] });

    expect(problems).toEqual([]);
    expect(tally).toEqual({ queued: 4, sent: 1, failed: 1, uncertain: 2, delivered: 2, duplicates: 0, seconds: 1 });
  });

  it('counts a message that arrives twice, in this run or again after an earlier one', () => {
    const mails = [mail('1', 'sent'), mail('2', 'sent')];

    const twice = tallyOf({ mails, accepted: [arrival('1'), arrival('2'), arrival('2')] });
    const again = tallyOf({ mails, accepted: [arrival('1'), arrival('2')], earlier: [arrival('1')] });

    expect(twice.tally.duplicates).toBe(1);
    expect(again.tally.duplicates).toBe(1);
    expect(twice.problems).toHaveLength(1);
    expect(again.problems).toHaveLength(1);
  });

  it('counts a recipient who gets the mail under two Message-IDs', () => {
    const other = { ...arrival('1'), messageId: '<other@sales.example>' };

    const { tally } = tallyOf({ mails: [mail('1', 'sent')], accepted: [other, arrival('1')] });

    expect(tally.duplicates).toBe(1);
  });

  it.each([
    ['a sent mail that never arrived', { mails: [mail('1', 'sent')], accepted: [] }, /never arrived/],
    ['a failed mail that arrived', { mails: [mail('1', 'failed')], accepted: [arrival('1')] }, /failed, but arrived/],
    ['a mail without an outcome', { mails: [mail('1', 'open')], accepted: [] }, /no outcome/],
    ['a mail of nobody', { mails: [], accepted: [arrival('1')] }, /not of this task/],
    [
      'a Message-ID that is told differently',
      { mails: [{ ...mail('1', 'sent'), messageId: '<x@y.example>' }], accepted: [arrival('1')] },
      /is told as <x@y.example>/,
    ],
    [
      'a message to two recipients',
      {
        mails: [mail('1', 'sent'), mail('2', 'uncertain')],
        accepted: [{ ...arrival('1'), recipients: [...arrival('1').recipients, ...arrival('2').recipients] }],
      },
      /with 2 recipients/,
    ],
  ])('names %s', (_name, facts, problem) => {
    expect(tallyOf(facts).problems.join('\n')).toMatch(problem);
  });
});
