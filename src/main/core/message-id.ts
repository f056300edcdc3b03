/**
 * The Message-ID of a mail, angle brackets included: the same for every attempt, so that the Sent folder can be
 * searched for it, and at the sender's own domain. `payloadHash` keeps two clouds with the same keys apart.
 * Source: RFC 5322 3.6.4.
 */
export function messageIdOf(mail: {
  readonly idempotencyKey: string;
  readonly payloadHash: string;
  readonly fromDomain: string;
}): string {
  return `<${mail.idempotencyKey}.${mail.payloadHash.slice('sha256:'.length, 'sha256:'.length + 16)}@${mail.fromDomain}>`;
}
