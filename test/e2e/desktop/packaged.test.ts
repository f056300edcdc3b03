import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { extractFile, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SHIPPED_FUSES } from '../../../scripts/package/fuses.ts';
import { signOffer } from '../../../src/main/window-host/updates/offer.ts';
import { samplePayload, startTestCloud, type TestCloud } from '../../support/cloud.ts';
import { DesktopApp } from '../../support/desktop-app.ts';
import { type DesktopSession, startDesktopSession } from '../../support/desktop-session.ts';
import { type PackagedApp, providePackage } from '../../support/packaged-app.ts';
import { ScriptedSmtp } from '../../support/scripted-smtp.ts';
import { TrayHost } from '../../support/tray-host.ts';
import { until } from '../agent-and-cloud/until.ts';
import { setUpByRequest } from './set-up-by-request.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

const keys = generateKeyPairSync('ed25519');

let packaged: PackagedApp;
let archive: string;

beforeAll(async () => {
  packaged = await providePackage(keys.publicKey.export({ type: 'spki', format: 'pem' }).toString());
  archive = path.join(packaged.shipped.folder, 'resources/app.asar');
});
afterAll(() => packaged?.remove());

const ADDONS = ['node_modules/better-sqlite3/', 'node_modules/keytar/'];
/** Everything the program may consist of. */
const WANTED = [
  /^package\.json$/,
  /^build\/app\/(main|keychain-process)\.js$/,
  /^build\/app\/preload\.cjs$/,
  /^build\/app\/licences\.json$/,
  /^build\/app\/update-key\.pem$/,
  /^build\/app\/assets\/[\w-]+\.js$/,
  // Only where the older runtime was packaged.
  /^build\/app\/(start\.mjs|newer-node\.cjs)$/,
  /^build\/renderer\/index\.html$/,
  /^build\/renderer\/assets\/[\w-]+\.(js|css|svg|png|woff2)$/,
  /^assets\/icon\.png$/,
  /^assets\/tray\/[a-z-]+-(light|dark)-24\.png$/,
  /^node_modules\/better-sqlite3\/package\.json$/,
  /^node_modules\/better-sqlite3\/lib\/(methods\/)?[a-z-]+\.js$/,
  /^node_modules\/better-sqlite3\/(prebuilds\/linux-(x64|arm64)|build\/Release\/better_sqlite3)\.node$/,
  /^node_modules\/keytar\/(package\.json|lib\/keytar\.js|prebuilds\/linux-(x64|arm64)\/keytar\.node)$/,
];

function filesInArchive(): string[] {
  const all = listPackage(archive, { isPack: false }).map((file) => file.replace(/^[/\\]/, ''));
  return all.filter((file) => !all.some((other) => other.startsWith(`${file}/`)));
}

/** Every source of which code is in the program beside its page, as the bundler's own maps of it say. */
async function bundledSources(): Promise<readonly string[]> {
  const folder = path.join(ROOT, 'build/app');
  const maps = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js.map'));
  const found = maps.map(async (name) => {
    const text = await readFile(path.join(folder, name), 'utf8');
    const { sources } = z.object({ sources: z.array(z.string()) }).parse(JSON.parse(text));
    return sources.map((source) => path.relative(ROOT, path.resolve(folder, path.dirname(name), source)));
  });
  return (await Promise.all(found)).flat();
}

describe('what is in the package', () => {
  it('is the built program, its pictures and two addons for this system, and nothing else', () => {
    const files = filesInArchive();

    expect(files.filter((file) => !WANTED.some((wanted) => wanted.test(file)))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['package.json', 'build/app/main.js', 'build/renderer/index.html']));
    expect(files.filter((file) => file.endsWith('.node')).length).toBe(2);
  });

  it('is all in one archive except the addons, and there is no other program to load', async () => {
    const resources = path.dirname(archive);
    expect((await readdir(resources)).sort()).toEqual(['app.asar', 'app.asar.unpacked']);
    const unpacked = await readdir(`${archive}.unpacked`, { recursive: true, withFileTypes: true });
    const files = unpacked.filter((entry) => entry.isFile());
    expect(files.map(({ name }) => path.extname(name))).toEqual(['.node', '.node']);
  });

  it('has no code of the cloud, the tests or the terminal', async () => {
    const sources = await bundledSources();

    expect(sources).toContain('src/main/shell/main.ts');
    // What stands in for a library's index is made for the app.
    expect(sources.filter((file) => /^(cloud|test|scripts(?!\/bundle))\//.test(file))).toEqual([]);
    expect(sources.filter((file) => /node_modules\/(fastify|pg|vitest|commander)\//.test(file))).toEqual([]);
  });

  it('has every fuse as it ships', async () => {
    const wire = await getCurrentFuseWire(packaged.shipped.executable);

    for (const [fuse, wanted] of Object.entries(SHIPPED_FUSES)) {
      const found = wire[Number(fuse) as FuseV1Options];
      // The older runtime does not know the newest.
      if (found === undefined && Number(fuse) === FuseV1Options.WasmTrapHandlers) continue;
      expect([FuseV1Options[Number(fuse)], found]).toEqual([
        FuseV1Options[Number(fuse)],
        wanted ? FuseState.ENABLE : FuseState.DISABLE,
      ]);
    }
  });
});

describe('the list of what is inside', () => {
  const Bill = z.object({
    components: z.array(z.object({ name: z.string(), version: z.string(), purl: z.string() })),
  });
  const Licences = z.array(z.object({ name: z.string(), version: z.string(), text: z.string().min(100) }));

  it('is valid CycloneDX', async () => {
    const text = await readFile(packaged.billOfMaterials, 'utf8');

    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
  });

  it('names every package whose code the bundler left in, every addon and the runtime, each with its licence', async () => {
    const { components } = Bill.parse(JSON.parse(await readFile(packaged.billOfMaterials, 'utf8')));
    const licences = Licences.parse(JSON.parse(extractFile(archive, 'build/app/licences.json').toString()));
    const inside = new Set(
      (await bundledSources()).flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []),
    );

    expect(inside.size).toBeGreaterThan(5);
    const addons = ADDONS.map((place) => extractFile(archive, `${place}package.json`).toString());
    const wanted = [...inside, ...addons.map((text) => z.object({ name: z.string() }).parse(JSON.parse(text)).name)];
    const named = components.map(({ name }) => name);
    for (const name of [...wanted, 'preact']) {
      expect(named).toContain(name);
      expect(licences.map((one) => one.name)).toContain(name);
    }
    expect(named).toEqual(expect.arrayContaining(['electron', 'chromium', 'node', 'sqlite']));
  });
});

describe('the packaged app', () => {
  let cloud: TestCloud;
  let session: DesktopSession;
  let smtp: ScriptedSmtp;
  let tray: TrayHost;
  let app: DesktopApp | null = null;
  let shipped: ChildProcess | null = null;
  let userId: string;

  beforeAll(async () => {
    [cloud, session, smtp] = await Promise.all([startTestCloud(), startDesktopSession(), ScriptedSmtp.start()]);
    tray = await TrayHost.start(session.busAddress);
  });
  afterAll(async () => {
    await app?.kill();
    shipped?.kill('SIGKILL');
    tray?.close();
    await smtp?.close();
    await cloud?.close();
    await session?.close();
  });

  const isSent = async (id: string) =>
    (await cloud.operator.must('getRecipient', { params: { id } })).status === 'sent';

  it('starts, is set up, sends, shows the licences it is made of, and quits', async () => {
    app = await DesktopApp.launch(packaged.driven, session);
    userId = await setUpByRequest(app, cloud, smtp.port);

    const [id = ''] = await cloud.queueMails(userId, [samplePayload(1)]);

    await until(() => isSent(id));
    expect(await app.electron.evaluate(({ app: electron }) => electron.isPackaged)).toBe(true);
    expect((await app.request('licences', null)).map(({ name }) => name)).toContain('undici');
    await app.quit();
  });

  it('goes on as it ships, without a window and deaf to a debugger, and quits from the tray', async () => {
    const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const words = [...root, '--hidden', '--inspect=127.0.0.1:0'];
    shipped = spawn(packaged.shipped.executable, words, { env: session.env, stdio: ['ignore', 'ignore', 'pipe'] });
    const gone = once(shipped, 'exit');
    let said = '';
    shipped.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });

    const [id = ''] = await cloud.queueMails(userId, [samplePayload(2)]);

    await until(() => isSent(id));
    expect(smtp.messages.map(({ accepted }) => accepted)).toEqual([true, true]);
    expect(said).not.toContain('Debugger listening');
    await until(async () => (await tray.labels()).includes('Quit'));
    await tray.click('Quit');
    expect(await gone).toEqual([0, null]);
    expect(existsSync(path.join(session.home, '.config/autostart/mail-agent.desktop'))).toBe(true);
  });

  it('takes only a newer version that is signed and whole, installs it with nothing under way, and starts it', async () => {
    const image = path.join(session.home, 'Agent.AppImage');
    const marker = path.join(session.home, 'started');
    await writeFile(image, 'the old one');
    const program = Buffer.from(`#!/bin/sh\nprintf %s "$APPIMAGE_SILENT_INSTALL" > ${marker}\n`);
    const offer = (version: string, bytes: Buffer, signature?: string) => {
      const sha512 = createHash('sha512').update(bytes).digest('base64');
      const signed = { version, files: [{ url: 'Agent.AppImage', sha512, size: program.length }] };
      return { ...signed, signature: signature ?? signOffer(signed, keys.privateKey) };
    };
    // Each is looked at once; the last is the first that may be taken.
    const offers = [
      offer('0.0.1', program),
      offer('0.1.0', program),
      offer('9.9.9', program, 'bm9ib2R5'),
      offer('9.9.9', Buffer.from('something else')),
      offer('9.9.9', program),
    ];
    const seen: string[] = [];
    const feed = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://feed');
      seen.push(pathname);
      if (pathname === '/latest-linux.yml')
        response.end(JSON.stringify(offers.length > 1 ? offers.shift() : offers[0]));
      else response.end(program);
    });
    await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve));
    const { port } = feed.address() as AddressInfo;
    const dataFolder = path.join(session.home, '.local/share/mail-agent');
    const source = { url: `http://127.0.0.1:${port}/`, firstLookSeconds: 0, everyHours: 0.0005 };
    await writeFile(path.join(dataFolder, 'update.json'), JSON.stringify(source));
    const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const env = { ...session.env, APPIMAGE: image };
    shipped = spawn(packaged.shipped.executable, [...root, '--hidden'], { env, stdio: 'ignore' });
    const gone = once(shipped, 'exit');

    await until(() => existsSync(marker));

    feed.close();
    expect(await gone).toEqual([0, null]);
    expect(await readFile(marker, 'utf8')).toBe('true');
    expect(await readFile(image)).toEqual(program);
    // Fetched for the damaged one and for the good one, and for none of the others.
    expect(seen.filter((pathname) => pathname === '/Agent.AppImage').length).toBe(2);
    const log = await readFile(path.join(dataFolder, 'log/agent.1.log'), 'utf8');
    const told = [...log.matchAll(/"event":"update\.([a-z-]+)"/g)].map(([, event]) => event);
    expect(told).toEqual(['not-taken', 'not-taken', 'ready', 'installing']);
    expect(log.match(/"why":"(unsigned|damaged)"/g)).toEqual(['"why":"unsigned"', '"why":"damaged"']);
  });
});
