/** Whose sign-in with the browser (OAuth 2.0) this program knows. `microsoft-china`: the cloud that 21Vianet runs. */
export const SIGN_IN_PROVIDERS = ['google', 'microsoft', 'microsoft-china'] as const;
export type SignInProvider = (typeof SIGN_IN_PROVIDERS)[number];
export const SIGN_IN_NAMES: Record<SignInProvider, string> = {
  google: 'Google',
  microsoft: 'Microsoft',
  'microsoft-china': 'Microsoft 365 (21Vianet)',
};

/** How the account logs in: with a password, or with what a provider's own sign-in page gave. */
export const MAIL_LOGINS = ['password', ...SIGN_IN_PROVIDERS] as const;
export type MailLogin = (typeof MAIL_LOGINS)[number];
