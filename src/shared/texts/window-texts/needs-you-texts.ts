import type { Language } from '../language.ts';

/** What a stop of all sending is about, and so where it is settled. */
export type StopCause = 'account' | 'connection' | 'computer';

export type NeedsYouTexts = {
  readonly title: string;
  readonly noneTitle: string;
  readonly noneText: string;
  readonly uncertain: {
    readonly question: string;
    readonly known: string;
    readonly whereToLook: string;
    readonly lookText: (recipient: string) => string;
    readonly sent: string;
    readonly notSent: string;
    readonly notSentMeans: string;
    readonly openMail: string;
    readonly noted: Record<'sent' | 'not-sent', string>;
    readonly toldIn: (seconds: number) => string;
    readonly undo: string;
    readonly undone: string;
  };
  readonly conflict: {
    readonly title: string;
    readonly here: string;
    readonly cloud: string;
    readonly means: string;
    readonly noted: string;
  };
  /** Mails that wait because an earlier one to their address came back for good. */
  readonly held: {
    readonly title: (address: string) => string;
    readonly means: (count: number) => string;
    readonly lift: string;
  };
  /** What stops all sending, by what it is about. */
  readonly stopped: {
    readonly title: Record<StopCause, string>;
    readonly open: Record<StopCause, string>;
    readonly noneLost: string;
  };
  readonly failed: {
    readonly section: string;
    readonly count: (count: number) => string;
    readonly means: string;
    readonly more: (count: number) => string;
    readonly note: string;
    readonly noted: string;
  };
};

export const NEEDS_YOU_TEXTS: Record<Language, NeedsYouTexts> = {
  en: {
    title: 'Needs you',
    noneTitle: 'Nothing needs you',
    noneText: 'If it is ever unclear whether a mail left, the question stands here. Nothing is sent again by itself.',
    uncertain: {
      question: 'Was this mail sent?',
      known: 'What is known',
      whereToLook: 'Where to look',
      lookText: (recipient) => `Look in the Sent folder of your mailbox for this subject to ${recipient}.`,
      sent: 'It was sent',
      notSent: 'It was not sent',
      notSentMeans: 'Neither answer sends the mail again.',
      openMail: 'Open the mail',
      noted: { sent: 'Noted: it was sent.', 'not-sent': 'Noted: it was not sent.' },
      toldIn: (seconds) =>
        seconds === 1 ? 'The cloud is told in 1 second.' : `The cloud is told in ${seconds} seconds.`,
      undo: 'Undo',
      undone: 'Undone. The question is open again.',
    },
    conflict: {
      title: 'Two results for one mail',
      here: 'On this computer',
      cloud: 'In the cloud',
      means: 'The result in the cloud stands and nothing is sent again. Please tell your office.',
      noted: 'I have told them',
    },
    held: {
      title: (address) => `Does ${address} still exist?`,
      means: (count) =>
        `An earlier mail to this address came back. ${count === 1 ? '1 mail waits' : `${count} mails wait`}; nothing of it has been sent.`,
      lift: 'Send to it nevertheless',
    },
    stopped: {
      title: {
        account: 'Your mail account needs you',
        connection: 'The connection to the cloud needs you',
        computer: 'This computer needs you',
      },
      open: {
        account: 'Open the mail account',
        connection: 'Open the connection',
        computer: 'Open About and support',
      },
      noneLost: 'Mails wait until then; none is lost.',
    },
    failed: {
      section: 'Refused mails',
      count: (count) => (count === 1 ? '1 mail' : `${count} mails`),
      means: 'These mails were not sent. They can be sent again from the cloud, as new mails.',
      more: (count) => `and ${count} more in Mails`,
      note: 'Take off this list',
      noted: 'Taken off the list. The mails stay in Mails.',
    },
  },
  'zh-CN': {
    title: '需要您处理',
    noneTitle: '没有需要您处理的事项',
    noneText: '如果无法确定某封邮件是否已发出，问题会显示在这里。邮件不会自动重发。',
    uncertain: {
      question: '这封邮件发出了吗？',
      known: '已知情况',
      whereToLook: '如何确认',
      lookText: (recipient) => `请在邮箱的“已发送”文件夹中查找发给 ${recipient} 的这个主题。`,
      sent: '已发出',
      notSent: '未发出',
      notSentMeans: '无论选择哪一项，都不会重发邮件。',
      openMail: '打开邮件',
      noted: { sent: '已记录：邮件已发出。', 'not-sent': '已记录：邮件未发出。' },
      toldIn: (seconds) => `${seconds} 秒后告知云端。`,
      undo: '撤销',
      undone: '已撤销，请重新选择。',
    },
    conflict: {
      title: '同一封邮件有两个结果',
      here: '本机的结果',
      cloud: '云端的结果',
      means: '以云端的结果为准，不会重发邮件。请告知公司。',
      noted: '我已告知',
    },
    held: {
      title: (address) => `${address} 还在使用吗？`,
      means: (count) => `之前发往此地址的邮件被退回。有 ${count} 封邮件在等待，尚未发送。`,
      lift: '仍然发送',
    },
    stopped: {
      title: {
        account: '邮箱账户需要您处理',
        connection: '云端连接需要您处理',
        computer: '本机需要您处理',
      },
      open: { account: '打开邮箱账户', connection: '打开云端连接', computer: '打开关于与支持' },
      noneLost: '在此之前邮件会等待，不会丢失。',
    },
    failed: {
      section: '被拒收的邮件',
      count: (count) => `${count} 封邮件`,
      means: '这些邮件未发送。可在云端作为新邮件重新发送。',
      more: (count) => `另有 ${count} 封，请在“邮件”中查看`,
      note: '从此列表移除',
      noted: '已从列表移除，邮件仍可在“邮件”中查看。',
    },
  },
};
