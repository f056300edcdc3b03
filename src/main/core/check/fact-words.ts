import { assertNever } from '../../../shared/result.ts';
import { CHECK_TEXTS } from '../../../shared/texts/check-texts.ts';
import type { Language } from '../../../shared/texts/language.ts';
import type { CheckFact } from './facts.ts';

const BYTES_PER_MB = 1024 * 1024;

/** What a step found, in words. */
export function factWords(fact: CheckFact, language: Language): string {
  const texts = CHECK_TEXTS[language];
  const join = (...parts: string[]): string => parts.join(language === 'en' ? '; ' : '；');
  switch (fact.step) {
    case 'dns':
      return texts.address(fact.address);
    case 'tcp':
      return texts.connected(fact.host, fact.port);
    case 'tls':
      return fact.certificate === null ? texts.notEncrypted : texts.certificate(fact.certificate);
    case 'login':
      return texts.loggedIn(fact.userName);
    case 'sender':
      return texts.senderTaken(fact.address);
    case 'abilities': {
      const { sizeMaxBytes, smtpUtf8 } = fact;
      const megabytes = sizeMaxBytes === null ? null : Math.max(1, Math.floor(sizeMaxBytes / BYTES_PER_MB));
      return join(texts.size(megabytes), texts.letters(smtpUtf8 ? 'yes' : 'no'));
    }
    case 'test-mail':
      return texts.testMailTaken(fact.address);
    case 'sent-copy':
      return join(texts.savesCopy[fact.savesCopy], texts.keepsMessageId[fact.keepsMessageId]);
    default:
      return assertNever(fact);
  }
}
