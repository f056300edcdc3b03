import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { Payload } from '../../../src/shared/wire/payload.ts';
import { composeWith, filesFrom } from '../../support/compose.ts';
import { type MailReading, PARSERS } from '../../support/mail-parsers.ts';
import { MESSAGE_SHAPES, type MessageShape } from './message-shapes.ts';

const DATE_MS = Date.UTC(2026, 4, 5, 2, 3, 4);
const MESSAGE_ID = '<email-recipient-17.0123456789abcdef@example.com>';
const BASE = {
  from: { name: '王小明', address: 'wang@example.com' },
  to: { name: '李四', address: 'li@example.org' },
  subject: '关于春季展会的合作',
  text: '李先生：\n\n您好！附件是我们的报价单。\n',
};
const NAMES = Object.keys(MESSAGE_SHAPES);
const shapeOf = (name: string): MessageShape => MESSAGE_SHAPES[name] ?? { changes: {} };
const payloadOf = (name: string): Payload => Payload.parse({ ...BASE, ...shapeOf(name).changes });

async function compose(name: string): Promise<Buffer> {
  const { files = {} } = shapeOf(name);
  const source = filesFrom(({ url }) => files[url] ?? Buffer.alloc(0));
  const mail = { id: '17', messageId: MESSAGE_ID, payload: payloadOf(name), dateMs: DATE_MS };
  const composed = await composeWith(source, mail);
  if (!composed.ok) throw new Error(composed.error.failure.message);
  return composed.value.bytes;
}

const lines = (text: string | null | undefined): string => (text ?? '').replace(/\r\n?/g, '\n').trimEnd();
const box = ({ name, address }: { name?: string | null | undefined; address: string }) => ({
  name: name ?? '',
  address,
});

/** What any reader must find, as the payload says it and no parser. */
function meant(name: string): Omit<MailReading, 'html'> & { readonly html: string } {
  const payload = payloadOf(name);
  const { text = payload.text, files = {} } = shapeOf(name);
  const { url, mailto, one_click } = payload.list_unsubscribe ?? {};
  const links = [...(url ? [`<${url}>`] : []), ...(mailto ? [`<mailto:${mailto.replace('+', '%2B')}>`] : [])];
  return {
    subject: payload.subject,
    from: [box(payload.from)],
    to: [box(payload.to)],
    replyTo: payload.reply_to ? [box(payload.reply_to)] : [],
    dateMs: DATE_MS,
    messageId: MESSAGE_ID,
    inReplyTo: payload.in_reply_to ?? '',
    references: payload.references ?? [],
    unsubscribe: links.join(', '),
    unsubscribePost: one_click ? 'List-Unsubscribe=One-Click' : '',
    text: lines(text),
    html: lines(payload.html),
    attachments: (payload.attachments ?? []).map((file) => {
      const isInside = payload.html?.includes(`cid:${file.name}`) === true;
      return {
        name: file.name,
        type: file.type === 'message/rfc822' ? 'application/octet-stream' : file.type,
        disposition: isInside ? 'inline' : 'attachment',
        cid: isInside ? file.name : null,
        sha256: createHash('sha256')
          .update(files[file.url] ?? '')
          .digest('hex'),
      };
    }),
    defects: [],
  };
}

const byName = <T extends { readonly name: string | null }>(files: readonly T[]): T[] =>
  [...files].sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1));

describe('a message', () => {
  it('comes in thirty shapes and more', () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(30);
  });

  it.each(NAMES)('of the shape "%s" has short seven-bit lines that end in CRLF', async (name) => {
    const all = (await compose(name)).toString('latin1');

    expect(all).not.toMatch(/[^\t\r\n\x20-\x7E]/);
    expect(all.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(all.endsWith('\r\n')).toBe(true);
    // What has no space to fold at is one long id or link.
    const long = all.split('\r\n').filter((line) => line.length > 76 && /\S[ \t]+\S/.test(line.trim()));
    expect(long).toEqual([]);
  });
});

describe.each(Object.keys(PARSERS))('read by %s', (parser) => {
  const readings = new Map<string, MailReading>();
  beforeAll(async () => {
    const messages = await Promise.all(NAMES.map(compose));
    const found = (await PARSERS[parser]?.(messages)) ?? [];
    for (const [index, reading] of found.entries()) readings.set(NAMES[index] ?? '', reading);
  });

  it.each(NAMES)('says what was meant: %s', (name) => {
    const read = readings.get(name);
    const expected = meant(name);

    expect({
      ...read,
      text: lines(read?.text),
      html: lines(read?.html).includes(expected.html) ? expected.html : read?.html,
      attachments: byName(read?.attachments ?? []),
    }).toEqual({ ...expected, attachments: byName(expected.attachments) });
  });
});
