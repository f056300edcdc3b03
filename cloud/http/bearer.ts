import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

const TOKEN_MAX_CHARS = 256;

/** The token of `Authorization: Bearer …`, null where there is none. Source: RFC 6750 2.1. */
export function bearerToken(request: FastifyRequest): string | null {
  const found = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return found === undefined || found.length > TOKEN_MAX_CHARS ? null : found;
}

/** Takes the same time wherever the two differ, and for every length. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(given), digest(expected));
}
