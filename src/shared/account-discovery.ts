/** Where the server behind an address was learned from, the most trusted first. */
export const DISCOVERY_SOURCES = [
  'preset-domain',
  'preset-mx',
  'preset-spf',
  'autoconfig',
  'ispdb',
  'mx-ispdb',
  'mx-autoconfig',
  'srv',
  'guess',
] as const;
export type DiscoverySource = (typeof DISCOVERY_SOURCES)[number];
