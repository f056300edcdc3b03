import { describe, expect, it } from 'vitest';
import { mailboxOf } from '../../src/main/core/discovery/found-server.ts';
import { matchDomain, presetServer } from '../../src/main/core/discovery/match-provider.ts';
import { serverGuess } from '../../src/main/window-host/server-guess.ts';
import { ARGUMENTS } from '../../src/shared/ipc/schemas.ts';
import { PROVIDERS } from '../../src/shared/providers/providers.ts';
import { NO_SIGN_IN } from '../../src/shared/sign-in.ts';
import { LANGUAGES, type Language } from '../../src/shared/texts/language.ts';

function guessOf(address: string, language: Language) {
  const mailbox = mailboxOf(address);
  const match = mailbox === null ? null : matchDomain(mailbox.domain, PROVIDERS);
  if (mailbox === null || match === null) throw new Error(`no preset for ${address}`);
  return serverGuess(presetServer(match, mailbox, 'preset-domain'), language, NO_SIGN_IN);
}

describe('a found server as the window shows it', () => {
  it.each(PROVIDERS.flatMap(({ id, sites }) => sites.flatMap(({ domains }) => domains.map((domain) => [id, domain]))))(
    'says for %s (%s) what to type and where it is made, in both languages',
    (id, domain) => {
      for (const language of LANGUAGES) {
        const { advice, page, source } = guessOf(`wang@${domain}`, language);

        expect(advice.length).toBeGreaterThan(0);
        expect(source).not.toBe('');
        // The page is opened by the provider's name alone.
        if (page !== null) expect(ARGUMENTS['open-provider-page'].parse({ provider: page.provider })).toBeTruthy();
        expect(page === null || page.provider === id).toBe(true);
      }
    },
  );

  it('says where the password of the mailbox itself does not work', () => {
    expect(guessOf('wang@qq.com', 'en').advice).toContain('The password you log in to the website with does not work.');
    expect(guessOf('wang@qq.com', 'zh-CN').advice).toContain('登录网页所用的密码在此无效。');
  });

  it('opens no page that is not a provider’s', () => {
    const open = ARGUMENTS['open-provider-page'];

    expect(open.safeParse({ provider: 'https://evil.example' }).success).toBe(false);
    expect(open.safeParse({ provider: 'qq', url: 'https://evil.example' }).success).toBe(false);
  });
});
