import type { WaitReason } from '../../status.ts';
import type { Stage } from '../../wire/messages.ts';
import type { Language } from '../language.ts';

export type TodayTexts = {
  readonly title: string;
  readonly progress: (sent: number, total: number) => string;
  readonly progressLabel: string;
  readonly refused: (count: number) => string;
  readonly uncertain: (count: number) => string;
  readonly untold: (count: number) => string;
  readonly underWay: string;
  readonly stage: Record<Stage, string>;
  readonly attempt: (attempt: number) => string;
  /** When the next mail goes and why not sooner; `time` null where only an event can tell. */
  readonly next: Record<WaitReason, (time: string | null) => string>;
  readonly tryNow: string;
  readonly pause: string;
  readonly pauseHour: string;
  readonly pauseToday: string;
  readonly pauseResume: string;
  readonly resume: string;
  readonly checkNow: string;
  readonly checked: string;
  readonly openAccount: string;
  readonly pairAgain: string;
  readonly answerThem: (count: number) => string;
  readonly tasks: string;
  readonly heartbeat: (ago: string) => string;
  readonly noHeartbeat: string;
  readonly emptyTitle: string;
  readonly emptyText: string;
  readonly allDoneText: string;
  readonly offlineText: string;
  readonly setUpTitle: string;
  readonly setUpText: string;
  readonly setUpGo: string;
};

const at = (time: string | null, when: (time: string) => string, otherwise: string): string =>
  time === null ? otherwise : when(time);

export const TODAY_TEXTS: Record<Language, TodayTexts> = {
  en: {
    title: 'Today',
    progress: (sent, total) => `${sent} of ${total} sent`,
    progressLabel: 'Mails sent',
    refused: (count) => `${count} refused`,
    uncertain: (count) => `${count} may have been sent`,
    untold: (count) => (count === 1 ? '1 result still to be told' : `${count} results still to be told`),
    underWay: 'Under way',
    stage: {
      prepare: 'Getting the mail ready',
      connect: 'Connecting to your mail server',
      tls: 'Securing the connection',
      auth: 'Logging in to your mailbox',
      envelope: 'Naming the recipient',
      body: 'Handing over the mail',
      'handed-over': 'Waiting for your mail server',
    },
    attempt: (attempt) => `Try ${attempt}`,
    next: {
      'not-synced': () => 'Comparing with the cloud first, so that nothing is sent twice.',
      held: (time) => at(time, (t) => `Next mail at ${t}, when the pause ends`, 'Nothing is sent for now.'),
      'nothing-to-send': () => 'No mail is waiting. New ones are fetched by themselves.',
      'due-later': (time) => at(time, (t) => `Next mail at ${t}, when it is due`, 'The next mail is not due yet.'),
      gap: (time) => at(time, (t) => `Next mail at ${t}, after a short pause`, 'A short pause between two mails.'),
      'per-minute': (time) =>
        at(
          time,
          (t) => `Next mail at ${t}, to stay under your provider’s limit per minute`,
          'The limit per minute is reached.',
        ),
      'per-hour': (time) =>
        at(
          time,
          (t) => `Next mail at ${t}, to stay under your provider’s limit per hour`,
          'The limit per hour is reached.',
        ),
      'per-day': (time) =>
        at(
          time,
          (t) => `Next mail at ${t}, to stay under your provider’s limit per day`,
          'The limit per day is reached.',
        ),
      'ramp-up': (time) =>
        at(
          time,
          (t) => `Next mail at ${t}: a mailbox new to sending so many begins with fewer a day`,
          'A mailbox new to sending so many begins with fewer a day; today’s are sent.',
        ),
      'per-domain': (time) =>
        at(
          time,
          (t) => `Next mail at ${t}: its recipients’ mail server gets only so many an hour`,
          'The recipients’ mail server got enough mails for this hour.',
        ),
      'working-hours': (time) =>
        at(time, (t) => `Next mail at ${t}, when your working hours begin`, 'Outside your working hours.'),
      stopping: () => 'The program is ending. The mail under way is finished first.',
    },
    tryNow: 'Try now',
    pause: 'Pause',
    pauseHour: 'Pause for 1 hour',
    pauseToday: 'Pause for today',
    pauseResume: 'Pause until I resume',
    resume: 'Resume',
    checkNow: 'Check now',
    checked: 'Asking the cloud for new mails.',
    openAccount: 'Open the mail account',
    pairAgain: 'Connect again',
    answerThem: (count) => (count === 1 ? 'Answer 1 question' : `Answer ${count} questions`),
    tasks: 'Batches',
    heartbeat: (ago) => `Last contact with the cloud ${ago}`,
    noHeartbeat: 'No contact with the cloud since the start',
    emptyTitle: 'Nothing to send yet',
    emptyText: 'When you or your office confirm a batch in the cloud, its mails appear here and leave by themselves.',
    allDoneText: 'Everything here is done. The next confirmed batch starts by itself.',
    offlineText: 'Mails already here go on only after the cloud has allowed each one. It is tried again by itself.',
    setUpTitle: 'Set-up is not finished',
    setUpText: 'Mails can leave once the cloud is connected and your mail account is checked.',
    setUpGo: 'Go on with set-up',
  },
  'zh-CN': {
    title: '今天',
    progress: (sent, total) => `已发送 ${sent} / ${total}`,
    progressLabel: '已发送的邮件',
    refused: (count) => `${count} 封被拒收`,
    uncertain: (count) => `${count} 封可能已发出`,
    untold: (count) => `${count} 个结果尚未告知云端`,
    underWay: '正在发送',
    stage: {
      prepare: '正在准备邮件',
      connect: '正在连接邮件服务器',
      tls: '正在建立加密连接',
      auth: '正在登录邮箱',
      envelope: '正在告知收件人',
      body: '正在交付邮件内容',
      'handed-over': '等待邮件服务器确认',
    },
    attempt: (attempt) => `第 ${attempt} 次尝试`,
    next: {
      'not-synced': () => '正在与云端核对，以免重复发送。',
      held: (time) => at(time, (t) => `下一封将于 ${t} 暂停结束后发送`, '目前不发送邮件。'),
      'nothing-to-send': () => '没有等待发送的邮件，新邮件会自动获取。',
      'due-later': (time) => at(time, (t) => `下一封将于 ${t} 按计划发送`, '下一封邮件尚未到发送时间。'),
      gap: (time) => at(time, (t) => `下一封将于 ${t} 短暂间隔后发送`, '两封邮件之间的短暂间隔。'),
      'per-minute': (time) =>
        at(time, (t) => `下一封将于 ${t} 发送，以免超出邮箱服务商的每分钟限制`, '已达到每分钟上限。'),
      'per-hour': (time) =>
        at(time, (t) => `下一封将于 ${t} 发送，以免超出邮箱服务商的每小时限制`, '已达到每小时上限。'),
      'per-day': (time) => at(time, (t) => `下一封将于 ${t} 发送，以免超出邮箱服务商的每天限制`, '已达到每天上限。'),
      'ramp-up': (time) =>
        at(
          time,
          (t) => `下一封将于 ${t} 发送：新账户每天的发送量逐步提高`,
          '新账户每天的发送量逐步提高，今天已达到上限。',
        ),
      'per-domain': (time) =>
        at(
          time,
          (t) => `下一封将于 ${t} 发送：每小时发往同一收件域名的邮件有上限`,
          '发往该收件域名的邮件已达到每小时上限。',
        ),
      'working-hours': (time) => at(time, (t) => `下一封将于 ${t} 进入发送时段后发送`, '当前不在发送时段内。'),
      stopping: () => '程序正在退出，会先完成正在发送的邮件。',
    },
    tryNow: '立即重试',
    pause: '暂停',
    pauseHour: '暂停 1 小时',
    pauseToday: '今天暂停',
    pauseResume: '暂停直到我恢复',
    resume: '恢复发送',
    checkNow: '立即检查',
    checked: '正在向云端查询新邮件。',
    openAccount: '打开邮箱账户',
    pairAgain: '重新连接',
    answerThem: (count) => `处理 ${count} 个问题`,
    tasks: '批次',
    heartbeat: (ago) => `上次与云端联系：${ago}`,
    noHeartbeat: '启动后尚未与云端取得联系',
    emptyTitle: '暂时没有要发送的邮件',
    emptyText: '您或公司在云端确认一批邮件后，邮件会出现在这里并自动发出。',
    allDoneText: '这里的邮件已全部处理。下一批邮件确认后会自动开始。',
    offlineText: '已到达本机的每封邮件都要经云端许可才会发出。程序会自动重试连接。',
    setUpTitle: '初始设置尚未完成',
    setUpText: '连接云端并检查邮箱账户后，就可以发送邮件了。',
    setUpGo: '继续设置',
  },
};
