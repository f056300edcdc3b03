import { parseArgs } from 'node:util';
import { z } from 'zod';
import { err, ok, type Result } from '../src/shared/result.ts';
import { isAllowedCloudUrl } from '../src/shared/settings.ts';
import { SignInIds } from '../src/shared/wire/messages.ts';

export const USAGE = `Usage: npm run cloud -- [option ...]      (each option may be given as environment variable instead)

  --port N              port to listen on, 0 lets the system choose     PORT, default 8787
  --host ADDRESS        address to listen on                            HOST, default 127.0.0.1
  --database-url URL    a PostgreSQL 14 or later                        DATABASE_URL, default: the embedded one
  --data DIR            folder of the embedded PostgreSQL               CLOUD_DATA, default .data/cloud
  --public-url URL      where agents reach this cloud, when it stands   PUBLIC_URL, default: the address it listens on
                        behind a proxy (https://mail.example.com)
  --client-address connection|proxy   who names a client's address      CLIENT_ADDRESS, default connection
  SIGN_IN               what Google and Microsoft call this program for your organisation, as JSON, told to agents
                        {"google":{"client_id":"...","client_secret":"..."},"microsoft":{"client_id":"..."}}
  OPERATOR_TOKEN        the operator's token, 32 characters or more; made once and kept in the data folder when not given
                        (only as environment variable: an option would be seen by everybody on this machine)
`;

const Config = z.strictObject({
  port: z.coerce.number('is not a port number (0 to 65535)').int().min(0).max(65_535).default(8787),
  host: z.string().min(1).default('127.0.0.1'),
  databaseUrl: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'does not begin with postgres://')
    .optional(),
  dataDir: z.string().min(1).default('.data/cloud'),
  publicUrl: z
    .string()
    .refine(isAllowedCloudUrl, 'must be https:// (http:// only to this machine), without a path')
    .transform((text) => new URL(text).origin)
    .optional(),
  clientAddress: z.enum(['connection', 'proxy']).default('connection'),
  signIn: z
    .string()
    .transform((text, context) => {
      const ids = readSignIn(text);
      if (ids === null) context.addIssue('is not JSON of the form shown');
      return ids ?? z.NEVER;
    })
    .optional(),
  operatorToken: z
    .string()
    .regex(/^[A-Za-z0-9._~+/=-]{32,256}$/, 'must be 32 to 256 letters, digits or . _ ~ + / = -')
    .optional(),
});
export type CloudConfig = z.infer<typeof Config>;

const SOURCES = {
  port: ['port', 'PORT'],
  host: ['host', 'HOST'],
  databaseUrl: ['database-url', 'DATABASE_URL'],
  dataDir: ['data', 'CLOUD_DATA'],
  publicUrl: ['public-url', 'PUBLIC_URL'],
  clientAddress: ['client-address', 'CLIENT_ADDRESS'],
  signIn: [null, 'SIGN_IN'],
  operatorToken: [null, 'OPERATOR_TOKEN'],
} as const satisfies Record<keyof CloudConfig, readonly [string | null, string]>;

/** An option wins over its environment variable. The error names the setting, its value unless secret, and what is allowed. */
export function readConfig(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Result<CloudConfig | 'help', string> {
  const options: Record<string, { type: 'string' }> = {};
  for (const [option] of Object.values(SOURCES)) if (option !== null) options[option] = { type: 'string' };
  let given: Readonly<Record<string, unknown>>;
  try {
    given = parseArgs({ args: [...args], options: { ...options, help: { type: 'boolean', short: 'h' } } }).values;
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
  if (given['help'] === true) return ok('help');
  const wanted = Object.entries(SOURCES).flatMap(([key, [option, variable]]) => {
    const value = (option === null ? undefined : given[option]) ?? (env[variable] || undefined);
    return value === undefined ? [] : [[key, value] as const];
  });
  const parsed = Config.safeParse(Object.fromEntries(wanted));
  return parsed.success ? ok(parsed.data) : err(describe(parsed.error, new Map(wanted)));
}

function describe(error: z.ZodError, given: ReadonlyMap<string, unknown>): string {
  return error.issues
    .map(({ path, message }) => {
      const key = String(path[0]);
      const [option, variable] = Object.entries(SOURCES).find(([name]) => name === key)?.[1] ?? [null, key];
      const name = option === null ? variable : `--${option} (${variable})`;
      return `${name}${isSecret(key) ? '' : ` "${String(given.get(key))}"`}: ${message}`;
    })
    .join('\n');
}

const SECRETS = ['operatorToken', 'databaseUrl', 'signIn'];
const isSecret = (key: string): boolean => SECRETS.includes(key);

function readSignIn(text: string): SignInIds | null {
  try {
    const parsed = SignInIds.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    // JSON.parse's only way to say that it is none.
    return null;
  }
}
