import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  both,
  cut,
  drip,
  drop,
  type PeerOptions,
  raw,
  type SmtpScript,
  say,
  silence,
  startTls,
} from '../../support/scripted-smtp.ts';
import { type StoredCertificates, storeCertificates } from '../../support/tls-certificates.ts';
import { type DeadlineName, inShort, sendOne } from './mailer-harness.ts';

let certificates: StoredCertificates;
let caFile: string;

beforeAll(async () => {
  certificates = await storeCertificates();
  caFile = certificates.caFile;
  return certificates.remove;
});

type Security = 'tls' | 'starttls';
const SECURITIES: readonly Security[] = ['tls', 'starttls'];

function sendSecure(
  options: PeerOptions & { readonly security: Security },
  setting: { readonly host?: string; readonly caFile?: string | null; readonly shorten?: DeadlineName } = {},
) {
  return sendOne(
    { certificate: certificates.good, ...options },
    {
      server: { host: setting.host ?? '127.0.0.1', caFile: setting.caFile === undefined ? caFile : setting.caFile },
      ...(setting.shorten === undefined ? {} : { shorten: setting.shorten }),
    },
  );
}

describe.each(SECURITIES)('over %s', (security) => {
  it.each(['127.0.0.1', 'localhost'])('a mail is accepted by %s', async (host) => {
    const { submission, stages, peer } = await sendSecure({ security }, { host });

    expect(inShort(submission)).toBe('accepted 250');
    expect(stages).toEqual(['connect', 'tls', 'auth', 'envelope', 'body', 'handed-over']);
    expect(peer.endOfDataCount).toBe(1);
  });

  it.each(['selfSigned', 'expired', 'otherHost'] as const)('a certificate that is %s is refused', async (kind) => {
    const { submission, peer } = await sendSecure({ security, certificate: certificates[kind] });

    expect(inShort(submission)).toBe('broken tls certificate');
    expect(peer.commands.filter((line) => /^(AUTH|MAIL)/.test(line))).toEqual([]);
    expect(peer.endOfDataCount).toBe(0);
  });

  it('an authority that the account does not name is refused', async () => {
    const { submission, peer } = await sendSecure({ security }, { caFile: null });

    expect(inShort(submission)).toBe('broken tls certificate');
    expect(peer.endOfDataCount).toBe(0);
  });

  it('certificates are checked even where the environment turns the check off', async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const { submission } = await sendSecure({ security }, { caFile: null });

      expect(inShort(submission)).toBe('broken tls certificate');
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });

  it('a certificate file that is missing stops the connection', async () => {
    const { submission } = await sendSecure({ security }, { caFile: path.join(path.dirname(caFile), 'missing.pem') });

    expect(inShort(submission)).toBe('broken tls certificate');
  });

  it('login 535 is told, and the password is not', async () => {
    const { submission } = await sendSecure({
      security,
      script: { auth: (peer) => peer.write(`535 5.7.8 no: ${peer.peer.commands.at(-1)}\r\n`) },
    });

    expect(submission).toEqual({
      kind: 'replied',
      stage: 'auth',
      reply: { code: 535, enhanced: '5.7.8', text: 'no: AUTH PLAIN ***' },
    });
  });

  it('only what is offered over TLS counts', async () => {
    const { submission, peer } = await sendSecure({
      security,
      offers: ['PIPELINING'],
      offersBeforeTls: ['STARTTLS', 'AUTH PLAIN LOGIN'],
    });

    expect(inShort(submission)).toBe('broken auth auth-not-offered');
    expect(peer.commands.filter((line) => line.startsWith('AUTH'))).toEqual([]);
  });

  it('a drop after the end of the mail is told as handed over', async () => {
    const { submission, peer } = await sendSecure({ security, script: { endOfData: drop } });

    expect(inShort(submission)).toBe('broken handed-over dropped');
    expect(peer.endOfDataCount).toBe(1);
  });
});

describe('TLS from the start', () => {
  it.each([
    ['is dropped', cut(''), 'broken tls dropped', undefined],
    ['meets a server that speaks plain SMTP', say('220 plain.example ESMTP'), 'broken tls tls', undefined],
    ['meets silence', silence, 'broken tls timeout', 'tlsMs'],
    ['meets a byte now and then', drip('\u0016', 20), 'broken tls', 'tlsMs'],
  ] as const)('%s', async (_name, greeting, ends, shorten) => {
    const { submission, peer } = await sendOne(
      { script: { greeting } },
      { server: { security: 'tls', caFile }, ...(shorten === undefined ? {} : { shorten }) },
    );

    expect(inShort(submission).startsWith(ends)).toBe(true);
    expect(peer.commands.join('')).not.toMatch(/EHLO|AUTH/);
  });

  it('tells a greeting that refuses by the stage tls', async () => {
    const { submission } = await sendSecure({ security: 'tls', script: { greeting: cut('554 5.7.1 not you\r\n') } });

    expect(inShort(submission)).toBe('replied tls 554');
  });

  it('refuses TLS older than 1.2', async () => {
    const { submission } = await sendSecure({ security: 'tls', tlsVersion: 'TLSv1.1' });

    expect(inShort(submission)).toMatch(/^broken tls (tls|dropped)$/);
  });
});

describe('STARTTLS', () => {
  const cases: readonly (readonly [string, SmtpScript, string, DeadlineName | undefined])[] = [
    ['refused with 454', { starttls: say('454 4.7.0 TLS not available') }, 'replied tls 454', undefined],
    ['refused with 502', { starttls: say('502 5.5.1 what') }, 'replied tls 502', undefined],
    ['answered 250', { starttls: say('250 ok') }, 'broken tls out-of-step', undefined],
    ['dropped', { starttls: drop }, 'broken tls dropped', undefined],
    ['not answered', { starttls: silence }, 'broken tls timeout', 'helloMs'],
    [
      'granted with a reply to EHLO behind it',
      {
        starttls: both(raw('220 ready\r\n250-evil.example\r\n250 AUTH PLAIN\r\n'), (peer) =>
          peer.secure(() => undefined),
        ),
      },
      'broken tls out-of-step',
      undefined,
    ],
    [
      'granted with half a reply behind it',
      { starttls: both(raw('220 ready\r\n250-evil'), (peer) => peer.secure(() => undefined)) },
      'broken tls out-of-step',
      undefined,
    ],
    ['granted and no handshake', { starttls: say('220 ready') }, 'broken tls timeout', 'tlsMs'],
    ['granted and a drop', { starttls: cut('220 ready\r\n') }, 'broken tls dropped', undefined],
    ['granted and dripped at', { starttls: both(say('220 ready'), drip('2', 20)) }, 'broken tls', 'tlsMs'],
    ['preceded by a refused EHLO', { ehlo: say('502 what') }, 'replied tls 502', undefined],
    ['preceded by EHLO 421', { ehlo: cut('421 busy\r\n') }, 'replied tls 421', undefined],
  ];
  it.each(cases)('%s', async (_name, script, ends, shorten) => {
    const { submission, peer } = await sendSecure(
      { security: 'starttls', script },
      shorten === undefined ? {} : { shorten },
    );

    expect(inShort(submission).startsWith(ends)).toBe(true);
    expect(peer.commands.filter((line) => /^(AUTH|MAIL|HELO)/.test(line))).toEqual([]);
    expect(peer.endOfDataCount).toBe(0);
  });

  it('that is not offered stops the connection before any login', async () => {
    const { submission, peer } = await sendSecure({ security: 'starttls', offersBeforeTls: ['AUTH PLAIN LOGIN'] });

    expect(inShort(submission)).toBe('broken tls starttls-missing');
    expect(peer.commands).toEqual(['EHLO [127.0.0.1]']);
  });

  it('is said once, and EHLO again after it', async () => {
    const { peer } = await sendSecure({ security: 'starttls', script: { starttls: startTls } });

    expect(peer.commands.map((line) => line.split(' ')[0])).toEqual([
      'EHLO',
      'STARTTLS',
      'EHLO',
      'AUTH',
      'MAIL',
      'RCPT',
      'DATA',
      'QUIT',
    ]);
  });
});
