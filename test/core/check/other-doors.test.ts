import { describe, expect, it } from 'vitest';
import { otherDoors } from '../../../src/main/core/check/other-doors.ts';
import { PROVIDERS } from '../../../src/shared/providers/providers.ts';

const at = (host: string, port: number, security: 'tls' | 'starttls' | 'none') => ({
  host,
  port,
  security,
  caFile: '/ca.pem',
});

describe('the other doors of a server', () => {
  it('are those its provider names, under the same name only', () => {
    expect(otherDoors(at('smtp.qq.com', 465, 'tls'), PROVIDERS)).toEqual([at('smtp.qq.com', 587, 'starttls')]);
    expect(otherDoors(at('smtp.163.com', 465, 'tls'), PROVIDERS)).toEqual([at('smtp.163.com', 994, 'tls')]);
    expect(otherDoors(at('smtp.qiye.163.com', 465, 'tls'), PROVIDERS)).toEqual([at('smtp.qiye.163.com', 994, 'tls')]);
  });

  it('are none where its provider has one only', () => {
    expect(otherDoors(at('smtp.office365.com', 587, 'starttls'), PROVIDERS)).toEqual([]);
  });

  it('are the usual ones at a server that nobody has described', () => {
    expect(otherDoors(at('smtp.office.test', 465, 'tls'), PROVIDERS)).toEqual([
      at('smtp.office.test', 587, 'starttls'),
    ]);
    expect(otherDoors(at('smtp.office.test', 587, 'starttls'), PROVIDERS)).toEqual([
      at('smtp.office.test', 465, 'tls'),
    ]);
  });

  it('are none for a port of the person’s own, and none without encryption', () => {
    expect(otherDoors(at('smtp.office.test', 2525, 'starttls'), PROVIDERS)).toEqual([]);
    expect(otherDoors(at('smtp.office.test', 465, 'starttls'), PROVIDERS)).toEqual([]);
    expect(otherDoors(at('127.0.0.1', 465, 'none'), PROVIDERS)).toEqual([]);
  });
});
