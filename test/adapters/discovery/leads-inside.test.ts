import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import { leadsInside } from '../../../src/main/adapters/discovery/leads-inside.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'smtp.office.test': ['93.184.216.34'],
  'inside.office.test': ['10.1.2.3'],
  'both.office.test': ['93.184.216.34', '192.168.1.5'],
  'six.office.test': ['fd00::1'],
  'zero.office.test': ['0.0.0.0'],
};
const lookup: LookupFunction = (name, _, done) => {
  const found = (NAMES[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  if (found.length === 0) done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
  else done(null, found);
};

describe('a found mail server that leads into the own network', () => {
  it.each([
    'inside.office.test',
    'both.office.test',
    'six.office.test',
    'zero.office.test',
    '127.0.0.1',
    '10.0.0.1',
    '::1',
  ])('is seen where any of its addresses does: %s', async (host) => {
    expect(await leadsInside(host, lookup)).toBe(true);
  });

  it.each(['smtp.office.test', '93.184.216.34', 'nobody.office.test'])('%s leads elsewhere', async (host) => {
    expect(await leadsInside(host, lookup)).toBe(false);
  });
});
