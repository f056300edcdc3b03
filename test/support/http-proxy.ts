import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { AGENT_ROUTES, type AgentRouteName } from '../../src/shared/wire/routes.ts';

export type Reply = { readonly status: number; readonly contentType: string; readonly body: string };

/** A request as the proxy understood it; `statuses` are what the cloud answered to it, in order, so far. */
export type SeenRequest = {
  readonly route: AgentRouteName;
  readonly mailId: string | null;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly statuses: readonly number[];
};

/** A request on its way, in the hands of an act. Each of `answer` and `drop` ends it for the agent. */
export type Passage = SeenRequest & {
  /** Brings it to the cloud, again if asked again, whether or not the agent still waits. */
  forward(): Promise<Reply>;
  answer(reply: Reply): void;
  /** Resets the agent's connection. */
  drop(): void;
};

export type HttpAct = (passage: Passage) => void | Promise<void>;

export type Which = {
  readonly route: AgentRouteName | 'any';
  readonly mailId?: string;
  /** Requests it is for; one by default. */
  readonly times?: number;
};

export type HttpProxy = {
  readonly url: string;
  /** Everything that came, in order. */
  readonly requests: readonly SeenRequest[];
  /** The requests of one route, those about one mail where it is named. */
  seen(route: AgentRouteName, mailId?: string): readonly SeenRequest[];
  /** Lets an act decide about the next such requests; an earlier rule comes first. */
  intercept(which: Which, act: HttpAct): void;
  /** Resets the connections of this route's requests that are still without an answer. */
  cut(route: AgentRouteName): void;
  /** From now on everything passes. */
  heal(): void;
  /** Rejects with the first fault of an act. */
  close(): Promise<void>;
};

type Rule = { readonly which: Which; readonly act: HttpAct; left: number };

/** A proxy between agent and cloud on loopback that knows the contract's calls and does with each what a test says. */
export async function startHttpProxy(targetUrl: string): Promise<HttpProxy> {
  const requests: SeenRequest[] = [];
  const open = new Set<Passage>();
  const faults: unknown[] = [];
  const serving = new Set<Promise<void>>();
  const target = new Pool(targetUrl);
  let rules: Rule[] = [];

  const ruleFor = ({ route, mailId }: SeenRequest): Rule | undefined =>
    rules.find(
      ({ which, left }) =>
        left > 0 &&
        (which.route === 'any' || which.route === route) &&
        (which.mailId === undefined || which.mailId === mailId),
    );

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await bodyOf(request);
    const gone = new AbortController();
    response.once('close', () => {
      gone.abort();
      open.delete(passage);
    });
    const { route, mailId } = routeOf(request);
    const statuses: number[] = [];
    const bring = async (signal: AbortSignal): Promise<Reply> => {
      const reply = await forward(target, request, text, signal);
      statuses.push(reply.status);
      return reply;
    };
    const body = JSON.parse(text) as Record<string, unknown>;
    const passage: Passage = {
      route,
      mailId,
      text,
      body,
      statuses,
      forward: () => bring(AbortSignal.timeout(60_000)),
      answer({ status, contentType, body: answer }) {
        if (!response.destroyed) response.writeHead(status, { 'content-type': contentType }).end(answer);
      },
      drop: () => request.socket.destroy(),
    };
    requests.push(passage);
    open.add(passage);
    const rule = ruleFor(passage);
    if (rule !== undefined) {
      rule.left -= 1;
      await rule.act(passage);
      return;
    }
    try {
      passage.answer(await bring(gone.signal));
    } catch {
      // The agent has gone away or the cloud has: each is told to the other side as what it is.
      passage.drop();
    }
  };

  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    const served = serve(request, response).catch((fault) => {
      // A request that broke off half-way was never there.
      if (request.complete) faults.push(fault);
      request.socket.destroy();
    });
    serving.add(served);
    void served.finally(() => serving.delete(served));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  // A TCP server that listens has an address object; only a pipe's is text.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    seen: (route, mailId) =>
      requests.filter((seen) => seen.route === route && (mailId === undefined || seen.mailId === mailId)),
    intercept(which, act) {
      rules.push({ which, act, left: which.times ?? 1 });
    },
    cut(route) {
      for (const passage of open) if (passage.route === route) passage.drop();
    },
    heal() {
      rules = [];
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      // What a rule brings to the cloud goes on when the agent is gone.
      await Promise.all(serving);
      await target.destroy();
      if (faults.length > 0) throw faults[0];
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

function routeOf({ url = '' }: IncomingMessage): { route: AgentRouteName; mailId: string | null } {
  for (const [name, { path }] of Object.entries(AGENT_ROUTES)) {
    const found = new RegExp(`^${path.replace(':id', '([^/]+)')}$`).exec(url);
    if (found !== null) return { route: name as AgentRouteName, mailId: found[1] ?? null };
  }
  throw new Error(`the contract has no call ${url}`);
}

async function forward(target: Pool, request: IncomingMessage, body: string, signal: AbortSignal): Promise<Reply> {
  const { authorization } = request.headers;
  const headers = { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) };
  const path = request.url ?? '/';
  const answer = await target.request({ path, method: 'POST', headers, body, signal });
  return {
    status: answer.statusCode,
    contentType: String(answer.headers['content-type'] ?? ''),
    body: await answer.body.text(),
  };
}

// ---- acts

/** The request never arrives. */
export const loseRequest: HttpAct = (passage) => passage.drop();

/** The cloud does what is asked and its answer never arrives. */
export const loseReply: HttpAct = async (passage) => {
  await passage.forward();
  passage.drop();
};

/** The network delivers it twice, and the second answer. */
export const deliverTwice: HttpAct = async (passage) => {
  await passage.forward();
  passage.answer(await passage.forward());
};

/** Something else answers in the cloud's place. */
export const answerInstead =
  (status: number, body: string, contentType = 'application/json'): HttpAct =>
  (passage) =>
    passage.answer({ status, contentType, body });
