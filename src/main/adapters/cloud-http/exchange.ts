import { type Dispatcher, errors } from 'undici';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { CloudFailure } from '../../engine/ports.ts';
import { BoundedBytes, decodeBody } from './body.ts';
import { causeText } from './failure-text.ts';

export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};
export type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>;
export type HttpAnswer = { readonly status: number; readonly headers: HttpHeaders; readonly body: Buffer };

/** `totalMs` from the call to the last byte; `idleMs` without any byte; `bodyBytes` before and after decoding alike. */
export type Bounds = { readonly totalMs: number; readonly idleMs: number; readonly bodyBytes: number };

export type ExchangeFailure = Extract<CloudFailure, { readonly kind: 'unreachable' | 'nonsense' | 'too-large' }>;

/**
 * One request and its complete answer. Ends by the last byte, a bound, or the signal, whichever comes first; a
 * connection left in the middle of an answer is closed. Redirects are answers like any other. Never rejects.
 */
export async function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  bounds: Bounds,
  signal: AbortSignal,
): Promise<Result<HttpAnswer, ExchangeFailure>> {
  const raw = await dispatch(dispatcher, request, bounds, signal);
  if (!raw.ok) return raw;
  const decoded = await decodeBody(raw.value.body, raw.value.headers['content-encoding'], bounds.bodyBytes);
  if (decoded.ok) return ok({ ...raw.value, body: decoded.value });
  return err(decoded.error === 'too-large' ? tooLarge(bounds) : nonsense(`the answer's encoding: ${decoded.error}`));
}

function dispatch(
  dispatcher: Dispatcher,
  request: HttpRequest,
  bounds: Bounds,
  signal: AbortSignal,
): Promise<Result<HttpAnswer, ExchangeFailure>> {
  return new Promise((resolve) => {
    let running: Dispatcher.DispatchController | null = null;
    let ended = false;
    let status = 0;
    let headers: HttpHeaders = {};
    const body = new BoundedBytes(bounds.bodyBytes);

    const end = (result: Result<HttpAnswer, ExchangeFailure>) => {
      if (ended) return;
      ended = true;
      clearTimeout(deadline);
      signal.removeEventListener('abort', onAbort);
      resolve(result);
      // What still runs on the connection has nobody to hear it. A request that waits for one is dropped as it starts.
      if (!result.ok) running?.abort(new Error(result.error.text));
    };
    const onAbort = () => end(err({ kind: 'unreachable', text: 'the call was stopped' }));
    const deadline = setTimeout(
      () => end(err({ kind: 'unreachable', text: `no complete answer within ${bounds.totalMs / 1000} s` })),
      bounds.totalMs,
    );
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) {
      onAbort();
      return;
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        running = controller;
        if (ended) controller.abort(new Error('the call has ended'));
      },
      onResponseStart(_controller, statusCode, answerHeaders) {
        if (statusCode < 200) return;
        status = statusCode;
        headers = answerHeaders;
        if (Number(headers['content-length'] ?? 0) > bounds.bodyBytes) {
          end(err(tooLarge(bounds)));
        }
      },
      onResponseData(_controller, piece) {
        if (!ended && !body.add(piece)) end(err(tooLarge(bounds)));
      },
      onResponseEnd() {
        end(ok({ status, headers, body: body.bytes() }));
      },
      onResponseError(_controller, cause) {
        end(err(failureOf(cause, status === 0)));
      },
    };
    try {
      dispatcher.dispatch({ ...request, headersTimeout: bounds.idleMs, bodyTimeout: bounds.idleMs }, handler);
    } catch (cause) {
      end(err(failureOf(cause, false)));
    }
  });
}

function failureOf(cause: unknown, beforeHeaders: boolean): ExchangeFailure {
  // The library calls every fault after a Content-Length a mismatch. With headers that never became complete it is one
  // of the headers themselves, such as two lengths; otherwise the body was cut.
  const badLength = cause instanceof errors.ResponseContentLengthMismatchError && beforeHeaders;
  if (badLength || cause instanceof errors.HTTPParserError || cause instanceof errors.HeadersOverflowError) {
    return nonsense(`the answer is not HTTP: ${causeText(cause)}`);
  }
  return { kind: 'unreachable', text: causeText(cause) };
}

const nonsense = (text: string): ExchangeFailure => ({ kind: 'nonsense', text, retryAfterMs: null });
const tooLarge = (bounds: Bounds): ExchangeFailure => ({
  kind: 'too-large',
  text: `the answer is larger than ${bounds.bodyBytes} bytes`,
});
