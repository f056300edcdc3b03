import type { Words } from '../providers/provider.ts';

/** What stands in the way of an account. */
export type CheckTrouble =
  | {
      readonly kind:
        | 'name-unknown'
        | 'no-answer'
        | 'too-slow'
        | 'dropped'
        | 'dropped-at-login'
        | 'certificate-refused'
        | 'not-protected'
        | 'no-password-login'
        | 'address-letters'
        | 'no-password'
        | 'no-mail-server'
        | 'turned-away'
        | 'login-refused'
        | 'browser-only'
        | 'no-sign-in-client'
        | 'no-sign-in-at-server'
        | 'sign-in-refused'
        | 'sign-in-client-refused'
        | 'sign-in-not-lasting'
        | 'sign-in-unreachable'
        | 'sign-in-late'
        | 'no-browser'
        | 'sign-in-again'
        | 'token-refused'
        | 'service-off'
        | 'sign-in-first'
        | 'sending-switched-off'
        | 'locked-by-policy'
        | 'network-not-allowed'
        | 'other-server'
        | 'sender-refused'
        | 'test-mail-refused'
        | 'test-mail-uncertain'
        | 'proxy-unreachable'
        | 'proxy-login'
        | 'proxy-refused'
        | 'stopped'
        | 'unclear';
    }
  /** It takes nothing for this long, in milliseconds; null where nobody says. */
  | { readonly kind: 'busy'; readonly waitMs: number | null }
  /** A program or device answered in the server's place. */
  | { readonly kind: 'intercepted'; readonly by: string }
  | { readonly kind: 'certificate-expired'; readonly issuer: string; readonly validToMs: number }
  | { readonly kind: 'certificate-other-name'; readonly names: readonly string[] }
  | { readonly kind: 'certificate-untrusted'; readonly issuer: string };

/** Where it happened, as far as the words need it; the provider's own steps where it is known. */
export type CheckPlace = {
  readonly host: string;
  readonly port: number;
  readonly provider: {
    readonly name: Words;
    readonly secret: Words;
    readonly steps: Words;
    /** Its servers under other names. */
    readonly otherServers: readonly { readonly host: string; readonly port: number }[];
  } | null;
};

/** What happened, and the one thing to do next. */
export type TroubleWords = { readonly text: string; readonly next: string };
export type TroubleTexts = (trouble: CheckTrouble, place: CheckPlace) => TroubleWords;
