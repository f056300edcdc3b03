import { z } from 'zod';
import { AddressText } from './address.ts';
import { runnableEnding } from './attachment-name.ts';

export const SUBJECT_MAX_CHARS = 255;
export const BODY_MAX_CHARS = 400_000;
export const ATTACHMENT_MAX_COUNT = 20;
/** All attachments of one mail together, before base64. */
export const ATTACHMENTS_MAX_BYTES = 25 * 1024 * 1024;

const oneLine = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), 'holds a line break or control character')
    .refine((text) => text.isWellFormed(), 'holds half a character (a lone surrogate)');

const body = z
  .string()
  .max(BODY_MAX_CHARS)
  .refine((text) => !text.includes('\0'), 'holds a NUL character')
  .refine((text) => text.isWellFormed(), 'holds half a character (a lone surrogate)');

const messageId = oneLine(998).regex(/^<[^\s<>@]+@[^\s<>@]+>$/, 'is not a message id of the form <left@right>');

type ObjectMaker = <T extends z.core.$ZodLooseShape>(shape: T) => z.ZodObject<T>;

function payloadSchema(object: ObjectMaker) {
  const mailbox = object({
    // A name that looks like an address would show the reader a sender or recipient who is not the one.
    name: oneLine(256)
      .refine((name) => !/@|[<>]/.test(name), 'looks like an address')
      .nullish(),
    address: AddressText,
  });
  return object({
    from: mailbox,
    to: mailbox,
    reply_to: mailbox.nullish(),
    subject: oneLine(SUBJECT_MAX_CHARS),
    text: body.nullish(),
    html: body.nullish(),
    attachments: z
      .array(
        object({
          name: oneLine(255)
            .min(1)
            .refine((name) => runnableEnding(name) === null, 'ends like a program or a file with macros'),
          type: z.string().regex(/^[a-z0-9!#$&^_.+-]{1,64}\/[a-z0-9!#$&^_.+-]{1,64}$/, 'is not a media type'),
          size: z.int().min(0).max(ATTACHMENTS_MAX_BYTES),
          sha256: z.string().regex(/^[0-9a-f]{64}$/, 'is not 64 lower-case hex digits'),
          url: z.url({ protocol: /^https?$/ }).max(2048),
        }),
      )
      .max(ATTACHMENT_MAX_COUNT)
      .refine((list) => list.reduce((sum, a) => sum + a.size, 0) <= ATTACHMENTS_MAX_BYTES, 'are too large together')
      .nullish(),
    in_reply_to: messageId.nullish(),
    references: z.array(messageId).max(100).nullish(),
    list_unsubscribe: object({
      url: z
        .url({ protocol: /^https$/ })
        .max(2048)
        .nullish(),
      mailto: AddressText.nullish(),
      one_click: z.boolean().nullish(),
    }).nullish(),
  });
}

const hasBody = (payload: { text?: string | null | undefined; html?: string | null | undefined }): boolean =>
  (payload.text ?? '').trim() !== '' || (payload.html ?? '').trim() !== '';
const NO_BODY = { message: 'has neither text nor html', path: ['text'] };

/** One mail as a person approved it. Unknown fields are ignored, though they count in the payload hash. */
export const Payload = payloadSchema((shape) => z.object(shape)).refine(hasBody, NO_BODY);
/** The same, as the cloud takes it from an operator: an unknown field is refused. */
export const StrictPayload = payloadSchema((shape) => z.strictObject(shape)).refine(hasBody, NO_BODY);
export type Payload = z.infer<typeof Payload>;
