import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSmtpMailer } from '../../src/main/adapters/smtp/mailer.ts';
import { openDirect } from '../../src/main/adapters/tunnel/open-tunnel.ts';
import type { OpenTunnel } from '../../src/main/adapters/tunnel/tunnel.ts';
import { checkAccount } from '../../src/main/check-account.ts';
import { checkPlace } from '../../src/main/core/check/check-place.ts';
import { factWords } from '../../src/main/core/check/fact-words.ts';
import { type Conclusion, conclude } from '../../src/main/core/conclude.ts';
import { mailboxOf } from '../../src/main/core/discovery/found-server.ts';
import { presetServer } from '../../src/main/core/discovery/match-provider.ts';
import { accountServers } from '../../src/main/found-account.ts';
import type { CheckProgress } from '../../src/shared/account-check.ts';
import { PROVIDERS, providerById } from '../../src/shared/providers/providers.ts';
import { ok } from '../../src/shared/result.ts';
import { MailAccount } from '../../src/shared/settings.ts';
import { CHECK_TEXTS } from '../../src/shared/texts/check-texts.ts';
import { LANGUAGES } from '../../src/shared/texts/language.ts';
import {
  type Act,
  both,
  type PeerConnection,
  raw,
  ScriptedSmtp,
  type SmtpScript,
  say,
} from '../support/scripted-smtp.ts';
import { type StoredCertificates, storeCertificates } from '../support/tls-certificates.ts';
import { DIALOGUES, type Dialogue, type Point, type Reaction, type Turn } from './dialogues.ts';

const PASSWORD = 'abcdefghijklmnop';
const MESSAGE_ID = '<email-recipient-1@office.test>';
const NEVER = new AbortController().signal;
/** Noon in Shanghai: twelve hours before its midnight. */
const NOW_MS = Date.UTC(2026, 10, 30, 4);
const HOUR_MS = 3_600_000;

let certificates: StoredCertificates;
let caFile: string;
beforeAll(async () => {
  certificates = await storeCertificates();
  caFile = certificates.caFile;
  return certificates.remove;
});

/** The account as set-up makes it from the preset, and a peer that speaks as the provider behind its name. */
async function meet(dialogue: Dialogue, turn: Turn | null) {
  const provider = providerById(dialogue.provider);
  const [site] = provider?.sites ?? [];
  const mailbox = mailboxOf(`wang.fang@${site?.domains[0] ?? 'office.test'}`);
  if (provider === null || site === undefined || mailbox === null) throw new Error(`no preset ${dialogue.provider}`);
  const found = presetServer({ provider, site }, mailbox, 'preset-domain');
  const { userName, smtp } = accountServers(found, caFile);
  const peer = await ScriptedSmtp.start({
    security: smtp.security,
    certificate: await certificates.issueFor([smtp.host]),
    offers: dialogue.offers,
    script: scriptOf(dialogue, turn),
  });
  onTestFinished(() => peer.close());
  const asked: string[] = [];
  const tunnel: OpenTunnel = ({ host, port, onAddress }, limits) => {
    asked.push(`${host}:${port}`);
    const here = { host: '127.0.0.1', port: peer.port };
    return openDirect(onAddress === undefined ? here : { ...here, onAddress }, limits);
  };
  const account = MailAccount.parse({ address: mailbox.address, name: null, userName, smtp, imap: null, aliases: [] });
  return { account, peer, tunnel, asked };
}

const speak = (text: string | Buffer): Act => (typeof text === 'string' ? say(text) : raw(text));

const hangUp: Act = (peer) => peer.end();
/** User name and password come as a line each, on every connection. */
const secondLine =
  (first: Act, second: Act): Act =>
  (peer) => {
    const { commands } = peer.peer;
    const isFirst = commands.lastIndexOf('AUTH LOGIN') === commands.length - 2;
    (isFirst ? first : second)(peer);
  };

function scriptOf({ greeting, offers, loggedIn, accepted }: Dialogue, turn: Turn | null): SmtpScript {
  const at = (point: Point, usual: string): Act => (turn?.at === point ? speak(turn.says) : say(usual));
  const asksTwice = !offers.some((offer) => /^AUTH .*\bPLAIN\b/.test(offer));
  const end = (peer: PeerConnection): void => peer.enter('commands');
  const enter = (peer: PeerConnection): void => peer.enter('login');
  return {
    greeting: turn?.at === 'greeting' ? both(speak(turn.says), hangUp) : say(greeting),
    auth: asksTwice ? both(enter, say('334 VXNlcm5hbWU6')) : at('auth', loggedIn),
    ...(asksTwice ? { authStep: secondLine(say('334 UGFzc3dvcmQ6'), both(end, at('auth', loggedIn))) } : {}),
    mail: at('mail', '250 Mail OK'),
    rcpt: at('rcpt', '250 Mail OK'),
    endOfData: at('endOfData', accepted),
  };
}

async function setUp(dialogue: Dialogue, turn: Turn | null, language: 'en' | 'zh-CN') {
  const { account, peer, tunnel, asked } = await meet(dialogue, turn);
  const progress: CheckProgress[] = [];
  const checked = await checkAccount({
    account,
    secret: { kind: 'password', value: PASSWORD },
    language,
    version: '1.0.0',
    tunnel,
    testMail: 'send',
    onProgress: (one) => void progress.push(one),
  });
  return { checked, progress, peer, asked, account };
}

/** One mail over the real mailer, and what the agent concludes from how it ended. */
async function sendOne(dialogue: Dialogue, turn: Turn | null): Promise<Conclusion> {
  const { account, tunnel } = await meet(dialogue, turn);
  const mailer = createSmtpMailer({
    account: () => ({ server: account.smtp, userName: account.userName }),
    secret: async () => ok({ kind: 'password', value: PASSWORD }),
    tunnel,
  });
  const submission = await mailer.submit(
    {
      messageId: MESSAGE_ID,
      envelope: { from: account.address, to: 'li@customer.test', needsSmtpUtf8: false },
      bytes: Buffer.from(`Message-ID: ${MESSAGE_ID}\r\n\r\nHello.\r\n`),
    },
    { onStage: () => undefined, gate: async () => 'open' },
    NEVER,
  );
  await mailer.close();
  return conclude(
    { nonce: 'nonce-1', begin: { kind: 'granted' }, marked: true, submission },
    {
      ...{ attempt: 1, messageId: MESSAGE_ID, language: 'en', nowMs: NOW_MS, random: 0 },
      ...{ putOffCount: 0, backOff: null },
    },
  );
}

/** A conclusion in the words of the table. */
function reactionOf({ event, hold }: Conclusion): Reaction | null {
  const held = hold === 'lift-back-off' || hold === null ? null : hold;
  const heldMs = held === null || held.untilMs === null ? null : held.untilMs - NOW_MS;
  if (event.kind === 'lost') return { kind: 'uncertain' };
  if (event.kind === 'refused') return { kind: held === null ? 'mail-fails' : 'mail-fails-and-asks-person' };
  if (event.kind !== 'not-sent') return null;
  if (held?.kind === 'account') return { kind: 'asks-person' };
  if (heldMs === 12 * HOUR_MS) return { kind: 'backs-off-until-midnight' };
  if (heldMs !== null) return { kind: 'backs-off', minutes: heldMs / 60_000 };
  return { kind: 'mail-waits', minutes: (event.retryAtMs - NOW_MS) / 60_000 };
}

describe.each(DIALOGUES)('the dialogue of $provider', (dialogue) => {
  const { turns } = dialogue;

  it('is gone through at set-up from the address alone, at the server of the preset', async () => {
    const { checked, progress, peer, asked, account } = await setUp(dialogue, null, 'en');

    expect(checked).toEqual({
      ok: true,
      value: { smtp: account.smtp, savesSentCopy: 'unknown', keepsMessageId: 'unknown' },
    });
    const { sizeMaxBytes, smtpUtf8 } = dialogue;
    expect(progress).toContainEqual({
      step: 'abilities',
      state: 'done',
      text: factWords({ step: 'abilities', sizeMaxBytes, smtpUtf8 }, 'en'),
    });
    expect(new Set(asked)).toEqual(new Set([`${account.smtp.host}:${account.smtp.port}`]));
    expect(peer.messages.map(({ from, recipients }) => [from, recipients])).toEqual([
      [expect.stringContaining(`<${account.address}>`), [expect.stringContaining(`<${account.address}>`)]],
    ]);
  });

  it('ends a mail that was taken as accepted, by the provider’s own words', async () => {
    const { event } = await sendOne(dialogue, null);

    expect(event).toMatchObject({ kind: 'accepted', reply: { code: 250 } });
    const words = event.kind === 'accepted' ? event.reply.text.split(/\s+/) : ['nothing'];
    expect(dialogue.accepted.split(/\s+/)).toEqual(expect.arrayContaining(words));
  });

  it.each(turns.filter(({ check }) => check !== null))(
    'is told at set-up with one next step, in both languages, where its $at says "$says"',
    async (turn) => {
      const [step, trouble] = turn.check ?? [];
      if (trouble === undefined) throw new Error('the table names no trouble');
      for (const language of LANGUAGES) {
        const { checked, progress, account } = await setUp(dialogue, turn, language);

        const words = CHECK_TEXTS[language].trouble(trouble, checkPlace(account.smtp, PROVIDERS));
        expect(checked.ok ? null : { text: checked.error.text, next: checked.error.next }).toEqual(words);
        expect(progress.at(-1)).toMatchObject({ step, state: 'failed' });
        expect(JSON.stringify([checked, progress])).not.toContain(PASSWORD);
      }
    },
  );

  it.each(turns)('makes the agent do as the table says where its $at says "$says"', async (turn) => {
    expect(reactionOf(await sendOne(dialogue, turn))).toEqual(turn.agent);
  });
});
