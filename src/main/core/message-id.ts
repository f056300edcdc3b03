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
  const digest = mail.payloadHash.slice('sha256:'.length, 'sha256:'.length + 16);
  return `<${mail.idempotencyKey}.${digest}@${asciiDomain(mail.fromDomain)}>`;
}

/** A domain beyond ASCII as mail headers write it. The URL parser is the platform's own UTS 46. */
function asciiDomain(domain: string): string {
  const url = `http://${domain}`;
  return URL.canParse(url) ? new URL(url).hostname : domain;
}
