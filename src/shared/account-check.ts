/**
 * The steps of the live check of a mail account, in their order. The first only where the person signs in with the
 * browser, the last two only with a test mail.
 */
export const CHECK_STEPS = [
  'sign-in',
  'dns',
  'tcp',
  'tls',
  'login',
  'sender',
  'abilities',
  'test-mail',
  'sent-copy',
] as const;
export type CheckStep = (typeof CHECK_STEPS)[number];

/** A step as people see it; `text` says what was found, and is empty while the step runs. */
export type CheckProgress = {
  readonly step: CheckStep;
  readonly state: 'running' | 'done' | 'failed' | 'unclear';
  readonly text: string;
};
