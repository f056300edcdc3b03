import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { simpleParser } from 'mailparser';
import { describe, expect } from 'vitest';
import { type AttachmentSource, createHttpAttachments } from '../../src/main/adapters/message/attachments.ts';
import { createComposer } from '../../src/main/adapters/message/compose.ts';
import { openScratchFolder, type ScratchFolder } from '../../src/main/adapters/message/scratch-folder.ts';
import { acceptMail } from '../../src/main/core/accept-mail.ts';
import { Payload } from '../../src/shared/wire/payload.ts';
import { payloadHash } from '../../src/shared/wire/payload-hash.ts';
import { fetchBytes, filesFrom, inFolder } from '../support/compose.ts';
import { composeMail } from './compose-mail.ts';
import { hostile } from './hostile-test.ts';

const NEVER = new AbortController().signal;
const MAIL = {
  from: { address: 'anna@example.com' },
  to: { address: 'bert@example.net' },
  subject: 'An offer',
  text: 'Hello',
};
const file = (over: Record<string, unknown> = {}) => ({
  name: 'offer.pdf',
  type: 'application/pdf',
  size: 1,
  sha256: 'a'.repeat(64),
  url: 'https://files.example/offer',
  ...over,
});
const isAccepted = (over: Record<string, unknown>): boolean => {
  const payload = { ...MAIL, attachments: [file(over)] };
  const head = { user_id: 'anna', payload, payload_hash: payloadHash(payload) };
  const context = {
    userId: 'anna',
    fromAddresses: ['anna@example.com'],
    cloudOrigin: 'https://c.example',
    language: 'en',
  } as const;
  return acceptMail(head, context).ok;
};

/** Serves `content` as this machine's own cloud would, for as long as `work` takes. */
async function serving<T>(content: Buffer, work: (origin: string) => Promise<T>): Promise<T> {
  const server = createServer((_request, response) => response.end(content));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  try {
    return await work(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

async function fetched(content: Buffer): Promise<string> {
  return serving(content, async (origin) => {
    const source = createHttpAttachments({ cloudOrigin: () => origin });
    const result = await fetchBytes(
      source,
      file({ size: content.length, sha256: sha256(content), url: `${origin}/a` }),
      NEVER,
    );
    await source.close();
    return result.ok ? 'taken' : `${result.error.kind}: ${result.error.failure.message}`;
  });
}

describe('attachments', () => {
  hostile('HI-053', () => {
    expect(isAccepted({})).toBe(true);
    for (const url of [
      'file:///etc/hostname',
      'ftp://files.example/a',
      'data:text/plain,x',
      'smb://files.example/a',
      '\\\\files.example\\share\\a',
      '//files.example/a',
      'javascript:alert(1)',
      'http://files.example/a',
      'https://user:word@files.example/a',
      'https:',
      '/etc/hostname',
      '',
    ]) {
      expect(isAccepted({ url }), url).toBe(false);
    }
  });

  hostile('HI-056', async () => {
    for (const name of [
      'offer.exe',
      'offer.pdf.exe',
      'OFFER.PDF.SCR',
      'offer.exe.',
      'offer.exe . ',
      'offer.ｅｘｅ',
      'offer\u202Efdp.exe',
      'offer.e\u200Bxe',
      'list.docm',
      'list.xlsm',
      'run.js',
      'run.lnk',
      'disk.iso',
    ]) {
      expect(isAccepted({ name }), name).toBe(false);
    }
    for (const name of ['offer.pdf', '报价单.xlsx', 'exe', 'offer.exe.pdf', 'photo.jpg', 'notes', 'a.docx']) {
      expect(isAccepted({ name }), name).toBe(true);
    }
    const program = Buffer.alloc(128);
    program.write('MZ');
    program.writeUInt32LE(0x40, 0x3c);
    program.write('PE', 0x40);
    expect(await fetched(program)).toContain('permanent: ');
    expect(await fetched(program)).toContain('it is a program, whatever its name says');
    expect(await fetched(Buffer.from('\x7fELF and so on'))).toContain('it is a program');
    expect(await fetched(Buffer.from('cafebabe00000034', 'hex'))).toContain('it is a program');
    expect(await fetched(Buffer.from('%PDF-1.7'))).toBe('taken');
    expect(await fetched(Buffer.from('MZ is how some letters begin. '.repeat(5)))).toBe('taken');
    expect(await fetched(Buffer.alloc(0))).toBe('taken');
  });

  hostile('HI-057', async () => {
    for (const name of ['', 'a\0b', 'a\r\nb', 'x'.repeat(300), '\ud800.pdf']) {
      expect(Payload.safeParse({ ...MAIL, attachments: [file({ name })] }).success, name.slice(0, 20)).toBe(false);
    }
    const shown: Record<string, string> = {
      '../../x.pdf': '__.._x.pdf',
      '..\\..\\x.pdf': '__.._x.pdf',
      '/etc/passwd': '_etc_passwd',
      CON: '_CON',
      'nul.pdf': '_nul.pdf',
      'contract.pdf': 'contract.pdf',
      '.htaccess': '_htaccess',
      'a\u202Efdp.doc': 'afdp.doc',
      '\u202E': 'attachment',
    };
    for (const [name, expected] of Object.entries(shown)) {
      const { bytes } = await composeMail({ ...MAIL, attachments: [file({ name })] });
      const [attachment] = (await simpleParser(bytes)).attachments;
      expect(attachment?.filename, JSON.stringify(name)).toBe(expected);
    }
  });

  hostile('HI-059', async () => {
    const payload = Payload.parse({ ...MAIL, attachments: [file()] });
    const mail = { id: '1', messageId: '<email-recipient-1.ab@example.com>', payload, dateMs: 0 };
    const later = { ok: false, error: { kind: 'temporary', failure: { stage: 'prepare', class: 'local' } } };
    const there = filesFrom(() => Buffer.from('x'));
    const vanishing: AttachmentSource = {
      async fetch(attachment, at, signal) {
        const fetched = await there.fetch(attachment, at, signal);
        await rm(path.dirname(at), { recursive: true });
        return fetched;
      },
    };
    await inFolder(async (folder) => {
      const place = path.join(folder, 'attachments');
      const composed = (source: AttachmentSource, scratch: ScratchFolder) =>
        createComposer({ attachments: { source, scratch } }).compose(mail, NEVER);
      await mkdir(path.join(place, 'mail-of-before'), { recursive: true });

      expect(await composed(vanishing, openScratchFolder(place))).toMatchObject(later);
      expect(await readdir(place)).toEqual([]);
      await writeFile(path.join(folder, 'no-folder'), '');
      expect(await composed(there, openScratchFolder(path.join(folder, 'no-folder/x')))).toMatchObject(later);
      expect(await composed(there, openScratchFolder(place))).toMatchObject({ ok: true });
      expect(await readdir(place)).toEqual([]);
    });
  });
});
