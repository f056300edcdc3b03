type Names = { readonly idempotencyKey: string; readonly payloadHash: string };

/** What the names of a mail begin with, at whatever domain. */
function startOf({ idempotencyKey, payloadHash }: Names): string {
  const digest = payloadHash.slice('sha256:'.length, 'sha256:'.length + 16);
  return `<${idempotencyKey}.${digest}@`;
}

/**
 * The Message-ID of a mail, angle brackets included: the same for every attempt, so that the Sent folder can be
 * searched for it, and at the sender's own domain. `payloadHash` keeps two clouds with the same keys apart.
 * Source: RFC 5322 3.6.4.
 */
export const messageIdOf = (mail: Names & { readonly fromDomain: string }): string =>
  `${startOf(mail)}${asciiDomain(mail.fromDomain)}>`;

/** A domain beyond ASCII as mail headers write it. The URL parser is the platform's own UTS 46. */
function asciiDomain(domain: string): string {
  const url = `http://${domain}`;
  return URL.canParse(url) ? new URL(url).hostname : domain;
}

/** True for an id that `messageIdOf` made for this mail, at whatever domain. */
export const isNameOf = (messageId: string, mail: Names): boolean => messageId.startsWith(startOf(mail));

/** The mail whose id this may be, by what the id says of itself; null for an id of another make. */
export const mailIdIn = (messageId: string): string | null =>
  /^<email-recipient-([0-9A-Za-z-]{1,64})\.[0-9a-f]{16}@/.exec(messageId)?.[1] ?? null;

/** Microsoft names the mail anew and says so in its reply to the end of the data: "250 2.0.0 OK <...> [Hostname=...]". */
export const otherNameIn = (replyText: string): string | null =>
  /\bOK <([^<>\s@]{1,400}@[^<>\s]{1,400})>/.exec(replyText)?.[0].slice('OK '.length) ?? null;
