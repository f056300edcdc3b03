import { describe, expect, it } from 'vitest';
import { readCloudUrl, readPairLink } from '../../src/renderer/views/set-up/pair-link.ts';

describe('readPairLink', () => {
  it('reads address and code out of a pasted link', () => {
    const link = readPairLink('  https://mail.example.com/#pair=ABCD-1234\n');

    expect(link).toEqual({ cloudUrl: 'https://mail.example.com', code: 'ABCD-1234' });
  });

  it.each([
    'https://mail.example.com/',
    'https://mail.example.com/#pair=',
    'https://mail.example.com/?pair=ABCD-1234',
    'file:///etc/passwd#pair=ABCD-1234',
    'javascript:alert(1)#pair=ABCD-1234',
    'ABCD-1234',
    '',
  ])('takes %j for no link', (text) => {
    expect(readPairLink(text)).toBeNull();
  });
});

describe('readCloudUrl', () => {
  it.each([
    ['mail.example.com', 'https://mail.example.com'],
    ['https://mail.example.com/inbox?x=1', 'https://mail.example.com'],
    [' http://127.0.0.1:8080 ', 'http://127.0.0.1:8080'],
    ['localhost:8080', 'https://localhost:8080'],
  ])('takes %j for %j', (text, origin) => {
    expect(readCloudUrl(text)).toBe(origin);
  });

  it.each(['', '   ', 'not an address', 'ftp://mail.example.com', 'https://'])('takes %j for no address', (text) => {
    expect(readCloudUrl(text)).toBeNull();
  });
});
