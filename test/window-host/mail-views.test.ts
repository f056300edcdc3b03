import { expect, it } from 'vitest';
import { mailDetail } from '../../src/main/window-host/mail-views.ts';
import { newMail } from '../conformance/ledger-samples.ts';

it('shows in the timeline that a mail came back and that it was answered, with the words of the other server', () => {
  const mail = { ...newMail(1), changedAtMs: 2_000, state: { kind: 'sent', attempt: 1 } } as const;
  const facts = [
    { id: 'a', kind: 'bounced', atMs: 9_000, hard: true, status: '5.1.1', text: '550 no such user' },
    { id: 'b', kind: 'replied', atMs: 8_000 },
  ] as const;
  const show = (language: 'en' | 'zh-CN') =>
    mailDetail(mail, { attempts: [], reports: [], facts, accountAddress: 'a@example.com', language }).timeline;

  expect(show('en').slice(1)).toEqual([
    { atMs: 8_000, what: 'replied', attempt: null, text: 'The recipient answered', quote: null },
    {
      atMs: 9_000,
      what: 'bounced',
      attempt: null,
      text: expect.stringContaining('address does not take mails'),
      quote: '550 no such user',
    },
  ]);
  expect(show('zh-CN').at(-1)?.text).toContain('退回');
});
