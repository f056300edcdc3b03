import type { Language } from '../../../src/shared/texts/language.ts';

/** What the example window talks about. */
export type ExampleWords = {
  readonly user: string;
  readonly people: readonly (readonly [string, string])[];
  readonly subjects: readonly string[];
  readonly tasks: readonly [string, string];
  readonly html: string;
  readonly text: string;
  readonly refusedLogin: string;
  readonly serverSource: string;
  readonly keptLogin: string;
  readonly cause: string;
  readonly attachment: string;
  readonly paused: string;
  readonly codeRefused: string;
  readonly providerAllows: string;
};

export const EXAMPLE_WORDS: Record<Language, ExampleWords> = {
  en: {
    user: 'Lena Hoffmann',
    people: [
      ['Maria Keller', 'm.keller@keller-maschinenbau.example'],
      ['Jonas Weber', 'j.weber@weber-praezision.example'],
      ['Priya Raman', 'priya.raman@southern-components-and-castings.example'],
      ['Tom Ashworth', 'tom@ashworth-tools.example'],
      ['Elif Demir', 'elif.demir@demir-makina.example'],
    ],
    subjects: [
      'Samples of the new bearing housings, as discussed at the fair in Stuttgart',
      'Your question about lead times',
      'Price list for spring',
      'A short call next week?',
      '',
    ],
    tasks: ['Spring fair, follow-up', 'Bearing housings: existing customers in southern Germany'],
    html: '<div style="font-family:sans-serif;color:#222"><p>Dear Ms Keller,</p><p>thank you for your visit to our stand. As promised, here are the <b style="color:#0b62c4">samples</b> and the price list.</p><p>Kind regards<br>Lena Hoffmann</p><img src="https://tracker.example/p.gif" alt=""></div>',
    text: 'Dear Mr Weber,\n\nyour question about lead times: four weeks from the order.\n\nKind regards\nLena Hoffmann',
    serverSource: 'known to this program: QQ Mail',
    refusedLogin:
      'Your mail server did not accept the login of your mail account. Please check its user name and password, or its authorisation code or app password.',
    keptLogin: 'It was not sent. Sending is paused until you have looked at this.',
    cause: 'The address of the recipient does not exist or takes no mail.',
    attachment: 'Price list spring, all bearing housings and castings.pdf',
    paused: 'Paused by you.',
    providerAllows: 'Per minute, hour and day; kept secret.',
    codeRefused:
      'The cloud does not know this pairing code. It may have been used already. Ask your office for a new one.',
  },
  'zh-CN': {
    user: '王丽',
    people: [
      ['陈建国', 'jianguo.chen@huadong-machinery.example'],
      ['李敏', 'limin@nanfang-precision.example'],
      ['张伟（采购部）', 'zhangwei.purchasing@east-china-bearing-and-castings.example'],
      ['刘洋', 'liuyang@hengtong-tools.example'],
      ['赵小燕', 'zhao.xiaoyan@beifang-parts.example'],
    ],
    subjects: [
      '新款轴承座样品及报价单（上海展会上与您沟通的型号，含运费说明）',
      '关于交货周期的回复',
      '春季价格表',
      '下周方便通个电话吗？',
      '',
    ],
    tasks: ['春季展会客户跟进', '轴承座产品：华东地区老客户回访'],
    html: '<div style="font-family:sans-serif;color:#222"><p>陈经理，您好：</p><p>感谢您莅临我们的展位。现附上<b style="color:#0b62c4">样品</b>资料和价格表，请查收。</p><p>此致<br>王丽</p></div>',
    text: '李经理，您好：\n\n关于交货周期：自下单之日起四周。\n\n此致\n王丽',
    serverSource: '本程序已知：QQ 邮箱',
    refusedLogin: '邮件服务器未接受您邮箱账户的登录。请检查用户名和密码，或授权码、应用专用密码。',
    keptLogin: '邮件未发送，发送已暂停，请您处理。',
    cause: '收件人地址不存在或不接收邮件。',
    attachment: '春季价格表（轴承座及铸件全系列）.pdf',
    paused: '已由您暂停。',
    providerAllows: '按分钟、小时、天限制，未公开。',
    codeRefused: '云端不认识此配对码，可能已被使用。请向公司索取新的配对码。',
  },
};
