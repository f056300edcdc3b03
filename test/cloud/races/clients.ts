import { randomUUID } from 'node:crypto';
import { ClaimReply } from '../../../src/shared/wire/messages.ts';
import {
  type Answer as HttpAnswer,
  sampleNonce,
  samplePayload,
  type TestAgent,
  type TestCloud,
} from '../../support/cloud.ts';
import { resultRequest } from '../../support/cloud-mails.ts';
import type { SeededRandom } from '../../support/fakes-clock.ts';
import type { Act, Answer, Call } from './history.ts';

type Item = ReturnType<typeof ClaimReply.parse>['items'][number];

/** Answers that say nothing about what happened, and that any caller may get while the database is away. */
const UNCLEAR = ['unavailable'];

/** The mails of some users, everything that was asked about each, and by whom. */
export class Races {
  readonly calls = new Map<string, Call[]>();
  /** Answers that are no answers of the contract. */
  readonly unclean: string[] = [];
  unclearCount = 0;
  readonly #cloud: TestCloud;
  readonly #userOf = new Map<string, string>();

  constructor(cloud: TestCloud) {
    this.#cloud = cloud;
  }

  async queue(userId: string, count: number): Promise<readonly string[]> {
    const ids = await this.#cloud.queueMails(
      userId,
      Array.from({ length: count }, (_, index) => samplePayload(index)),
    );
    for (const id of ids) {
      this.calls.set(id, []);
      this.#userOf.set(id, userId);
    }
    return ids;
  }

  // ---- an agent

  /** Claims and lives with what it gets until `signal` aborts. */
  async agent(agent: TestAgent, random: SeededRandom, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const items = await this.#claim(agent, 1 + random.below(4));
      for (const item of items) await this.#live(agent, item, random);
      if (items.length === 0) await pauseMs(20 + random.below(60));
    }
  }

  async #claim(agent: TestAgent, limit: number): Promise<readonly Item[]> {
    const claimId = randomUUID();
    const act: Act = { kind: 'claim', agent: agent.agentId, claimId };
    // The same claim until it is answered, as an agent does.
    for (let turn = 0; turn < 100; turn += 1) {
      const startMs = performance.now();
      const answer = await agent.call('claim', { claim_id: claimId, limit, wait: 0 });
      const endMs = performance.now();
      if (answer.status === 200) {
        const { items } = ClaimReply.parse(answer.body);
        for (const { id } of items) this.#note(id, { startMs, endMs, act, answer: { done: 'held' } });
        return items;
      }
      this.#unclear('claim', answer);
      // It may have taken any mail of this user.
      for (const [id, userId] of this.#userOf) {
        if (userId === agent.userId) this.#note(id, { startMs, endMs: Number.POSITIVE_INFINITY, act, answer: null });
      }
      await pauseMs(100);
    }
    throw new Error('a claim was never answered');
  }

  async #live(agent: TestAgent, item: Item, random: SeededRandom): Promise<void> {
    const nonce = sampleNonce();
    switch (random.below(8)) {
      case 0:
        await this.#release(agent, item);
        return;
      case 1:
        // A second process on a copied disk, at the same moment.
        await Promise.all([this.#begin(agent, item, nonce), this.#begin(agent, item, sampleNonce())]);
        break;
      case 2:
        // Its "not sent" overtakes the begin.
        await Promise.all([this.#begin(agent, item, nonce), this.#notSent(agent, item, nonce)]);
        await this.#begin(agent, item, nonce);
        break;
      case 3:
        await this.#begin(agent, item, nonce);
        await Promise.all([this.#notSent(agent, item, nonce), this.#release(agent, item)]);
        return;
      case 4:
        await Promise.all([this.#result(agent, item, null, 'send_failed'), this.#begin(agent, item, nonce)]);
        break;
      case 5:
        await this.#begin(agent, item, nonce);
        await this.#result(agent, item, nonce, 'uncertain');
        break;
      default:
        await Promise.all([this.#begin(agent, item, nonce), this.#begin(agent, item, nonce)]);
    }
    const outcome = random.below(3) === 0 ? 'send_failed' : 'sent';
    await Promise.all([
      this.#result(agent, item, nonce, outcome),
      this.#result(agent, item, nonce, random.below(4) === 0 ? 'sent' : outcome),
    ]);
  }

  #begin(agent: TestAgent, item: Item, nonce: string): Promise<void> {
    const body = { idempotency_key: item.idempotency_key, payload_hash: item.payload_hash, nonce, attempt: 1 };
    const act: Act = { kind: 'begin', agent: agent.agentId, nonce };
    return this.#ask(
      item.id,
      act,
      () => agent.call('begin', body, { id: item.id }),
      () => 'granted',
    );
  }

  #notSent(agent: TestAgent, item: Item, nonce: string): Promise<void> {
    const nothing = { code: null, enhanced_code: null, reply: null };
    const told = { nonce, attempt: 1, stage: 'body', class: 'connection', ...nothing };
    const ask = () => agent.call('notSent', { idempotency_key: item.idempotency_key, ...told }, { id: item.id });
    return this.#ask(item.id, { kind: 'not-sent', nonce }, ask, ({ body }) => String(body['cleared']));
  }

  #result(
    agent: TestAgent,
    item: Item,
    nonce: string | null,
    outcome: 'sent' | 'send_failed' | 'uncertain',
  ): Promise<void> {
    const told = outcome === 'sent' ? `<${nonce ?? ''}@example.com>` : outcome === 'send_failed' ? 'refused' : '';
    const words = {
      smtp_message_id: outcome === 'sent' ? told : null,
      error_message: outcome === 'sent' ? null : told,
    };
    const request = resultRequest(item, { nonce, outcome, ...words });
    const act: Act = { kind: 'result', agent: agent.agentId, nonce, outcome, told };
    const word = ({ body }: HttpAnswer) => (body['deduplicated'] === true ? 'again' : 'taken');
    return this.#ask(item.id, act, () => agent.call('result', request, { id: item.id }), word);
  }

  #release(agent: TestAgent, item: Item): Promise<void> {
    const ask = () => agent.call('release', { idempotency_key: item.idempotency_key }, { id: item.id });
    return this.#ask(item.id, { kind: 'release', agent: agent.agentId }, ask, () => 'queued');
  }

  // ---- an operator

  /** Stops mails and gives them back, as it comes, until `signal` aborts. */
  async operator(random: SeededRandom, signal: AbortSignal): Promise<void> {
    const ids = [...this.calls.keys()];
    while (!signal.aborted) {
      const id = ids[random.below(ids.length)] ?? '';
      if (random.below(3) === 0) await this.#cancel(id);
      else await this.#giveBack(id);
      await pauseMs(random.below(40));
    }
  }

  async #cancel(id: string): Promise<void> {
    const startMs = performance.now();
    const answer = await this.#cloud.operator.call('cancel', { request: { ids: [id] } });
    const word = !answer.ok
      ? ''
      : answer.value.stopped === 1
        ? 'stopped'
        : answer.value.too_late === 1
          ? 'too-late'
          : 'already';
    this.#noteOperator(
      id,
      { kind: 'cancel' },
      startMs,
      answer.ok ? { done: word } : { refused: answer.error.code ?? 'no answer' },
    );
  }

  async #giveBack(id: string): Promise<void> {
    const startMs = performance.now();
    const answer = await this.#cloud.operator.call('giveBack', { params: { id } });
    this.#noteOperator(
      id,
      { kind: 'give-back' },
      startMs,
      answer.ok ? { done: 'queued' } : { refused: answer.error.code ?? 'no answer' },
    );
  }

  #noteOperator(id: string, act: Act, startMs: number, said: Answer): void {
    const isUnclear = 'refused' in said && said.refused !== 'illegal-move';
    if (isUnclear && !UNCLEAR.includes(said.refused)) this.unclean.push(`${act.kind}: ${said.refused}`);
    if (isUnclear) this.unclearCount += 1;
    const endMs = isUnclear ? Number.POSITIVE_INFINITY : performance.now();
    this.#note(id, { startMs, endMs, act, answer: isUnclear ? null : said });
  }

  /** What every row says once everybody is done. */
  async lookAtAll(): Promise<void> {
    for (const id of this.calls.keys()) {
      const [row] = await this.#cloud.sql(
        `SELECT status, agent_id, begun_nonce, uncertain_since IS NOT NULL AS uncertain,
                coalesce(smtp_message_id, error_message) AS told FROM recipients WHERE id = $1`,
        [id],
      );
      const seen = ['status', 'agent_id', 'begun_nonce', 'uncertain', 'told']
        .map((name) => row?.[name] ?? null)
        .join(' ');
      const atMs = performance.now();
      this.#note(id, { startMs: atMs, endMs: atMs + 0.001, act: { kind: 'look' }, answer: { done: seen } });
    }
  }

  async #ask(
    id: string,
    act: Act,
    ask: () => Promise<HttpAnswer>,
    word: (answer: HttpAnswer) => string,
  ): Promise<void> {
    const startMs = performance.now();
    const answer = await ask();
    if (answer.status === 200) {
      this.#note(id, { startMs, endMs: performance.now(), act, answer: { done: word(answer) } });
    } else if (answer.problem !== null && (answer.status === 409 || answer.status === 422)) {
      this.#note(id, { startMs, endMs: performance.now(), act, answer: { refused: answer.problem } });
    } else {
      this.#unclear(act.kind, answer);
      this.#note(id, { startMs, endMs: Number.POSITIVE_INFINITY, act, answer: null });
    }
  }

  #unclear(what: string, answer: HttpAnswer): void {
    this.unclearCount += 1;
    if (!UNCLEAR.includes(answer.problem ?? '')) this.unclean.push(`${what}: ${answer.status} ${answer.problem}`);
  }

  #note(id: string, call: Call): void {
    this.calls.get(id)?.push(call);
  }
}

const pauseMs = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
