import { describe, expect, it } from 'vitest';
import { previewedMail } from '../../src/main/window-host/page-policy.ts';
import { mailPreviewPath } from '../../src/shared/ipc/mail-preview.ts';

describe('previewedMail', () => {
  it('reads the mail out of the address that the page makes for it', () => {
    expect(previewedMail('GET', `app://agent${mailPreviewPath('a1-B2')}`)).toBe('a1-B2');
  });

  it.each([
    ['POST', 'app://agent/mail-preview/a1'],
    ['GET', 'app://agent.evil/mail-preview/a1'],
    ['GET', 'https://agent/mail-preview/a1'],
    ['GET', 'app://agent/mail-preview/'],
    ['GET', 'app://agent/mail-preview/../index.html'],
    ['GET', 'app://agent/mail-preview/a%2Fb'],
    ['GET', 'app://agent/index.html'],
    ['GET', 'about:srcdoc'],
  ])('finds none in %s %s', (method, url) => {
    expect(previewedMail(method, url)).toBeNull();
  });
});
