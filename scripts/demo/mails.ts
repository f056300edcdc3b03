import type { z } from 'zod';
import type { OperatorClient } from '../../cloud/operator/client.ts';
import type { StrictPayload } from '../../src/shared/wire/payload.ts';

/** Whose account the demo sends from. */
export const SENDER = { address: 'lin.mei@sales.example', name: '林梅' } as const;

/** One colleague writes in both languages; the name in From follows the mail's. */
const SENDER_NAMES = { zh: ['林梅', '林梅（华东销售部）'], en: ['Lin Mei', 'Mei Lin, Sales'] } as const;

const PEOPLE = [
  { language: 'zh', name: '王芳', local: 'wang.fang' },
  { language: 'en', name: 'Amelia Clarke', local: 'amelia.clarke' },
  { language: 'zh', name: '李建国', local: 'li.jianguo' },
  { language: 'en', name: "Sean O'Neill", local: 'sean.oneill' },
  { language: 'zh', name: '欧阳晓彤', local: 'ouyang.xiaotong' },
  { language: 'en', name: 'Zoë Müller', local: 'zoe.mueller' },
  { language: 'zh', name: '陈静', local: 'chen.jing' },
  { language: 'en', name: 'José Álvarez', local: 'jose.alvarez' },
] as const;
type Person = (typeof PEOPLE)[number];

const SUBJECTS = {
  zh: ['关于新一季样品的报价', '您上次询问的交货时间', '展会邀请：秋季采购节', '产品目录更新（第 12 版）'],
  en: [
    'Samples for the new season',
    'Your question about lead times',
    'Invitation: autumn sourcing fair',
    'Catalogue no. 12 – now out',
  ],
} as const;

const bodies = {
  zh: (name: string, subject: string) => ({
    text: `${name}，您好！\n\n感谢您上周抽空通话。${subject}，详情见下：\n\n  • 起订量 200 件\n  • 交货期 25 天\n\n如有问题请直接回复此邮件。\n\n林梅`,
    html: `<p>${name}，您好！</p><p>感谢您上周抽空通话。<b>${subject}</b>，详情见下：</p><ul><li>起订量 200 件</li><li>交货期 25 天</li></ul><p>如有问题请直接回复此邮件。</p><p>林梅</p>`,
  }),
  en: (name: string, subject: string) => ({
    text: `Dear ${name},\n\nthank you for your time on the phone last week. ${subject}: here are the details.\n\n  - minimum order 200 pieces\n  - lead time 25 days\n\nJust reply to this mail with any question.\n\nLin Mei`,
    html: `<p>Dear ${name},</p><p>thank you for your time on the phone last week. <b>${subject}</b>: here are the details.</p><ul><li>minimum order 200 pieces</li><li>lead time 25 days</li></ul><p>Just reply to this mail with any question.</p><p>Lin Mei</p>`,
  }),
} as const;

const FILES = [
  { name: 'price-list.csv', type: 'text/csv', content: 'article,pieces,price\nA-100,200,3.10\nA-200,200,4.25\n' },
  {
    name: '产品目录.html',
    type: 'text/html',
    content: '<!doctype html><meta charset="utf-8"><h1>产品目录</h1><p>第 12 版</p>',
  },
] as const;
/** Every so many mails carry an attachment. */
const ATTACHMENT_EVERY = 5;
/** Every so many mails have a text only. */
const TEXT_ONLY_EVERY = 4;

type NewMail = { readonly payload: z.input<typeof StrictPayload> };

/**
 * Creates the task and confirms it. Every recipient is new: `mark` tells this task's addresses from all earlier ones.
 * Answers the task's id. Throws what the cloud refuses.
 */
export async function confirmDemoTask(
  office: OperatorClient,
  task: { readonly userId: string; readonly mailCount: number; readonly mark: string },
): Promise<string> {
  const files = await Promise.all(
    FILES.map(({ name, type, content }) =>
      office.must('uploadFile', { request: { name, type, content_base64: Buffer.from(content).toString('base64') } }),
    ),
  );
  const mails = Array.from({ length: task.mailCount }, (_, index): NewMail => {
    const person = PEOPLE[index % PEOPLE.length] ?? PEOPLE[0];
    const file = files[Math.floor(index / ATTACHMENT_EVERY) % files.length];
    const attachments = index % ATTACHMENT_EVERY === 0 && file !== undefined ? [file] : [];
    return { payload: { ...letter(person, index, task.mark), attachments } };
  });
  const created = await office.must('createTask', {
    request: { user_id: task.userId, name: `Demo ${task.mark}`, recipients: mails },
  });
  await office.must('confirmTask', { params: { id: created.task_id } });
  return created.task_id;
}

function letter(person: Person, index: number, mark: string): NewMail['payload'] {
  const subjects = SUBJECTS[person.language];
  const senders = SENDER_NAMES[person.language];
  const subject = `${subjects[index % subjects.length] ?? ''} (${index + 1})`;
  const { text, html } = bodies[person.language](person.name, subject);
  return {
    from: { address: SENDER.address, name: senders[index % senders.length] ?? SENDER.name },
    to: { address: `${person.local}.${index + 1}.${mark}@customers.example`, name: person.name },
    subject,
    text,
    html: (index + 1) % TEXT_ONLY_EVERY === 0 ? null : html,
    list_unsubscribe: { mailto: 'unsubscribe@sales.example' },
  };
}
