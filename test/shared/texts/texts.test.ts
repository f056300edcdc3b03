import { describe, expect, it } from 'vitest';
import type { StateKind } from '../../../src/main/core/mail-state.ts';
import { FAILURE_TEXTS } from '../../../src/shared/texts/failure-texts.ts';
import { LANGUAGES } from '../../../src/shared/texts/language.ts';
import { LOCAL_TEXTS } from '../../../src/shared/texts/local-texts.ts';
import { REJECT_TEXTS } from '../../../src/shared/texts/reject-texts.ts';
import { AGENT_STATE_TEXTS, MAIL_STATE_TEXTS } from '../../../src/shared/texts/state-texts.ts';

/** Every text of a language, by its place. */
function texts(language: (typeof LANGUAGES)[number]): readonly (readonly [string, string])[] {
  const { about, trouble, meaning } = FAILURE_TEXTS[language];
  const reject = REJECT_TEXTS[language];
  const said = {
    otherUser: reject.otherUser(),
    hashDiffers: reject.hashDiffers('sha256:00', 'sha256:11'),
    noCanonicalForm: reject.noCanonicalForm('/subject'),
    badField: reject.badField('to.address', 'is empty'),
    fromNotYours: reject.fromNotYours('a@x.example'),
    attachmentPlace: reject.attachmentPlace('a.pdf'),
    expired: reject.expired(0),
    tooFarAhead: reject.tooFarAhead(0),
    neverInTime: reject.neverInTime(),
  } satisfies Record<keyof typeof reject, string>;
  const groups = {
    about,
    trouble,
    meaning,
    said,
    mail: MAIL_STATE_TEXTS[language],
    agent: AGENT_STATE_TEXTS[language],
  };
  return Object.entries({ ...groups, local: LOCAL_TEXTS[language] }).flatMap(([group, lines]) =>
    Object.entries(lines).map(([key, text]) => [`${group}.${key}`, text] as const),
  );
}

describe('the texts', () => {
  it('have a headline for every state of a mail, in the words of the window', () => {
    const kinds: Record<StateKind, string> = MAIL_STATE_TEXTS.en;

    expect(kinds.sent).toBe('Accepted by your mail server');
    expect(MAIL_STATE_TEXTS['zh-CN'].sent).toBe('邮件服务器已接收');
    expect(kinds.uncertain).toBe('May have been sent');
    expect(MAIL_STATE_TEXTS['zh-CN'].uncertain).toBe('可能已发出');
  });

  it.each(LANGUAGES)('in %s never say delivered, never shout and never speak of protocols', (language) => {
    for (const [place, text] of texts(language)) {
      expect(text, place).not.toBe('');
      expect(text, place).not.toMatch(/deliver|送达|投递|[!！]|SMTP|TLS|nonce/i);
    }
  });

  it('say something else in each language', () => {
    const english = new Map(texts('en'));

    for (const [place, text] of texts('zh-CN')) {
      expect(text, place).not.toBe(english.get(place));
      expect(text, place).toMatch(/\p{Script=Han}/u);
    }
  });

  it('name the part of the mail that is wrong in words, and the field for whoever mends it', () => {
    expect(REJECT_TEXTS.en.badField('to.address', 'is empty')).toBe(
      'The mail cannot be sent because of the recipient. It was not sent. (to.address: is empty)',
    );
    expect(REJECT_TEXTS['zh-CN'].badField('attachments.0.url', 'x')).toContain('附件');
  });
});
