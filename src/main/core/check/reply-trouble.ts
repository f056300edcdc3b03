import type { CheckStep } from '../../../shared/account-check.ts';
import type { CheckTrouble } from '../../../shared/texts/check-trouble.ts';
import type { SmtpReply, Stage } from '../../../shared/wire/messages.ts';
import { classify, type Verdict } from '../classify.ts';

/** Replies that say more than which step they refuse, by the line of the reply table that reads them. */
const TROUBLE_BY_RULE: Readonly<Record<string, CheckTrouble>> = {
  'ms-smtpauth-off': { kind: 'sending-switched-off' },
  'ms-basic-off': { kind: 'browser-only' },
  'ms-basic-retired': { kind: 'browser-only' },
  'ms-policy-lock': { kind: 'locked-by-policy' },
  'gmail-web-login': { kind: 'sign-in-first' },
  'yandex-access': { kind: 'service-off' },
  'netease-no-permission': { kind: 'service-off' },
  'sohu-state': { kind: 'service-off' },
  'netease-ipdeny': { kind: 'network-not-allowed' },
  'client-ip-blocked': { kind: 'turned-away' },
  'from-not-login': { kind: 'sender-refused' },
  'ms-sendas': { kind: 'sender-refused' },
};

/** A provider with several clusters says so where the account is in another one. */
const ELSEWHERE = /\bERR\.LOGIN\.DOMAINNOTEXIST\b/i;

/** What a complete negative reply says about the account, read by the same table as replies to mails. */
export function troubleOfReply(stage: Stage, reply: SmtpReply, step: CheckStep): CheckTrouble {
  if (ELSEWHERE.test(reply.text)) return { kind: 'other-server' };
  const verdict = classify(stage, reply);
  const told = TROUBLE_BY_RULE[verdict.ruleId];
  if (told !== undefined) return told;
  const { class: about } = verdict;
  // 454 and its like at the login: the server cannot check it now. Source: RFC 4954 6.
  if (step === 'test-mail' && about === 'content') return { kind: 'test-mail-refused' };
  if (about === 'rate-limit' || (reply.code < 500 && about !== 'auth')) return busy(verdict);
  if (step === 'login' || about === 'auth') return { kind: 'login-refused' };
  if (step === 'sender') return { kind: 'sender-refused' };
  return { kind: step === 'test-mail' ? 'test-mail-refused' : 'turned-away' };
}

const busy = ({ waitMs }: Verdict): CheckTrouble => ({ kind: 'busy', waitMs });
