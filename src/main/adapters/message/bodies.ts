import { htmlToText } from 'html-to-text';
import { BODY_MAX_CHARS, type Payload } from '../../../shared/wire/payload.ts';

type Body = { readonly content: Buffer; readonly contentTransferEncoding: 'quoted-printable' };

/**
 * Both forms of the body. Html alone gets a text made of it: a mail without one looks like an advertisement, and some
 * readers show the text only. A piece of html becomes a whole document, so that no program guesses its letters.
 */
export function bodiesOf(payload: Pick<Payload, 'text' | 'html'>): {
  readonly text: Body | undefined;
  readonly html: Body | undefined;
} {
  const html = isBlank(payload.html) ? null : payload.html;
  const text = isBlank(payload.text) && html !== null ? textOf(html) : payload.text;
  return { text: bodyPart(text), html: bodyPart(html === null ? null : asDocument(html)) };
}

function isBlank(body: string | null | undefined): body is null | undefined {
  return (body ?? '').trim() === '';
}

/** Links keep their addresses, pictures their descriptions; what is hidden in html stays out. */
const textOf = (html: string): string =>
  htmlToText(html, {
    wordwrap: 76,
    limits: { maxInputLength: BODY_MAX_CHARS, maxDepth: 200 },
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
      { selector: 'img', options: { linkBrackets: false, pathRewrite: () => '' } },
      { selector: 'h1', options: { uppercase: false } },
      { selector: 'h2', options: { uppercase: false } },
      { selector: 'h3', options: { uppercase: false } },
      { selector: 'h4', options: { uppercase: false } },
      { selector: 'h5', options: { uppercase: false } },
      { selector: 'h6', options: { uppercase: false } },
    ],
  });

function asDocument(html: string): string {
  if (/<!doctype|<html[\s>]/i.test(html)) return html;
  return `<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n</head>\n<body>\n${html}\n</body>\n</html>\n`;
}

/**
 * A body, or nothing where it is blank: an empty text beside an html body would be all that some readers see.
 * Quoted-printable: no line is long or ends in a space, so no server on the way has anything to rewrite, and a filter
 * can read along: base64 is how junk hides its words, and is judged so. Line breaks are made CRLF before that
 * (RFC 2046 4.1.1, RFC 2045 6.7).
 */
function bodyPart(body: string | null | undefined): Body | undefined {
  if (isBlank(body)) return undefined;
  return {
    content: Buffer.from(body.replace(/\r\n?|\n/g, '\r\n'), 'utf8'),
    contentTransferEncoding: 'quoted-printable',
  };
}
