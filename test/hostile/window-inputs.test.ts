import { describe, expect } from 'vitest';
import { z } from 'zod';
import { answerRequest } from '../../src/main/window-host/answer-request.ts';
import { isSignInAddress, isWebAddress } from '../../src/main/window-host/web-address.ts';
import { REQUEST_NAMES } from '../../src/shared/ipc/channels.ts';
import { ARGUMENTS } from '../../src/shared/ipc/schemas.ts';
import { PROVIDERS } from '../../src/shared/providers/providers.ts';
import { hostile } from './hostile-test.ts';
import { OUR_WINDOW, watchedHandlers } from './watched-handlers.ts';

/** Every text field a request may carry, as `request.field`. */
function textFields(): string[] {
  const fields: string[] = [];
  const walk = (place: string, schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties' && typeof value === 'object' && value !== null) {
        for (const [name, inner] of Object.entries(value)) {
          if (typeof inner === 'object' && inner !== null && isText(inner)) fields.push(`${place}.${name}`);
          walk(`${place}.${name}`, inner);
        }
      } else if (Array.isArray(value)) for (const one of value) walk(place, one);
      else walk(place, value);
    }
  };
  for (const name of REQUEST_NAMES) walk(name, z.toJSONSchema(ARGUMENTS[name], { io: 'input' }));
  return [...new Set(fields)].sort();
}
const isText = (schema: object): boolean => {
  const text = JSON.stringify(schema);
  return text.includes('"type":"string"') && !/"(enum|const)"/.test(text) && !text.includes('"properties"');
};

describe('messages of the window', () => {
  hostile('HI-081', async () => {
    const { parts, called } = watchedHandlers();
    const huge = 'x'.repeat(100_000_000);
    const polluted: unknown = JSON.parse('{"__proto__":{"id":"1"},"constructor":{"id":"1"}}');
    const mean = [huge, { id: huge }, { until: huge }, polluted, () => 1, Symbol('x'), 1n, []];
    for (const name of REQUEST_NAMES) {
      for (const argument of mean) {
        const answer = await answerRequest(parts, name, OUR_WINDOW, argument);
        expect(answer, name).toMatchObject({ ok: false, error: { code: 'bad-arguments' } });
      }
    }
    expect(called).toEqual([]);
    expect(Reflect.get({}, 'id')).toBeUndefined();
  });

  hostile('HI-083', () => {
    for (const link of [
      'file:///etc/passwd',
      'javascript:1',
      'ms-calc:',
      'http://example.com/',
      'https://a:b@c.test/',
    ]) {
      expect([link, isWebAddress(link), isSignInAddress(link)]).toEqual([link, false, false]);
      expect(ARGUMENTS['open-provider-page'].safeParse({ provider: link }).success).toBe(false);
    }
    const pages = PROVIDERS.flatMap(({ page }) => (page === null ? [] : [page]));
    expect(pages.filter((page) => !isWebAddress(page))).toEqual([]);
    // A sign-in on this very machine is the one page without https, and it is opened for nothing else.
    for (const here of ['http://127.0.0.1:8080/auth', 'http://localhost/auth', 'http://[::1]:8080/auth']) {
      expect([here, isWebAddress(here), isSignInAddress(here)]).toEqual([here, false, true]);
    }
    for (const near of ['http://127.0.0.1.evil.test/', 'http://localhost.evil.test/', 'http://a@127.0.0.1/']) {
      expect([near, isSignInAddress(near)]).toEqual([near, false]);
    }
    // Whoever adds a text that the page may send says here that it names neither a file nor a link to open.
    expect(textFields()).toEqual(
      [
        'answer.mailId',
        'guess-server.address',
        'lift-address.address',
        'mail.id',
        'mails.text',
        'note-conflict.mailId',
        'note-failures.cause',
        'pair.cloudUrl',
        'pair.code',
        'save-account.address',
        'save-account.imap.caFile',
        'save-account.imap.host',
        'save-account.imap.userName',
        'save-account.name',
        'save-account.password',
        'save-account.smtp.caFile',
        'save-account.smtp.host',
        'save-account.userName',
        'save-proxy.password',
        'save-proxy.proxy.host',
        'save-proxy.proxy.url',
        'save-proxy.proxy.userName',
        'save-settings.pace.workingHours.from',
        'save-settings.pace.workingHours.timeZone',
        'save-settings.pace.workingHours.to',
        'undo-answer.mailId',
      ].sort(),
    );
  });
});
