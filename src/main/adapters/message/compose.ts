import MailComposer from 'nodemailer/lib/mail-composer';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Payload } from '../../../shared/wire/payload.ts';
import type { ReadyMail } from '../../core/ready-mail.ts';
import type { ComposedMessage, ComposeFailure, Composer } from '../../engine/ports.ts';
import { errorCode } from '../tunnel/tcp.ts';
import { type AttachedFile, fetchAll, fileName, openLater, partType, shownInside } from './attached-files.ts';
import type { AttachmentSource } from './attachments.ts';
import { bodiesOf } from './bodies.ts';
import { dateHeader } from './date-header.ts';
import { asciiMessageId, isWritableId, type Prepared, subjectValue, unsubscribeHeaders } from './header-values.ts';
import { type Mailbox, mailboxOf } from './mailbox-field.ts';
import { messageBytes } from './message-bytes.ts';
import type { ScratchFolder } from './scratch-folder.ts';
import { unusable } from './unusable.ts';

/** How a composer comes by attachments. */
export type AttachmentParts = { readonly source: AttachmentSource; readonly scratch: ScratchFolder };

/**
 * Builds messages from checked payloads, field by field: no object of the payload reaches the library. `attachments`
 * is null for mails that have none.
 */
export function createComposer(parts: { readonly attachments: AttachmentParts | null }): Composer {
  return {
    compose: async (mail, signal) => {
      if (signal.aborted) return err(local('Stopped before the mail was built.'));
      const head = composeHead(mail);
      if (!head.ok) return head;
      const declared = mail.payload.attachments ?? [];
      if (declared.length === 0) return ok(await build(mail.payload, head.value, []));
      if (parts.attachments === null) throw new Error('this composer was made for mails without attachments');
      const { source, scratch } = parts.attachments;
      try {
        return await scratch.use(async (folder) => {
          const fetched = await fetchAll(declared, source, folder, signal);
          return fetched.ok ? ok(await build(mail.payload, head.value, fetched.value)) : fetched;
        });
      } catch (cause) {
        if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
        return err(
          local(`This computer could not keep the attachments for the moment of sending (${errorCode(cause)}).`),
        );
      }
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
  const root = new MailComposer({
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
    attachments: attachments.map(({ declared, file }) => ({
      filename: fileName(declared.name),
      contentType: partType(declared.type),
      ...(declared.type.startsWith('image/') && inside.has(declared.name)
        ? { contentDisposition: 'inline' as const, cid: declared.name }
        : { contentDisposition: 'attachment' as const }),
      contentTransferEncoding: 'base64',
      content: openLater(file),
    })),
    textEncoding: 'base64',
    boundaryPrefix: '=_part',
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const bytes = await messageBytes(root);
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

const local = (message: string): ComposeFailure => ({
  kind: 'temporary',
  failure: { stage: 'prepare', class: 'local', reply: null, message },
});
