import { describe, expect, it } from 'vitest';
import { checkPlace } from '../../../src/main/core/check/check-place.ts';
import { PROVIDERS, providerById } from '../../../src/shared/providers/providers.ts';
import { secretOf } from '../../../src/shared/providers/secret-words.ts';

describe('the place of a check', () => {
  it('is host and port alone where nobody has described the server', () => {
    expect(checkPlace({ host: 'smtp.office.test', port: 465 }, PROVIDERS)).toEqual({
      host: 'smtp.office.test',
      port: 465,
      provider: null,
    });
  });

  it('brings what is known of the provider, and its servers under other names', () => {
    const zoho = providerById('zoho');
    if (zoho === null) throw new Error('no preset of Zoho');
    const { host, port, provider } = checkPlace({ host: 'SMTP.Zoho.eu', port: 465 }, PROVIDERS);
    const hosts = provider?.otherServers.map((one) => one.host) ?? [];

    expect([host, port]).toEqual(['SMTP.Zoho.eu', 465]);
    expect(provider).toMatchObject({ name: zoho.name, secret: secretOf(zoho), steps: zoho.steps });
    expect(hosts).toContain('smtp.zoho.com');
    expect(hosts).not.toContain('smtp.zoho.eu');
  });
});
