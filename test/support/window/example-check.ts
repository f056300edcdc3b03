import type { CheckProgress } from '../../../src/shared/account-check.ts';
import type { AccountInput, CheckOutcome, ServerGuess } from '../../../src/shared/ipc/views.ts';
import { CHINESE_PERSONAL } from '../../../src/shared/providers/chinese-personal.ts';
import { secretOf } from '../../../src/shared/providers/secret-words.ts';
import { CHECK_TEXTS } from '../../../src/shared/texts/check-texts.ts';
import { DISCOVERY_TEXTS } from '../../../src/shared/texts/discovery-texts.ts';
import type { Language } from '../../../src/shared/texts/language.ts';

/** As written down, without the schema: in the page that would ask for code from text, which the policy refuses. */
const QQ = CHINESE_PERSONAL.find(({ id }) => id === 'qq');
const VALID_TO_MS = Date.UTC(2027, 6, 1);
const QUOTE = '535 Login fail. Account is abnormal, service is not open, password is incorrect';

/** What is found for an address: QQ and Gmail are known, everybody else is not. */
export function exampleGuess(address: string, language: Language): ServerGuess | 'offline' {
  const texts = DISCOVERY_TEXTS[language];
  if (address.endsWith('@gmail.com')) {
    return {
      smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls', caFile: null },
      imap: { host: 'imap.gmail.com', port: 993, security: 'tls', caFile: null, userName: null },
      userName: address,
      source: texts.source('preset-domain', 'Gmail'),
      secretKind: 'app-password',
      signIn: 'google',
      takesPassword: true,
      advice: [],
      page: null,
      question: null,
    };
  }
  if (address.endsWith('@offline.example')) return 'offline';
  if (!address.endsWith('@qq.com') || QQ === undefined) return null;
  const name = QQ.name[language];
  return {
    smtp: { host: 'smtp.qq.com', port: 465, security: 'tls', caFile: null },
    imap: { host: 'imap.qq.com', port: 993, security: 'tls', caFile: null, userName: null },
    userName: address,
    source: texts.source('preset-domain', name),
    secretKind: 'authorisation-code',
    signIn: null,
    takesPassword: true,
    advice: [texts.wants(name, secretOf(QQ)[language]), texts.accountPasswordRefused, QQ.steps[language]],
    page: { provider: 'qq', host: 'mail.qq.com' },
    question: null,
  };
}

/** The live check as the window sees it; the password `wrong` is refused. */
export async function exampleCheck(
  input: AccountInput,
  language: Language,
  given: {
    readonly tell: (progress: CheckProgress) => void;
    readonly moment: () => Promise<void>;
    readonly signInStopped: Promise<void>;
  },
): Promise<CheckOutcome> {
  const { tell, moment } = given;
  const texts = CHECK_TEXTS[language];
  const { host, port } = input.smtp;
  const done = (step: CheckProgress['step'], text: string): void => tell({ step, state: 'done', text });
  if (input.login !== 'password' && input.signIn === 'now') {
    tell({ step: 'sign-in', state: 'running', text: '' });
    // Nobody signs in at this mailbox: the person has to stop it.
    if (input.address.startsWith('nobody@')) {
      await given.signInStopped;
      const { text, next } = texts.trouble({ kind: 'stopped' }, { host, port, provider: null });
      tell({ step: 'sign-in', state: 'failed', text });
      return { ok: false, text, next, quote: null };
    }
    await moment();
    done('sign-in', texts.signedIn('Google'));
  }
  done('dns', texts.address('203.0.113.7'));
  done('tcp', texts.connected(host, port));
  done('tls', texts.certificate({ subject: host, issuer: 'DigiCert Inc', validToMs: VALID_TO_MS }));
  tell({ step: 'login', state: 'running', text: '' });
  await moment();
  if (input.password === 'wrong') {
    const provider =
      host === 'smtp.qq.com' && QQ !== undefined
        ? { name: QQ.name, secret: secretOf(QQ), steps: QQ.steps, otherServers: [] }
        : null;
    const { text, next } = texts.trouble({ kind: 'login-refused' }, { host, port, provider });
    tell({ step: 'login', state: 'failed', text });
    return { ok: false, text, next, quote: QUOTE };
  }
  done('login', texts.loggedIn(input.userName));
  done('sender', texts.senderTaken(input.address));
  done('abilities', texts.size(70));
  if (input.testMail === 'none') return { ok: true };
  done('test-mail', texts.testMailTaken(input.address));
  tell({ step: 'sent-copy', state: 'unclear', text: texts.mailboxUnread('login') });
  return { ok: true };
}
