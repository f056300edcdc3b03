import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/**
 * Digest of a payload as it was delivered, unknown fields included: `sha256:` and 64 lower-case hex digits.
 * Throws `NotCanonical` where the payload has no canonical form. Source: RFC 8785, FIPS 180-4.
 */
export function payloadHash(payload: unknown): string {
  return `sha256:${hash('sha256', canonicalJson(payload), 'hex')}`;
}
