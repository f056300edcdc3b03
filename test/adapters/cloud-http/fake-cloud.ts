import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { type CloudClientOptions, createCloudClient } from '../../../src/main/adapters/cloud-http/cloud-client.ts';
import { ok } from '../../../src/shared/result.ts';
import type { BeginRequest, HeartbeatRequest } from '../../../src/shared/wire/messages.ts';

export const TOKEN = 'agent-token-Zk3v9QpLr8XwYb2NnT5uJc7HdGfEaSs1';
export const CLAIM_ID = '0b2f1c9e-5a7d-4a31-9f2b-1c2d3e4f5a6b';
export const NEVER = new AbortController().signal;

export const BEGIN: BeginRequest = {
  idempotency_key: 'email-recipient-r1',
  payload_hash: `sha256:${'a'.repeat(64)}`,
  nonce: 'nonce-0123456789abcdefghij',
  attempt: 1,
};
export const GRANTED = { id: 'r1', nonce: BEGIN.nonce, granted: true };
export const HEARTBEAT: HeartbeatRequest = {
  interval_seconds: 60,
  boot_id: CLAIM_ID,
  state: 'idle',
  why: null,
  counts: { holding: 0, sent: 0, failed: 0, uncertain: 0, untold: 0 },
  version: '1.0.0',
};
export const ALIVE = { server_time: '2026-01-02T03:04:05Z', commands: [] };

export type Seen = { readonly path: string; readonly authorization: string | undefined; readonly body: string };
export type FakeCloud = { readonly url: string; readonly seen: Seen[]; close(): Promise<void> };
type Answer = (seen: Seen, response: ServerResponse, request: IncomingMessage) => void;

/** An HTTP server on loopback that hands each request, read to its end, to `answer`. */
export async function startCloud(
  answer: Answer,
  create: (listener: RequestListener) => Server = createServer,
): Promise<FakeCloud> {
  const seen: Seen[] = [];
  const server = create((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { authorization } = request.headers;
      const one = { path: request.url ?? '', authorization, body: Buffer.concat(pieces).toString('utf8') };
      seen.push(one);
      answer(one, response, request);
    });
  });
  return { seen, ...(await listen(server)) };
}

/** A TCP server that hands each connection's bytes to `answer`, for answers no HTTP library would write. */
export async function startRawCloud(answer: (socket: Socket, bytes: string) => void): Promise<Omit<FakeCloud, 'seen'>> {
  return listen(
    net.createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.on('data', (bytes) => answer(socket, bytes.toString('latin1')));
    }),
  );
}

async function listen(server: net.Server): Promise<Omit<FakeCloud, 'seen'>> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export function sendJson(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string | string[]> = {},
): void {
  const type = status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json';
  response.writeHead(status, { 'content-type': type, ...headers }).end(JSON.stringify(value));
}

export const client = (url: string, more: Partial<CloudClientOptions> = {}) =>
  createCloudClient({ cloudUrl: url, token: async () => ok(TOKEN), version: '1.0.0', ...more });
