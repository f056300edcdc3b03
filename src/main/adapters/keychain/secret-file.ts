import { z } from 'zod';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { SecretFailure, SecretName, Secrets } from '../../engine/ports.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';
import { notStored, whyUnfit } from './secret-value.ts';

const Content = z.strictObject({
  version: z.literal(1),
  secrets: z.partialRecord(
    z.enum(['agent-token', 'smtp-password', 'mail-sign-in', 'proxy-password']),
    z.string().min(1),
  ),
});
type Content = z.infer<typeof Content>;
const EMPTY: Content = { version: 1, secrets: {} };

/**
 * Secrets as plain JSON in a file that its owner alone may read, for a machine without a keychain and only where a
 * person named the file. Whoever can read the disk, or a backup of it, can read them. One process may write at a time.
 */
export function createSecretFile(options: { readonly file: string }): Secrets {
  const { file } = options;
  let last: Promise<unknown> = Promise.resolve();

  const change = (edit: (secrets: Content['secrets']) => Content['secrets']): Promise<Result<void, SecretFailure>> => {
    const mine = last.then(async (): Promise<Result<void, SecretFailure>> => {
      const now = await read(file);
      if (!now.ok) return now;
      const text = JSON.stringify({ version: 1, secrets: edit(now.value.secrets) } satisfies Content, null, 2);
      const written = await writePrivateFile(file, `${text}\n`);
      return written.ok ? written : err({ kind: 'unavailable', text: written.error.text });
    });
    last = mine.catch(() => undefined);
    return mine;
  };

  return {
    async get(name: SecretName) {
      const content = await read(file);
      if (!content.ok) return content;
      const value = content.value.secrets[name];
      return value === undefined ? err(notStored(name)) : ok(value);
    },
    async set(name, value) {
      const unfit = whyUnfit(value);
      return unfit === null ? change((secrets) => ({ ...secrets, [name]: value })) : err(unfit);
    },
    delete: (name) => change(({ [name]: _gone, ...others }) => others),
  };
}

/** The file's content; an absent file is an empty one. */
async function read(file: string): Promise<Result<Content, SecretFailure>> {
  const text = await readPrivateFile(file);
  if (!text.ok) return text.error.kind === 'missing' ? ok(EMPTY) : err({ kind: 'unavailable', text: text.error.text });
  const damaged = err({ kind: 'unavailable', text: `${file} is not a secret file of this agent; remove it` } as const);
  try {
    const content = Content.safeParse(JSON.parse(text.value));
    return content.success ? ok(content.data) : damaged;
  } catch {
    return damaged;
  }
}
