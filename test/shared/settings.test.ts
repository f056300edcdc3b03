import { describe, expect, it } from 'vitest';
import { isAllowedCloudUrl, MailAccount, Pace, Pairing, SETTINGS, SmtpServer } from '../../src/shared/settings.ts';

const SERVER = { host: 'smtp.firma.example', port: 465, security: 'tls' };
const ACCOUNT = { address: 'anna@firma.example', userName: 'anna', smtp: SERVER };
const PAIRING = {
  cloudUrl: 'https://cloud.example',
  agentId: 'a1',
  agentName: 'Anna PC',
  userId: 'u1',
  userName: 'Anna',
};
const HOURS = { from: '09:00', to: '18:00', days: [1, 2, 3, 4, 5], timeZone: 'Asia/Shanghai' };

type Bad = readonly [
  setting: string,
  allowed: RegExp,
  schema: (typeof SETTINGS)[keyof typeof SETTINGS],
  value: unknown,
];

const BAD: readonly Bad[] = [
  ['smtp.host', /not a host name/, MailAccount, { ...ACCOUNT, smtp: { ...SERVER, host: 'smtp firma' } }],
  ['smtp.port', /<=65535/, MailAccount, { ...ACCOUNT, smtp: { ...SERVER, port: 70_000 } }],
  ['smtp.port', /number/, MailAccount, { ...ACCOUNT, smtp: { ...SERVER, port: '465' } }],
  ['smtp.security', /"tls"\|"starttls"\|"none"/, MailAccount, { ...ACCOUNT, smtp: { ...SERVER, security: 'ssl' } }],
  [
    'smtp.security',
    /only for a server on this machine/,
    MailAccount,
    { ...ACCOUNT, smtp: { ...SERVER, security: 'none' } },
  ],
  ['smtp.security', /port 465/, MailAccount, { ...ACCOUNT, smtp: { ...SERVER, security: 'starttls' } }],
  ['smtp', /"pool"/, MailAccount, { ...ACCOUNT, smtp: { ...SERVER, pool: true } }],
  ['address', /not exactly one mailbox/, MailAccount, { ...ACCOUNT, address: 'a@x.example,b@y.example' }],
  ['aliases.1', /not a domain name/, MailAccount, { ...ACCOUNT, aliases: ['a@x.example', 'b@y'] }],
  ['', /"password"/, MailAccount, { ...ACCOUNT, password: 'secret' }],
  ['gapMaxMs', /must not be smaller/, Pace, { gapMinMs: 2000, gapMaxMs: 1000 }],
  ['perMinute', />=1/, Pace, { perMinute: 0 }],
  ['perDay', /number/, Pace, { perDay: '300' }],
  ['workingHours.from', /form 09:30/, Pace, { workingHours: { ...HOURS, from: '9:00' } }],
  ['workingHours.to', /form 09:30/, Pace, { workingHours: { ...HOURS, to: '24:00' } }],
  ['workingHours.to', /later than it begins/, Pace, { workingHours: { ...HOURS, to: '09:00' } }],
  ['workingHours.days.0', /<=7/, Pace, { workingHours: { ...HOURS, days: [8] } }],
  ['workingHours.days', />=1/, Pace, { workingHours: { ...HOURS, days: [] } }],
  ['workingHours.timeZone', /such as Asia\/Shanghai/, Pace, { workingHours: { ...HOURS, timeZone: 'Asia/Peking2' } }],
  ['cloudUrl', /must be https/, Pairing, { ...PAIRING, cloudUrl: 'http://cloud.example' }],
  ['cloudUrl', /URL/, Pairing, { ...PAIRING, cloudUrl: 'cloud' }],
  ['agentId', />=1/, Pairing, { ...PAIRING, agentId: '' }],
];

describe('settings', () => {
  it.each(BAD)('names %s and says what is allowed (%s)', (setting, allowed, schema, value) => {
    const issues = schema.safeParse(value).error?.issues ?? [];

    const about = issues.filter((issue) => issue.path.join('.') === setting).map((issue) => issue.message);
    expect(about.join('; ')).toMatch(allowed);
  });

  it('have defaults for all of the pace and for what an account may leave out', () => {
    expect(SETTINGS.pace.parse({})).toEqual({
      gapMinMs: 20_000,
      gapMaxMs: 60_000,
      perMinute: 3,
      perHour: 60,
      perDay: 300,
      perHourPerDomain: null,
      rampUpDays: null,
      pauseAfterEqualErrors: null,
      pauseAboveRefusedPercent: null,
      workingHours: null,
    });
    expect(SETTINGS.account.parse(ACCOUNT)).toMatchObject({ name: null, aliases: [], smtp: { caFile: null } });
    expect(SETTINGS.pairing.parse(PAIRING)).toEqual(PAIRING);
  });

  it.each(['127.0.0.1', '127.8.8.8', '::1', 'localhost'])(
    'let a mail server on this machine go without TLS: %s',
    (host) => {
      expect(SmtpServer.safeParse({ host, port: 2525, security: 'none' }).success).toBe(true);
    },
  );

  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'])('know the time zone %s', (timeZone) => {
    expect(Pace.safeParse({ workingHours: { ...HOURS, timeZone } }).success).toBe(true);
  });
});

describe('isAllowedCloudUrl', () => {
  it.each(['https://cloud.example', 'https://cloud.example:8443/', 'http://127.0.0.1:8080', 'http://[::1]:8080'])(
    'takes %s',
    (url) => {
      expect(isAllowedCloudUrl(url)).toBe(true);
    },
  );

  it.each([
    'http://cloud.example',
    'http://127.0.0.1.evil.example',
    'https://user:pw@cloud.example',
    'https://cloud.example/path',
    'https://cloud.example/?a=1',
    'https://cloud.example/#a',
    'ftp://127.0.0.1',
    'cloud.example',
    '',
  ])('refuses %s', (url) => {
    expect(isAllowedCloudUrl(url)).toBe(false);
  });
});
