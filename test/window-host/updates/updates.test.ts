import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { writeFeed } from '../../../scripts/package/write-feed.ts';
import { keepUpdated, type UpdatePort } from '../../../src/main/window-host/updates/keep-updated.ts';
import { isSignedOffer } from '../../../src/main/window-host/updates/offer.ts';
import { readUpdateSource } from '../../../src/main/window-host/updates/update-source.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const PUBLIC = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const PRIVATE = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mail-agent-updates-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('The feed that is published', () => {
  const Feed = z.looseObject({ files: z.array(z.looseObject({ url: z.string() })) });
  function feed(): z.infer<typeof Feed> {
    writeFileSync(path.join(folder, 'mail-agent-1.2.3-linux-x86_64.AppImage'), 'program');
    writeFileSync(path.join(folder, 'mail-agent-1.2.3-linux-amd64.deb'), 'package');
    const written = writeFeed(folder, '1.2.3', PRIVATE);
    expect(written.map((file) => path.basename(file))).toEqual(['latest-linux.yml']);
    return Feed.parse(JSON.parse(readFileSync(path.join(folder, 'latest-linux.yml'), 'utf8')));
  }

  it('offers what can update itself, signed', () => {
    const offer = feed();

    expect(offer.files.map(({ url }) => url)).toEqual(['mail-agent-1.2.3-linux-x86_64.AppImage']);
    expect(isSignedOffer(offer, PUBLIC)).toBe(true);
  });

  it.each([
    ['another version', (offer: object) => ({ ...offer, version: '9.9.9' })],
    [
      'another digest',
      (offer: { files: object[] }) => ({ ...offer, files: [{ ...offer.files[0], sha512: 'A'.repeat(88) }] }),
    ],
    [
      'another file',
      (offer: { files: object[] }) => ({ ...offer, files: [{ ...offer.files[0], url: 'other.AppImage' }] }),
    ],
    ['files that are not signed', (offer: object) => ({ ...offer, packages: { x64: { path: 'other' } } })],
    ['no signature', (offer: object) => ({ ...offer, signature: '' })],
    ['no files', (offer: object) => ({ ...offer, files: [] })],
  ])('is refused with %s', (_what, change) => {
    expect(isSignedOffer(change(feed()), PUBLIC)).toBe(false);
  });

  it('is refused when somebody else signed it', () => {
    const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString();
    expect(isSignedOffer(feed(), other)).toBe(false);
    expect(isSignedOffer(feed(), 'no key')).toBe(false);
  });
});

describe('Where newer versions come from', () => {
  const read = (text: string, key: string | null = PUBLIC) => {
    writeFileSync(path.join(folder, 'update.json'), text);
    if (key !== null) writeFileSync(path.join(folder, 'update-key.pem'), key);
    return readUpdateSource([folder], path.join(folder, 'update-key.pem'));
  };

  it('is what the file says, with times nobody has to name', () => {
    expect(read('{"url":"https://updates.example.com/agent"}')).toEqual({
      url: 'https://updates.example.com/agent',
      firstLookSeconds: 120,
      everyHours: 6,
      publicKey: PUBLIC,
    });
  });

  it.each([
    '{"url":null}',
    '{"url":"http://updates.example.com/"}',
    '{"url":"ftp://updates.example.com/"}',
    '{"address":"https://updates.example.com/"}',
    'https://updates.example.com/',
  ])('is nowhere with %s', (text) => {
    expect(read(text)).toBeNull();
  });

  it('is nowhere without a key to check them with', () => {
    expect(read('{"url":"https://updates.example.com/agent"}', null)).toBeNull();
  });

  it('is nowhere without a file', () => {
    expect(readUpdateSource([folder], path.join(folder, 'update-key.pem'))).toBeNull();
  });
});

describe('Keeping up to date', () => {
  type Answer = Awaited<ReturnType<UpdatePort['fetchNewer']>>;
  const FIRST_MS = 120_000;
  const EVERY_MS = 3_600_000;

  /** Runs until it installs or its answers are used up; `busyUntilMs` of virtual time somebody is busy. */
  async function run(answers: readonly Answer[], busyUntilMs: number) {
    let nowMs = 0;
    const lookedAtMs: number[] = [];
    let installedAtMs: number | null = null;
    const over = new AbortController();
    const left = [...answers];
    const events: string[] = [];
    const note = (event: string) => {
      events.push(event);
    };
    await keepUpdated({
      port: {
        async fetchNewer() {
          lookedAtMs.push(nowMs);
          const answer = left.shift();
          if (left.length === 0 && (answer === undefined || !answer.ok || answer.value === null)) over.abort();
          return answer ?? { ok: true, value: null };
        },
      },
      clock: {
        async sleep(ms) {
          nowMs += ms;
        },
      },
      log: { info: note, warn: note, error: note },
      firstLookMs: FIRST_MS,
      everyMs: EVERY_MS,
      isQuiet: () => nowMs >= busyUntilMs,
      install: () => {
        installedAtMs = nowMs;
      },
      signal: over.signal,
    });
    return { lookedAtMs, installedAtMs, events };
  }
  const newer: Answer = { ok: true, value: '9.9.9' };
  const none: Answer = { ok: true, value: null };

  it('looks first after a while, then from time to time, and installs nothing where there is nothing', async () => {
    const { lookedAtMs, installedAtMs } = await run([none, none], 0);
    expect(lookedAtMs).toEqual([FIRST_MS, FIRST_MS + EVERY_MS]);
    expect(installedAtMs).toBeNull();
  });

  it('goes on after a feed that is away, unsigned or damaged', async () => {
    const failures = (['unreachable', 'unsigned', 'damaged'] as const).map((error): Answer => ({ ok: false, error }));
    const { installedAtMs, events } = await run([...failures, newer], 0);
    expect(events).toEqual([...failures.map(() => 'update.not-taken'), 'update.ready', 'update.installing']);
    expect(installedAtMs).toBe(FIRST_MS + 3 * EVERY_MS);
  });

  it('waits with a version it has until nobody is disturbed', async () => {
    const { installedAtMs } = await run([newer], 600_000);
    expect(installedAtMs).toBe(600_000);
  });

  it('looks again for an even newer one where that takes long', async () => {
    const { lookedAtMs, installedAtMs } = await run([newer, newer], FIRST_MS + 1.5 * EVERY_MS);
    expect(lookedAtMs.length).toBe(2);
    expect(installedAtMs).toBe(FIRST_MS + 1.5 * EVERY_MS);
  });
});
