import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { protocol, type Session } from 'electron';
import { CONTENT_POLICY, WINDOW_ORIGIN } from '../../shared/ipc/content-policy.ts';
import { MAIL_PREVIEW_POLICY } from '../../shared/ipc/mail-preview.ts';
import { assetOf, previewedMail } from '../window-host/page-policy.ts';

const SCHEME = new URL(WINDOW_ORIGIN).protocol.slice(0, -1);

const HEADERS = {
  'content-security-policy': CONTENT_POLICY,
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

const PREVIEW_HEADERS = {
  ...HEADERS,
  'content-security-policy': MAIL_PREVIEW_POLICY,
  'content-type': 'text/html; charset=utf-8',
} as const;

/** To be called before the app is ready. */
export function declareScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: { standard: true, secure: true } }]);
}

/**
 * Serves the files of the page's folder and the previews of mails under the app's own scheme, and nothing else. `htmlOf`
 * answers null for a mail without html.
 */
export function serveScheme(
  session: Session,
  folder: string,
  htmlOf: (mailId: string) => Promise<string | null>,
): void {
  session.protocol.handle(SCHEME, async ({ method, url }) => {
    const mailId = previewedMail(method, url);
    const html = mailId === null ? null : await htmlOf(mailId);
    if (html !== null) return new Response(html, { headers: PREVIEW_HEADERS });
    const asset = assetOf(method, url);
    if (asset === null) return new Response(null, { status: 404 });
    try {
      const bytes = await readFile(path.join(folder, asset.file));
      return new Response(new Uint8Array(bytes), { headers: { ...HEADERS, 'content-type': asset.type } });
    } catch {
      return new Response(null, { status: 404 });
    }
  });
}
