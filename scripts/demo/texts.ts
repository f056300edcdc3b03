import type { Language } from '../../src/shared/texts/language.ts';
import type { Tally } from './tally.ts';

export type DemoTexts = {
  readonly starting: (folder: string) => string;
  readonly seed: (seed: number) => string;
  readonly part: { readonly database: string; readonly cloud: string; readonly inbox: string; readonly agent: string };
  readonly preparingWindow: string;
  /** `why` in the words of whoever could not. */
  readonly noWindow: (why: string) => string;
  readonly leftOver: (stopped: number) => string;
  readonly confirmed: (mails: number) => string;
  readonly progress: (counts: { sent: number; total: number; failed: number; uncertain: number }) => string;
  readonly faults: (counts: { kills: number; cuts: number; repliesLost: number }) => string;
  readonly summary: (tally: Tally) => string;
  readonly uncertainMails: (mails: readonly string[]) => string;
  readonly tooLate: (seconds: number, hanging: string) => string;
  readonly allWell: string;
  readonly problems: (problems: readonly string[]) => string;
  readonly whereToLook: (where: { inbox: string; cloud: string; task: string; tokenFile: string }) => string;
  readonly staying: string;
  readonly ending: string;
  readonly interrupted: string;
};

const curl = (cloud: string, task: string, tokenFile: string) =>
  `curl -H "authorization: Bearer $(cat '${tokenFile}')" '${cloud}/operator/v1/recipients?task_id=${task}'`;

const en: DemoTexts = {
  starting: (folder) => `Starting the demo in ${folder}`,
  seed: (seed) => `Chaos with seed ${seed}: the agent is killed, connections are cut, replies get lost.`,
  part: {
    database: 'PostgreSQL is running.',
    cloud: 'The cloud is running.',
    inbox: 'The mail server is running (TLS, trusted by this account only).',
    agent: 'The agent is paired and its mail account is set up.',
  },
  preparingWindow: 'Preparing the window; the first time it takes a minute or two.',
  noWindow: (why) => `Without its window: ${why}`,
  leftOver: (stopped) => `Stopped ${stopped} mails that an earlier demo had left in the queue.`,
  confirmed: (mails) => `A task of ${mails} mails is confirmed; the agent takes over.`,
  progress: ({ sent, total, failed, uncertain }) =>
    `${sent} of ${total} sent${failed > 0 ? ` · ${failed} refused` : ''}${uncertain > 0 ? ` · ${uncertain} may have been sent` : ''}`,
  faults: ({ kills, cuts, repliesLost }) => `${kills} kills, ${cuts} cuts, ${repliesLost} replies lost`,
  summary: (tally) =>
    [
      `Queued          ${tally.queued}`,
      `Sent            ${tally.sent}`,
      `Failed          ${tally.failed}`,
      `Uncertain       ${tally.uncertain}`,
      `In the inbox    ${tally.delivered}`,
      `Seen twice      ${tally.duplicates}`,
      `Seconds         ${tally.seconds}`,
    ].join('\n'),
  uncertainMails: (mails) =>
    `May have been sent; a person decides, the agent never sends them again:\n${mails.join('\n')}`,
  tooLate: (seconds, hanging) => `Not done after ${seconds} s. ${hanging}`,
  allWell: 'The counts add up: nothing arrived twice, nothing was lost.',
  problems: (problems) => `This does not add up:\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
  whereToLook: ({ inbox, cloud, task, tokenFile }) =>
    `Inbox: ${inbox}\nCloud: ${cloud} (the mails of this task:)\n  ${curl(cloud, task, tokenFile)}`,
  staying: 'Everything stays up so that you can look around. Ctrl-C ends it.',
  ending: 'Ending…',
  interrupted: 'Stopped before the task was done.',
};

const zhCN: DemoTexts = {
  starting: (folder) => `正在启动演示，数据文件夹：${folder}`,
  seed: (seed) => `混乱模式，种子 ${seed}：强制终止程序、切断连接、丢失应答。`,
  part: {
    database: 'PostgreSQL 已启动。',
    cloud: '云端已启动。',
    inbox: '邮件服务器已启动（TLS，仅此账户信任其证书）。',
    agent: '程序已配对，邮箱账户已设置。',
  },
  preparingWindow: '正在准备窗口，首次需要一两分钟。',
  noWindow: (why) => `不显示窗口：${why}`,
  leftOver: (stopped) => `已停止上次演示遗留在队列中的 ${stopped} 封邮件。`,
  confirmed: (mails) => `已确认包含 ${mails} 封邮件的任务，由程序开始发送。`,
  progress: ({ sent, total, failed, uncertain }) =>
    `已发送 ${sent} / ${total}${failed > 0 ? ` · 被拒收 ${failed}` : ''}${uncertain > 0 ? ` · 可能已发出 ${uncertain}` : ''}`,
  faults: ({ kills, cuts, repliesLost }) => `终止 ${kills} 次，断开 ${cuts} 次，丢失应答 ${repliesLost} 次`,
  summary: (tally) =>
    [
      `已排队      ${tally.queued}`,
      `已发送      ${tally.sent}`,
      `失败        ${tally.failed}`,
      `无法确认    ${tally.uncertain}`,
      `收件箱收到  ${tally.delivered}`,
      `重复收到    ${tally.duplicates}`,
      `用时（秒）  ${tally.seconds}`,
    ].join('\n'),
  uncertainMails: (mails) => `以下邮件可能已发出，由人工确认，程序不会再次发送：\n${mails.join('\n')}`,
  tooLate: (seconds, hanging) => `${seconds} 秒后仍未完成。${hanging}`,
  allWell: '数目相符：没有重复，也没有遗失。',
  problems: (problems) => `数目不符：\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
  whereToLook: ({ inbox, cloud, task, tokenFile }) =>
    `收件箱：${inbox}\n云端：${cloud}（查看此任务的邮件：）\n  ${curl(cloud, task, tokenFile)}`,
  staying: '所有部件保持运行，供您查看。按 Ctrl-C 结束。',
  ending: '正在结束……',
  interrupted: '任务完成之前已停止。',
};

export const DEMO_TEXTS: Record<Language, DemoTexts> = { en, 'zh-CN': zhCN };
