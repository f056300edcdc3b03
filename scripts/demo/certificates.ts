import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generate } from 'selfsigned';

/** PEM files of the demo's mail server. */
export type CertificateFiles = { readonly authority: string; readonly cert: string; readonly key: string };

const THIS_MACHINE = [
  { type: 2, value: 'localhost' },
  { type: 7, ip: '127.0.0.1' },
] as const;
const COMMON = { keyType: 'ec', algorithm: 'sha256' } as const;

/** Makes an authority of the demo's own and a certificate for this machine. The authority's key is kept nowhere. */
export async function makeCertificates(folder: string): Promise<CertificateFiles> {
  const authority = await generate([{ name: 'commonName', value: 'Mail Agent demo authority' }], {
    ...COMMON,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const server = await generate([{ name: 'commonName', value: 'Mail Agent demo mail server' }], {
    ...COMMON,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [...THIS_MACHINE] },
    ],
  });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = {
    authority: path.join(folder, 'authority.pem'),
    cert: path.join(folder, 'mail-server.pem'),
    key: path.join(folder, 'mail-server.key'),
  };
  await writeFile(files.authority, authority.cert);
  await writeFile(files.cert, server.cert);
  await writeFile(files.key, server.private, { mode: 0o600 });
  return files;
}
