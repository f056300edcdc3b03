import type { Language } from './language.ts';

/** Reasons of the agent's own, in words for a salesperson: what happened, and what follows for the mail. */
export type LocalReason =
  | 'begin-unanswered'
  | 'begun-elsewhere'
  | 'payload-changed'
  | 'expired'
  | 'ledger-unwritable'
  | 'stopped'
  | 'lost-at-restart'
  | 'tried-often'
  | 'unreadable'
  | 'repeated-differently'
  | 'person-says-sent'
  | 'person-says-not-sent'
  | 'token-refused'
  | 'keychain'
  | 'found-in-sent'
  | 'not-in-sent'
  | 'came-back'
  | 'was-answered'
  | 'paused-by-you'
  | 'paused-by-office'
  | 'equal-errors'
  | 'refused-share';

export const LOCAL_TEXTS: Record<Language, Record<LocalReason, string>> = {
  en: {
    'begin-unanswered': 'The cloud did not give its permission in time. The mail was not sent and will be tried again.',
    'begun-elsewhere':
      'Another copy of this agent began this mail, so it may have been sent. Please look in your Sent folder.',
    'payload-changed': 'The mail in the cloud is no longer the one that was claimed. It was not sent.',
    expired: 'The time until which this mail could be sent has passed. It was not sent.',
    'ledger-unwritable':
      'The local record could not be written, so nothing was sent. Please check that the disk has room.',
    stopped: 'Sending was stopped before the mail left. It was not sent and will be tried again.',
    'lost-at-restart':
      'The agent ended while this mail was on its way and nobody saw the answer of the mail server. It may have been sent.',
    'tried-often': 'The mail server put this mail off every time it was tried.',
    unreadable: 'This mail cannot be read: it may need a newer version of the agent. It was not sent.',
    'repeated-differently': 'The cloud named this mail twice with different content. It was not sent.',
    'person-says-sent': 'A person found that this mail was sent.',
    'person-says-not-sent': 'A person found that this mail was not sent.',
    'token-refused': 'The cloud no longer knows this agent. Please pair it again.',
    keychain: 'The password cannot be read from the keychain of this computer. Sending is paused.',
    'found-in-sent': 'Found in your Sent folder by its Message-ID.',
    'not-in-sent':
      'Not in your Sent folder after several hours, where your mail provider keeps every mail it sends and other mails were found.',
    'came-back': 'It came back: another mail server reported about it, so it had been sent.',
    'was-answered': 'Somebody answered it, so it had been sent.',
    'paused-by-you': 'Paused by you.',
    'paused-by-office': 'Paused from the office.',
    'equal-errors':
      'Several mails in a row failed in the same way, so sending has paused to protect the good name of your mailbox. Look at these mails, then let sending go on. The last one:',
    'refused-share':
      'Many of the latest mails were refused, so sending has paused to protect the good name of your mailbox. Check the addresses of these contacts, then let sending go on. The last one:',
  },
  'zh-CN': {
    'begin-unanswered': '云端没有及时给出许可，邮件未发送，稍后会再试。',
    'begun-elsewhere': '本程序的另一个副本已开始发送这封邮件，邮件可能已发出。请查看“已发送”文件夹。',
    'payload-changed': '云端的邮件与领取时不一致，邮件未发送。',
    expired: '已超过这封邮件的最晚发送时间，邮件未发送。',
    'ledger-unwritable': '本地记录无法写入，因此没有发送。请检查磁盘空间。',
    stopped: '邮件发出前已停止发送，邮件未发送，稍后会再试。',
    'lost-at-restart': '邮件发送途中程序退出，没有收到邮件服务器的答复。邮件可能已发出。',
    'tried-often': '每次发送时邮件服务器都要求稍后再试。',
    unreadable: '无法读取这封邮件，可能需要更新程序。邮件未发送。',
    'repeated-differently': '云端两次给出同一封邮件但内容不同，邮件未发送。',
    'person-says-sent': '经人工确认，邮件已发出。',
    'person-says-not-sent': '经人工确认，邮件未发出。',
    'token-refused': '云端不再认识本程序，请重新配对。',
    keychain: '无法从本机钥匙串读取密码，发送已暂停。',
    'found-in-sent': '已按邮件编号在“已发送”文件夹中找到。',
    'not-in-sent': '数小时后“已发送”文件夹中仍没有这封邮件，而您的邮箱会保存所有发出的邮件，其他邮件都能找到。',
    'came-back': '收到了关于这封邮件的退信，说明它已发出。',
    'was-answered': '已有人回复这封邮件，说明它已发出。',
    'paused-by-you': '已由您暂停。',
    'paused-by-office': '已由管理员暂停。',
    'equal-errors':
      '连续多封邮件以同样的方式失败，为保护您邮箱的信誉，发送已暂停。请查看这些邮件，然后恢复发送。最近一封：',
    'refused-share':
      '最近的邮件中有许多被拒收，为保护您邮箱的信誉，发送已暂停。请检查这些联系人的地址，然后恢复发送。最近一封：',
  },
};
