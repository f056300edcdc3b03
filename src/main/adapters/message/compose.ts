import MailComposer from 'nodemailer/lib/mail-composer';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Payload } from '../../../shared/wire/payload.ts';
import type { ReadyMail } from '../../core/ready-mail.ts';
import type { ComposedMessage, ComposeFailure, Composer } from '../../engine/ports.ts';
import { type AttachedFile, fetchAll, fileName, partType, shownInside } from './attached-files.ts';
import type { AttachmentSource } from './attachments.ts';
import { bodiesOf } from './bodies.ts';
import { dateHeader } from './date-header.ts';
import { asciiMessageId, isWritableId, type Prepared, subjectValue, unsubscribeHeaders } from './header-values.ts';
import { type Mailbox, mailboxOf } from './mailbox-field.ts';
import { unusable } from './unusable.ts';

/** Builds messages from checked payloads, field by field: no object of the payload reaches the library. */
export function createComposer(parts: { readonly attachments: AttachmentSource }): Composer {
  return {
    compose: async (mail, signal) => {
      if (signal.aborted) return err(stopped());
      const head = composeHead(mail);
      if (!head.ok) return head;
      const fetched = await fetchAll(mail.payload.attachments ?? [], parts.attachments, signal);
      if (!fetched.ok) return fetched;
      return ok(await build(mail.payload, head.value, fetched.value));
    },
  };
}

type Head = {
  readonly from: Mailbox;
  readonly to: Mailbox;
  readonly replyTo: Mailbox | null;
  readonly messageId: string;
  readonly date: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly prepared: readonly Prepared[];
};

function composeHead(mail: ReadyMail): Result<Head, ComposeFailure> {
  const { payload } = mail;
  const from = mailboxOf(payload.from, 'sender');
  if (!from.ok) return from;
  const to = mailboxOf(payload.to, 'recipient');
  if (!to.ok) return to;
  const replyTo = payload.reply_to ? mailboxOf(payload.reply_to, 'reply address') : ok(null);
  if (!replyTo.ok) return replyTo;
  const messageId = asciiMessageId(mail.messageId);
  if (messageId === null) return err(unusable('The Message-ID cannot be written in ASCII.'));
  const unsubscribe = unsubscribeHeaders(payload.list_unsubscribe ?? null);
  if (!unsubscribe.ok) return unsubscribe;
  const subject = payload.subject === '' ? [] : [{ key: 'Subject', value: subjectValue(payload.subject) }];
  return ok({
    from: from.value,
    to: to.value,
    replyTo: replyTo.value,
    messageId,
    date: dateHeader(mail.dateMs),
    // An id that no header line can carry costs the thread, not the mail.
    inReplyTo: [payload.in_reply_to ?? ''].find(isWritableId) ?? null,
    references: (payload.references ?? []).filter(isWritableId),
    prepared: [...subject, ...unsubscribe.value],
  });
}

async function build(payload: Payload, head: Head, attachments: readonly AttachedFile[]): Promise<ComposedMessage> {
  const bodies = bodiesOf(payload);
  const inside = shownInside(payload.html);
  const bytes = await new MailComposer({
    from: { name: head.from.name, address: head.from.address },
    to: { name: head.to.name, address: head.to.address },
    replyTo: head.replyTo === null ? undefined : { name: head.replyTo.name, address: head.replyTo.address },
    messageId: head.messageId,
    date: head.date,
    inReplyTo: head.inReplyTo ?? undefined,
    references: [...head.references],
    headers: head.prepared.map(({ key, value }) => ({ key, value: { prepared: true, foldLines: true, value } })),
    text: bodies.text,
    html: bodies.html,
    attachments: attachments.map(({ declared, content }) => ({
      filename: fileName(declared.name),
      contentType: partType(declared.type),
      ...(declared.type.startsWith('image/') && inside.has(declared.name)
        ? { contentDisposition: 'inline' as const, cid: declared.name }
        : { contentDisposition: 'attachment' as const }),
      contentTransferEncoding: 'base64',
      content,
    })),
    textEncoding: 'base64',
    boundaryPrefix: '=_part',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
  const mailboxes = [head.from, head.to, ...(head.replyTo === null ? [] : [head.replyTo])];
  return {
    messageId: head.messageId,
    envelope: {
      from: head.from.address,
      to: head.to.address,
      needsSmtpUtf8: mailboxes.some((mailbox) => mailbox.needsSmtpUtf8),
    },
    bytes,
  };
}

const stopped = (): ComposeFailure => ({
  kind: 'temporary',
  failure: { stage: 'prepare', class: 'local', reply: null, message: 'Stopped before the mail was built.' },
});
