import type { Language } from './language.ts';

/** Why a mail from the cloud cannot be sent as it is, in words for a salesperson. Every one ends: it was not sent. */
export type RejectTexts = {
  readonly otherUser: () => string;
  readonly hashDiffers: (told: string, computed: string) => string;
  readonly noCanonicalForm: (path: string) => string;
  /** `path` names the field (`to.address`), `what` is the schema's own remark. */
  readonly badField: (path: string, what: string) => string;
  readonly fromNotYours: (address: string) => string;
  readonly attachmentPlace: (name: string) => string;
  readonly expired: (notAfterMs: number) => string;
  readonly tooFarAhead: (notBeforeMs: number) => string;
  readonly neverInTime: () => string;
};

/** The parts of a mail as people call them, by the first name of the field's path. */
const PARTS: Record<Language, Readonly<Record<string, string>>> = {
  en: {
    from: 'the sender',
    to: 'the recipient',
    reply_to: 'the reply address',
    subject: 'the subject',
    text: 'the text',
    html: 'the text',
    attachments: 'an attachment',
    in_reply_to: 'the mail it answers',
    references: 'the mails it answers',
    list_unsubscribe: 'the unsubscribe link',
  },
  'zh-CN': {
    from: '发件人',
    to: '收件人',
    reply_to: '回复地址',
    subject: '主题',
    text: '正文',
    html: '正文',
    attachments: '附件',
    in_reply_to: '所回复的邮件',
    references: '所回复的邮件',
    list_unsubscribe: '退订链接',
  },
};

const partOf = (language: Language, path: string): string | undefined => PARTS[language][path.split('.')[0] ?? ''];

const instant = (language: Language, atMs: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(atMs);

export const REJECT_TEXTS: Record<Language, RejectTexts> = {
  en: {
    otherUser: () => 'This mail belongs to another person. It was not sent.',
    hashDiffers: (told, computed) =>
      `The mail was changed after it was approved. It was not sent. (Approved: ${told}; received: ${computed})`,
    noCanonicalForm: (path) =>
      `The mail holds something that cannot be checked against what was approved. It was not sent. (${path})`,
    badField: (path, what) =>
      `The mail cannot be sent because of ${partOf('en', path) ?? 'its form'}. It was not sent. (${path}: ${what})`,
    fromNotYours: (address) =>
      `The sender ${address} is not an address of your mail account. Add it to the account's other addresses if it is yours. The mail was not sent.`,
    attachmentPlace: (name) =>
      `The attachment “${name}” does not come from a protected address. The mail was not sent.`,
    expired: (notAfterMs) => `This mail was to be sent by ${instant('en', notAfterMs)} at the latest. It was not sent.`,
    tooFarAhead: (notBeforeMs) =>
      `This mail is to be sent from ${instant('en', notBeforeMs)} on, which is too far ahead to be meant. It was not sent.`,
    neverInTime: () =>
      'The time from which this mail may be sent is after the time until which it may. It was not sent.',
  },
  'zh-CN': {
    otherUser: () => '这封邮件属于其他人，未发送。',
    hashDiffers: (told, computed) => `邮件在审核后被更改，未发送。（审核时：${told}；收到时：${computed}）`,
    noCanonicalForm: (path) => `邮件含有无法与审核内容核对的内容，未发送。（${path}）`,
    badField: (path, what) => `邮件的${partOf('zh-CN', path) ?? '格式'}有问题，无法发送。（${path}：${what}）`,
    fromNotYours: (address) =>
      `发件人 ${address} 不是您邮箱账户的地址。如属于您，请将其添加到账户的其他地址。邮件未发送。`,
    attachmentPlace: (name) => `附件“${name}”的来源地址不安全，邮件未发送。`,
    expired: (notAfterMs) => `这封邮件最晚应于 ${instant('zh-CN', notAfterMs)} 发送，现已超过，未发送。`,
    tooFarAhead: (notBeforeMs) => `这封邮件的最早发送时间 ${instant('zh-CN', notBeforeMs)} 过于遥远，未发送。`,
    neverInTime: () => '这封邮件的最早发送时间晚于最晚发送时间，未发送。',
  },
};
