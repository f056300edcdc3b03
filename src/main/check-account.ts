import type { CheckProgress, CheckStep } from '../shared/account-check.ts';

import { PROVIDERS } from '../shared/providers/providers.ts';
import { err, ok, type Result } from '../shared/result.ts';
import type { MailAccount, SmtpServer } from '../shared/settings.ts';
import { CHECK_TEXTS } from '../shared/texts/check-texts.ts';
import type { CheckTrouble } from '../shared/texts/check-trouble.ts';
import type { Language } from '../shared/texts/language.ts';
import { systemClock } from './adapters/clock.ts';
import { createImapMailbox } from './adapters/imap/mailbox.ts';
import type { MailSecret } from './adapters/oauth/mail-secret.ts';
import { systemRandom } from './adapters/random.ts';
import { checkLogin } from './adapters/smtp/check-login.ts';
import type { OpenTunnel } from './adapters/tunnel/tunnel.ts';
import { checkPlace } from './core/check/check-place.ts';
import { factWords } from './core/check/fact-words.ts';
import type { CheckFact, CheckWatch } from './core/check/facts.ts';
import { otherDoors } from './core/check/other-doors.ts';
import { troubleOf, troubleOfSignIn } from './core/check/trouble.ts';
import { classify, classifyBroken } from './core/classify.ts';
import { lookForTestMail } from './engine/check/look-for-test-mail.ts';
import { sendTestMail, type TestMailFailure } from './send-test-mail.ts';

const LIMIT_MS = 120_000;
const TEST_MAIL_LIMIT_MS = 300_000;

export type AccountCheck = {
  readonly account: MailAccount;
  readonly secret: MailSecret;
  readonly language: Language;
  readonly version: string;
  /** The way to the mail servers. */
  readonly tunnel: OpenTunnel;
  /** With the person's consent: one mail to themselves, that is looked for in their folders. */
  readonly testMail: 'send' | 'none';
  readonly onProgress: (progress: CheckProgress) => void;
};

/** Why an account does not work: what happened, what to do next, and the words of the server or the system. */
export type AccountTrouble = { readonly text: string; readonly next: string; readonly quote: string | null };

/** What the check learned about the account, to be stored with it; `smtp` is the server at the port that answered. */
export type AccountFindings = Pick<MailAccount, 'smtp' | 'savesSentCopy' | 'keepsMessageId'>;

/**
 * The live check, before anything is stored: the server is looked up, connected to, its certificate checked, the login
 * tried, and asked whether the address may send. Where nothing answers, the server's other ports are tried. With
 * consent a test mail follows. Nothing about the folders fails it.
 */
export async function checkAccount(check: AccountCheck): Promise<Result<AccountFindings, AccountTrouble>> {
  const { account, language, onProgress } = check;
  const signal = AbortSignal.timeout(LIMIT_MS);
  let failed = await checkServer(check, account.smtp, signal);
  if (failed === null) return finishCheck(check, account.smtp);
  const { first, others } = { first: failed, others: otherDoors(account.smtp, PROVIDERS) };
  for (const smtp of others) {
    if (failed.trouble.kind !== 'no-answer') break;
    onProgress({ step: failed.step, state: 'unclear', text: CHECK_TEXTS[language].otherDoor(smtp.host, smtp.port) });
    failed = await checkServer(check, smtp, signal);
    if (failed === null) return finishCheck(check, smtp);
  }
  return fail(check, failed.trouble.kind === 'no-answer' ? first : failed);
}

type Failed = {
  readonly step: CheckStep;
  readonly trouble: CheckTrouble;
  readonly quote: string | null;
  readonly smtp: SmtpServer;
};

function fail({ language, onProgress }: AccountCheck, failed: Failed): Result<never, AccountTrouble> {
  const { step, trouble, quote, smtp } = failed;
  const { text, next } = CHECK_TEXTS[language].trouble(trouble, checkPlace(smtp, PROVIDERS));
  onProgress({ step, state: 'failed', text });
  return err({ text, next, quote });
}

const watchOf = ({ language, onProgress }: AccountCheck): CheckWatch => ({
  onStep: (step) => onProgress({ step, state: 'running', text: '' }),
  onFact: (fact) => onProgress({ step: fact.step, state: 'done', text: factWords(fact, language) }),
});

/** Null where the login works and the address may send. */
async function checkServer(check: AccountCheck, smtp: SmtpServer, signal: AbortSignal): Promise<Failed | null> {
  const { account, secret, tunnel } = check;
  const { address, userName } = account;
  const attempt = { server: smtp, userName, secret, address, tunnel, signal };
  const checked = await checkLogin(attempt, watchOf(check));
  if (checked.ok) return null;
  const { step, end, certificate } = checked.error;
  const quote = end.kind === 'replied' ? `${end.reply.code} ${end.reply.text}` : end.text;
  const trouble = troubleOf(end, step, certificate);
  return { step, trouble: secret.kind === 'password' ? trouble : troubleOfSignIn(trouble), quote, smtp };
}

/** The test mail, where the person agreed to one, and what it shows about the folders. */
async function finishCheck(check: AccountCheck, smtp: SmtpServer): Promise<Result<AccountFindings, AccountTrouble>> {
  if (check.testMail === 'none') return ok({ smtp, savesSentCopy: 'unknown', keepsMessageId: 'unknown' });
  const watch = watchOf(check);
  watch.onStep('test-mail');
  const late = AbortSignal.timeout(TEST_MAIL_LIMIT_MS);
  const account = { ...check.account, smtp };
  const sent = await sendTestMail({ clock: systemClock, random: systemRandom }, { ...check, account }, late);
  if (!sent.ok) {
    const trouble = testMailTrouble(sent.error);
    return fail(check, { step: 'test-mail', trouble, quote: quoteOf(sent.error), smtp });
  }
  watch.onFact({ step: 'test-mail', address: account.address });
  watch.onStep('sent-copy');
  return ok({ smtp, ...(await lookAtFolders(check, sent.value.messageId, watch, late)) });
}

async function lookAtFolders(
  { account, secret, language, version, tunnel, onProgress }: AccountCheck,
  messageId: string,
  watch: CheckWatch,
  signal: AbortSignal,
): Promise<Omit<AccountFindings, 'smtp'>> {
  const texts = CHECK_TEXTS[language];
  const unclear = (text: string): Omit<AccountFindings, 'smtp'> => {
    onProgress({ step: 'sent-copy', state: 'unclear', text });
    return { savesSentCopy: 'unknown', keepsMessageId: 'unknown' };
  };
  const { imap: server, userName } = account;
  if (server === null) return unclear(texts.noMailbox);
  const mailbox = createImapMailbox({ server, userName, version, secret: async () => ok(secret), tunnel });
  const seen = await lookForTestMail({ clock: systemClock, mailbox }, messageId, signal);
  if (!seen.ok) return unclear(texts.mailboxUnread(seen.error.kind));
  const fact: CheckFact = { step: 'sent-copy', ...seen.value };
  watch.onFact(fact);
  return { savesSentCopy: fact.savesCopy, keepsMessageId: fact.keepsMessageId };
}

/** The same judgement as over every mail tells whether it may have left. */
function testMailTrouble(failure: TestMailFailure): CheckTrouble {
  switch (failure.kind) {
    case 'replied': {
      const { outcome } = classify(failure.stage, failure.reply, failure.command);
      return outcome === 'uncertain' ? { kind: 'test-mail-uncertain' } : troubleOf(failure, 'test-mail', null);
    }
    case 'broken':
      return classifyBroken(failure.stage, failure.cause).outcome === 'uncertain'
        ? { kind: 'test-mail-uncertain' }
        : troubleOf(failure, 'test-mail', null);
    case 'held-back':
    case 'unwritable':
      return { kind: 'unclear' };
  }
}

const quoteOf = (failure: TestMailFailure): string | null =>
  failure.kind === 'replied'
    ? `${failure.reply.code} ${failure.reply.text}`
    : failure.kind === 'broken'
      ? failure.text
      : null;
