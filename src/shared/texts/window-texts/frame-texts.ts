import type { AgentState } from '../../wire/messages.ts';
import type { Language } from '../language.ts';

/** What stands around every view: places, ways back, troubles. */
export type FrameTexts = {
  readonly appName: string;
  readonly places: {
    readonly label: string;
    readonly today: string;
    readonly mails: string;
    readonly needsYou: string;
    readonly settings: string;
    readonly setUp: string;
  };
  /** After the name of the "Needs you" place, for those who hear it. */
  readonly questions: (count: number) => string;
  readonly state: Record<AgentState, string>;
  readonly back: string;
  readonly loading: string;
  readonly tryAgain: string;
  readonly trouble: string;
  readonly serverSaid: string;
};

export const FRAME_TEXTS: Record<Language, FrameTexts> = {
  en: {
    appName: 'Mail Agent',
    places: {
      label: 'Places',
      today: 'Today',
      mails: 'Mails',
      needsYou: 'Needs you',
      settings: 'Settings',
      setUp: 'Set-up',
    },
    questions: (count) => (count === 1 ? ', 1 question' : `, ${count} questions`),
    state: {
      idle: 'Ready',
      sending: 'Sending',
      paused: 'Paused',
      'needs-you': 'Needs you',
      offline: 'No connection to the cloud',
    },
    back: 'Back',
    loading: 'Still loading. This takes longer than usual.',
    tryAgain: 'Try again',
    trouble: 'This could not be shown',
    serverSaid: 'What the server said',
  },
  'zh-CN': {
    appName: 'Mail Agent',
    places: {
      label: '页面',
      today: '今天',
      mails: '邮件',
      needsYou: '需要您处理',
      settings: '设置',
      setUp: '初始设置',
    },
    questions: (count) => `，${count} 个问题`,
    state: {
      idle: '就绪',
      sending: '发送中',
      paused: '已暂停',
      'needs-you': '需要您处理',
      offline: '无法连接云端',
    },
    back: '返回',
    loading: '仍在加载，比平时慢一些。',
    tryAgain: '重试',
    trouble: '无法显示此内容',
    serverSaid: '服务器原文',
  },
};
