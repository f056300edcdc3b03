import { REPLY_TEXT_MAX_CHARS } from '../../shared/wire/messages.ts';
import { classify } from './classify.ts';
import type { Letter } from './letter.ts';

/** What a bounce says; `hard` where the address itself refuses, so that no later mail can reach it. */
export type Bounce = { readonly hard: boolean; readonly status: string | null; readonly text: string };

/**
 * Reads a letter as a bounce: by the fields of a delivery report, or by what Gmail, Outlook, QQ, 163 and Exmail write
 * in plain words. Null where it is none, or only tells of a delay. Never throws. Source: RFC 3464, RFC 3463.
 */
export function readBounce(letter: Letter): Bounce | null {
  if (letter.body === null) return null;
  const { text } = letter.body;
  const action = field(text, 'Action')?.toLowerCase() ?? null;
  const told = field(text, 'Status');
  const reported = action !== null && told !== null;
  if (reported && !action.startsWith('failed')) return null;
  if (!reported && (DELAYED.test(text) || !FAILED.test(`${letter.subject}\n${text}`))) return null;
  const diagnostic = field(text, 'Diagnostic-Code')?.replace(/^smtp;\s*/i, '') ?? null;
  const words = diagnostic ?? replyLine(text) ?? firstWords(text);
  const status = statusIn(words) ?? (reported ? statusIn(told) : null);
  const isGone = ADDRESS_GONE.test(diagnostic === null ? text : words);
  return { hard: isHard(status, words, isGone), status, text: onOneLine(words).slice(0, REPLY_TEXT_MAX_CHARS) };
}

/** Message-IDs a bounce or an answer can be about: what it answers, what it encloses, and ours wherever it is quoted. */
export function namesIn(letter: Letter): readonly string[] {
  const enclosed = (letter.body?.enclosed ?? []).flatMap((head) => [
    ...idsOf(field(head, 'X-Microsoft-Original-Message-ID')),
    ...idsOf(field(head, 'Message-ID')),
  ]);
  const quoted = [letter.body?.text ?? '', ...(letter.body?.enclosed ?? [])].flatMap((text) =>
    [...text.matchAll(OUR_KEY)].map(([id]) => `<${id}>`),
  );
  return [...new Set([...letter.answers, ...enclosed, ...quoted])].slice(0, NAMES_MAX);
}

const NAMES_MAX = 50;
/** As messageIdOf writes them. */
const OUR_KEY = /email-recipient-[0-9A-Za-z-]{1,64}\.[0-9a-f]{16}@[^\s<>"'()[\]]{1,255}/g;

const DELAYED =
  /delivery incomplete|will (be )?(retr|try|continue)|has been delayed|delayed delivery|warning message only|not yet been delivered|尚未送达|仍在尝试|将继续尝试|会继续尝试|延迟投递/i;
const FAILED =
  /wasn['’]t delivered|couldn['’]t be delivered|could not be delivered|not delivered|delivery has failed|undeliver|permanent(ly)? (fail|error)|failure notice|returned mail|delivery to the following recipients? failed|address not found|wasn['’]t found|退信|退回|投递失败|无法投递|无法送达|未能送达|未能向以下|无法传递|无法发送到|找不到(该)?(邮箱|地址|收件人)|投遞失敗/i;
const ADDRESS_GONE =
  /address not found|(user|mailbox|recipient|account|address)( \S+)? (is )?(unknown|not found|does(n['’]t| not) exist|not exist|invalid|unavailable|disabled|inactive)|no such (user|mailbox|address|recipient)|unknown (user|recipient|mailbox)|(couldn['’]t|could not) be found|wasn['’]t found|email account that you tried to reach does not exist|domain (name )?not found|unrouteable address|recipientnotfound|(地址|邮箱|用户|收件人|帐号|账号|域名).{0,20}(不存在|无效|未找到|已停用|已注销|被禁用)|找不到(该)?(邮箱|地址|收件人|用户)|不存在.{0,6}(邮箱|用户|收件人)/i;

/** Codes that speak of the address; the class of the words decides where there is none. */
const HARD_STATUS = /^5\.(1\.(1|2|3|6|10)|2\.1|4\.4)$/;
/** Codes that speak of the mail, the moment or the sender. */
const OTHER_STATUS = /^(4\.|5\.(2\.[23]|3\.|6\.|7\.))/;

function isHard(status: string | null, words: string, isGone: boolean): boolean {
  if (status !== null && HARD_STATUS.test(status)) return true;
  if (status !== null && OTHER_STATUS.test(status)) return false;
  const code = Number(/\b([45]\d\d)\b/.exec(words)?.[1] ?? 0);
  if (code >= 400 && code < 500) return false;
  if (isGone) return true;
  const reply = { code, enhanced: status, text: words.slice(0, REPLY_TEXT_MAX_CHARS) };
  const verdict = classify('envelope', reply, 'rcpt');
  // A bare 550 falls to this class for want of a better one: it holds no address back.
  return verdict.class === 'recipient-invalid' && !verdict.ruleId.startsWith('fb-');
}

const statusIn = (text: string): string | null => /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(text)?.[0] ?? null;

/** The first line that looks like a reply of another mail server. */
const replyLine = (text: string): string | null =>
  /^.{0,120}?\b([45]\d\d[ #-][^\r\n]{3,400})/m.exec(text)?.[1] ??
  /退信(?:原因|代码)[:：]\s*([^\r\n]{2,300})/.exec(text)?.[1] ??
  null;

const firstWords = (text: string): string => onOneLine(text).slice(0, 200);
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The value of a header-like field, unfolded; null where there is none. */
function field(text: string, name: string): string | null {
  const found = new RegExp(`^${name}:([^\\r\\n]*(?:\\r?\\n[ \\t][^\\r\\n]*){0,20})`, 'im').exec(text);
  return found?.[1] === undefined ? null : onOneLine(found[1]);
}

const idsOf = (text: string | null): string[] => text?.match(/<[^<>\s]{1,996}>/g)?.slice(0, 5) ?? [];
