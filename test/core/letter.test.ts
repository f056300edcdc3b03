import { describe, expect, it } from 'vitest';
import { mayBeBounce } from '../../src/main/core/letter.ts';
import { letter } from '../support/fakes-mailbox.ts';

describe('the body of a letter is read', () => {
  it('where the letter is a report', () => {
    expect(mayBeBounce(letter({ isReport: true }))).toBe(true);
  });

  it.each([
    'mailer-daemon@x.example',
    'postmaster@x.example',
    'mail-daemon@x.example',
    'mdaemon@x.example',
    'bounce@x.example',
    'bounce-12@x.example',
    'bounces@x.example',
    'mailerdaemon@x.example',
    'microsoftexchange@x.example',
    'microsoftexchange329e71ec88ae4615bbc36ab6ce41109e@x.example',
  ])('where it comes from %s', (from) => {
    expect(mayBeBounce(letter({ from }))).toBe(true);
  });

  it.each(['li@x.example', 'no-postmaster@x.example', 'postmasters@x.example', 'a@bounce.example', ''])(
    'not where it comes from "%s"',
    (from) => {
      expect(mayBeBounce(letter({ from }))).toBe(false);
    },
  );

  it.each([
    'Undeliverable: hello',
    'Delivery Status Notification (Failure)',
    'Delivery failed',
    'Delivery has failed',
    'failure notice',
    'Returned mail',
    'Returned to sender',
    'Mail delivery failed',
    'Mail delivery system',
    'Your mail was not delivered',
    '系统退信',
    '邮件被退回',
    '投递失败',
    '发送失败',
    '无法投递',
    '无法送达',
    '无法传递',
    '未送达',
    '未能送达',
    '投遞失敗',
    '退件',
  ])('where a machine wrote "%s" above it; a person who does is one who forwards or answers', (subject) => {
    expect(mayBeBounce(letter({ subject, isAutomatic: true }))).toBe(true);
    expect(mayBeBounce(letter({ subject, isAutomatic: false }))).toBe(false);
  });

  it('not where a machine wrote about something else', () => {
    expect(mayBeBounce(letter({ subject: 'Out of office', isAutomatic: true }))).toBe(false);
  });
});
