import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { SecretName } from '../../engine/ports.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

/** Begins a keychain entry that is not the secret itself but the key of a sealed file. */
const MARK = 'mail-agent-sealed:1:';
const ENTRY = /^mail-agent-sealed:1:([0-9a-f]{16}):([A-Za-z0-9_-]{43})$/;
/** What every keychain takes. Windows: 2,560 bytes, or 1,280 UTF-16 units. */
const ENTRY_MAX_UNITS = 1_280;
const ENTRY_MAX_BYTES = 2_560;
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Whose secret it is. `account` is bound into the seal: a file put in another's place does not open. */
export type Place = { readonly folder: string; readonly name: SecretName; readonly account: string };

export const isSealedEntry = (entry: string): boolean => entry.startsWith(MARK);

/** True where the value does not fit into a keychain, or would be mistaken for a key there. */
export const needsSeal = (value: string): boolean =>
  value.length > ENTRY_MAX_UNITS || Buffer.byteLength(value) > ENTRY_MAX_BYTES || isSealedEntry(value);

/**
 * Writes the value, encrypted under a fresh key, to a fresh file and answers the keychain entry that opens it. Files of
 * earlier values stay until `removeSealed`: until the new entry is in the keychain, the old one still counts.
 */
export async function seal(place: Place, value: string): Promise<Result<string, string>> {
  const id = randomBytes(8).toString('hex');
  const key = randomBytes(KEY_BYTES);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(place.account));
  const body = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  try {
    await mkdir(place.folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    return err(cause instanceof Error ? cause.message : String(cause));
  }
  const text = Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
  const written = await writePrivateFile(fileOf(place, id), text);
  return written.ok ? ok(`${MARK}${id}:${key.toString('base64url')}`) : err(written.error.text);
}

/** The value behind a keychain entry, or why its file does not open. */
export async function unseal(place: Place, entry: string): Promise<Result<string, string>> {
  const [, id, key] = ENTRY.exec(entry) ?? [];
  if (id === undefined || key === undefined) return err('its keychain entry is damaged');
  const text = await readPrivateFile(fileOf(place, id));
  if (!text.ok) return err(text.error.text);
  const bytes = Buffer.from(text.value, 'base64');
  try {
    const decipher = createDecipheriv(CIPHER, Buffer.from(key, 'base64url'), bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(place.account));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return ok(
      Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8'),
    );
  } catch {
    return err(`${fileOf(place, id)} is damaged or belongs to another agent`);
  }
}

/** Removes the sealed files of this secret, except the one that `keptEntry` opens. */
export async function removeSealed(place: Place, keptEntry: string | null): Promise<void> {
  const kept = keptEntry === null ? undefined : ENTRY.exec(keptEntry)?.[1];
  const mine = new RegExp(`^${place.name}\\.([0-9a-f]{16})\\.sealed$`);
  try {
    for (const file of await readdir(place.folder)) {
      const id = mine.exec(file)?.[1];
      if (id !== undefined && id !== kept) await rm(path.join(place.folder, file), { force: true });
    }
  } catch {
    // A file that stays is unreadable without its key, which is gone; the next call removes it.
    return;
  }
}

const fileOf = (place: Place, id: string): string => path.join(place.folder, `${place.name}.${id}.sealed`);
