import { ok } from '../../src/shared/result.ts';
import type { ClaimRequest, SignInIds } from '../../src/shared/wire/messages.ts';
import type { AGENT_ROUTES } from '../../src/shared/wire/routes.ts';
import { rowId } from '../database/columns.ts';
import type { Queries } from '../database/database.ts';
import { fail } from '../failure.ts';
import type { Handlers } from '../http/bind.ts';
import type { Callers } from '../http/callers.ts';
import { beginMail } from '../queue/begin.ts';
import { claimMails } from '../queue/claim.ts';
import { storeFact } from '../queue/fact.ts';
import type { AgentIdentity } from '../queue/moves.ts';
import { retireNonce } from '../queue/not-sent.ts';
import { releaseMail } from '../queue/release.ts';
import { storeResult } from '../queue/result.ts';
import type { Wakeups } from '../queue/wakeup.ts';
import { heartbeat } from './heartbeat.ts';
import { pairAgent } from './pair.ts';
import { syncPage } from './sync.ts';

export type AgentApi = {
  readonly queries: Queries;
  readonly wakeups: Wakeups;
  /** What agents are told about the sign-in with the browser; nothing where the office set up none. */
  readonly signIn: SignInIds | undefined;
  /** Never goes back; milliseconds. */
  readonly monotonicMs: () => number;
};

/** One handler for each route of the agent API. A recipient id that no row can have is answered like an unknown one. */
export function agentHandlers(api: AgentApi): Handlers<typeof AGENT_ROUTES, Callers> {
  const { queries, signIn } = api;
  const told = signIn === undefined ? {} : { sign_in: signIn };
  const noSuchMail = async () => fail('not-found');
  return {
    async pair({ request }) {
      const paired = await pairAgent(queries, request);
      return paired.ok ? ok({ ...paired.value, ...told }) : paired;
    },
    claim: async ({ caller, request, signal }) => {
      const items = await claimOrWait(api, caller, request, signal);
      return ok({ claim_id: request.claim_id, items });
    },
    begin: async ({ caller, params, request }) => {
      const id = rowId(params.id);
      return id === null ? noSuchMail() : beginMail(queries, caller, id, request);
    },
    notSent: async ({ caller, params, request }) => {
      const id = rowId(params.id);
      return id === null ? noSuchMail() : retireNonce(queries, caller, id, request);
    },
    result: async ({ caller, params, request }) => {
      const id = rowId(params.id);
      return id === null ? noSuchMail() : storeResult(queries, caller, id, request);
    },
    fact: async ({ caller, params, request }) => {
      const id = rowId(params.id);
      return id === null ? noSuchMail() : storeFact(queries, caller, id, request);
    },
    release: async ({ caller, params, request }) => {
      const id = rowId(params.id);
      return id === null ? noSuchMail() : releaseMail(queries, caller, id, request);
    },
    heartbeat: async ({ caller, request }) => ok({ ...(await heartbeat(queries, caller, request)), ...told }),
    sync: ({ caller, request }) => syncPage(queries, caller, request),
  };
}

/** Answers at once what is there; otherwise asks again at each wake-up until the wait is over or the client is gone. */
async function claimOrWait(api: AgentApi, agent: AgentIdentity, request: ClaimRequest, signal: AbortSignal) {
  const untilMs = api.monotonicMs() + request.wait * 1000;
  const watch = api.wakeups.watch(agent.userId);
  try {
    for (;;) {
      const answer = await claimMails(api.queries, agent, { claimId: request.claim_id, limit: request.limit });
      if (answer.kind === 'claimed') return answer.items;
      const leftMs = untilMs - api.monotonicMs();
      if (leftMs <= 0) return [];
      await watch.next(leftMs, signal);
      // Nobody would read the answer, and mails taken now would wait for the next start of their agent.
      if (signal.aborted) return [];
    }
  } finally {
    watch.close();
  }
}
