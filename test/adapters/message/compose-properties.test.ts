import fc from 'fast-check';
import { type AddressObject, simpleParser } from 'mailparser';
import { describe, expect, it } from 'vitest';
import { createComposer } from '../../../src/main/adapters/message/compose.ts';
import { runnableEnding } from '../../../src/shared/wire/attachment-name.ts';
import { Payload } from '../../../src/shared/wire/payload.ts';
import { composeWith, filesFrom } from '../../support/compose.ts';

const composer = createComposer({ attachments: null });
const NEVER = new AbortController().signal;
const DATE_MS = Date.UTC(2026, 4, 5, 2, 3, 4);
const RUNS = { numRuns: 300 };

/** What people and templates write, and what an attacker would. */
const piece = fc.oneof(
  fc.constantFrom(
    '中文',
    '您好，',
    '😀👩‍👩‍👧',
    'é',
    'ß',
    ' ',
    '  ',
    '=?utf-8?Q?x?=',
    '?=',
    '"',
    '\\',
    ',',
    ';',
    ':',
    '.',
    '(x)',
    "'",
  ),
  fc.constantFrom(
    'Bcc: evil@example.com',
    'To: evil@example.com',
    '--=_part',
    '=0D=0A',
    '%0d%0a',
    '&#13;',
    'x'.repeat(90),
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const lineText = (maxLength: number) =>
  fc
    .array(piece, { maxLength: 20 })
    .map((parts) => cut(parts.join('').replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu, ''), maxLength));
/** Cuts at a whole character. */
const cut = (text: string, units: number): string => text.slice(0, units).replace(/[\uD800-\uDBFF]$/, '');

const bodyText = fc
  .array(
    fc.oneof(
      piece,
      fc.constantFrom('\r', '\n', '\r\n', '\n.\n', '\r\n.\r\n', '\r.\r', '\t', ' \n', 'From here', '.'.repeat(1200)),
    ),
    {
      maxLength: 40,
    },
  )
  .map((parts) =>
    parts
      .join('')
      .replaceAll('\0', '')
      .replace(/\p{Cs}/gu, ''),
  );

const name = lineText(256).map((text) => text.replace(/[@<>]/g, '').replaceAll('=?', '='));

async function compose(payload: unknown) {
  const result = await composer.compose(
    { id: '1', messageId: '<email-recipient-1.ab@example.com>', payload: Payload.parse(payload), dateMs: DATE_MS },
    NEVER,
  );
  if (!result.ok) throw new Error(result.error.failure.message);
  return result.value;
}

const HIDDEN = /[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;
const asShown = (text: string): string => text.replace(HIDDEN, '').replace(/ +/g, ' ').trim();
const canonical = (text: string): string => text.replace(/\r\n?/g, '\n');
const headerLines = (bytes: Buffer): string[] => (bytes.toString('latin1').split('\r\n\r\n', 1)[0] ?? '').split('\r\n');
const nameOf = (addresses: AddressObject | AddressObject[] | undefined): string | undefined =>
  [addresses ?? []].flat()[0]?.value[0]?.name;

describe('composing any payload', () => {
  it('gives back subject, names and bodies when parsed', async () => {
    const payloads = fc.record({ subject: lineText(255), from: name, to: name, text: bodyText, html: bodyText });
    await fc.assert(
      fc.asyncProperty(payloads, async ({ subject, from, to, text, html }) => {
        const message = await compose({
          from: { name: from, address: 'wang@example.com' },
          to: { name: to, address: 'li@example.org' },
          subject,
          text: `x${text}x`,
          html: `x${html}x`,
        });

        const parsed = await simpleParser(message.bytes, {
          skipTextLinks: true,
          skipHtmlToText: true,
          skipTextToHtml: true,
        });
        expect(parsed.subject ?? '').toBe(subject);
        expect(nameOf(parsed.from)).toBe(asShown(from));
        expect(nameOf(parsed.to)).toBe(asShown(to));
        expect(canonical(parsed.text ?? '').trimEnd()).toBe(canonical(`x${text}x`));
        expect(canonical(parsed.html || '')).toContain(canonical(`x${html}x`));
        expect(parsed.date?.getTime()).toBe(DATE_MS);
        expect(parsed.messageId).toBe('<email-recipient-1.ab@example.com>');
      }),
      RUNS,
    );
  });

  it('writes seven-bit lines with CRLF only, short where they can be folded', async () => {
    await fc.assert(
      fc.asyncProperty(lineText(255), name, bodyText, async (subject, to, text) => {
        const { bytes } = await compose({
          from: { address: 'wang@example.com' },
          to: { name: to, address: 'li@example.org' },
          subject,
          text: `${text}x`,
          references: Array.from({ length: 20 }, (_, i) => `<${i}.${'r'.repeat(30)}@example.com>`),
        });

        const all = bytes.toString('latin1');
        expect(all).not.toMatch(/[^\t\r\n\x20-\x7E]/);
        expect(all.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
        expect(all.endsWith('\r\n')).toBe(true);
        expect(all).not.toMatch(/\n(\.|From )/);
        for (const line of all.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
        const foldable = headerLines(bytes).filter((line) => /\S\s+\S/.test(line.replace(/^[\w-]+: /, '')));
        for (const line of foldable) expect(line.length).toBeLessThanOrEqual(76);
      }),
      RUNS,
    );
  });

  it('lets no text become a header, a recipient or a part', async () => {
    const payloads = fc.record({
      subject: lineText(255).filter((text) => text !== ''),
      from: name,
      to: name,
      text: bodyText,
    });
    await fc.assert(
      fc.asyncProperty(payloads, async ({ subject, from, to, text }) => {
        const message = await compose({
          from: { name: from, address: 'wang@example.com' },
          to: { name: to, address: 'li@example.org' },
          subject,
          text: `${text}x`,
        });

        const names = headerLines(message.bytes)
          .filter((line) => !/^[ \t]/.test(line))
          .map((line) => line.slice(0, line.indexOf(':')));
        expect(names.sort()).toEqual([
          'Content-Transfer-Encoding',
          'Content-Type',
          'Date',
          'From',
          'MIME-Version',
          'Message-ID',
          'Subject',
          'To',
        ]);
        expect(message.envelope.to).toBe('li@example.org');
        const parsed = await simpleParser(message.bytes);
        const addresses = [parsed.from ?? [], parsed.to ?? []].flat().flatMap(({ value }) => value);
        expect(addresses.map(({ address }) => address)).toEqual(['wang@example.com', 'li@example.org']);
        expect(parsed.attachments).toEqual([]);
      }),
      RUNS,
    );
  });

  it('gives back the name of any attachment', async () => {
    const source = filesFrom(() => Buffer.from('x'));
    const fileName = lineText(255)
      .map((text) => asShown(asShown(text).replace(/[/\\]/g, '').replace(/^\.+/, '')))
      .filter((text) => text !== '' && runnableEnding(text) === null);
    await fc.assert(
      fc.asyncProperty(fileName, async (given) => {
        const attachment = {
          name: given,
          type: 'image/png',
          size: 1,
          sha256: '0'.repeat(64),
          url: 'https://example.com/x',
        };
        const payload = Payload.parse({
          from: { address: 'wang@example.com' },
          to: { address: 'li@example.org' },
          subject: 's',
          text: 't',
          attachments: [attachment],
        });

        const mail = { id: '1', messageId: '<a@example.com>', payload, dateMs: DATE_MS };
        const result = await composeWith(source, mail);

        const parsed = await simpleParser(result.ok ? result.value.bytes : '');
        expect(parsed.attachments.map(({ filename }) => filename)).toEqual([given]);
      }),
      RUNS,
    );
  });
});
