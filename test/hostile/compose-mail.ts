import type { ComposedMessage } from '../../src/main/engine/ports.ts';
import { Payload } from '../../src/shared/wire/payload.ts';
import { composeWith, filesFrom } from '../support/compose.ts';

const DATE_MS = Date.UTC(2026, 4, 5, 2, 3, 4);

/** Every attachment has this content; a mail without attachments asks for none. */
const CONTENT = filesFrom(() => Buffer.from('content'));

/** The message of a payload as the agent builds it; throws the refusal's words. */
export async function composeMail(payload: unknown, attachments = CONTENT): Promise<ComposedMessage> {
  const mail = {
    id: '1',
    messageId: '<email-recipient-1.0123456789abcdef@example.com>',
    payload: Payload.parse(payload),
    dateMs: DATE_MS,
  };
  const built = await composeWith(attachments, mail);
  if (!built.ok) throw new Error(built.error.failure.message);
  return built.value;
}

/** Header names in lower case, in their order. */
export const headerNames = (bytes: Buffer): string[] =>
  (bytes.toString('latin1').split('\r\n\r\n', 1)[0] ?? '')
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
