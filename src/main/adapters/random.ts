import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Random } from '../engine/ports.ts';

const NONCE_BYTES = 18;
const FRACTION_STEPS = 2 ** 48 - 1;

/** Chance from the operating system's generator. A nonce has 144 random bits in 24 URL-safe characters. */
export const systemRandom: Random = {
  fraction: () => randomInt(FRACTION_STEPS) / FRACTION_STEPS,
  nonce: () => randomBytes(NONCE_BYTES).toString('base64url'),
  uuid: () => randomUUID(),
};
