import type { Payload } from '../../../shared/wire/payload.ts';
import type { ComposeFailure } from '../../engine/ports.ts';

/** An attachment as the payload declares it. */
export type Attachment = NonNullable<Payload['attachments']>[number];

const failure = (
  kind: ComposeFailure['kind'],
  about: 'payload' | 'connection' | 'local',
  { name }: Attachment,
  reason: string,
): ComposeFailure => ({
  kind,
  failure: {
    stage: 'prepare',
    class: about,
    reply: null,
    message: `The attachment "${name}" could not be used: ${reason}.`,
  },
});

/** The mail can never have this attachment. */
export const permanent = (attachment: Attachment, reason: string): ComposeFailure =>
  failure('permanent', 'payload', attachment, reason);

/** It may be better in a while. */
export const temporary = (
  attachment: Attachment,
  reason: string,
  about: 'connection' | 'local' = 'connection',
): ComposeFailure => failure('temporary', about, attachment, reason);
