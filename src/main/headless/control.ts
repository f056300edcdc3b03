import { createHash } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { err, ok, type Result } from '../../shared/result.ts';

/**
 * How a command reaches the agent that already runs on a data folder: one JSON line there, one back, over a socket that
 * only this user can open.
 */

export const ControlRequest = z.discriminatedUnion('command', [
  z.strictObject({ command: z.literal('status') }),
  z.strictObject({ command: z.literal('pause'), untilMs: z.number().nullable() }),
  z.strictObject({ command: z.literal('resume') }),
  z.strictObject({ command: z.literal('try-now') }),
  z.strictObject({ command: z.literal('check-now') }),
  z.strictObject({ command: z.literal('lift'), address: z.string().max(320) }),
  z.strictObject({ command: z.literal('resolve'), mailId: z.string().max(64), as: z.enum(['sent', 'not-sent']) }),
]);
export type ControlRequest = z.infer<typeof ControlRequest>;

export const ControlReply = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: z.string() }),
]);
export type ControlReply = z.infer<typeof ControlReply>;

const LINE_MAX_BYTES = 64 * 1024;
const DEADLINE_MS = 5_000;
/** The shortest limit of any system for the path of a socket, with room to spare. */
const SOCKET_PATH_MAX_BYTES = 100;

/** The socket of a data folder; in the temporary folder where the data folder's own path is too long for one. */
function controlPath(folder: string): string {
  const digest = createHash('sha256').update(path.resolve(folder)).digest('hex').slice(0, 24);
  if (process.platform === 'win32') return `\\\\.\\pipe\\mail-agent-${digest}`;
  const inFolder = path.join(path.resolve(folder), 'control.sock');
  return Buffer.byteLength(inFolder) <= SOCKET_PATH_MAX_BYTES
    ? inFolder
    : path.join(tmpdir(), `mail-agent-${digest}.sock`);
}

/** Serves commands until closed. The caller holds the ledger's lock, so a socket left behind belongs to nobody. */
export async function serveControl(
  folder: string,
  handle: (request: ControlRequest) => ControlReply,
): Promise<{ close(): Promise<void> }> {
  const where = controlPath(folder);
  if (process.platform !== 'win32') rmSync(where, { force: true });
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    // A caller that goes away mid-line has asked nothing.
    socket.on('error', () => socket.destroy());
    void readLine(socket).then((line) => {
      if (line.ok) socket.end(`${JSON.stringify(answerLine(line.value, handle))}\n`);
      else socket.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, resolve);
  });
  if (process.platform !== 'win32') chmodSync(where, 0o600);
  return {
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Asks the running agent; `not-running` where nobody listens on this folder. */
export async function askRunningAgent(
  folder: string,
  request: ControlRequest,
): Promise<Result<unknown, { kind: 'not-running' | 'refused'; text: string }>> {
  const socket = connect(controlPath(folder));
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
  } catch (cause) {
    socket.destroy();
    return err({ kind: 'not-running', text: cause instanceof Error ? cause.message : String(cause) });
  }
  socket.on('error', () => socket.destroy());
  socket.write(`${JSON.stringify(request)}\n`);
  const line = await readLine(socket);
  socket.destroy();
  if (!line.ok) return err({ kind: 'refused', text: `the running agent did not answer (${line.error})` });
  const reply = ControlReply.safeParse(parseJson(line.value));
  if (!reply.success) return err({ kind: 'refused', text: 'the running agent answered something unknown' });
  return reply.data.ok ? ok(reply.data.value) : err({ kind: 'refused', text: reply.data.error });
}

/** The reply to one line of a caller, whatever it is. */
export function answerLine(line: string, handle: (request: ControlRequest) => ControlReply): ControlReply {
  const request = ControlRequest.safeParse(parseJson(line));
  return request.success ? handle(request.data) : { ok: false, error: 'unknown command' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // fits no schema
  }
}

function readLine(socket: Socket): Promise<Result<string, 'too-long' | 'ended' | 'timeout'>> {
  return new Promise((resolve) => {
    let text = '';
    const deadline = setTimeout(() => resolve(err('timeout')), DEADLINE_MS);
    const end = (result: Result<string, 'too-long' | 'ended' | 'timeout'>) => {
      clearTimeout(deadline);
      resolve(result);
    };
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      const newline = text.indexOf('\n');
      if (newline >= 0) end(ok(text.slice(0, newline)));
      else if (text.length > LINE_MAX_BYTES) end(err('too-long'));
    });
    socket.on('close', () => end(err('ended')));
  });
}
