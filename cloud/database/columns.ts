import { z } from 'zod';

/** How the driver hands values over: `bigint` as decimal text, `timestamptz` as Date. */
export const BigintText = z.string().regex(/^\d+$/);
export const InstantText = z.date().transform((instant) => instant.toISOString());

/** For statements whose rows are not read. */
export const NoColumns = z.object({});

/**
 * A recipient's id as the `bigint` it is, or null for text that no row can have: a JSON client may name anything, and
 * the database must not be asked to read it as a number.
 */
export function rowId(id: string): string | null {
  return /^[1-9]\d{0,18}$/.test(id) && BigInt(id) <= 9_223_372_036_854_775_807n ? id : null;
}

/** Text that PostgreSQL can keep: it knows no NUL character and no half of a surrogate pair. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

/** JSON text for a `jsonb` value, every string in it storable. */
export function storableJson(value: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'string' ? storable(item) : item));
}
