import type { AgentState } from '../wire/messages.ts';
import type { Language } from './language.ts';

/** Where one mail stands, as the window and the terminal say it. A mail is accepted, refused, stopped: never more. */
export type MailStateName =
  | 'queued'
  | 'claimed'
  | 'attempting'
  | 'handed-over'
  | 'sent'
  | 'failed'
  | 'uncertain'
  | 'cancelled'
  | 'released';

export const MAIL_STATE_TEXTS: Record<Language, Record<MailStateName, string>> = {
  en: {
    queued: 'Waiting in the queue',
    claimed: 'Waiting',
    attempting: 'Sending',
    'handed-over': 'Waiting for your mail server',
    sent: 'Accepted by your mail server',
    failed: 'Refused',
    uncertain: 'May have been sent',
    cancelled: 'Stopped in time',
    released: 'Given back to the queue',
  },
  'zh-CN': {
    queued: '排队中',
    claimed: '等待发送',
    attempting: '发送中',
    'handed-over': '等待邮件服务器确认',
    sent: '邮件服务器已接收',
    failed: '被拒收',
    uncertain: '可能已发出',
    cancelled: '已及时撤回',
    released: '已退回队列',
  },
};

export const AGENT_STATE_TEXTS: Record<Language, Record<AgentState, string>> = {
  en: {
    idle: 'Nothing to send',
    sending: 'Sending',
    paused: 'Paused',
    'needs-you': 'Needs you',
    offline: 'No connection to the cloud',
  },
  'zh-CN': {
    idle: '没有待发送的邮件',
    sending: '发送中',
    paused: '已暂停',
    'needs-you': '需要您处理',
    offline: '无法连接云端',
  },
};
