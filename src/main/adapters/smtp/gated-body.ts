import { Readable } from 'node:stream';

const PIECE_BYTES = 64 * 1024;
/** Up to here a message waits for the gate as a whole: it then leaves in one write. */
const HELD_WHOLE_MAX_BYTES = 16 * 1024;
const HELD_BYTES = 512;

type GatedBody = {
  /** For the library, which pulls from it after 354 only. It never ends before `release`. */
  readonly stream: Readable;
  /** Lets the last bytes and with them the end of the message go. */
  readonly release: () => void;
};

/**
 * A message as a stream that holds its last bytes back. `onPull` hears each request for a further piece, the sign that
 * the server takes what is sent; `onHeld` hears once that only the held bytes are left, and how many went before.
 */
export function gatedBody(
  bytes: Buffer,
  on: { readonly onPull: () => void; readonly onHeld: (sentBytes: number) => void },
): GatedBody {
  const heldFrom = bytes.length <= HELD_WHOLE_MAX_BYTES ? 0 : bytes.length - HELD_BYTES;
  let offset = 0;
  let held = false;
  const stream = new Readable({
    highWaterMark: PIECE_BYTES,
    read() {
      if (held) return;
      if (offset < heldFrom) {
        on.onPull();
        const piece = bytes.subarray(offset, Math.min(offset + PIECE_BYTES, heldFrom));
        offset += piece.length;
        stream.push(piece);
        return;
      }
      held = true;
      on.onHeld(heldFrom);
    },
  });
  return {
    stream,
    release() {
      stream.push(bytes.subarray(heldFrom));
      stream.push(null);
    },
  };
}
