import { z } from 'zod';
import { CloudStatus, OUTCOMES } from '../../shared/wire/messages.ts';

/** The few facts that a person is shown of a report's JSON text; an older or foreign text shows as unknown. */

const Told = z.object({ outcome: z.enum(OUTCOMES) });
const Noted = z.object({ evidence: z.object({ note: z.string() }) });
const Stored = z.object({ status: CloudStatus });

export const outcomeTold = (body: string): (typeof OUTCOMES)[number] | null => read(Told, body)?.outcome ?? null;
export const evidenceNote = (body: string): string | null => read(Noted, body)?.evidence.note ?? null;
export const statusStored = (stored: string | null): CloudStatus | null =>
  stored === null ? null : (read(Stored, stored)?.status ?? null);

function read<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
