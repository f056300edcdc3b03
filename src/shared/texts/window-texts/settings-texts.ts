import type { Language } from '../language.ts';

export type SettingsTexts = {
  readonly title: string;
  readonly general: string;
  readonly language: string;
  readonly languages: Record<Language | 'system', string>;
  readonly startAtLogin: string;
  readonly startAtLoginHint: string;
  readonly saved: string;
  readonly notSaved: string;
  readonly account: string;
  readonly noAccount: string;
  readonly secret: Record<'password' | 'sign-in', Record<'kept' | 'missing', string>>;
  readonly connection: string;
  readonly notConnected: string;
  readonly about: string;
  readonly pace: {
    readonly title: string;
    readonly summary: (perHour: number | null, perDay: number | null) => string;
    readonly intro: string;
    readonly gap: string;
    readonly gapFrom: string;
    readonly gapTo: string;
    readonly limits: string;
    readonly limitsHint: string;
    readonly perMinute: string;
    readonly perHour: string;
    readonly perDay: string;
    readonly perHourPerDomain: string;
    readonly providerAllows: (name: string, allows: string) => string;
    readonly ramp: string;
    readonly rampUpDays: string;
    readonly rampHint: string;
    readonly autoPause: string;
    readonly equalErrors: string;
    readonly refusedPercent: string;
    readonly pauseHint: string;
    readonly hours: string;
    readonly hoursOn: string;
    readonly from: string;
    readonly to: string;
    readonly days: string;
    /** Monday first, short. */
    readonly dayNames: readonly string[];
    readonly timeZone: string;
    readonly wrongGap: string;
    readonly wrongLimit: string;
    readonly wrongRamp: string;
    readonly wrongPause: string;
    readonly wrongHours: string;
    readonly wrongDays: string;
    readonly save: string;
  };
  readonly aboutPage: {
    readonly title: string;
    readonly version: string;
    readonly runsOn: string;
    readonly dataFolder: string;
    readonly openDataFolder: string;
    readonly exportLog: string;
    readonly exported: (file: string) => string;
    readonly copyDiagnostics: string;
    readonly copied: string;
    readonly support: string;
    readonly supportText: string;
    readonly licences: string;
    readonly licencesText: string;
  };
};

export const SETTINGS_TEXTS: Record<Language, SettingsTexts> = {
  en: {
    title: 'Settings',
    general: 'General',
    language: 'Language',
    languages: { system: 'Same as this computer', en: 'English', 'zh-CN': '中文（简体）' },
    startAtLogin: 'Start when I log in',
    startAtLoginHint: 'Mails leave only while this program runs.',
    saved: 'Saved.',
    notSaved: 'This was not saved',
    account: 'Mail account',
    noAccount: 'Not set up yet',
    secret: {
      password: {
        kept: 'The password is in the keychain of this computer.',
        missing: 'The password is missing. Enter it again to go on sending.',
      },
      'sign-in': {
        kept: 'Your sign-in is in the keychain of this computer.',
        missing: 'Your sign-in could not be read. Sign in again to go on sending.',
      },
    },
    connection: 'Connection to the cloud',
    notConnected: 'Not connected yet',
    about: 'About and support',
    pace: {
      title: 'Pace and working hours',
      summary: (perHour, perDay) =>
        [
          perHour === null ? 'no limit per hour' : `${perHour} per hour`,
          perDay === null ? 'no limit per day' : `${perDay} per day`,
        ].join(', '),
      intro: 'A calm pace keeps your mailbox in good standing with your provider.',
      gap: 'Pause between two mails (seconds)',
      gapFrom: 'From',
      gapTo: 'To',
      limits: 'At most',
      limitsHint: 'Empty means no limit.',
      perMinute: 'Per minute',
      perHour: 'Per hour',
      perDay: 'Per day',
      perHourPerDomain: 'Per hour to one company',
      providerAllows: (name, allows) => `What ${name} itself allows: ${allows}`,
      ramp: 'A mailbox new to sending many',
      rampUpDays: 'Days until the full limit per day',
      rampHint: 'Begins with fewer mails a day and sends more each day. Empty means the full limit at once.',
      autoPause: 'Pause and ask me',
      equalErrors: 'After failures alike in a row',
      refusedPercent: 'Above this share refused (%)',
      pauseHint: 'Protects the good name of your mailbox. Empty means never.',
      hours: 'Working hours',
      hoursOn: 'Send only in working hours',
      from: 'From',
      to: 'To',
      days: 'Days',
      dayNames: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
      timeZone: 'Time zone',
      wrongGap: 'Enter two numbers of seconds from 0 to 3600, the smaller one first.',
      wrongLimit:
        'Enter whole numbers up to 1000 per minute, 10000 per hour and 100000 per day, or leave the field empty.',
      wrongRamp: 'Enter a number of days from 1 to 90, or leave the field empty.',
      wrongPause: 'Enter from 2 to 100 failures and from 5 to 95 percent, or leave the fields empty.',
      wrongHours: 'The end must be later than the beginning.',
      wrongDays: 'Choose at least one day.',
      save: 'Save',
    },
    aboutPage: {
      title: 'About and support',
      version: 'Version',
      runsOn: 'Runs on',
      dataFolder: 'Data folder',
      openDataFolder: 'Open the data folder',
      exportLog: 'Save a log for support (no addresses, no content)',
      exported: (file) => `Saved as ${file}`,
      copyDiagnostics: 'Copy diagnostics',
      copied: 'Copied. Paste it into a message to support.',
      support: 'For support',
      supportText: 'If something does not work, send both to your office.',
      licences: 'Licences',
      licencesText: 'The programs inside this one, and the words they were given under.',
    },
  },
  'zh-CN': {
    title: '设置',
    general: '常规',
    language: '语言',
    languages: { system: '与本机相同', en: 'English', 'zh-CN': '中文（简体）' },
    startAtLogin: '开机时自动启动',
    startAtLoginHint: '只有本程序运行时才会发送邮件。',
    saved: '已保存。',
    notSaved: '未能保存',
    account: '邮箱账户',
    noAccount: '尚未设置',
    secret: {
      password: {
        kept: '密码保存在本机的钥匙串中。',
        missing: '缺少密码，请重新填写后继续发送。',
      },
      'sign-in': {
        kept: '登录信息保存在本机的钥匙串中。',
        missing: '无法读取登录信息，请重新登录后继续发送。',
      },
    },
    connection: '云端连接',
    notConnected: '尚未连接',
    about: '关于与支持',
    pace: {
      title: '发送节奏与时段',
      summary: (perHour, perDay) =>
        [
          perHour === null ? '每小时不限' : `每小时 ${perHour} 封`,
          perDay === null ? '每天不限' : `每天 ${perDay} 封`,
        ].join('，'),
      intro: '平稳的发送节奏有助于您的邮箱保持良好信誉。',
      gap: '两封邮件之间的间隔（秒）',
      gapFrom: '最短',
      gapTo: '最长',
      limits: '发送上限',
      limitsHint: '留空表示不限。',
      perMinute: '每分钟',
      perHour: '每小时',
      perDay: '每天',
      perHourPerDomain: '每小时发往同一公司',
      providerAllows: (name, allows) => `${name}的限制：${allows}`,
      ramp: '刚开始大量发信的邮箱',
      rampUpDays: '几天后达到每天上限',
      rampHint: '开始时每天发得较少，之后逐日增加。留空表示一开始就按上限发送。',
      autoPause: '自动暂停并询问',
      equalErrors: '连续出现同样的失败',
      refusedPercent: '拒收比例超过（%）',
      pauseHint: '保护您邮箱的信誉。留空表示从不自动暂停。',
      hours: '发送时段',
      hoursOn: '只在发送时段内发送',
      from: '开始',
      to: '结束',
      days: '日期',
      dayNames: ['周一', '周二', '周三', '周四', '周五', '周六', '周日'],
      timeZone: '时区',
      wrongGap: '请填写 0 到 3600 之间的两个秒数，较小的在前。',
      wrongLimit: '请填写整数：每分钟最多 1000，每小时最多 10000，每天最多 100000，或留空。',
      wrongRamp: '请填写 1 到 90 之间的天数，或留空。',
      wrongPause: '请填写 2 到 100 次失败和 5 到 95 的百分比，或留空。',
      wrongHours: '结束时间必须晚于开始时间。',
      wrongDays: '请至少选择一天。',
      save: '保存',
    },
    aboutPage: {
      title: '关于与支持',
      version: '版本',
      runsOn: '运行环境',
      dataFolder: '数据文件夹',
      openDataFolder: '打开数据文件夹',
      exportLog: '导出日志（不含邮箱地址和邮件内容）',
      exported: (file) => `已保存为 ${file}`,
      copyDiagnostics: '复制诊断信息',
      copied: '已复制，可粘贴到发给技术支持的消息中。',
      support: '技术支持',
      supportText: '如遇问题，请将以下两项发给公司。',
      licences: '许可证',
      licencesText: '本程序所包含的软件及其许可条款。',
    },
  },
};
