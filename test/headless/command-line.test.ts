import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LEDGER_FILE } from '../../src/main/adapters/sqlite/files.ts';
import { EXIT } from '../../src/main/headless/exit-codes.ts';
import { opened } from '../adapters/sqlite/ledger-folder.ts';
import { samplePayload, startTestCloud, type TestCloud } from '../support/cloud.ts';
import { freePorts } from '../support/free-ports.ts';
import { drop, ScriptedSmtp, say, silence } from '../support/scripted-smtp.ts';
import { DataFolder, lastObject } from './command-line.ts';

const PASSWORD = 'correct-horse-battery';
const FAST = JSON.stringify({ gapMinMs: 0, gapMaxMs: 0, perMinute: null, perHour: null, perDay: null });

let folder: DataFolder;
beforeEach(async () => {
  folder = await DataFolder.make();
});
afterEach(() => folder.remove());

describe('a command that is not right', () => {
  it.each<[string, readonly string[], RegExp]>([
    ['an unknown command', ['dance'], /unknown command 'dance'/],
    ['an unknown option', ['run', '--fast'], /unknown option '--fast'/],
    ['a language that there is not', ['--lang', 'fr', 'status'], /fr.*en, zh-CN/],
    ['a bad outcome', ['resolve', '1', 'perhaps'], /perhaps.*sent or not-sent/],
    ['a bad number of minutes', ['pause', '--minutes', '-5'], /-5.*1 to 525600/],
    ['a setting that there is not', ['set', 'colour', '1'], /"colour".*Allowed: pace/],
    ['a setting that is no JSON', ['set', 'pace', '{oops'], /pace.*not JSON/],
    ['a setting out of range', ['set', 'pace', '{"perHour":0}'], /pace\.perHour: 0 .*>=1/],
    ['a setting against another', ['set', 'pace', '{"gapMinMs":9,"gapMaxMs":1}'], /gapMaxMs: 1 .*gapMinMs/],
    ['a cloud without TLS', ['pair', 'http://cloud.example', 'ABCD-1234'], /http:\/\/cloud\.example.*https/],
    ['a pairing code of another form', ['pair', 'https://cloud.example', 'abc'], /ABCD-1234/],
    ['a question without a terminal', ['account'], /no terminal/],
  ])('names %s and what is allowed, and stores nothing', async (_, args, says) => {
    const { code, out, err } = await folder.run(args);

    expect({ code, out }).toEqual({ code: EXIT.usage, out: '' });
    expect(err).toMatch(says);
  });

  it.each<['--port' | '--security' | '--address', string]>([
    ['--port', 'x'],
    ['--security', 'none'],
    ['--address', 'a@b@c'],
  ])('names the option account %s %s', async (option, value) => {
    const named = {
      '--port': 'account.smtp.port',
      '--security': 'account.smtp.security',
      '--address': 'account.address',
    };
    const usual = { '--address': 'a@example.com', '--host': 'mail.example.com', '--port': '465', '--security': 'tls' };
    const args = Object.entries({ ...usual, [option]: value }).flat();

    const { code, err } = await folder.run(['account', '--password-stdin', ...args], PASSWORD);

    expect(code).toBe(EXIT.usage);
    expect(err).toContain(named[option]);
    expect(err).not.toContain(PASSWORD);
  });
});

describe('a computer without a network', () => {
  it('is told so, instead of that nobody knows the mail server', async () => {
    const [port] = await freePorts(1);
    await folder.run(['set', 'proxy', '{"kind":"none"}']);
    const args = ['account', '--address', 'wang@nobody.test', '--dns-server', `127.0.0.1:${port}`, '--password-stdin'];

    const { code, err } = await folder.run(args, PASSWORD);

    expect(code).toBe(EXIT.account);
    expect(err).toContain('This computer has no network just now');
    expect(err).not.toContain('Nobody knows');
  });
});

describe('a data folder without an agent', () => {
  it('says what set-up is missing', async () => {
    const status = await folder.run(['status']);
    const run = await folder.run(['run']);

    expect(status).toMatchObject({ code: EXIT.notSetUp, out: '' });
    expect(run).toMatchObject({ code: EXIT.notSetUp, out: '' });
    expect(run.err).toContain('pair URL CODE');
  });

  it('is paused and resumed for the next start', async () => {
    const paused = await folder.run(['pause', '--minutes', '30']);
    const during = await folder.run(['status']);
    await folder.run(['resume']);
    const after = await folder.run(['status']);

    expect(lastObject(paused.out)).toMatchObject({ paused: true, untilMs: expect.any(Number) });
    expect(lastObject(during.out)).toMatchObject({ running: false, state: 'paused', holds: [{ kind: 'user' }] });
    expect(lastObject(after.out)).toMatchObject({ state: 'idle', holds: [] });
  });

  it('says in status why it waits, since when and what ends it, and tries again when told to', async () => {
    const hold = {
      kind: 'account',
      sinceMs: Date.now(),
      untilMs: null,
      text: 'The login was refused.',
      repeat: 1,
    } as const;
    const { ledger } = opened(folder.data);
    ledger.commit([{ kind: 'hold-set', hold }]);
    ledger.close();

    const waiting = await folder.said(['status']);
    const tried = await folder.run(['try-now']);
    const after = await folder.run(['status']);

    expect(waiting).toMatch(/- The login was refused\.\n {2}Since .+ · ends when the mail account is put right/);
    expect(lastObject(tried.out)).toEqual({ tried: true });
    expect(lastObject(after.out)).toMatchObject({ state: 'idle', holds: [] });
  });

  it('knows no mail to resolve', async () => {
    expect(await folder.run(['resolve', '7', 'sent'])).toMatchObject({ code: EXIT.noSuchMail, out: '' });
  });

  it('refuses a ledger that cannot be read, and leaves it as it is', async () => {
    await mkdir(path.join(folder.data, LEDGER_FILE), { recursive: true });

    expect(await folder.run(['run'])).toMatchObject({ code: EXIT.ledger, out: '' });
    expect(await readdir(folder.data)).toContain(LEDGER_FILE);
  });
});

describe('the agent in a terminal', () => {
  let cloud: TestCloud;
  let smtp: ScriptedSmtp;
  let userId: string;

  beforeAll(async () => {
    cloud = await startTestCloud();
  });
  afterAll(() => cloud.close());
  beforeEach(async () => {
    smtp = await ScriptedSmtp.start();
    userId = (await cloud.operator.must('createUser', { request: { name: '王芳' } })).id;
  });
  afterEach(() => smtp.close());

  const accountArgs = () => [
    'account',
    ...['--address', 'wang@example.com', '--host', '127.0.0.1', '--port', `${smtp.port}`],
    ...['--security', 'none', '--password-stdin'],
  ];

  async function setUp(): Promise<void> {
    const { pairing_code } = await cloud.operator.must('createPairingCode', { params: { id: userId } });
    for (const [args, input] of [
      [['pair', cloud.url, pairing_code], ''],
      [accountArgs(), `${PASSWORD}\n`],
      [['set', 'pace', FAST], ''],
    ] as const) {
      const done = await folder.run(args, input);
      expect(`${args[0]} ${done.code} ${done.err}`).toContain(`${args[0]} 0 `);
    }
  }

  const mailStatus = async (id: string) => {
    const [row] = await cloud.sql(
      'SELECT status, uncertain_since IS NOT NULL AS uncertain FROM recipients WHERE id = $1',
      [id],
    );
    return row;
  };

  it('pairs, checks the login, sends, and says what is pending when it ends', async () => {
    await setUp();
    const ids = await cloud.queueMails(userId, [1, 2, 3].map(samplePayload));
    const run = folder.start(['run']);
    await run.until(async () => (await mailStatus(ids[2] ?? ''))?.['status'] === 'sent');

    run.signal('SIGINT');
    const { code, out } = await run.finished;

    expect(code).toBe(EXIT.done);
    expect(lastObject(out)).toEqual({ ended: true, waiting: 0, untold: 0, uncertain: 0 });
    expect(smtp.messages.map(({ recipients }) => recipients)).toEqual(
      [1, 2, 3].map((number) => [`RCPT TO:<customer${number}@example.net>`]),
    );
  });

  it('answers status, pause and resume from another terminal', async () => {
    await setUp();
    const run = folder.start(['run']);
    await run.until(async () => lastObject((await folder.run(['status'])).out)['synced'] === true);

    await folder.run(['pause']);
    const [id = ''] = await cloud.queueMails(userId, [samplePayload(1)]);
    const paused = lastObject((await folder.run(['status'])).out);
    const before = smtp.messages.length;
    await folder.run(['resume']);
    await run.until(async () => (await mailStatus(id))?.['status'] === 'sent');

    expect(paused).toMatchObject({
      running: true,
      account: 'wang@example.com',
      state: 'paused',
      holds: [{ kind: 'user' }],
    });
    expect(before).toBe(0);
  });

  it('lets a person resolve an uncertain mail while it runs', async () => {
    await setUp();
    smtp.script = { endOfData: drop };
    const [id = ''] = await cloud.queueMails(userId, [samplePayload(1)]);
    const run = folder.start(['run']);
    await run.until(async () => (await mailStatus(id))?.['uncertain'] === true);

    const status = lastObject((await folder.run(['status'])).out);
    const unknown = await folder.run(['resolve', '999999', 'sent']);
    const resolved = await folder.run(['resolve', id, 'sent']);
    const again = await folder.run(['resolve', id, 'sent']);
    await run.until(async () => (await mailStatus(id))?.['status'] === 'sent');

    expect(status).toMatchObject({ state: 'needs-you', uncertainMails: [id] });
    expect(unknown.code).toBe(EXIT.noSuchMail);
    expect(lastObject(resolved.out)).toEqual({ resolved: id, as: 'sent' });
    expect(again.code).toBe(EXIT.noSuchMail);
  });

  it('lets a person resolve an uncertain mail while it does not run, and tells the cloud at the next start', async () => {
    await setUp();
    smtp.script = { endOfData: drop };
    const [id = ''] = await cloud.queueMails(userId, [samplePayload(1)]);
    const first = folder.start(['run']);
    await first.until(async () => (await mailStatus(id))?.['uncertain'] === true);
    first.signal('SIGTERM');
    await first.finished;

    const resolved = await folder.run(['resolve', id, 'not-sent']);
    const run = folder.start(['run']);
    await run.until(async () => (await mailStatus(id))?.['status'] === 'send_failed');

    expect(resolved.code).toBe(EXIT.done);
  });

  it('finishes the mail under way on Ctrl-C, and ends at once on the second', async () => {
    await setUp();
    smtp.script = { data: silence };
    const [id = ''] = await cloud.queueMails(userId, [samplePayload(1)]);
    const run = folder.start(['run']);
    await run.until(() => smtp.recipients.length > 0);

    run.signal('SIGINT');
    await run.until(() => run.err.includes('Finishing the mail under way'));
    run.signal('SIGINT');
    const { code, out } = await run.finished;

    expect(code).toBe(EXIT.abandoned);
    expect(lastObject(out)).toMatchObject({ ended: true, waiting: 1, uncertain: 0 });
    expect((await mailStatus(id))?.['status']).toBe('sending');
    expect(smtp.messages).toEqual([]);
  });

  it('lets a second agent not start on the same data folder', async () => {
    await setUp();
    const run = folder.start(['run']);
    await run.until(async () => lastObject((await folder.run(['status'])).out)['running'] === true);

    expect(await folder.run(['run'])).toMatchObject({ code: EXIT.inUse, out: '' });
    expect(await folder.run(['set', 'pace', FAST])).toMatchObject({ code: EXIT.inUse });
  });

  it('stores no account whose login the server refuses', async () => {
    smtp.script = { auth: say('535 5.7.8 wrong password') };

    const { code, err } = await folder.run(accountArgs(), PASSWORD);
    const status = lastObject((await folder.run(['status'])).out);

    expect(code).toBe(EXIT.account);
    expect(err).toContain('535 wrong password');
    expect(err).not.toContain(PASSWORD);
    expect(status['account']).toBeNull();
  });

  it('says when the mail server cannot be reached', async () => {
    const args = accountArgs();
    await smtp.close();

    expect(await folder.run(args, PASSWORD)).toMatchObject({ code: EXIT.account, out: '' });
    smtp = await ScriptedSmtp.start();
  });

  it('says when the cloud refuses the code or is out of reach', async () => {
    const refused = await folder.run(['pair', cloud.url, 'AAAA-0000']);
    const gone = await folder.run(['pair', 'http://127.0.0.1:1', 'AAAA-0000']);

    expect(refused).toMatchObject({ code: EXIT.cloud, out: '' });
    expect(refused.err).toContain('pairing-code-invalid');
    expect(gone.code).toBe(EXIT.cloud);
  });

  it('takes no secret file that others may read', async () => {
    await setUp();
    await chmod(folder.secrets, 0o644);

    expect(await folder.run(accountArgs(), PASSWORD)).toMatchObject({ code: EXIT.secrets });
  });

  it('leaves no password, token or address where it does not belong, and every file to its owner alone', async () => {
    await setUp();
    const [id = ''] = await cloud.queueMails(userId, [samplePayload(1)]);
    const run = folder.start(['run']);
    await run.until(async () => (await mailStatus(id))?.['status'] === 'sent');
    run.signal('SIGINT');
    const { out, err } = await run.finished;
    const exported = path.join(folder.root, 'log.jsonl');
    const saved = await folder.run(['export-log', exported]);

    const secrets = JSON.parse(await readFile(folder.secrets, 'utf8')).secrets;
    const kept = [secrets['smtp-password'], secrets['agent-token']];
    expect(kept).toEqual([PASSWORD, expect.stringMatching(/.{32}/)]);
    expect(lastObject(saved.out)).toEqual({ saved: exported });
    const files = (await readdir(folder.data, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    expect(files.length).toBeGreaterThan(1);
    for (const text of [out, err, await readFile(exported, 'latin1')]) expectNone(text, [...kept, 'customer1@']);
    for (const { parentPath, name } of files) {
      const file = path.join(parentPath, name);
      expectNone(await readFile(file, 'latin1'), kept);
      expect(`${name} ${((await stat(file)).mode & 0o077).toString(8)}`).toBe(`${name} 0`);
    }
    expect((await stat(folder.secrets)).mode & 0o777).toBe(0o600);
    expect((await stat(folder.data)).mode & 0o077).toBe(0);
  });
});

function expectNone(text: string, secrets: readonly string[]): void {
  for (const secret of secrets) {
    expect(text.includes(secret)).toBe(false);
    expect(text.includes(Buffer.from(secret).toString('base64'))).toBe(false);
  }
}
