import { describe, expect, it } from 'vitest';
import { usualPace } from '../src/main/usual-pace.ts';
import { PROVIDERS } from '../src/shared/providers/providers.ts';
import { SmtpServer, USUAL_PACE } from '../src/shared/settings.ts';

const at = (host: string, port = 465) => ({ smtp: SmtpServer.parse({ host, port, security: 'tls' }) });

describe('the pace of somebody who chose none', () => {
  it('is the usual one at a server that nobody knows, and before there is an account', () => {
    expect(usualPace(at('mail.example.com'))).toEqual(USUAL_PACE);
    expect(usualPace(null)).toEqual(USUAL_PACE);
  });

  it.each(PROVIDERS.filter(({ id }) => id !== 'generic').map((provider) => [provider.id, provider] as const))(
    'is never above what %s itself allows',
    (_, { sites, limits }) => {
      const [server] = sites.flatMap(({ smtp }) => smtp);
      if (server === undefined) throw new Error('a provider without a server');

      const pace = usualPace(at(server.host.replace('{domain}', 'example.com'), server.port));

      expect(pace.perMinute ?? 0).toBeLessThanOrEqual(limits.mailsPerMinute ?? USUAL_PACE.perMinute ?? 0);
      expect(pace.perHour ?? 0).toBeLessThanOrEqual(limits.mailsPerHour ?? USUAL_PACE.perHour ?? 0);
      expect(pace.perDay ?? 0).toBeLessThanOrEqual(limits.mailsPerDay ?? USUAL_PACE.perDay ?? 0);
      expect(pace.perDay ?? 0).toBeLessThanOrEqual(limits.recipientsPerDay ?? USUAL_PACE.perDay ?? 0);
    },
  );
});
