import { generate } from 'selfsigned';

/** PEM texts of one server certificate. */
export type ServerCertificate = { readonly key: string; readonly cert: string };

export type TestCertificates = {
  /** The authority that signed all but `selfSigned`; for an account's `caFile`. */
  readonly authority: string;
  /** For localhost, 127.0.0.1 and ::1. */
  readonly good: ServerCertificate;
  readonly otherHost: ServerCertificate;
  readonly expired: ServerCertificate;
  readonly selfSigned: ServerCertificate;
  /** One more by the same authority, for these DNS names. */
  issueFor(names: readonly string[]): Promise<ServerCertificate>;
};

const DAY_MS = 24 * 60 * 60 * 1000;
const THIS_MACHINE = [
  { type: 2, value: 'localhost' },
  { type: 7, ip: '127.0.0.1' },
  { type: 7, ip: '::1' },
] as const;
const COMMON = { keyType: 'ec', algorithm: 'sha256' } as const;

/** Makes an authority and the certificates a peer may show, in about 50 ms. */
export async function makeCertificates(): Promise<TestCertificates> {
  const authority = await generate([{ name: 'commonName', value: 'Mail Agent test authority' }], {
    ...COMMON,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
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
    issueFor: (names) =>
      make({ ca, extensions: [{ name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) }] }),
  };
}
