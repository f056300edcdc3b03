import { describe, expect, it } from 'vitest';
import { classify, classifyBroken } from '../../src/main/core/classify.ts';
import { failureOf } from '../../src/main/core/failure.ts';
import { FAILURE_TEXTS } from '../../src/shared/texts/failure-texts.ts';
import { LANGUAGES } from '../../src/shared/texts/language.ts';
import { ERROR_MESSAGE_MAX_CHARS, REPLY_CLASSES } from '../../src/shared/wire/messages.ts';

const REFUSED = { code: 550, enhanced: '5.1.1', text: 'no such user here' };

describe('failureOf', () => {
  it('says what happened and what it means for the mail, and keeps the reply apart', () => {
    const failure = failureOf('en', 'envelope', classify('envelope', REFUSED), REFUSED);

    expect(failure).toEqual({
      stage: 'envelope',
      class: 'recipient-invalid',
      reply: REFUSED,
      message: 'The address of the recipient does not exist or takes no mail. It was not sent.',
    });
  });

  it('names the cause where no reply came', () => {
    const failure = failureOf('zh-CN', 'tls', classifyBroken('tls', 'certificate'), null, 'certificate');

    expect(failure.message).toBe('邮件服务器的证书无效，连接内容可能被他人读取。邮件未发送，发送已暂停，请您处理。');
  });

  it('says after the gate that the mail may have been sent, whatever the cause', () => {
    const failure = failureOf('en', 'handed-over', classifyBroken('handed-over', 'dropped'), null, 'dropped');

    expect(failure.message).toBe(
      'The mail left, but your mail server did not confirm that it took it. It may have been sent, so it is not sent again by itself. Please look in your Sent folder.',
    );
  });

  it.each(LANGUAGES)('keeps every message of %s within what the contract carries', (language) => {
    const { about, trouble, meaning, join } = FAILURE_TEXTS[language];
    for (const happened of [...Object.values(about), ...Object.values(trouble)]) {
      for (const means of Object.values(meaning)) {
        expect(join(happened, means).length).toBeLessThanOrEqual(ERROR_MESSAGE_MAX_CHARS);
      }
    }
    expect(Object.keys(about).sort()).toEqual([...REPLY_CLASSES].sort());
  });
});
