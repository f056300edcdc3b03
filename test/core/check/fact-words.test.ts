import { describe, expect, it } from 'vitest';
import { factWords } from '../../../src/main/core/check/fact-words.ts';
import type { CheckFact } from '../../../src/main/core/check/facts.ts';
import { CHECK_TEXTS } from '../../../src/shared/texts/check-texts.ts';

const CERTIFICATE = { subject: 'smtp.office.test', names: [], issuer: 'Some Authority', validToMs: 0 };
const MEGABYTE = 1024 * 1024;
const { en } = CHECK_TEXTS;
const zh = CHECK_TEXTS['zh-CN'];

describe('what a step found', () => {
  it.each<[CheckFact, string]>([
    [{ step: 'dns', address: '192.0.2.1' }, en.address('192.0.2.1')],
    [{ step: 'tcp', host: 'smtp.office.test', port: 465 }, en.connected('smtp.office.test', 465)],
    [{ step: 'tls', certificate: null }, en.notEncrypted],
    [{ step: 'tls', certificate: CERTIFICATE }, en.certificate(CERTIFICATE)],
    [{ step: 'login', userName: 'wang' }, en.loggedIn('wang')],
    [{ step: 'sender', address: 'wang@office.test' }, en.senderTaken('wang@office.test')],
    [{ step: 'abilities', sizeMaxBytes: null, smtpUtf8: true }, `${en.size(null)}; ${en.letters('yes')}`],
    [{ step: 'abilities', sizeMaxBytes: 35 * MEGABYTE - 1, smtpUtf8: false }, `${en.size(34)}; ${en.letters('no')}`],
    [{ step: 'abilities', sizeMaxBytes: 5, smtpUtf8: false }, `${en.size(1)}; ${en.letters('no')}`],
    [{ step: 'test-mail', address: 'wang@office.test' }, en.testMailTaken('wang@office.test')],
    [{ step: 'sent-copy', savesCopy: 'no', keepsMessageId: 'yes' }, `${en.savesCopy.no}; ${en.keepsMessageId.yes}`],
  ])('%j is told as "%s"', (fact, words) => {
    expect(factWords(fact, 'en')).toBe(words);
  });

  it('is told in Chinese with its own marks', () => {
    expect(factWords({ step: 'sent-copy', savesCopy: 'yes', keepsMessageId: 'unknown' }, 'zh-CN')).toBe(
      `${zh.savesCopy.yes}；${zh.keepsMessageId.unknown}`,
    );
  });
});
