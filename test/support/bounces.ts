/**
 * Bounces as mail providers write them, each about the mail with `messageId` to `address`. Composed for these tests
 * after the shapes the providers use: delivery reports with all fields, and letters in plain words.
 */
export type BounceSample = {
  readonly name: string;
  readonly hard: boolean;
  /** Null where the letter names none. */
  readonly status: string | null;
  /** A part of the words that a person is shown. */
  readonly words: RegExp;
  readonly source: string;
};

const lines = (...all: readonly string[]): string => all.join('\r\n');
const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

const head = (from: string, subject: string, more: readonly string[] = []): string[] => [
  `From: ${from}`,
  'To: sales@mail.test',
  `Subject: =?utf-8?B?${base64(subject)}?=`,
  `Message-ID: <bounce-${base64(subject)
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 30)}@example.net>`,
  'Date: Sun, 29 Nov 2026 10:00:00 +0800',
  'Auto-Submitted: auto-replied',
  'MIME-Version: 1.0',
  ...more,
];

/** A delivery report with its three parts. Source: RFC 3464. */
function report(
  from: string,
  subject: string,
  facts: { readonly text: string; readonly fields: readonly string[]; readonly enclosed: readonly string[] },
): string {
  return lines(
    ...head(from, subject, ['Content-Type: multipart/report; report-type=delivery-status; boundary="=_r"', '']),
    '--=_r',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    base64(facts.text),
    '--=_r',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.net',
    '',
    ...facts.fields,
    '',
    '--=_r',
    ...facts.enclosed,
    '--=_r--',
    '',
  );
}

const plain = (from: string, subject: string, text: string, more: readonly string[] = []): string =>
  lines(
    ...head(from, subject, [
      ...more,
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
    ]),
    base64(text),
    '',
  );

/** Node decodes GB18030 and does not write it: its pairs of bytes, turned round. */
function encode(text: string, charset: 'utf-8' | 'gb18030'): Buffer {
  if (charset === 'utf-8') return Buffer.from(text);
  const decoder = new TextDecoder('gb18030');
  const pairs = new Map<string, Buffer>();
  for (let first = 0x81; first <= 0xfe; first += 1) {
    for (let second = 0x40; second <= 0xfe; second += 1) {
      const pair = Buffer.from([first, second]);
      pairs.set(decoder.decode(pair), pair);
    }
  }
  return Buffer.concat([...text].map((letter) => pairs.get(letter) ?? Buffer.from(letter, 'latin1')));
}

/** A letter that is one page of html, and nothing beside it. */
const page = (from: string, subject: string, html: string, charset: 'utf-8' | 'gb18030'): string =>
  lines(
    ...head(from, subject, [`Content-Type: text/html; charset=${charset}`, 'Content-Transfer-Encoding: base64', '']),
    encode(`<html><body>${html}</body></html>`, charset).toString('base64'),
    '',
  );

export function bounceSamples(messageId: string, address: string): readonly BounceSample[] {
  const original = ['Content-Type: message/rfc822', '', `Message-ID: ${messageId}`, 'Subject: hello', '', 'Hello.'];
  const originalHead = ['Content-Type: text/rfc822-headers', '', `Message-ID: ${messageId}`, 'Subject: hello', ''];
  return [
    {
      name: 'Postfix: no such user',
      hard: true,
      status: '5.1.1',
      words: /User unknown/,
      source: report('MAILER-DAEMON@example.net (Mail Delivery System)', 'Undelivered Mail Returned to Sender', {
        text: `I'm sorry to have to inform you that your message could not be delivered.\n\n<${address}>: host mx said: 550`,
        fields: [
          `Final-Recipient: rfc822; ${address}`,
          'Action: failed',
          'Status: 5.1.1',
          'Diagnostic-Code: smtp; 550 5.1.1 <x>: Recipient address',
          '    rejected: User unknown in local recipient table',
        ],
        enclosed: original,
      }),
    },
    {
      name: 'Gmail: address not found',
      hard: true,
      status: '5.1.1',
      words: /does not exist/,
      source: report(
        'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
        'Delivery Status Notification (Failure)',
        {
          text: `** Address not found **\n\nYour message wasn't delivered to ${address} because the address couldn't be found.`,
          fields: [
            `Final-Recipient: rfc822; ${address}`,
            'Action: failed',
            'Status: 5.1.1',
            'Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.',
          ],
          enclosed: original,
        },
      ),
    },
    {
      name: 'Outlook: not found at the domain',
      hard: true,
      status: '5.1.10',
      words: /RecipientNotFound/,
      source: report('postmaster@outlook.com', '无法送达: hello', {
        text: `未能向以下收件人或组传送邮件：\n\n${address}\n找不到你输入的电子邮件地址。`,
        fields: [
          `Final-Recipient: rfc822;${address}`,
          'Action: failed',
          'Status: 5.1.10',
          'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found by SMTP address lookup',
        ],
        enclosed: [
          'Content-Type: message/rfc822',
          '',
          'Message-ID: <PH0@namprd.prod.outlook.com>',
          `X-Microsoft-Original-Message-ID: ${messageId}`,
          'Subject: hello',
          '',
          'Hello.',
        ],
      }),
    },
    {
      name: 'a report with the head alone: the mailbox is full',
      hard: false,
      status: '5.2.2',
      words: /full/,
      source: report('postmaster@example.net', 'Delivery failure', {
        text: 'The mailbox is full.',
        fields: [
          `Final-Recipient: rfc822; ${address}`,
          'Action: failed',
          'Status: 5.2.2',
          'Diagnostic-Code: smtp; 552 5.2.2 mailbox full',
        ],
        enclosed: originalHead,
      }),
    },
    {
      name: 'a report of refused content',
      hard: false,
      status: '5.7.1',
      words: /spam/,
      source: report('postmaster@example.net', 'Delivery failure', {
        text: 'Refused.',
        fields: [
          `Final-Recipient: rfc822; ${address}`,
          'Action: failed',
          'Status: 5.7.1',
          'Diagnostic-Code: smtp; 550 5.7.1 looks like spam',
        ],
        enclosed: original,
      }),
    },
    {
      name: 'QQ: the address does not exist, in plain words',
      hard: true,
      status: null,
      words: /不存在/,
      source: plain(
        'PostMaster@qq.com',
        '系统退信/Systems bounce',
        `抱歉，您的邮件被退回来了……\n原邮件信息：\n收件人 ${address}\n退信原因：收件人邮件地址（${address}）不存在，邮件无法送达。\nhost mx said: Mailbox not found\nReference: ${messageId}\n`,
      ),
    },
    {
      name: '163: user not found, in plain words',
      hard: true,
      status: null,
      words: /550 User not found/,
      source: plain(
        'Postmaster@163.com',
        '系统退信',
        `您好，您的邮件无法送达。\n收信人：${address}\n退信原因：对方邮箱不存在\n错误代码：550 User not found: ${address}\n`,
        [`In-Reply-To: ${messageId}`],
      ),
    },
    {
      name: 'Exmail: refused by its server for frequency, in plain words',
      hard: false,
      status: null,
      words: /frequency/,
      source: plain(
        'postmaster@exmail.qq.com',
        '退信通知',
        `您的邮件被退回。\n收件人：${address}\n退信原因：550 Connection frequency limited\n邮件编号 ${messageId}\n`,
      ),
    },
    {
      name: 'Gmail: failed for good, in plain words',
      hard: true,
      status: '5.1.1',
      words: /does not exist/,
      source: plain(
        'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
        'Delivery Status Notification (Failure)',
        `Delivery to the following recipient failed permanently:\n\n     ${address}\n\nTechnical details of permanent failure: \nGoogle tried to deliver your message, but it was rejected by the server for the recipient domain example.net.\n\nThe error that the other server returned was:\n550 5.1.1 The email account that you tried to reach does not exist.\n\n----- Original message -----\n\nMessage-ID: ${messageId}\nSubject: hello\n`,
        [`X-Failed-Recipients: ${address}`],
      ),
    },
    {
      name: 'Gmail: the mailbox is full, in plain words',
      hard: false,
      status: '5.2.2',
      words: /over quota/i,
      source: plain(
        'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
        'Delivery Status Notification (Failure)',
        `** Message not delivered **\n\nYour message couldn't be delivered to ${address} because their inbox is full.\n\nThe response was:\n552 5.2.2 The email account that you tried to reach is over quota.\n\nMessage-ID: ${messageId}\n`,
      ),
    },
    {
      name: 'Outlook: not found at the domain, as a page',
      hard: true,
      status: '5.1.10',
      words: /RecipientNotFound/,
      source: page(
        'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.net>',
        'Undeliverable: hello',
        `<p>Your message to <b>${address}</b> couldn't be delivered.</p><p>The address wasn't found at example.net.</p><p>Remote Server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ${address} not found by SMTP address lookup'</p><p>Message-ID: ${messageId.replace('<', '&lt;').replace('>', '&gt;')}</p>`,
        'utf-8',
      ),
    },
    {
      name: 'Outlook: held back by a rule of the other side, as a page in Chinese',
      hard: false,
      status: '5.7.133',
      words: /RESOLVER\.RST/,
      source: page(
        'postmaster@outlook.com',
        '无法送达: hello',
        `<p>无法将邮件传递给 ${address}。</p><p>该收件人只接收组织内部的邮件。</p><p>Remote Server returned '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup'</p><p>${messageId.replace('<', '&lt;').replace('>', '&gt;')}</p>`,
        'utf-8',
      ),
    },
    {
      name: 'QQ: the address does not exist, as a page in GB18030',
      hard: true,
      status: null,
      words: /不存在/,
      source: page(
        'PostMaster@qq.com',
        '系统退信/Systems bounce',
        `<p>很抱歉您发送的邮件被退回，以下是该邮件的相关信息：</p><table><tr><td>退信原因：</td><td>收件人邮件地址（${address}）不存在，邮件无法送达。</td></tr></table><p>${messageId.replace('<', '&lt;').replace('>', '&gt;')}</p>`,
        'gb18030',
      ),
    },
    {
      name: 'QQ: the mailbox is full, in plain words',
      hard: false,
      status: null,
      words: /full|已满/,
      source: plain(
        'PostMaster@qq.com',
        '系统退信/Systems bounce',
        `抱歉，您的邮件被退回来了。\n收件人 ${address}\n退信原因：收件人邮箱已满。\nhost mx said: 552 Mailbox is full\n${messageId}\n`,
      ),
    },
    {
      name: '163: refused as spam, in plain words',
      hard: false,
      status: null,
      words: /554 DT:SPM/,
      source: plain(
        'Postmaster@163.com',
        '系统退信',
        `您好，您的邮件无法送达。\n收信人：${address}\n错误代码：554 DT:SPM mx11, please see http://mail.163.com/help\n`,
        [`In-Reply-To: ${messageId}`],
      ),
    },
    {
      name: 'Exmail: the address does not exist, in plain words',
      hard: true,
      status: null,
      words: /不存在/,
      source: plain(
        'postmaster@exmail.qq.com',
        '退信通知：hello',
        `尊敬的用户：\n您发送的邮件被退回。\n收件人：${address}\n退信原因：收件人地址不存在\n邮件编号 ${messageId}\n`,
      ),
    },
    {
      name: 'qmail: no mailbox here, in plain words',
      hard: true,
      status: '5.1.1',
      words: /no mailbox here/,
      source: plain(
        'MAILER-DAEMON@example.net',
        'failure notice',
        `Hi. This is the qmail-send program at example.net.\nThis is a permanent error; I've given up.\n\n<${address}>:\n550 5.1.1 Sorry, no mailbox here by that name.\n\n--- Below this line is a copy of the message.\n\nMessage-ID: ${messageId}\nSubject: hello\n`,
      ),
    },
  ];
}

/** Letters that look alike and are no bounces. */
export const notBounces = (messageId: string, address: string): readonly { name: string; source: string }[] => [
  {
    name: 'a delay',
    source: report('mailer-daemon@example.net', 'Delivery Status Notification (Delay)', {
      text: 'Delivery incomplete. There was a temporary problem, and the server will retry for 46 more hours.',
      fields: [`Final-Recipient: rfc822; ${address}`, 'Action: delayed', 'Status: 4.4.1'],
      enclosed: ['Content-Type: message/rfc822', '', `Message-ID: ${messageId}`, '', 'Hello.'],
    }),
  },
  {
    name: 'a delay in plain words',
    source: plain('postmaster@qq.com', '邮件投递延迟', `您的邮件尚未送达 ${address}，系统将继续尝试。\n${messageId}\n`),
  },
  {
    name: 'a receipt of delivery',
    source: report('postmaster@example.net', 'Delivered: hello', {
      text: 'Your message was delivered.',
      fields: [`Final-Recipient: rfc822; ${address}`, 'Action: delivered', 'Status: 2.0.0'],
      enclosed: ['Content-Type: message/rfc822', '', `Message-ID: ${messageId}`, '', 'Hello.'],
    }),
  },
  {
    name: 'a person who writes about a returned mail',
    source: lines(
      'From: Li Si <li@example.net>',
      'To: sales@mail.test',
      'Subject: Re: Returned mail, could not be delivered',
      'Message-ID: <person@example.net>',
      `In-Reply-To: ${messageId}`,
      '',
      'My parcel could not be delivered.',
      '',
    ),
  },
];
