import type { CheckStep } from '../../../shared/account-check.ts';

/** A server's certificate, in the words that stand in it. */
export type CertificateFacts = {
  /** Whom it was made for. */
  readonly subject: string;
  /** DNS names and addresses it is valid for. */
  readonly names: readonly string[];
  /** Who signed it: organisation, common name or both. */
  readonly issuer: string;
  readonly validToMs: number;
};

/** What a second look at a refused certificate found; `code` is OpenSSL's or Node's name for the refusal. */
export type RefusedCertificate = CertificateFacts & { readonly code: string };

export type YesNoUnknown = 'yes' | 'no' | 'unknown';

/** What a step of the live check found. */
export type CheckFact =
  | { readonly step: 'dns'; readonly address: string }
  | { readonly step: 'tcp'; readonly host: string; readonly port: number }
  /** Null for a server on this machine without TLS. */
  | { readonly step: 'tls'; readonly certificate: CertificateFacts | null }
  | { readonly step: 'login'; readonly userName: string }
  | { readonly step: 'sender'; readonly address: string }
  | { readonly step: 'abilities'; readonly sizeMaxBytes: number | null; readonly smtpUtf8: boolean }
  | { readonly step: 'test-mail'; readonly address: string }
  | { readonly step: 'sent-copy'; readonly savesCopy: YesNoUnknown; readonly keepsMessageId: YesNoUnknown };

/** Hears how the check goes on. */
export type CheckWatch = {
  readonly onStep: (step: CheckStep) => void;
  readonly onFact: (fact: CheckFact) => void;
};
