import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generate } from 'selfsigned';

/** PEM texts of one server certificate. */
export type ServerCertificate = { readonly key: string; readonly cert: string };

export type TestCertificates = {
  /** The authority that signed all but `selfSigned`; for an account's `caFile`. */
  readonly authority: string;
  /** For localhost, 127.0.0.1 and ::1. */
  readonly good: ServerCertificate;
  /** For smtp.mail.test and cloud.test, names that only a proxy of the tests knows. */
  readonly behindProxy: ServerCertificate;
  readonly otherHost: ServerCertificate;
  readonly expired: ServerCertificate;
  readonly selfSigned: ServerCertificate;
  /** One more by the same authority, for these DNS names. */
  issueFor(names: readonly string[]): Promise<ServerCertificate>;
  /** One for this machine by another authority, of this name, that nobody trusts. */
  issueBy(name: string): Promise<ServerCertificate>;
};

/** `caFile` holds the authority, as an account names it, until `remove` is called. */
export type StoredCertificates = TestCertificates & { readonly caFile: string; remove(): Promise<void> };

const DAY_MS = 24 * 60 * 60 * 1000;
const THIS_MACHINE = [
  { type: 2, value: 'localhost' },
  { type: 7, ip: '127.0.0.1' },
  { type: 7, ip: '::1' },
] as const;
const COMMON = { keyType: 'ec', algorithm: 'sha256' } as const;

/** Makes certificates, with their authority in a file. */
export async function storeCertificates(): Promise<StoredCertificates> {
  const certificates = await makeCertificates();
  const folder = await mkdtemp(path.join(tmpdir(), 'mail-agent-certificates-'));
  const caFile = path.join(folder, 'authority.pem');
  await writeFile(caFile, certificates.authority);
  return { ...certificates, caFile, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Makes an authority and the certificates a peer may show, in about 50 ms. */
export async function makeCertificates(): Promise<TestCertificates> {
  const authority = await makeAuthority('Mail Agent test authority');
  const ca = { key: authority.private, cert: authority.cert };
  const make = async (options: NonNullable<Parameters<typeof generate>[1]>): Promise<ServerCertificate> => {
    const made = await generate([{ name: 'commonName', value: 'Mail Agent test server' }], {
      ...COMMON,
      extensions: [
        { name: 'extKeyUsage', serverAuth: true },
        { name: 'subjectAltName', altNames: [...THIS_MACHINE] },
      ],
      ...options,
    });
    return { key: made.private, cert: made.cert };
  };
  return {
    authority: authority.cert,
    good: await make({ ca }),
    behindProxy: await make({
      ca,
      extensions: [
        {
          name: 'subjectAltName',
          altNames: [
            { type: 2, value: 'smtp.mail.test' },
            { type: 2, value: 'cloud.test' },
          ],
        },
      ],
    }),
    otherHost: await make({
      ca,
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'smtp.elsewhere.example' }] }],
    }),
    expired: await make({
      ca,
      notBeforeDate: new Date(Date.now() - 30 * DAY_MS),
      notAfterDate: new Date(Date.now() - DAY_MS),
    }),
    selfSigned: await make({}),
    async issueBy(name) {
      const other = await makeAuthority(name);
      return make({ ca: { key: other.private, cert: other.cert } });
    },
    issueFor: (names) =>
      make({ ca, extensions: [{ name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) }] }),
  };
}

const makeAuthority = (name: string) =>
  generate([{ name: 'commonName', value: name }], {
    ...COMMON,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
