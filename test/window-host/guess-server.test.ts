import { describe, expect, it } from 'vitest';
import { domainOfAddress, guessServer } from '../../src/main/window-host/guess-server.ts';

describe('the server behind an address', () => {
  it.each([
    ['qq.com', [], 'smtp.qq.com', 465, 'authorisation-code'],
    ['163.com', [], 'smtp.163.com', 465, 'authorisation-code'],
    ['gmail.com', [], 'smtp.gmail.com', 465, 'app-password'],
    ['company.example', ['mxbiz1.qq.com'], 'smtp.exmail.qq.com', 465, 'password'],
    ['company.example', ['MX1.FEISHU.CN'], 'smtp.feishu.cn', 465, 'app-password'],
    ['company.example', ['company-example.mail.protection.outlook.com'], 'smtp.office365.com', 587, 'password'],
    ['company.example', ['aspmx.l.google.com'], 'smtp.gmail.com', 465, 'app-password'],
  ])('of %s received by %j is %s:%i', (domain, receivers, host, port, passwordKind) => {
    expect(guessServer(domain, receivers)).toMatchObject({ smtp: { host, port }, passwordKind });
  });

  it('is not guessed from a name that merely ends alike', () => {
    expect(guessServer('company.example', ['mx.notgoogle.com'])).toBeNull();
    expect(guessServer('fakeqq.com', [])).toBeNull();
  });

  it('is asked by the domain in lower case, which an unfinished address does not have', () => {
    expect(domainOfAddress('Wang@QQ.com ')).toBe('qq.com');
    expect(domainOfAddress('wang@qq')).toBeNull();
    expect(domainOfAddress('wang')).toBeNull();
    expect(domainOfAddress('@qq.com')).toBeNull();
  });
});
