import { describe, expect, it } from 'vitest';
import { assetOf, isOurPage, isTrusted } from '../../src/main/window-host/page-policy.ts';

describe('a request from a page', () => {
  const ours = { isOurWindow: true, isMainFrame: true, frameUrl: 'app://agent/' };

  it('is taken from the main frame of our window on our page alone', () => {
    expect(isTrusted(ours)).toBe(true);
    expect(isTrusted({ ...ours, isOurWindow: false })).toBe(false);
    expect(isTrusted({ ...ours, isMainFrame: false })).toBe(false);
    expect(isTrusted({ ...ours, frameUrl: null })).toBe(false);
    expect(isTrusted({ ...ours, frameUrl: 'about:srcdoc' })).toBe(false);
  });

  it.each([
    'app://agent.evil/',
    'app://agent:1/',
    'app://a@agent/',
    'app://other/',
    'https://agent/',
    'file:///agent',
    'not a url',
    '',
  ])('is not taken from %s', (url) => {
    expect(isOurPage(url)).toBe(false);
  });
});

describe('a file of the page', () => {
  it('is the index at the root, otherwise what the path names', () => {
    expect(assetOf('GET', 'app://agent/')).toEqual({ file: 'index.html', type: 'text/html; charset=utf-8' });
    expect(assetOf('GET', 'app://agent/assets/index-B1.js')?.file).toBe('assets/index-B1.js');
    expect(assetOf('GET', 'app://agent/index.html?x#y')?.file).toBe('index.html');
  });

  it.each([
    'app://agent/../../etc/passwd',
    'app://agent/..%2fsecret.html',
    'app://agent/.hidden.html',
    'app://agent/a//b.html',
    'app://agent/a%00.html',
    'app://agent/C:/x.html',
    'app://agent/ledger.sqlite',
    'app://agent/folder/',
    'app://other/index.html',
  ])('is not %s', (url) => {
    expect(assetOf('GET', url)).toBeNull();
  });

  it('never lies outside the folder: a way up ends at its top', () => {
    expect(assetOf('GET', 'app://agent/%2e%2e/%2e%2e/index.html')?.file).toBe('index.html');
  });

  it('is only read', () => {
    expect(assetOf('POST', 'app://agent/')).toBeNull();
  });
});
