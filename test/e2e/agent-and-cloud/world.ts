import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { RecipientWithHistory } from '../../../cloud/operator/routes.ts';
import type { HoldKind } from '../../../src/main/core/hold.ts';
import type { Payload } from '../../../src/shared/wire/payload.ts';
import { AgentProcess } from '../../support/agent-process.ts';
import { samplePayload, startTestCloud, type TestCloud } from '../../support/cloud.ts';
import { newUser } from '../../support/cloud-mails.ts';
import { type HttpProxy, startHttpProxy } from '../../support/http-proxy.ts';
import { type Act, type PeerMessage, ScriptedSmtp, USUAL_OFFERS } from '../../support/scripted-smtp.ts';
import { until } from './until.ts';

export const ADDRESS = 'wang@example.com';
/** One command after another, so that an act at one of them stands between it and the next. */
const OFFERS = USUAL_OFFERS.filter((offer) => offer !== 'PIPELINING');
/** While mails wait, back-offs are cut short this often. */
const POKE_MS = 1_000;

/** One user with an agent process, its way to the cloud, and its mail server. Everything of it is real. */
export class World {
  readonly cloud: TestCloud;
  readonly userId: string;
  readonly proxy: HttpProxy;
  readonly smtp: ScriptedSmtp;
  /** Every agent of this user whose ledger still counts. */
  readonly agents: AgentProcess[] = [];
  readonly mailIds: string[] = [];
  /** Whose cancellation the cloud acknowledged. */
  readonly cancelled = new Set<string>();
  /** Messages whose end the mail server answered with a complete refusal. */
  readonly refused = new Set<PeerMessage>();
  #queued = 0;

  private constructor(cloud: TestCloud, userId: string, proxy: HttpProxy, smtp: ScriptedSmtp) {
    this.cloud = cloud;
    this.userId = userId;
    this.proxy = proxy;
    this.smtp = smtp;
  }

  /** With one agent that is set up and does not run yet. */
  static async start(cloud: TestCloud): Promise<World> {
    const userId = await newUser(cloud);
    const world = new World(
      cloud,
      userId,
      await startHttpProxy(cloud.url),
      await ScriptedSmtp.start({ offers: OFFERS }),
    );
    await world.addAgent();
    return world;
  }

  async addAgent(): Promise<AgentProcess> {
    const agent = await AgentProcess.make({
      cloudUrl: this.proxy.url,
      paired: await this.cloud.pairedAgent(this.userId),
      smtpPort: this.smtp.port,
      address: ADDRESS,
    });
    this.agents.push(agent);
    return agent;
  }

  /** The only agent, or the first of several. */
  get agent(): AgentProcess {
    const [first] = this.agents;
    if (first === undefined) throw new Error('this world has no agent');
    return first;
  }

  /** So many mails in a confirmed task, in order; `change` is laid over each payload. */
  async queue(count: number, change: Partial<Payload> = {}): Promise<readonly [string, ...string[]]> {
    const payloads = Array.from({ length: count }, () => {
      this.#queued += 1;
      return { ...samplePayload(this.#queued), ...change };
    });
    const [first, ...others] = await this.cloud.queueMails(this.userId, payloads);
    if (first === undefined) throw new Error('no mail was queued');
    this.mailIds.push(first, ...others);
    return [first, ...others];
  }

  mail(id: string): Promise<RecipientWithHistory> {
    return this.cloud.operator.must('getRecipient', { params: { id } });
  }

  /** Where a mail stands in the cloud, with the mark of doubt as a word of its own. */
  async fate(id: string): Promise<string> {
    const { status, uncertain_since } = await this.mail(id);
    return status === 'sending' && uncertain_since !== null ? 'uncertain' : status;
  }

  async fates(): Promise<string[]> {
    return Promise.all(this.mailIds.map((id) => this.fate(id)));
  }

  async cancel(id: string): Promise<'stopped' | 'too-late'> {
    const answer = await this.cloud.operator.must('cancel', { request: { ids: [id] } });
    if (answer.stopped === 1) this.cancelled.add(id);
    return answer.stopped === 1 ? 'stopped' : 'too-late';
  }

  /** Resolves once the cloud has granted `begin` for this mail. */
  begun(id: string): Promise<void> {
    return until(
      () => this.proxy.seen('begin', id).some((seen) => seen.statuses.includes(200)),
      () => `mail ${id} begins`,
    );
  }

  /** An act for the end of a mail: the server refuses it in so many words. */
  refuse(reply: string): Act {
    return (connection) => {
      const message = this.smtp.messages.at(-1);
      if (message !== undefined) this.refused.add(message);
      connection.write(`${reply}\r\n`);
    };
  }

  /** True while the first agent says that this keeps it from sending. */
  async isHeldBy(kind: HoldKind): Promise<boolean> {
    return (await this.agent.status())?.holds.some((hold) => hold.kind === kind) ?? false;
  }

  /** From now on nothing goes wrong. */
  heal(): void {
    this.proxy.heal();
    this.smtp.script = {};
  }

  /** Every mail is final or uncertain in the cloud, and the agents that run have nothing left to do. */
  async isAtRest(): Promise<boolean> {
    return (await this.#openMails()) === 0 && (await this.#agentsRest());
  }

  /** Waits until it is at rest; back-offs are cut short every `pokeMs`. */
  async rest(pokeMs = POKE_MS): Promise<void> {
    let pokedAtMs = performance.now();
    await until(
      async () => {
        if (performance.now() - pokedAtMs > pokeMs) {
          for (const agent of this.agents) await agent.tell({ command: 'resume' });
          pokedAtMs = performance.now();
        }
        return this.isAtRest();
      },
      async () => JSON.stringify({ fates: await this.fates(), agents: await this.#describeAgents() }),
    );
  }

  /**
   * Waits until no ledger doubts what the cloud has settled. The cloud asks an agent to compare once two heartbeats in a
   * row have counted otherwise than it does, and the agent does so once its claim is no longer waiting: both are hurried.
   */
  async agree(): Promise<void> {
    await until(
      async () => {
        let isSettled = true;
        for (const agent of this.agents) {
          await agent.tell({ command: 'check-now' });
          this.proxy.cut('claim');
          for (const mail of agent.ledger().values()) {
            if (mail.state.kind === 'uncertain' && (await this.fate(mail.id)) !== 'uncertain') isSettled = false;
          }
        }
        return isSettled;
      },
      async () => JSON.stringify({ fates: await this.fates(), agents: await this.#describeAgents() }),
    );
  }

  /** The first agent is from now on known to the cloud under another name. */
  replaceAgent(agent: AgentProcess): void {
    this.agents[0] = agent;
  }

  async #openMails(): Promise<number> {
    const [row] = await this.cloud.sql(
      `SELECT count(*)::integer AS open FROM recipients
        WHERE user_id = $1 AND status IN ('queued', 'sending') AND uncertain_since IS NULL`,
      [this.userId],
    );
    return Number(row?.['open']);
  }

  async #agentsRest(): Promise<boolean> {
    for (const agent of this.agents) {
      if (!agent.running) continue;
      const status = await agent.status();
      if (status === null || !status.synced || status.current !== null) return false;
      const { waiting, sending, untold } = status.counts;
      if (waiting + sending + untold > 0) return false;
    }
    return true;
  }

  async #describeAgents() {
    const describe = async (agent: AgentProcess) => ({ status: await agent.status(), words: agent.words });
    return Promise.all(this.agents.map(describe));
  }

  async close(): Promise<void> {
    for (const agent of this.agents) await agent.remove();
    await this.smtp.close();
    await this.proxy.close();
  }
}

/** One cloud for a file's tests, a world of its own for each. */
export function useWorlds(): { readonly world: World } {
  let cloud: TestCloud;
  let world: World;
  beforeAll(async () => {
    cloud = await startTestCloud();
  });
  afterAll(() => cloud.close());
  beforeEach(async () => {
    world = await World.start(cloud);
  });
  afterEach(() => world.close());
  return {
    get world() {
      return world;
    },
  };
}
