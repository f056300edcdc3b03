import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpAttachments } from '../../../src/main/adapters/message/attachments.ts';
import { isInside } from '../../../src/main/adapters/message/inside-networks.ts';
import { fetchBytes, inFolder } from '../../support/compose.ts';

const NEVER = new AbortController().signal;
const CONTENT = Buffer.from('the price list, byte for byte \0\r\n\xff', 'latin1');

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function source(cloudOrigin: string | null, more: Partial<Parameters<typeof createHttpAttachments>[0]> = {}) {
  const attachments = createHttpAttachments({ cloudOrigin: () => cloudOrigin, ...more });
  closers.push(() => attachments.close());
  return attachments;
}

const declared = (url: string, content = CONTENT) => ({
  name: '报价单.pdf',
  type: 'application/pdf',
  size: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
  url,
});

const temporary = { ok: false, error: { kind: 'temporary', failure: { stage: 'prepare', class: 'connection' } } };
const permanent = { ok: false, error: { kind: 'permanent', failure: { stage: 'prepare', class: 'payload' } } };
const messageOf = (result: Awaited<ReturnType<typeof fetchBytes>>): string =>
  result.ok ? '' : result.error.failure.message;

describe('fetching from the paired cloud', () => {
  it('gives the exact bytes and sends neither token nor name of the program', async () => {
    const seen: string[] = [];
    const origin = await serve((request, response) => {
      seen.push(...Object.keys(request.headers));
      response.end(CONTENT);
    });

    const result = await fetchBytes(source(origin), declared(`${origin}/a`), NEVER);

    expect(result).toEqual({ ok: true, value: CONTENT });
    expect(seen.sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host']);
  });

  it('gives an empty file', async () => {
    const origin = await serve((_, response) => response.end());

    const result = await fetchBytes(source(origin), declared(`${origin}/a`, Buffer.alloc(0)), NEVER);

    expect(result).toEqual({ ok: true, value: Buffer.alloc(0) });
  });

  it('names both digests where the content was changed', async () => {
    const other = Buffer.from(CONTENT.map((byte) => byte ^ 1));
    const origin = await serve((_, response) => response.end(other));

    const result = await fetchBytes(source(origin), declared(`${origin}/a`), NEVER);

    expect(result).toMatchObject(permanent);
    expect(messageOf(result)).toContain(declared('https://x').sha256);
    expect(messageOf(result)).toContain(createHash('sha256').update(other).digest('hex'));
  });

  it('refuses a file that is shorter than declared', async () => {
    const origin = await serve((_, response) => response.end(CONTENT.subarray(1)));

    const result = await fetchBytes(source(origin), declared(`${origin}/a`), NEVER);

    expect(result).toMatchObject(permanent);
    expect(messageOf(result)).toContain(`has ${CONTENT.length - 1} bytes instead of the declared ${CONTENT.length}`);
  });

  it('stops reading an endless file at the declared size', async () => {
    let written = 0;
    const origin = await serve((_, response) => {
      const more = (): void => {
        while (!response.destroyed) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536))) break;
        }
      };
      response.on('drain', more);
      more();
    });

    const result = await fetchBytes(source(origin), declared(`${origin}/a`), NEVER);

    expect(result).toMatchObject(permanent);
    expect(messageOf(result)).toContain(`larger than the declared ${CONTENT.length} bytes`);
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it.each([404, 410])('gives up a file that is gone with %d', async (status) => {
    const origin = await serve((_, response) => response.writeHead(status).end('gone'));

    expect(await fetchBytes(source(origin), declared(`${origin}/a`), NEVER)).toMatchObject(permanent);
  });

  it.each([204, 206, 304, 401, 403, 429, 500, 503])('tries again later after %d', async (status) => {
    const origin = await serve((_, response) => response.writeHead(status).end());

    expect(await fetchBytes(source(origin), declared(`${origin}/a`), NEVER)).toMatchObject(temporary);
  });

  it('tries again later where the connection breaks in the middle', async () => {
    const origin = await serve((_, response) => {
      response.writeHead(200, { 'content-length': CONTENT.length });
      response.write(CONTENT.subarray(0, 5), () => response.destroy());
    });

    expect(await fetchBytes(source(origin), declared(`${origin}/a`), NEVER)).toMatchObject(temporary);
  });

  it('tries again later where nobody listens', async () => {
    const origin = await serve(() => undefined);
    await closers.pop()?.();

    expect(await fetchBytes(source(origin), declared(`${origin}/a`), NEVER)).toMatchObject(temporary);
  });

  it('tries again later where an encoding is used that was not asked for', async () => {
    const origin = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000))),
    );

    const result = await fetchBytes(source(origin), declared(`${origin}/a`), NEVER);

    expect(result).toMatchObject(temporary);
    expect(messageOf(result)).toContain('gzip');
  });

  it('waits for a silent server only so long, before and within the file', async () => {
    const mute = await serve(() => undefined);
    const halting = await serve((_, response) => void response.write('t'));

    const before = await fetchBytes(source(mute, { idleMs: 100 }), declared(`${mute}/a`), NEVER);
    const within = await fetchBytes(source(halting, { idleMs: 100 }), declared(`${halting}/a`), NEVER);

    expect([before, within]).toMatchObject([temporary, temporary]);
    expect([messageOf(before), messageOf(within)].every((text) => text.includes('fell silent'))).toBe(true);
  });

  it('lets no dripping server go on for ever', async () => {
    const origin = await serve((_, response) => {
      const drip = setInterval(() => response.write('t'), 10);
      response.on('close', () => clearInterval(drip));
    });
    const large = declared(`${origin}/a`, Buffer.alloc(1_000_000));

    const result = await fetchBytes(source(origin, { deadlineMs: 200 }), large, NEVER);

    expect(result).toMatchObject(temporary);
    expect(messageOf(result)).toContain('not complete after 0.2 s');
  });

  it('keeps the file for this user alone', async () => {
    const origin = await serve((_, response) => response.end(CONTENT));

    const mode = await inFolder(async (folder) => {
      const file = path.join(folder, 'file');
      await source(origin).fetch(declared(`${origin}/a`), file, NEVER);
      return (await stat(file)).mode & 0o777;
    });

    expect(mode).toBe(0o600);
  });

  it('tries again later where this computer cannot keep the file, and says that', async () => {
    const origin = await serve((_, response) => response.end(CONTENT));

    const result = await source(origin).fetch(declared(`${origin}/a`), '/no-such-folder/file', NEVER);

    expect(result).toMatchObject({ ok: false, error: { kind: 'temporary', failure: { class: 'local' } } });
    expect(result.ok ? '' : result.error.failure.message).toContain('this computer could not keep it');
  });

  it('stops when the mail is stopped', async () => {
    const stop = new AbortController();
    const origin = await serve(() => stop.abort());

    const result = await fetchBytes(source(origin), declared(`${origin}/a`), stop.signal);

    expect(result).toMatchObject({ ok: false, error: { kind: 'temporary', failure: { class: 'local' } } });
  });
});

describe('redirects', () => {
  it('are followed three times, not four', async () => {
    const origin = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end(CONTENT);
      else response.writeHead(302, { location: `/${left - 1}` }).end('moved');
    });

    const three = await fetchBytes(source(origin), declared(`${origin}/3`), NEVER);
    const four = await fetchBytes(source(origin), declared(`${origin}/4`), NEVER);

    expect(three).toEqual({ ok: true, value: CONTENT });
    expect(four).toMatchObject(permanent);
  });

  it('lead to no other host on this machine, and that host hears nothing', async () => {
    let heard = 0;
    const inner = await serve((_, response) => {
      heard += 1;
      response.end(CONTENT);
    });
    const targets = [`${inner}/x`, inner.replace('http:', 'https:'), 'https://localhost:1/', 'https://[::1]:1/'];
    const origin = await serve((request, response) =>
      response.writeHead(307, { location: targets[Number(request.url?.slice(1))] }).end(),
    );

    for (const index of targets.keys()) {
      expect(await fetchBytes(source(origin), declared(`${origin}/${index}`), NEVER)).toMatchObject(permanent);
    }
    expect(heard).toBe(0);
  });

  it.each(['file:///etc/hostname', 'ftp://example.com/a', 'data:text/plain,x', 'http://[', 'javascript:0'])(
    'to %s are refused',
    async (location) => {
      const origin = await serve((_, response) => response.writeHead(302, { location }).end());

      expect(await fetchBytes(source(origin), declared(`${origin}/a`), NEVER)).toMatchObject(permanent);
    },
  );
});

describe('hosts other than the cloud', () => {
  it('are asked over https only', async () => {
    const other = await serve((_, response) => response.end(CONTENT));

    const unpaired = await fetchBytes(source(null), declared(`${other}/a`), NEVER);
    const paired = await fetchBytes(source('http://127.0.0.1:1'), declared(`${other}/a`), NEVER);

    expect([unpaired, paired]).toMatchObject([permanent, permanent]);
    expect(messageOf(unpaired)).toContain('not https');
  });

  it.each([
    'https://127.0.0.1/a',
    'https://2130706433/a',
    'https://0x7f.1/a',
    'https://10.1.2.3/a',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/a',
    'https://[::ffff:192.168.1.1]/a',
    'https://[fd00::1]/a',
    'https://[fe80::1]/a',
    'https://[::7f00:1]/a',
    'https://[64:ff9b::a00:1]/a',
    'https://[2002:c0a8:101::1]/a',
    'https://192.0.0.1/a',
  ])('are refused at the inner address %s', async (url) => {
    const result = await fetchBytes(source(null), declared(url), NEVER);

    expect(result).toMatchObject(permanent);
    expect(messageOf(result)).toContain('on this machine or in its own network');
  });

  it('are refused where any address of their name is an inner one', async () => {
    const answer = (addresses: string[]): LookupFunction => {
      return (_, __, done) =>
        done(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        );
    };

    const inner = await fetchBytes(
      source(null, { lookup: answer(['10.0.0.7']) }),
      declared('https://files.example.com/a'),
      NEVER,
    );
    const mixed = await fetchBytes(
      source(null, { lookup: answer(['192.0.2.1', '127.0.0.1']) }),
      declared('https://files.example.com/a'),
      NEVER,
    );

    expect([inner, mixed]).toMatchObject([permanent, permanent]);
  });

  it('are tried again later where their name cannot be looked up', async () => {
    const failing: LookupFunction = (_, __, done) =>
      done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);

    const result = await fetchBytes(source(null, { lookup: failing }), declared('https://files.example.com/a'), NEVER);

    expect(result).toMatchObject(temporary);
    expect(messageOf(result)).toContain('ENOTFOUND');
  });

  it.each([
    '1.1.1.1',
    '192.0.2.1',
    '198.18.0.5',
    '172.32.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    '2002:808:808::1',
    '2001:db8::1',
  ])('may have the public address %s', (address) => {
    expect(isInside(address)).toBe(false);
  });
});
