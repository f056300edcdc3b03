/** A complete reply as it came: its code and the text of each line, one character a byte, without the code. */
export type RawReply = { readonly code: number; readonly lines: readonly string[] };

/** `not-a-reply`: no SMTP reply starts or goes on like this. `too-much`: longer than the limit and not complete. */
type ReplyFault = 'not-a-reply' | 'too-much';

type Heard = { readonly replies: readonly RawReply[]; readonly fault: ReplyFault | null };

/** Code, then nothing, or a space or hyphen and text. A lone CR would hide what follows from a line-wise reader. */
const LINE = /^(\d{3})(?:([ -])([^\r]*))?$/;
const START = /^\d{0,3}$/;

/**
 * Reads replies out of the bytes of a connection, by whole lines ended with CRLF. A multi-line reply carries one code
 * on all its lines. After a fault nothing more is read. Source: RFC 5321 4.2.1.
 */
export class ReplyReader {
  #rest = '';
  #code: string | null = null;
  #lines: string[] = [];
  #sizeBytes = 0;
  #fault: ReplyFault | null = null;

  /** True where nothing of a further reply has come. */
  get empty(): boolean {
    return this.#rest === '' && this.#code === null;
  }

  /** `limitBytes` bounds one reply, complete or not. */
  read(chunk: Buffer, limitBytes: number): Heard {
    const replies: RawReply[] = [];
    const pieces = chunk.toString('latin1').split('\n');
    // The last piece has no line end yet. It only extends the rest, so dripped bytes cost no rescanning.
    const open = pieces.pop() ?? '';
    for (const piece of pieces) {
      if (this.#fault !== null) break;
      const reply = this.#line(`${this.#rest}${piece}`, limitBytes);
      this.#rest = '';
      if (reply !== null) replies.push(reply);
    }
    if (this.#fault === null) this.#extend(open, limitBytes);
    return { replies, fault: this.#fault };
  }

  #line(line: string, limitBytes: number): RawReply | null {
    const [, code, mark, text] = line.endsWith('\r') ? (LINE.exec(line.slice(0, -1)) ?? []) : [];
    if (code === undefined || (this.#code !== null && this.#code !== code)) {
      this.#fault = 'not-a-reply';
      return null;
    }
    this.#code = code;
    this.#sizeBytes += line.length + 1;
    this.#lines.push(text ?? '');
    if (this.#sizeBytes > limitBytes) {
      this.#fault = 'too-much';
      return null;
    }
    if (mark === '-') return null;
    const reply = { code: Number(code), lines: this.#lines };
    this.#code = null;
    this.#lines = [];
    this.#sizeBytes = 0;
    return reply;
  }

  #extend(open: string, limitBytes: number): void {
    const wasShort = this.#rest.length < 3;
    this.#rest += open;
    if (wasShort && !START.test(this.#rest.slice(0, 3))) this.#fault = 'not-a-reply';
    else if (this.#sizeBytes + this.#rest.length > limitBytes) this.#fault = 'too-much';
  }
}

// The second digit ends at 5 where a reply says yes: a server that says 299 does not speak this protocol.
export const isPositive = (reply: RawReply): boolean => /^2[0-5]\d$/.test(String(reply.code));
export const isNegative = (reply: RawReply): boolean => reply.code >= 400 && reply.code <= 599;
