import { describe, expect, it } from 'vitest';
import { guessedServer, guessedServers } from '../../../src/main/core/discovery/guessed-servers.ts';

describe('the servers that a domain may have', () => {
  it('have the usual names, TLS from the start first', () => {
    expect(guessedServers('office.test')).toEqual({
      smtp: [
        { host: 'smtp.office.test', port: 465, security: 'tls' },
        { host: 'mail.office.test', port: 465, security: 'tls' },
        { host: 'smtp.office.test', port: 587, security: 'starttls' },
        { host: 'mail.office.test', port: 587, security: 'starttls' },
      ],
      imap: { host: 'imap.office.test', port: 993, security: 'tls' },
    });
  });

  it('are an answer once one of them is there', () => {
    const smtp = { host: 'mail.office.test', port: 465, security: 'tls' } as const;
    const wang = { address: 'wang@office.test', localPart: 'wang', domain: 'office.test' };

    expect(guessedServer(smtp, null, wang)).toEqual({
      source: 'guess',
      from: 'mail.office.test',
      provider: null,
      smtp,
      imap: null,
      userName: 'wang@office.test',
      imapUserName: 'wang@office.test',
      login: 'password',
      trust: 'take',
    });
  });
});
