import { describe, expect, it } from 'vitest';
import { namesIn, readBounce } from '../../src/main/core/bounce.ts';
import type { Letter } from '../../src/main/core/letter.ts';
import { REPLY_TEXT_MAX_CHARS } from '../../src/shared/wire/messages.ts';
import { letter } from '../support/fakes-mailbox.ts';

const plain = (text: string, subject = 'hello'): Letter => letter({ subject, body: { text, enclosed: [] } });
const report = (...fields: readonly string[]): Letter => plain(['Sorry.', '', ...fields, ''].join('\r\n'), 'a report');

describe('a letter in plain words', () => {
  it.each([
    "Your mail wasn't delivered",
    'Your mail wasn’t delivered',
    "It couldn't be delivered",
    'It couldn’t be delivered',
    'It could not be delivered',
    'Your mail was not delivered',
    'Delivery has failed',
    'Undeliverable: hello',
    'This is a permanent error',
    'It permanently failed',
    'failure notice',
    'Returned mail: see below',
    'Delivery to the following recipient failed',
    'Delivery to the following recipients failed',
    'Address not found',
    "The address wasn't found",
    'The address wasn’t found',
    '系统退信',
    '邮件被退回',
    '投递失败',
    '无法投递',
    '邮件无法送达',
    '未能送达',
    '未能向以下收件人传送',
    '无法传递',
    '无法发送到此人',
    '找不到该邮箱',
    '找不到地址',
    '投遞失敗',
  ])('is a bounce where it says "%s", in subject or text', (words) => {
    expect(readBounce(plain('Hello,', words))).not.toBeNull();
    expect(readBounce(plain(words))).not.toBeNull();
  });

  it.each([
    'Delivery incomplete',
    'The server will retry',
    'We will be retrying',
    'We will try again',
    'We will be trying again',
    'It will continue',
    'Your mail has been delayed',
    'Delayed delivery',
    'THIS IS A WARNING MESSAGE ONLY',
    'It has not yet been delivered',
    '尚未送达',
    '仍在尝试',
    '将继续尝试',
    '会继续尝试',
    '延迟投递',
  ])('is none where it tells of a delay: "%s"', (words) => {
    expect(readBounce(plain(`It could not be delivered. ${words}`))).toBeNull();
  });

  it.each(['Thank you, we will look at it.', 'My parcel has arrived.'])('is none where it says "%s"', (words) => {
    expect(readBounce(plain(words))).toBeNull();
  });

  it('is none where its body was not read', () => {
    expect(readBounce(letter({ subject: 'Undeliverable', body: null }))).toBeNull();
  });

  it.each([
    'Address not found',
    'user unknown',
    'The mailbox is unknown',
    'recipient li@firm.example unknown',
    'account li@firm.example is disabled',
    'address li@firm.example not found',
    "user doesn't exist",
    'user doesn’t exist',
    'user li does not exist',
    'mailbox not exist',
    'recipient invalid',
    'mailbox unavailable',
    'account inactive',
    'no such user',
    'no such mailbox here',
    'unknown recipient',
    "The address couldn't be found",
    'The address couldn’t be found',
    'It could not be found',
    "It wasn't found",
    'It wasn’t found',
    '550 5.14.1 user unknown',
    'user unknown\n550 refused',
    'The email account that you tried to reach does not exist',
    'Domain not found',
    'Domain name not found',
    'Unrouteable address',
    'RESOLVER.ADR.RecipientNotFound',
    '地址不存在',
    '邮箱 li@firm.example 不存在',
    '收件人无效',
    '域名未找到',
    '帐号已停用',
    '账号已注销',
    '用户被禁用',
    '找不到该用户',
    '找不到邮箱',
    '不存在该邮箱',
    '不存在用户',
  ])('holds the address back where it says "%s"', (words) => {
    expect(readBounce(plain(`It could not be delivered.\n${words}`))).toMatchObject({ hard: true });
  });

  it.each([
    'It was refused.',
    'The server said no.',
    '550 go away',
    '550 5.7.1 user unknown to our policy',
    '452 4.2.2 mailbox not found full',
    '450 user unknown so far',
    '552 5.2.2 mailbox is full, user unknown',
    '552 5.2.3 user unknown',
    '554 5.3.4 user unknown',
    '554 5.6.0 user unknown',
    '550 Connection frequency limited',
    '554 too much spam',
    '552 message size limit exceeded',
    'The code 600 came back',
  ])('holds no address back where it says "%s"', (words) => {
    expect(readBounce(plain(`It could not be delivered.\n${words}`))).toMatchObject({ hard: false });
  });

  it.each([
    ['It failed:\n550 5.1.1 nobody here\nBye', '550 5.1.1 nobody here', '5.1.1'],
    ['host said: 550-nobody here by\r\nthat name', '550-nobody here by', null],
    ['host said: 550 #5.1.0 nobody here', '550 #5.1.0 nobody here', '5.1.0'],
    ['host said: 550 5.11.123 nobody', '550 5.11.123 nobody', '5.11.123'],
    [`${'x'.repeat(125)} 550 nobody`, `${'x'.repeat(125)} 550 nobody`, null],
    ['退信原因: 对方拒收\n请稍后', '对方拒收', null],
    ['退信代码：对方拒收', '对方拒收', null],
    ['Room 5500 is\n\n  closed. ', 'Room 5500 is closed.', null],
    ['  It   could not\nbe delivered ', 'It could not be delivered', null],
  ])('shows of "%s" what the other server said', (text, shown, status) => {
    expect(readBounce(plain(text, 'Undeliverable'))).toMatchObject({ text: shown, status });
  });

  it('shows no more of it than a person reads', () => {
    expect(readBounce(plain(`could not be delivered ${'word '.repeat(100)}`))?.text).toHaveLength(200);
  });
});

describe('a delivery report', () => {
  const FAILED = ['Action: failed', 'Status: 5.1.1'];

  it.each([
    [FAILED, { hard: true, status: '5.1.1', text: 'Sorry. Action: failed Status: 5.1.1' }],
    [[...FAILED, 'Diagnostic-Code: smtp; 550 no'], { hard: true, status: '5.1.1', text: '550 no' }],
    [[...FAILED, 'Diagnostic-Code: SMTP;550 5.2.1 no'], { hard: true, status: '5.2.1', text: '550 5.2.1 no' }],
    [[...FAILED, 'Diagnostic-Code: x-unix; smtp; no'], { hard: true, status: '5.1.1', text: 'x-unix; smtp; no' }],
    [['Action: FAILED (twice)', 'Status: 5.7.1'], { hard: false, status: '5.7.1' }],
    [['Action:', '  failed', 'Status:', '\t5.1.10'], { hard: true, status: '5.1.10' }],
    [['Action: failed', 'Status: 5.4.4'], { hard: true }],
    [['Action: failed', 'Status: 5.1.2'], { hard: true }],
    [['Action: failed', 'Status: 5.1.20'], { hard: false }],
    [['Action: failed', 'Status: 15.1.1'], { hard: false, status: null }],
    [['Action: failed', 'Status: 4.1.1', 'Diagnostic-Code: smtp; user unknown'], { hard: false, status: '4.1.1' }],
    [['Action: failed', 'Status: 5.0.0', 'Diagnostic-Code: smtp; 550 user unknown'], { hard: true, status: '5.0.0' }],
    [['Action: failed', 'Status: 5.0.0', 'Diagnostic-Code: smtp; 450 user unknown'], { hard: false }],
    [['Action: failed', 'Status: 5.0.0', 'Diagnostic-Code: smtp; 500 user unknown'], { hard: true }],
    [['Action: failed', 'Status: 5.0.0', 'Diagnostic-Code: smtp; 400 user unknown'], { hard: false }],
    [['Action: failed', 'Status: 5.0.0', 'Diagnostic-Code: smtp; 550 Invalid User'], { hard: true }],
    [['Action: failed', 'Status: 5.0.0', 'Diagnostic-Code: smtp; 550 refused'], { hard: false }],
    [['Action: failed', 'Status: 5.0.0', 'Diagnostic-Code: smtp; refused'], { hard: false }],
  ])('with %j says %j', (fields, says) => {
    expect(readBounce(report(...fields))).toMatchObject(says);
  });

  it('judges the address by its own code, not by the words of the letter around it', () => {
    const around = report(
      ...FAILED.slice(0, 1),
      'Status: 5.0.0',
      'Diagnostic-Code: smtp; 550 refused',
      '',
      'user unknown',
    );

    expect(readBounce(around)).toMatchObject({ hard: false });
  });

  it.each([
    ['Action: delayed', 'Status: 4.4.1'],
    ['Action: delivered', 'Status: 2.0.0'],
    ['Action: not failed', 'Status: 5.1.1'],
  ])('with "%s" is no bounce, whatever its words', (...fields) => {
    expect(readBounce(report(...fields, 'could not be delivered'))).toBeNull();
  });

  it('with half of its fields counts as a letter in plain words', () => {
    expect(readBounce(report('Action: failed'))).toBeNull();
    expect(readBounce(report('Status: 5.1.1'))).toBeNull();
    expect(readBounce(report('Action: delayed', 'could not be delivered'))).not.toBeNull();
    expect(readBounce(report('The Action: failed', 'The Status: 5.1.1'))).toBeNull();
  });

  it('is cut to what the contract carries', () => {
    const long = report(...FAILED, `Diagnostic-Code: smtp; ${'x'.repeat(REPLY_TEXT_MAX_CHARS + 9)}`);

    expect(readBounce(long)?.text).toBe('x'.repeat(REPLY_TEXT_MAX_CHARS));
  });
});

describe('the mails a letter can be about', () => {
  const OURS = 'email-recipient-7-a.0123456789abcdef@mail.test';

  it('are those it answers, those it encloses, and ours wherever it quotes them, each once', () => {
    const found = namesIn(
      letter({
        answers: ['<answered@x>', '<twice@x>'],
        body: {
          text: `about ${OURS} that is <${OURS}>`,
          enclosed: [
            'Subject: a\r\nMessage-ID: <twice@x>\r\nX-Microsoft-Original-Message-ID: <named-anew@x>\r\n',
            'message-id:\r\n <folded@x> <second@x>\r\n',
            'Message-ID: none\r\nReferences: <email-recipient-8.fedcba9876543210@mail.test>\r\n',
          ],
        },
      }),
    );

    expect(found).toEqual([
      '<answered@x>',
      '<twice@x>',
      '<named-anew@x>',
      '<folded@x>',
      '<second@x>',
      `<${OURS}>`,
      '<email-recipient-8.fedcba9876543210@mail.test>',
    ]);
  });

  it.each([
    'email-recipient-7.0123456789abcde@mail.test',
    'email-recipient-7.0123456789abcdeg@mail.test',
    'email-recipient-7.0123456789ABCDE!@mail.test',
    'email-recipient-.0123456789abcdef@mail.test',
    'email-recipient-7.0123456789abcdef@ mail.test',
  ])('are not told by "%s"', (text) => {
    expect(namesIn(letter({ body: { text, enclosed: [] } }))).toEqual([]);
  });

  it('are read from the head alone where the body was not read', () => {
    expect(namesIn(letter({ answers: ['<answered@x>'] }))).toEqual(['<answered@x>']);
  });

  it('are at most fifty, and five of one field', () => {
    const ids = Array.from({ length: 60 }, (_, index) => `<${index}@x>`);
    const quoted = Array.from({ length: 60 }, (_, index) => `email-recipient-${index}.0123456789abcdef@x`);

    expect(namesIn(letter({ answers: ids }))).toEqual(ids.slice(0, 50));
    expect(namesIn(letter({ body: { text: quoted.join('\n'), enclosed: [] } }))).toHaveLength(50);
    expect(namesIn(letter({ body: { text: '', enclosed: [`Message-ID: ${ids.join(' ')}`] } }))).toEqual(
      ids.slice(0, 5),
    );
  });
});
