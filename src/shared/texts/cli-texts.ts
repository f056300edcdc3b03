import type { WaitReason } from '../status.ts';
import type { Language } from './language.ts';

/** What the command line says, beside the commands' own help. */
export type CliTexts = {
  readonly paired: (user: string, cloud: string) => string;
  readonly alreadyPaired: (cloud: string, user: string) => string;
  readonly notPaired: string;
  readonly noAccount: string;
  readonly inUse: string;
  readonly nothingStored: string;
  readonly accountStored: (address: string) => string;
  readonly signInAt: (url: string) => string;
  readonly stopAgentFirst: string;
  readonly running: (user: string, address: string) => string;
  readonly draining: string;
  readonly abandoning: string;
  readonly ended: (counts: { waiting: number; untold: number; uncertain: number }) => string;
  readonly progress: (counts: { sent: number; total: number; failed: number; uncertain: number }) => string;
  readonly wait: Record<WaitReason, string>;
  /** When the next mail goes, and why not sooner. */
  readonly nextMail: (time: string, why: string) => string;
  readonly paused: string;
  readonly pausedUntil: (time: string) => string;
  readonly resumed: string;
  readonly tried: string;
  readonly resolved: (mailId: string, as: 'sent' | 'not-sent') => string;
  readonly noSuchMail: (mailId: string) => string;
  readonly notUncertain: (mailId: string) => string;
  readonly heldAddress: (address: string, count: number, why: string) => string;
  readonly lifted: (address: string) => string;
  readonly setting: (key: string) => string;
  readonly logSaved: (file: string) => string;
  readonly notRunning: string;
  readonly damagedSetAside: (file: string, why: string) => string;
  readonly ask: {
    readonly address: string;
    readonly userName: string;
    readonly host: string;
    readonly port: string;
    readonly security: string;
    readonly imapHost: string;
    readonly password: string;
    readonly testMail: string;
    readonly again: string;
  };
};

const en: CliTexts = {
  paired: (user, cloud) => `Paired with ${cloud} for ${user}. Next: enter the mail account with "account".`,
  alreadyPaired: (cloud, user) =>
    `This data folder belongs to ${user} at ${cloud}. For another cloud or user choose another folder with --data.`,
  notPaired: 'This data folder is not paired yet. Run "pair URL CODE" first; the code comes from your office.',
  noAccount: 'No mail account is set up yet. Run "account" first.',
  inUse: 'Another agent works on this data folder.',
  nothingStored: 'Nothing was stored.',
  accountStored: (address) => `The mail account ${address} is stored. Next: "run".`,
  signInAt: (url) => `Open this address in the browser of this computer and sign in:\n${url}`,
  stopAgentFirst: 'An agent runs on this data folder. Stop it first, then try again.',
  running: (user, address) => `Sending for ${user} from ${address}. Ctrl-C finishes the mail under way and ends.`,
  draining: 'Finishing the mail under way. Ctrl-C again ends at once; then that mail may stay uncertain.',
  abandoning: 'Ending at once.',
  ended: ({ waiting, untold, uncertain }) =>
    `Ended. Still to send: ${waiting}. Still to tell the cloud: ${untold}. Need a person: ${uncertain}.`,
  progress: ({ sent, total, failed, uncertain }) =>
    `${sent} of ${total} sent${failed > 0 ? `, ${failed} refused` : ''}${uncertain > 0 ? `, ${uncertain} may have been sent` : ''}`,
  wait: {
    'not-synced': 'comparing with the cloud',
    held: 'held',
    'nothing-to-send': 'nothing to send',
    'due-later': 'the next mail is due later',
    gap: 'pause between two mails',
    'per-minute': 'limit a minute',
    'per-hour': 'limit an hour',
    'per-day': 'limit a day',
    'ramp-up': 'limit a day of an account that is new to sending so many',
    'per-domain': 'limit an hour to the domain of the recipient',
    'working-hours': 'outside the working hours',
    stopping: 'stopping',
  },
  nextMail: (time, why) => `next mail at ${time}: ${why}`,
  paused: 'Paused until you resume.',
  pausedUntil: (time) => `Paused until ${time}.`,
  resumed: 'Resumed.',
  tried: 'The mail account is tried now.',
  resolved: (mailId, as) =>
    `Mail ${mailId} is noted as ${as === 'sent' ? 'sent' : 'not sent'}; the cloud will be told.`,
  noSuchMail: (mailId) => `There is no mail ${mailId} in this data folder. "status" lists the uncertain ones.`,
  notUncertain: (mailId) => `Mail ${mailId} is not uncertain; there is nothing to resolve.`,
  heldAddress: (address, count, why) =>
    `${count} waiting for ${address}, from which an earlier mail came back (${why}). "lift ${address}" lets them go.`,
  lifted: (address) => `Mails to ${address} may begin again.`,
  setting: (key) => `Setting "${key}" is stored. It holds from the next start.`,
  logSaved: (file) => `Saved ${file} (no addresses, no content).`,
  notRunning: 'The agent is not running; this is what its ledger says.',
  damagedSetAside: (file, why) =>
    `The local record was damaged (${why}). It was set aside as ${file} and a new one begun. The cloud knows which mails had begun; those will ask you.`,
  ask: {
    address: 'Mail address',
    userName: 'User name at the mail server',
    host: 'Outgoing mail server (SMTP)',
    port: 'Port',
    security: 'Protection',
    imapHost: 'Server for reading your mailbox (IMAP), empty where there is none',
    password: 'Password, app password or authorisation code',
    testMail: 'Send a test mail to yourself, to see whether everything works?',
    again: 'Enter the password again and check once more?',
  },
};

const zhCN: CliTexts = {
  paired: (user, cloud) => `已与 ${cloud} 配对，用户：${user}。下一步：用 “account” 填写邮箱账户。`,
  alreadyPaired: (cloud, user) => `此数据文件夹属于 ${cloud} 的 ${user}。其他云端或用户请用 --data 另选文件夹。`,
  notPaired: '此数据文件夹尚未配对。请先运行 “pair URL CODE”，配对码由办公室提供。',
  noAccount: '尚未设置邮箱账户，请先运行 “account”。',
  inUse: '另一个程序正在使用此数据文件夹。',
  nothingStored: '未保存任何内容。',
  accountStored: (address) => `邮箱账户 ${address} 已保存。下一步：“run”。`,
  signInAt: (url) => `请在本机浏览器中打开此地址并登录：\n${url}`,
  stopAgentFirst: '程序正在使用此数据文件夹，请先停止再试。',
  running: (user, address) => `正在为 ${user} 从 ${address} 发送。按 Ctrl-C 会完成当前邮件后退出。`,
  draining: '正在完成当前邮件。再按一次 Ctrl-C 立即退出，该邮件可能无法确认是否发出。',
  abandoning: '立即退出。',
  ended: ({ waiting, untold, uncertain }) =>
    `已退出。待发送：${waiting}；待上报云端：${untold}；需要人工处理：${uncertain}。`,
  progress: ({ sent, total, failed, uncertain }) =>
    `已发送 ${sent} / ${total}${failed > 0 ? `，被拒收 ${failed}` : ''}${uncertain > 0 ? `，可能已发出 ${uncertain}` : ''}`,
  wait: {
    'not-synced': '正在与云端核对',
    held: '已暂停',
    'nothing-to-send': '没有待发送的邮件',
    'due-later': '下一封邮件尚未到发送时间',
    gap: '两封邮件之间的间隔',
    'per-minute': '每分钟上限',
    'per-hour': '每小时上限',
    'per-day': '每日上限',
    'ramp-up': '新账户每天上限（逐步提高）',
    'per-domain': '收件人域名的每小时上限',
    'working-hours': '不在发送时段',
    stopping: '正在停止',
  },
  nextMail: (time, why) => `下一封 ${time}：${why}`,
  paused: '已暂停，直到您恢复发送。',
  pausedUntil: (time) => `已暂停至 ${time}。`,
  resumed: '已恢复发送。',
  tried: '正在立即重试邮箱账户。',
  resolved: (mailId, as) => `邮件 ${mailId} 已记为${as === 'sent' ? '已发出' : '未发出'}，将上报云端。`,
  noSuchMail: (mailId) => `此数据文件夹中没有邮件 ${mailId}。“status” 会列出待确认的邮件。`,
  notUncertain: (mailId) => `邮件 ${mailId} 无需确认。`,
  heldAddress: (address, count, why) =>
    `有 ${count} 封邮件等待发往 ${address}，之前的邮件被退回（${why}）。“lift ${address}” 可放行。`,
  lifted: (address) => `发往 ${address} 的邮件可以继续发送。`,
  setting: (key) => `设置 “${key}” 已保存，下次启动时生效。`,
  logSaved: (file) => `已保存 ${file}（不含邮箱地址和邮件内容）。`,
  notRunning: '程序未在运行，以下为本地记录。',
  damagedSetAside: (file, why) =>
    `本地记录已损坏（${why}），已另存为 ${file} 并新建记录。云端知道哪些邮件已开始发送，届时会请您确认。`,
  ask: {
    address: '邮箱地址',
    userName: '邮件服务器用户名',
    host: '发件服务器（SMTP）',
    port: '端口',
    security: '加密方式',
    imapHost: '收件服务器（IMAP），没有则留空',
    password: '密码、应用专用密码或授权码',
    testMail: '给自己发一封测试邮件，确认一切正常？',
    again: '重新输入密码并再次检查？',
  },
};

export const CLI_TEXTS: Record<Language, CliTexts> = { en, 'zh-CN': zhCN };
