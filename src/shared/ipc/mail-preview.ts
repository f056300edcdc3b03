/**
 * A mail's html is shown by a frame that the app's own scheme serves with a policy of its own: a document made inside
 * the page would inherit the page's policy and lose the mail's colours. The frame is sandboxed twice over, here and by
 * its `sandbox` attribute: no script, no form, no request to anywhere.
 */
export const MAIL_PREVIEW_PREFIX = '/mail-preview/';

export const mailPreviewPath = (mailId: string): string => `${MAIL_PREVIEW_PREFIX}${encodeURIComponent(mailId)}`;

/** The answer's Content-Security-Policy; its Content-Type is `text/html; charset=utf-8`, its body the mail's html. */
export const MAIL_PREVIEW_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
