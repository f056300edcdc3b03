import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What happens to one connection. Bytes are counted from its start; `up` is towards the target. */
export type Fault =
  | { readonly kind: 'pass' }
  /** Reset at once; the target never hears of it. */
  | { readonly kind: 'refuse' }
  /** Lets exactly so many bytes through in one direction, then resets both ends. */
  | { readonly kind: 'cut'; readonly direction: 'up' | 'down'; readonly afterBytes: number }
  /** Carries every byte this much later, each way, in order and as many a second as come. */
  | { readonly kind: 'delay'; readonly oneWayMs: number }
  /** The target gets everything; of its answers so many bytes come through, the rest never. Reset a while later. */
  | { readonly kind: 'lose-reply'; readonly afterBytes: number; readonly resetAfterMs: number };

export type NewConnection = {
  /** From 0, in the order of acceptance. */
  readonly index: number;
  /** What the client said first; null where the fault is decided before it speaks. */
  readonly firstBytes: Buffer | null;
};

export type ProxyCounts = {
  readonly connections: number;
  readonly refused: number;
  readonly cut: number;
  readonly repliesLost: number;
  readonly upBytes: number;
  readonly downBytes: number;
};

type Target = { readonly host: string; readonly port: number };

export type FaultyProxy = {
  readonly host: '127.0.0.1';
  readonly port: number;
  counts(): ProxyCounts;
  /** Resets every open connection that is meant; answers how many. */
  cutAll(isMeant?: (connection: NewConnection) => boolean): number;
  close(): Promise<void>;
};

/**
 * A TCP proxy on loopback that fails on order and never looks into what it carries, so TLS passes untouched. `port` 0
 * lets the system choose. `decideAt` `first-bytes` asks only once the client has spoken; it must be the one to begin.
 * Rejects where the port cannot be listened on.
 */
export async function startFaultyProxy(options: {
  readonly target: Target | (() => Target);
  readonly decide: (connection: NewConnection) => Fault;
  readonly decideAt?: 'accept' | 'first-bytes';
  readonly port?: number;
}): Promise<FaultyProxy> {
  const counts: Tally = { connections: 0, refused: 0, cut: 0, repliesLost: 0, upBytes: 0, downBytes: 0 };
  const open = new Map<Link, NewConnection>();
  const target = () => (typeof options.target === 'function' ? options.target() : options.target);

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const index = counts.connections;
    counts.connections += 1;
    // A client that goes away before its fault is decided has met none.
    client.on('error', () => client.destroy());
    const start = (firstBytes: Buffer | null) => {
      const fault = options.decide({ index, firstBytes });
      if (fault.kind === 'refuse') {
        counts.refused += 1;
        client.resetAndDestroy();
        return;
      }
      const upstream = connect({ ...target(), allowHalfOpen: true, noDelay: true });
      const link = new Link(client, upstream, fault, counts, () => open.delete(link));
      open.set(link, { index, firstBytes });
      if (firstBytes !== null) link.carryUp(firstBytes);
    };
    if (options.decideAt !== 'first-bytes') return start(null);
    client.once('data', (chunk) => {
      client.pause();
      start(chunk);
    });
    client.once('end', () => client.destroy());
    return undefined;
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  // A TCP server that listens has an address object; only a pipe's is text.
  const { port } = server.address() as AddressInfo;
  return {
    host: '127.0.0.1',
    port,
    counts: () => ({ ...counts }),
    cutAll(isMeant = () => true) {
      const links = [...open].filter(([, connection]) => isMeant(connection));
      for (const [link] of links) link.cut();
      return links.length;
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const link of open.keys()) link.destroy();
      await closed;
    },
  };
}

type Tally = { -readonly [K in keyof ProxyCounts]: ProxyCounts[K] };

/** Read no further while this much waits to be written on. */
const WAITING_BYTES_MAX = 8 * 1024 * 1024;

/** One client, its connection to the target, and what goes wrong between them. */
class Link {
  readonly #client: Socket;
  readonly #upstream: Socket;
  readonly #fault: Exclude<Fault, { kind: 'refuse' }>;
  readonly #counts: Tally;
  readonly #onEnd: () => void;
  readonly #timers = new Set<NodeJS.Timeout>();
  #upBytes = 0;
  #downBytes = 0;
  #losing = false;
  #over = false;

  constructor(
    client: Socket,
    upstream: Socket,
    fault: Exclude<Fault, { kind: 'refuse' }>,
    counts: Tally,
    onEnd: () => void,
  ) {
    this.#client = client;
    this.#upstream = upstream;
    this.#fault = fault;
    this.#counts = counts;
    this.#onEnd = onEnd;
    client.on('data', (chunk) => this.carryUp(chunk));
    upstream.on('data', (chunk) => this.#carryDown(chunk));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('end', () => this.#later(() => to.end()));
      // A reset of one side is told to the other as what it is.
      from.on('error', () => this.#reset());
      from.on('close', () => {
        if (to.destroyed) this.destroy();
      });
    }
    client.resume();
  }

  carryUp(chunk: Buffer): void {
    const allowed = this.#allowed('up', this.#upBytes, chunk);
    this.#upBytes += allowed.length;
    this.#counts.upBytes += allowed.length;
    this.#write(this.#client, this.#upstream, allowed);
    if (allowed.length < chunk.length) this.#cutAfter(this.#upstream);
  }

  #carryDown(chunk: Buffer): void {
    if (this.#losing) return;
    const allowed = this.#allowed('down', this.#downBytes, chunk);
    this.#downBytes += allowed.length;
    this.#counts.downBytes += allowed.length;
    this.#write(this.#upstream, this.#client, allowed);
    if (allowed.length === chunk.length) return;
    if (this.#fault.kind !== 'lose-reply') {
      this.#cutAfter(this.#client);
      return;
    }
    this.#losing = true;
    this.#counts.repliesLost += 1;
    this.#timer(this.#fault.resetAfterMs, () => this.#reset());
  }

  /** The part of a chunk that the fault lets through. */
  #allowed(direction: 'up' | 'down', before: number, chunk: Buffer): Buffer {
    const fault = this.#fault;
    const limited =
      (fault.kind === 'cut' && fault.direction === direction) || (fault.kind === 'lose-reply' && direction === 'down');
    return limited ? chunk.subarray(0, Math.max(0, fault.afterBytes - before)) : chunk;
  }

  #write(from: Socket, to: Socket, chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#later(() => {
      if (to.destroyed || to.writableEnded) return;
      to.write(chunk);
      if (to.writableLength > WAITING_BYTES_MAX && !from.isPaused()) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    });
  }

  /** At once, or after the delay: timers of one length end in the order they were set, so bytes keep theirs. */
  #later(act: () => void): void {
    if (this.#fault.kind === 'delay') this.#timer(this.#fault.oneWayMs, act);
    else act();
  }

  #timer(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer);
  }

  /** Lets the last allowed bytes leave first: a reset would take back what still waits to be written. */
  #cutAfter(side: Socket): void {
    this.#client.pause();
    this.#upstream.pause();
    if (side.destroyed) this.cut();
    else side.write('', () => this.cut());
  }

  cut(): void {
    if (this.#over) return;
    this.#counts.cut += 1;
    this.#reset();
  }

  #reset(): void {
    if (!this.#over) for (const socket of [this.#client, this.#upstream]) socket.resetAndDestroy();
    this.destroy();
  }

  destroy(): void {
    if (this.#over) return;
    this.#over = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#client.destroy();
    this.#upstream.destroy();
    this.#onEnd();
  }
}
