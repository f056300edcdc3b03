import { describe, expect, it } from 'vitest';
import {
  type Act,
  both,
  cut,
  drip,
  drop,
  inTurn,
  type PeerOptions,
  raw,
  type SmtpScript,
  say,
  silence,
  takeBody,
  USUAL_OFFERS,
} from '../../support/scripted-smtp.ts';
import { type DeadlineName, inShort, LARGE, message, type Sending, sendOne } from './mailer-harness.ts';

type Case = {
  readonly name: string;
  readonly peer: PeerOptions;
  readonly ends: string;
  /** Ends of data that the peer saw. */
  readonly endCount: 0 | 1;
  readonly shorten?: DeadlineName;
  readonly sending?: Sending;
};

const ONE_BY_ONE = USUAL_OFFERS.filter((offer) => offer !== 'PIPELINING');
const pipelined = (point: keyof SmtpScript, act: Act): PeerOptions => ({ script: { [point]: act } });
/** A peer that takes one command at a time, so that each can be left without a reply. */
const script = (point: keyof SmtpScript, act: Act): PeerOptions => ({ ...pipelined(point, act), offers: ONE_BY_ONE });
const inBody = (act: Act): PeerOptions => ({ script: { body: { afterBytes: 20_000, act } } });
const large: Sending = { message: message(LARGE) };
const flood: Act = (peer) => {
  const lines = '250-and another line\r\n'.repeat(3_000);
  peer.repeat(1, raw(lines));
};

const POINTS = [
  { point: 'greeting', stage: 'connect', deadline: 'greetingMs', endCount: 0 },
  { point: 'ehlo', stage: 'connect', deadline: 'helloMs', endCount: 0 },
  { point: 'auth', stage: 'auth', deadline: 'authMs', endCount: 0 },
  { point: 'mail', stage: 'envelope', deadline: 'envelopeMs', endCount: 0 },
  { point: 'rcpt', stage: 'envelope', deadline: 'envelopeMs', endCount: 0 },
  { point: 'data', stage: 'envelope', deadline: 'envelopeMs', endCount: 0 },
  { point: 'endOfData', stage: 'handed-over', deadline: 'finalReplyMs', endCount: 1 },
] as const;

const everyPoint = POINTS.flatMap(({ point, stage, deadline, endCount }): Case[] => [
  { name: `${point}: dropped`, peer: script(point, drop), ends: `broken ${stage} dropped`, endCount },
  {
    name: `${point}: silence`,
    peer: script(point, silence),
    shorten: deadline,
    ends: `broken ${stage} timeout`,
    endCount,
  },
  { name: `${point}: 421`, peer: script(point, cut('421 4.3.2 closing\r\n')), ends: `replied ${stage} 421`, endCount },
  { name: `${point}: 451`, peer: script(point, say('451 4.3.0 later')), ends: `replied ${stage} 451`, endCount },
  { name: `${point}: 552`, peer: script(point, say('552 5.2.2 no')), ends: `replied ${stage} 552`, endCount },
  { name: `${point}: 554`, peer: script(point, say('554 5.7.1 no')), ends: `replied ${stage} 554`, endCount },
  {
    name: `${point}: a reply dripped line by line`,
    peer: script(point, drip('250-still here\r\n', 20)),
    shorten: deadline,
    ends: `broken ${stage} timeout`,
    endCount,
  },
  {
    name: `${point}: a reply dripped byte by byte`,
    peer: script(point, both(raw('250-'), drip('x', 20))),
    shorten: deadline,
    ends: `broken ${stage} timeout`,
    endCount,
  },
  { name: `${point}: an endless reply`, peer: script(point, flood), ends: `broken ${stage} too-much`, endCount },
  {
    name: `${point}: an endless line`,
    peer: script(point, both(raw('250 '), raw('x'.repeat(3_000_000)))),
    ends: `broken ${stage} too-much`,
    endCount,
  },
  {
    name: `${point}: a reply cut in half`,
    peer: script(point, cut('250 2.0.0 al')),
    ends: `broken ${stage} dropped`,
    endCount,
  },
  {
    name: `${point}: a refusal cut in half`,
    peer: script(point, cut('550 5.0.0 no')),
    ends: `broken ${stage} dropped`,
    endCount,
  },
  {
    name: `${point}: a multi-line reply without its last line`,
    peer: script(point, cut('250-one\r\n250-two\r\n')),
    ends: `broken ${stage} dropped`,
    endCount,
  },
  ...['000', '199', '299', '300', '399', '600', '999', '2 50', '25', '2500', 'ok', '250\tok', '250-a\r\n251 b'].map(
    (text): Case => ({
      name: `${point}: ${JSON.stringify(text)}`,
      peer: script(point, say(text)),
      ends: `broken ${stage} out-of-step`,
      endCount,
    }),
  ),
  {
    name: `${point}: a line ended by LF alone`,
    peer: script(point, raw('250 ok\n')),
    ends: `broken ${stage} out-of-step`,
    endCount,
  },
]);

const inOneBatch = (['mail', 'rcpt', 'data'] as const).flatMap((point): Case[] =>
  (
    [
      ['dropped', drop, 'broken envelope dropped'],
      ['421', cut('421 4.3.2 closing\r\n'), 'replied envelope 421'],
      ['450', say('450 4.2.0 later'), 'replied envelope 450'],
      ['550', say('550 5.1.1 no'), 'replied envelope 550'],
      ['299', say('299 odd'), 'broken envelope out-of-step'],
      ['a reply cut in half', cut('250 o'), 'broken envelope dropped'],
    ] as const
  ).map(([name, act, ends]) => ({
    name: `${point}, with pipelining: ${name}`,
    peer: pipelined(point, act),
    ends,
    endCount: 0,
  })),
);

const others: readonly Case[] = [
  {
    name: 'an HTTP server',
    peer: script('greeting', cut('HTTP/1.1 400 Bad Request\r\n\r\n')),
    ends: 'broken connect out-of-step',
    endCount: 0,
  },
  {
    name: 'a binary greeting',
    peer: script('greeting', raw(Buffer.alloc(5_000_000, 0x16))),
    ends: 'broken connect out-of-step',
    endCount: 0,
  },
  {
    name: 'a greeting and more behind it',
    peer: script('greeting', say('220 hello\r\n250 hello again')),
    ends: 'broken connect out-of-step',
    endCount: 0,
  },
  {
    name: 'EHLO refused as unknown, as by a server that speaks HELO only',
    peer: script('ehlo', say('500 what')),
    ends: 'replied connect 500',
    endCount: 0,
  },
  {
    name: 'no login offered',
    peer: { offers: ['PIPELINING'] },
    ends: 'broken auth auth-not-offered',
    endCount: 0,
  },
  {
    name: 'a server that is named like an offer',
    peer: script('ehlo', say('250 AUTH PLAIN')),
    ends: 'broken auth auth-not-offered',
    endCount: 0,
  },
  {
    name: 'only logins that we do not speak',
    peer: { offers: ['AUTH CRAM-MD5 XOAUTH2'] },
    ends: 'broken auth auth-not-offered',
    endCount: 0,
  },
  { name: 'login 535', peer: script('auth', say('535 5.7.8 wrong')), ends: 'replied auth 535', endCount: 0 },
  { name: 'login 454', peer: script('auth', say('454 4.7.0 later')), ends: 'replied auth 454', endCount: 0 },
  {
    name: 'a login that asks for ever',
    peer: {
      script: {
        auth: (peer) => {
          peer.enter('login');
          peer.write('334 \r\n');
        },
        authStep: say('334 '),
      },
    },
    ends: 'broken auth out-of-step',
    endCount: 0,
  },
  {
    name: 'LOGIN answered yes before it is asked for anything',
    peer: { offers: ['AUTH LOGIN'], script: { auth: say('235 fine') } },
    ends: 'broken auth out-of-step',
    endCount: 0,
  },
  {
    name: 'the login answered twice in one packet',
    peer: script('auth', say('235 welcome\r\n235 welcome')),
    ends: 'broken auth out-of-step',
    endCount: 0,
  },
  {
    name: 'the login and the sender answered in one packet',
    peer: script('auth', say('235 welcome\r\n250 sender ok')),
    ends: 'broken auth out-of-step',
    endCount: 0,
  },
  {
    name: 'DATA granted though the recipient was refused',
    peer: pipelined('rcpt', say('550 5.1.1 nobody')),
    ends: 'replied envelope 550',
    endCount: 0,
  },
  {
    name: 'DATA granted though the sender was refused',
    peer: pipelined('mail', say('553 5.7.1 not you')),
    ends: 'replied envelope 553',
    endCount: 0,
  },
  {
    name: 'DATA granted twice',
    peer: script('data', both(takeBody, say('354 go on'))),
    ends: 'broken body out-of-step',
    endCount: 0,
  },
  {
    name: 'DATA answered 250',
    peer: script('data', say('250 fine')),
    ends: 'broken envelope out-of-step',
    endCount: 0,
  },
  {
    name: 'acceptance right behind 354',
    peer: script('data', both(takeBody, say('250 accepted already'))),
    ends: 'broken body out-of-step',
    endCount: 0,
  },
  {
    name: '354 and 250 in one packet',
    peer: script('data', (peer) => {
      peer.enter('body');
      peer.write('354 go on\r\n250 accepted already\r\n');
    }),
    ends: 'broken body out-of-step',
    endCount: 0,
  },
  {
    name: 'the sender answered twice in one packet',
    peer: script('mail', say('250 ok\r\n250 ok')),
    ends: 'broken envelope out-of-step',
    endCount: 0,
  },
  {
    name: 'the recipient answered twice in one packet',
    peer: script('rcpt', say('250 ok\r\n250 ok')),
    ends: 'broken envelope out-of-step',
    endCount: 0,
  },
  {
    name: 'a whole envelope answered at MAIL, one reply too many',
    peer: pipelined('mail', say('250 ok\r\n250 ok\r\n250 ok\r\n250 ok')),
    ends: 'broken envelope out-of-step',
    endCount: 0,
  },
  { name: 'a forwarded recipient', peer: script('rcpt', say('251 will forward')), ends: 'accepted 250', endCount: 1 },
  {
    name: 'a recipient who moved',
    peer: script('rcpt', say('551 try elsewhere@example.org')),
    ends: 'replied envelope 551',
    endCount: 0,
  },
  {
    name: '552 while the body is sent',
    peer: inBody(say('552 5.3.4 too big')),
    sending: { ...large, gate: () => new Promise(() => undefined) },
    ends: 'replied body 552',
    endCount: 0,
  },
  {
    name: '554 while the body is sent',
    peer: inBody(say('554 5.6.0 no')),
    sending: { ...large, gate: () => new Promise(() => undefined) },
    ends: 'replied body 554',
    endCount: 0,
  },
  {
    name: '250 while the body is sent',
    peer: inBody(say('250 accepted already')),
    sending: { ...large, gate: () => new Promise(() => undefined) },
    ends: 'broken body out-of-step',
    endCount: 0,
  },
  {
    name: 'a drop while the body is sent',
    peer: inBody(drop),
    sending: { ...large, gate: () => new Promise(() => undefined) },
    ends: 'broken body dropped',
    endCount: 0,
  },
  {
    name: 'a server that stops reading',
    peer: script('data', (peer) => {
      peer.enter('body');
      peer.write('354 go on\r\n');
      peer.stopReading();
    }),
    sending: { message: message(Buffer.alloc(30_000_000, 'a line of text\r\n')) },
    shorten: 'bodyProgressMs',
    ends: 'broken body timeout',
    endCount: 0,
  },
  {
    name: 'a gate that never answers',
    peer: {},
    sending: { gate: () => new Promise(() => undefined) },
    shorten: 'gateMs',
    ends: 'held-back',
    endCount: 0,
  },
  {
    name: 'acceptance without its line end',
    peer: script('endOfData', cut('250 2.0.0 taken')),
    ends: 'broken handed-over dropped',
    endCount: 1,
  },
  {
    name: 'acceptance in many packets',
    peer: script('endOfData', inPieces('250-2.0.0 taken\r\n250 2.0.0 as 1\r\n')),
    ends: 'accepted 250',
    endCount: 1,
  },
  {
    name: 'acceptance twice',
    peer: script('endOfData', say('250 taken\r\n250 taken')),
    ends: 'accepted 250',
    endCount: 1,
  },
  {
    name: 'acceptance, then a refusal',
    peer: script('endOfData', say('250 taken\r\n550 no, not at all')),
    ends: 'accepted 250',
    endCount: 1,
  },
  {
    name: 'a refusal, then acceptance',
    peer: script('endOfData', say('550 no\r\n250 taken')),
    ends: 'replied handed-over 550',
    endCount: 1,
  },
  { name: 'acceptance without a text', peer: script('endOfData', say('250')), ends: 'accepted 250', endCount: 1 },
  {
    name: 'acceptance, then nonsense',
    peer: script('endOfData', say('250 taken\r\nHTTP/1.1')),
    ends: 'accepted 250',
    endCount: 1,
  },
  {
    name: 'acceptance, then a drop',
    peer: script('endOfData', cut('250 taken\r\n')),
    ends: 'accepted 250',
    endCount: 1,
  },
  {
    name: '354 after the end',
    peer: script('endOfData', say('354 more')),
    ends: 'broken handed-over out-of-step',
    endCount: 1,
  },
  {
    name: 'a size that is too small',
    peer: { offers: ['SIZE 20', 'AUTH PLAIN'] },
    ends: 'broken envelope size-exceeded',
    endCount: 0,
  },
  {
    name: 'a size that is no number',
    peer: { offers: ['SIZE many', 'AUTH PLAIN'] },
    ends: 'accepted 250',
    endCount: 1,
  },
  { name: 'a size of zero', peer: { offers: ['SIZE 0', 'AUTH PLAIN'] }, ends: 'accepted 250', endCount: 1 },
  {
    name: 'no SMTPUTF8 for an address beyond ASCII',
    peer: { offers: ['AUTH PLAIN'] },
    sending: { message: message(undefined, { to: '王@example.net', needsSmtpUtf8: true }) },
    ends: 'broken envelope smtputf8-missing',
    endCount: 0,
  },
  {
    name: 'no SMTPUTF8 for an address that nobody declared',
    peer: { offers: ['AUTH PLAIN'] },
    sending: { message: message(undefined, { to: '王@example.net' }) },
    ends: 'broken envelope smtputf8-missing',
    endCount: 0,
  },
  {
    name: 'SMTPUTF8 offered',
    peer: {},
    sending: { message: message(undefined, { to: '王@example.net', needsSmtpUtf8: true }) },
    ends: 'accepted 250',
    endCount: 1,
  },
  {
    name: 'a recipient that is refused at first only',
    peer: script('rcpt', inTurn(say('450 4.2.0 greylisted'), say('250 ok'))),
    ends: 'replied envelope 450',
    endCount: 0,
  },
];

function inPieces(text: string): Act {
  return (peer) => {
    for (const [at, piece] of [...text].entries()) setTimeout(() => peer.write(piece), at * 2);
  };
}

describe('a mail server that misbehaves', () => {
  it.concurrent.each([...everyPoint, ...inOneBatch, ...others])('$name ends as $ends', async (one) => {
    const sent = await sendOne(one.peer, one.shorten === undefined ? {} : { shorten: one.shorten }, one.sending ?? {});

    expect(inShort(sent.submission)).toBe(one.ends);
    expect(sent.peer.endOfDataCount).toBe(one.endCount);
    expect(sent.peer.connectionCount).toBe(1);
    expect(sent.peer.recipients.length).toBeLessThanOrEqual(1);
  });
});
