import { describe, expect, it } from 'vitest';
import { receivingDomain } from '../../../src/main/core/discovery/receiving-domain.ts';
import { serverOfRecords } from '../../../src/main/core/discovery/service-records.ts';

const WANG = { address: 'wang@office.test', localPart: 'wang', domain: 'office.test' };
const NONE = { submissions: [], submission: [], imaps: [] };
const record = (name: string, port: number, priority = 10, weight = 0) => ({ name, port, priority, weight });

describe('service records', () => {
  it('of TLS from the start come before those of STARTTLS', () => {
    const records = {
      submissions: [record('tls.office.test', 465)],
      submission: [record('start.office.test', 587)],
      imaps: [record('imap.office.test.', 993)],
    };

    expect(serverOfRecords(records, WANG)).toMatchObject({
      source: 'srv',
      from: '_submissions._tcp.office.test',
      smtp: { host: 'tls.office.test', port: 465, security: 'tls' },
      imap: { host: 'imap.office.test', port: 993, security: 'tls' },
      login: 'password',
      trust: 'take',
    });
    expect(serverOfRecords({ ...records, submissions: [], imaps: [] }, WANG)).toMatchObject({
      from: '_submission._tcp.office.test',
      smtp: { host: 'start.office.test', port: 587, security: 'starttls' },
      imap: null,
      trust: 'take',
    });
  });

  it.each([
    ['SMTP.Office.TEST.', 465, 'smtp.office.test'],
    ['LOCALHOST', 465, 'localhost'],
    ['smtp.office.test', 1, 'smtp.office.test'],
    ['smtp.office.test', 65_535, 'smtp.office.test'],
  ])('may name %s at port %i', (name, port, host) => {
    expect(serverOfRecords({ ...NONE, submissions: [record(name, port)] }, WANG)?.smtp).toMatchObject({ host, port });
  });

  it('never start TLS later at the port of TLS from the start', () => {
    const submission = [record('smtp.office.test', 465), record('other.office.test', 587)];

    expect(serverOfRecords({ ...NONE, submission }, WANG)?.smtp.host).toBe('other.office.test');
  });

  it('are taken by priority, then by weight', () => {
    const submissions = [
      record('c.office.test', 465, 20, 90),
      record('b.office.test', 465, 10, 1),
      record('a.office.test', 465, 10, 9),
    ];

    expect(serverOfRecords({ ...NONE, submissions }, WANG)).toMatchObject({ smtp: { host: 'a.office.test' } });
  });

  it.each([
    ['the submission server', { ...NONE, submissions: [record('smtp.elsewhere.test', 465)] }],
    [
      'the IMAP server',
      { ...NONE, submissions: [record('smtp.office.test', 465)], imaps: [record('imap.elsewhere.test', 993)] },
    ],
    ['a name that only ends alike', { ...NONE, submissions: [record('smtp.notoffice.test', 465)] }],
  ])('that lead out of the domain by %s are for a person to confirm', (_, records) => {
    expect(serverOfRecords(records, WANG)).toMatchObject({ trust: 'ask' });
  });

  it.each([
    ['the service is said not to exist', record('.', 0)],
    ['the target is no name', record('bad name', 465)],
    ['the target is an address', record('192.0.2.1', 465)],
    ['the port is none', record('smtp.office.test', 0)],
    ['the port is too high', record('smtp.office.test', 65_536)],
  ])('are nothing where %s', (_, bad) => {
    expect(serverOfRecords({ ...NONE, submissions: [bad] }, WANG)).toBeNull();
    expect(serverOfRecords(NONE, WANG)).toBeNull();
  });
});

describe('the domain behind a receiving server', () => {
  it.each<(string | null)[]>([
    ['mx1.mail.example.com', 'example.com'],
    ['mx.example.com.cn', 'example.com.cn'],
    ['mx1.host.co.uk', 'host.co.uk'],
    ['mx1.co.uk', 'mx1.co.uk'],
    ['mx.office.com.info', 'com.info'],
    ['mx1.office.de', 'office.de'],
    ...['ac', 'co', 'com', 'edu', 'go', 'gov', 'gr', 'mil', 'ne', 'net', 'or', 'org'].map((second) => [
      `mx.host.${second}.jp`,
      `host.${second}.jp`,
    ]),
    ['.uk', null],
    ['uk.', null],
    ['', null],
    ['example.net', 'example.net'],
    ['com.cn', null],
    ['localhost', null],
  ])('%s is %s', (receiver, domain) => {
    expect(receivingDomain(receiver ?? '')).toBe(domain);
  });
});
