import type { Socket } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import type { CertificateFacts } from '../../core/check/facts.ts';

const TEXT_MAX_CHARS = 200;
const NAMES_MAX = 20;

/** The certificate under a connection; null without TLS, or where the connection is gone. */
export function certificateOf(socket: Socket): CertificateFacts | null {
  if (!(socket instanceof TLSSocket)) return null;
  const certificate: Partial<PeerCertificate> | null = socket.getPeerCertificate();
  if (certificate === null || certificate.valid_to === undefined) return null;
  const names = (certificate.subjectaltname ?? '')
    .split(/,\s*/)
    .map((name) => name.replace(/^(DNS|IP Address):/, ''))
    .filter((name) => name !== '');
  return {
    subject: clean(textOf(certificate.subject?.CN) || (names[0] ?? '')) || '?',
    names: names.slice(0, NAMES_MAX).map(clean),
    issuer: clean(issuerText(certificate.issuer)) || '?',
    validToMs: Date.parse(certificate.valid_to),
  };
}

/** Organisation and common name, where they differ. */
function issuerText(issuer: Partial<PeerCertificate['issuer']> | undefined): string {
  const parts = [textOf(issuer?.O), textOf(issuer?.CN)].filter((part) => part !== '');
  return [...new Set(parts)].join(', ');
}

/** A name that stands there more than once comes as a list, whatever the types say. */
const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(' ') : typeof value === 'string' ? value : '';

/** Somebody else wrote it, and people read it. */
const clean = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '').slice(0, TEXT_MAX_CHARS);
