import type MimeNode from 'nodemailer/lib/mime-node';

/** Four less than the 76 that a line may have: room for what is written out below. */
const LINE_CHARS = 72;

/**
 * The whole message. A line that begins with a dot or with "From " is written out: the one could end the mail early at a
 * careless server, the other is changed by old mailboxes. Only bodies in quoted-printable have such lines: headers have
 * a colon first, base64 has neither dots nor spaces. Throws what an attachment's file throws. Source: RFC 2049 3.
 */
export async function messageBytes(root: MimeNode): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // By hand: the platform's own collector goes through a Blob, which copies the message once more.
  for await (const chunk of root.createReadStream({ lineLength: LINE_CHARS })) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (!bytes.includes('\n.') && !bytes.includes('\nFrom ')) return bytes;
  const text = bytes.toString('latin1').replaceAll('\n.', '\n=2E').replaceAll('\nFrom ', '\n=46rom ');
  return Buffer.from(text, 'latin1');
}
