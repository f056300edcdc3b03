import type { ComposeFailure } from '../../engine/ports.ts';

/** A mail that can never be built, and why. */
export const unusable = (message: string): ComposeFailure => ({
  kind: 'permanent',
  failure: { stage: 'prepare', class: 'payload', reply: null, message },
});
