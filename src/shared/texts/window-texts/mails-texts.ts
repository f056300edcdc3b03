import type { Language } from '../language.ts';

export type MailFilter = 'all' | 'waiting' | 'sent' | 'failed' | 'uncertain' | 'stopped';
export const MAIL_FILTERS: readonly MailFilter[] = ['all', 'waiting', 'sent', 'failed', 'uncertain', 'stopped'];

/** What is more than a step on the way, and so has a word of its own over its text. */
export type TimelineTurn = 'refused' | 'not-sent' | 'lost' | 'conflict';

/** The list of mails and one mail's page. */
export type MailsTexts = {
  readonly title: string;
  readonly search: string;
  readonly searchHint: string;
  readonly filter: string;
  readonly filters: Record<MailFilter, string>;
  readonly list: string;
  readonly count: (count: number) => string;
  readonly loadingRow: string;
  readonly noneTitle: string;
  readonly noneText: string;
  readonly noMatchTitle: string;
  readonly noMatchText: string;
  readonly showAll: string;
  readonly mail: {
    readonly title: string;
    readonly gone: string;
    readonly to: string;
    readonly subject: string;
    readonly noSubject: string;
    readonly task: string;
    readonly preview: string;
    readonly previewNote: string;
    readonly noPreview: string;
    readonly attachments: string;
    readonly timeline: string;
    readonly turn: Record<TimelineTurn, string>;
    readonly details: string;
    readonly messageId: string;
    readonly mailId: string;
  };
};

export const MAILS_TEXTS: Record<Language, MailsTexts> = {
  en: {
    title: 'Mails',
    search: 'Search',
    searchHint: 'Address, name or subject',
    filter: 'Show',
    filters: {
      all: 'All mails',
      waiting: 'Waiting or sending',
      sent: 'Accepted',
      failed: 'Refused',
      uncertain: 'May have been sent',
      stopped: 'Stopped or given back',
    },
    list: 'Mails, newest first',
    count: (count) => (count === 1 ? '1 mail' : `${new Intl.NumberFormat('en').format(count)} mails`),
    loadingRow: 'Loading',
    noneTitle: 'No mails yet',
    noneText: 'Every mail that comes to this computer is listed here and stays, with what became of it.',
    noMatchTitle: 'No mail fits',
    noMatchText: 'Try fewer letters, or look through all mails.',
    showAll: 'Show all mails',
    mail: {
      title: 'Mail',
      gone: 'This mail is no longer on this computer.',
      to: 'To',
      subject: 'Subject',
      noSubject: 'No subject',
      task: 'Batch',
      preview: 'The mail as approved',
      previewNote: 'Pictures from the internet are not loaded.',
      noPreview: 'There is nothing to preview.',
      attachments: 'Attachments',
      timeline: 'What happened',
      turn: {
        refused: 'Refused',
        'not-sent': 'Not sent, stays in line',
        lost: 'No answer came',
        conflict: 'The cloud has another result',
      },
      details: 'Details for support',
      messageId: 'Message-ID',
      mailId: 'Number in the cloud',
    },
  },
  'zh-CN': {
    title: '邮件',
    search: '搜索',
    searchHint: '地址、姓名或主题',
    filter: '显示',
    filters: {
      all: '全部邮件',
      waiting: '等待或发送中',
      sent: '已接收',
      failed: '被拒收',
      uncertain: '可能已发出',
      stopped: '已撤回或退回',
    },
    list: '邮件，最新的在前',
    count: (count) => `${new Intl.NumberFormat('zh-CN').format(count)} 封邮件`,
    loadingRow: '正在加载',
    noneTitle: '还没有邮件',
    noneText: '到达本机的每封邮件都会列在这里，并保留其结果。',
    noMatchTitle: '没有符合的邮件',
    noMatchText: '请减少搜索文字，或查看全部邮件。',
    showAll: '显示全部邮件',
    mail: {
      title: '邮件',
      gone: '这封邮件已不在本机。',
      to: '收件人',
      subject: '主题',
      noSubject: '无主题',
      task: '批次',
      preview: '审核通过的邮件',
      previewNote: '不会加载来自互联网的图片。',
      noPreview: '没有可预览的内容。',
      attachments: '附件',
      timeline: '处理过程',
      turn: {
        refused: '被拒收',
        'not-sent': '未发送，继续等待',
        lost: '没有收到答复',
        conflict: '云端的结果不同',
      },
      details: '供技术支持使用的信息',
      messageId: 'Message-ID',
      mailId: '云端编号',
    },
  },
};
