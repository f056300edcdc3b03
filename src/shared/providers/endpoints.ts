import type { ProviderData, Words } from './provider.ts';

type SiteData = ProviderData['sites'][number];
type EndpointData = SiteData['smtp'][number];

export const tls = (host: string, when: Words | null = null): EndpointData => ({
  host,
  port: 465,
  security: 'tls',
  when,
});

/** NetEase's second port for TLS from the start. */
export const tls994 = (host: string, when: Words | null = null): EndpointData => ({
  host,
  port: 994,
  security: 'tls',
  when,
});

export const starttls = (host: string, when: Words | null = null): EndpointData => ({
  host,
  port: 587,
  security: 'starttls',
  when,
});

export const imaps = (host: string): NonNullable<SiteData['imap']> => ({ host, port: 993, security: 'tls' });
