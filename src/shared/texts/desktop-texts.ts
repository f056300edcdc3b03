import type { Language } from './language.ts';

type Counts = { readonly sent: number; readonly total: number };

/** What the desktop app says outside its window (tray, notifications, dialogs), and what main answers to the window. */
export type DesktopTexts = {
  readonly appName: string;
  readonly progress: (counts: Counts) => string;
  readonly notSetUp: string;
  readonly needYou: (count: number) => string;
  readonly starting: string;
  readonly quitting: string;
  readonly menu: {
    readonly open: string;
    readonly checkNow: string;
    readonly pause: string;
    readonly pauseHour: string;
    readonly pauseToday: string;
    readonly pauseOpenEnd: string;
    readonly resume: string;
    readonly quit: string;
  };
  readonly notice: {
    readonly batchDone: (counts: { readonly sent: number; readonly failed: number }) => string;
    readonly needsYou: (count: number) => string;
  };
  readonly quit: {
    readonly question: string;
    /** What else is pending, and what becomes of it. */
    readonly pending: (counts: { readonly waiting: number; readonly untold: number }) => string;
    readonly whenDone: string;
    readonly now: string;
  };
  readonly inUse: string;
  readonly damagedSetAside: (file: string, why: string) => string;
  /** A fault of the agent's own; it starts again by itself. */
  readonly fault: string;
  readonly wrong: string;
  readonly refused: string;
  readonly badArguments: string;
  readonly saveFailed: string;
  readonly noSuchMail: string;
  readonly notUncertain: string;
  readonly answerGiven: string;
  readonly pairFirst: string;
  readonly accountFirst: string;
  readonly badCloudAddress: string;
  readonly badCode: string;
  readonly codeRefused: string;
  readonly tooOften: string;
  readonly cloudUnreachable: string;
  readonly cloudStrange: string;
  readonly otherOwner: (userName: string, cloudUrl: string) => string;
  readonly passwordMissing: string;
  readonly timeline: {
    readonly claimed: string;
    readonly attempt: (number: number) => string;
    readonly handedOver: string;
    readonly accepted: string;
    readonly lost: string;
    readonly told: string;
    readonly conflict: string;
    readonly bounced: string;
    readonly bouncedHard: string;
    readonly replied: string;
  };
  readonly outcome: Record<'sent' | 'send_failed' | 'uncertain' | 'cancelled' | 'sending' | 'queued', string>;
  readonly unknown: string;
  readonly logFileName: string;
};

const en: DesktopTexts = {
  appName: 'Mail Agent',
  progress: ({ sent, total }) => `${sent} of ${total} sent`,
  notSetUp: 'Not set up yet',
  needYou: (count) => `Needs you (${count})`,
  starting: 'Starting',
  quitting: 'Quitting when the mail under way is done',
  menu: {
    open: 'Open',
    checkNow: 'Check now',
    pause: 'Pause',
    pauseHour: 'For 1 hour',
    pauseToday: 'For today',
    pauseOpenEnd: 'Until I resume',
    resume: 'Resume',
    quit: 'Quit',
  },
  notice: {
    batchDone: ({ sent, failed }) =>
      failed === 0
        ? `All mails are through: ${sent} accepted by your mail server.`
        : `All mails are through: ${sent} accepted by your mail server, ${failed} refused.`,
    needsYou: (count) =>
      count === 1 ? 'One mail may have been sent. Please say what became of it.' : `${count} mails need your answer.`,
  },
  quit: {
    question: 'One mail is being sent. Quit when it is done?',
    pending: ({ waiting, untold }) =>
      [
        ...(waiting > 0
          ? [`${waiting === 1 ? '1 mail waits' : `${waiting} mails wait`} here until the next start.`]
          : []),
        ...(untold > 0
          ? [`${untold === 1 ? '1 result is' : `${untold} results are`} still to be told to the cloud.`]
          : []),
        'Quitting now leaves open whether the mail under way was sent; you are asked at the next start.',
      ].join('\n'),
    whenDone: 'Quit when it is done',
    now: 'Quit now',
  },
  inUse: 'Another mail agent already works on this data folder. Stop it first, then start this one again.',
  damagedSetAside: (file, why) =>
    `The local record was damaged (${why}) and is kept as ${file}. A new one was begun; the cloud is asked what became of each mail.`,
  fault: 'Something in this program went wrong. It starts again by itself in a minute; the log says more.',
  wrong: 'Something in this program went wrong. The log says more.',
  refused: 'This request was refused.',
  badArguments: 'This request cannot be understood.',
  saveFailed: 'This could not be saved. Please check that the disk has room.',
  noSuchMail: 'This mail is not known here.',
  notUncertain: 'It is already known what became of this mail.',
  answerGiven: 'Your answer was already passed on.',
  pairFirst: 'Please connect with the cloud first.',
  accountFirst: 'Please enter your mail account first.',
  badCloudAddress: 'This is not the address of a cloud. It begins with https:// and ends after the name.',
  badCode: 'A pairing code has the form ABCD-1234.',
  codeRefused: 'The cloud does not accept this code. It works once and for ten minutes; please ask for a new one.',
  tooOften: 'The cloud was asked too often. Please wait a minute and try again.',
  cloudUnreachable: 'The cloud does not answer at this address. Please check the address and the internet connection.',
  cloudStrange: 'What answers at this address is not the cloud of this program. Please check the address.',
  otherOwner: (userName, cloudUrl) =>
    `This computer already holds mails of ${userName} at ${cloudUrl}, so it cannot change to another person or cloud.`,
  passwordMissing: 'Please enter the password of your mail account.',
  timeline: {
    claimed: 'Taken from the queue',
    attempt: (number) => (number <= 1 ? 'Sending began' : `Sending began, try ${number}`),
    handedOver: 'Handed over to your mail server',
    accepted: 'Accepted by your mail server',
    lost: 'It may have been sent: your mail server did not confirm it.',
    told: 'The cloud knows the result',
    conflict: 'The cloud has another result',
    bounced: 'It came back: another mail server reported that it was not delivered',
    bouncedHard: 'It came back: the address does not take mails. Later mails to it wait for you',
    replied: 'The recipient answered',
  },
  outcome: {
    sent: 'Sent',
    send_failed: 'Not sent',
    uncertain: 'May have been sent',
    cancelled: 'Stopped in time',
    sending: 'Being sent',
    queued: 'Waiting in the queue',
  },
  unknown: 'Unknown',
  logFileName: 'mail-agent-log.jsonl',
};

const zh: DesktopTexts = {
  appName: 'Mail Agent',
  progress: ({ sent, total }) => `已发送 ${sent} / ${total}`,
  notSetUp: '尚未设置',
  needYou: (count) => `需要您处理 (${count})`,
  starting: '正在启动',
  quitting: '当前邮件发送完成后退出',
  menu: {
    open: '打开',
    checkNow: '立即检查',
    pause: '暂停',
    pauseHour: '暂停 1 小时',
    pauseToday: '今天暂停',
    pauseOpenEnd: '暂停直到我恢复',
    resume: '恢复发送',
    quit: '退出',
  },
  notice: {
    batchDone: ({ sent, failed }) =>
      failed === 0
        ? `全部邮件已处理：邮件服务器已接收 ${sent} 封。`
        : `全部邮件已处理：邮件服务器已接收 ${sent} 封，拒收 ${failed} 封。`,
    needsYou: (count) => (count === 1 ? '有一封邮件可能已发出，请您确认。' : `有 ${count} 封邮件需要您确认。`),
  },
  quit: {
    question: '有一封邮件正在发送，完成后退出？',
    pending: ({ waiting, untold }) =>
      [
        ...(waiting > 0 ? [`另有 ${waiting} 封邮件在本机等待，下次启动后继续。`] : []),
        ...(untold > 0 ? [`${untold} 个结果尚未告知云端。`] : []),
        '如果立即退出，将无法确定这封邮件是否已发出，下次启动时会请您确认。',
      ].join('\n'),
    whenDone: '完成后退出',
    now: '立即退出',
  },
  inUse: '另一个邮件程序正在使用此数据文件夹。请先将其停止，再重新启动本程序。',
  damagedSetAside: (file, why) =>
    `本地记录已损坏（${why}），已另存为 ${file}，并新建了记录。将向云端查询每封邮件的结果。`,
  fault: '程序出现问题，一分钟后自动重新启动，详情见日志。',
  wrong: '程序出现问题，详情见日志。',
  refused: '此请求被拒绝。',
  badArguments: '无法理解此请求。',
  saveFailed: '无法保存，请检查磁盘空间。',
  noSuchMail: '本机没有这封邮件。',
  notUncertain: '这封邮件的结果已经确定。',
  answerGiven: '您的回答已经提交。',
  pairFirst: '请先连接云端。',
  accountFirst: '请先填写邮箱账户。',
  badCloudAddress: '这不是有效的云端地址。地址以 https:// 开头，到域名为止。',
  badCode: '配对码的格式为 ABCD-1234。',
  codeRefused: '云端不接受此配对码。配对码十分钟内有效且只能使用一次，请重新获取。',
  tooOften: '请求过于频繁，请一分钟后再试。',
  cloudUnreachable: '此地址的云端没有响应，请检查地址和网络连接。',
  cloudStrange: '此地址不是本程序的云端，请检查地址。',
  otherOwner: (userName, cloudUrl) => `本机已有 ${userName} 在 ${cloudUrl} 的邮件，因此不能更换用户或云端。`,
  passwordMissing: '请输入邮箱账户的密码。',
  timeline: {
    claimed: '已从队列领取',
    attempt: (number) => (number <= 1 ? '开始发送' : `开始发送（第 ${number} 次）`),
    handedOver: '已交给邮件服务器',
    accepted: '邮件服务器已接收',
    lost: '可能已发出：邮件服务器没有确认。',
    told: '云端已知结果',
    conflict: '云端的结果不同',
    bounced: '邮件被退回：对方的邮件服务器报告未能送达',
    bouncedHard: '邮件被退回：此地址不接收邮件，之后发往此地址的邮件会等您确认',
    replied: '收件人已回复',
  },
  outcome: {
    sent: '已发送',
    send_failed: '未发送',
    uncertain: '可能已发出',
    cancelled: '已及时撤回',
    sending: '发送中',
    queued: '排队中',
  },
  unknown: '未知',
  logFileName: 'mail-agent-log.jsonl',
};

export const DESKTOP_TEXTS: Record<Language, DesktopTexts> = { en, 'zh-CN': zh };
