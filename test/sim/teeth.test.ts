import { describe, expect, it } from 'vitest';
import { judgeResult, mayMove, operatorMay, refuseBegin } from '../../cloud/queue/rules.ts';
import { isOpen } from '../../src/main/core/mail-state.ts';
import type { Ports } from '../../src/main/engine/ports.ts';
import { Pace } from '../../src/shared/settings.ts';
import { HeldItemHead } from '../../src/shared/wire/messages.ts';
import { NO_PACE } from '../support/fakes-world.ts';
import { drawPlan, type Plan } from './plan.ts';
import { type Mutation, runPlan } from './simulation.ts';

const SEEDS_MAX = 1_500;
/** Longer than the slowest machine needs. */
const TIMEOUT_MS = 10 * 60_000;
const MAILS_MAX = 12;

/** A plan of the quick profile with few mails, so that many are run in little time. */
function smallPlan(seed: number): Plan {
  const plan = drawPlan(seed, 'quick');
  return { ...plan, mailCount: Math.min(plan.mailCount, MAILS_MAX) };
}

/** What broke first, and after how many seeds. */
async function caught(mutation: Mutation, world: World): Promise<string> {
  for (let seed = 1; seed <= SEEDS_MAX; seed += 1) {
    const { failure } = await runPlan(world(smallPlan(seed)), { mutation });
    if (failure !== null) return failure;
  }
  return 'nothing';
}

const withGateOpen = (ports: Ports): Ports => ({
  ...ports,
  mailer: {
    ...ports.mailer,
    submit: (message, watch, signal) => {
      const gate = async () => {
        watch.gate().catch(() => undefined);
        return 'open' as const;
      };
      return ports.mailer.submit(message, { ...watch, gate }, signal);
    },
  },
});

const withoutBegin = (ports: Ports): Ports => ({
  ...ports,
  cloud: { ...ports.cloud, begin: async () => ({ ok: true, value: undefined }) },
});

/** Says that a mail whose reply was lost was dropped in its body. */
const withTrustInSilence = (ports: Ports): Ports => ({
  ...ports,
  mailer: {
    ...ports.mailer,
    submit: async (message, watch, signal) => {
      const end = await ports.mailer.submit(message, watch, signal);
      return end.kind === 'broken' && end.stage === 'handed-over' ? { ...end, stage: 'body' } : end;
    },
  },
});

const withFreshReports = (ports: Ports): Ports => {
  let count = 0;
  return {
    ...ports,
    cloud: {
      ...ports.cloud,
      report: (row, signal) => {
        count += 1;
        return ports.cloud.report({ ...row, body: `${row.body}${' '.repeat(count % 7)}` }, signal);
      },
    },
  };
};

/** After a restart, believes its disk that a begun mail did not leave, and tells the cloud so. */
const withTrustInDisk = (ports: Ports): Ports => ({
  ...ports,
  cloud: {
    ...ports.cloud,
    sync: async (request, signal) => {
      const answer = await ports.cloud.sync(request, signal);
      if (!answer.ok) return answer;
      const items: unknown[] = [];
      for (const item of answer.value.items) {
        const held = HeldItemHead.parse(item);
        const known = ports.ledger.mail(held.id)?.state.kind;
        if (held.begun_nonce === null || known === undefined || !isOpen(known)) {
          items.push(item);
          continue;
        }
        const { idempotency_key, begun_nonce: nonce } = held;
        const nothing = { stage: 'body', class: 'connection', code: null, enhanced_code: null, reply: null } as const;
        const body = JSON.stringify({ idempotency_key, nonce, attempt: 1, ...nothing });
        await ports.cloud.report({ mailId: held.id, route: 'notSent', body }, signal);
        items.push({ ...held, begun_nonce: null });
      }
      return { ok: true, value: { ...answer.value, items } };
    },
  },
});

const withLedger =
  (broken: Partial<Ports['ledger']>) =>
  (ports: Ports): Ports => ({ ...ports, ledger: { ...ports.ledger, ...broken } });

/** Takes what it learned for told without telling it. */
const withFactsKept = (ports: Ports): Ports => ({
  ...ports,
  cloud: {
    ...ports.cloud,
    report: async (row, signal) =>
      row.route === 'fact' ? { ok: true, value: undefined } : ports.cloud.report(row, signal),
  },
});

/** Finds every mail in Sent that it looks for. */
const withEverythingFound = (ports: Ports): Ports => {
  if (ports.mailbox === null) return ports;
  const { mailbox } = ports;
  const find: typeof mailbox.find = async (where, messageIds, signal) => {
    const looked = await mailbox.find(where, messageIds, signal);
    if (!looked.ok) return looked;
    const all = messageIds.map((messageId) => ({
      messageId,
      by: 'message-id' as const,
      currentMessageId: messageId,
      copies: 1,
    }));
    return { ok: true, value: { ...looked.value, found: all } };
  };
  return { ...ports, mailbox: { ...mailbox, find } };
};

/** A world in which a fault shows sooner. */
type World = (plan: Plan) => Plan;
const AS_DRAWN: World = (plan) => plan;
/** Mails come back, and addresses are shared. */
const LETTERS: World = (plan) => ({ ...plan, folders: 'yes', answers: 0.8, sharing: 0.8 });
const SLOWLY: World = (plan) => ({
  ...plan,
  pace: Pace.parse({ gapMinMs: 5_000, gapMaxMs: 9_000, perMinute: 4, perHour: null, perDay: null }),
});
/** An operator gives a mail back while its last bytes are away. */
const GIVEN_BACK: World = (plan) => ({
  ...plan,
  troubles: [
    { when: { kind: 'step', step: 'end-of-data', nth: 1 + (plan.seed % 5) }, what: { kind: 'give-back', which: 0.5 } },
    ...plan.troubles,
  ],
});

/** What the mutations break, and which promises may be the first to be seen broken. */
const BROKEN: readonly (readonly [what: string, promises: RegExp, mutation: Mutation, world?: World])[] = [
  ['a gate that opens early', /^(I1|I5|truth|I2)/, { bend: withGateOpen }],
  ['an agent that never asks for begin', /^(I1|I5|truth|I2|I3)/, { bend: withoutBegin }],
  ['an agent that takes silence for a no', /^I1/, { bend: withTrustInSilence }],
  ['an agent that trusts its disk after a restart', /^(I1|I2|truth)/, { bend: withTrustInDisk }],
  ['an agent that writes its reports anew', /^reports/, { bend: withFreshReports }],
  ['an agent that keeps no pace', /^pace/, { pace: NO_PACE }],
  [
    'an agent that forgets its pace over a restart',
    /^pace/,
    { bend: withLedger({ recentSubmissions: () => [] }) },
    SLOWLY,
  ],
  ['an agent that sends while sending is held', /^hold/, { bend: withLedger({ holds: () => [] }) }],
  [
    'an agent that writes to an address that is held',
    /^hold/,
    { bend: withLedger({ heldAddress: () => null }) },
    LETTERS,
  ],
  ['an agent that keeps to itself what it learned', /^facts/, { bend: withFactsKept }, LETTERS],
  ['an agent that finds in Sent whatever it looks for', /^truth/, { bend: withEverythingFound }],
  ['a disk that forgets what it had written', /^(I2|I1|reports)/, { forgottenCommits: 3 }],
  [
    'a cloud that grants begin to everybody',
    /^(I1|truth|I2)/,
    {
      rules: {
        refuseBegin: (mail, agent, request) => {
          const refused = refuseBegin(mail, agent, request);
          return refused === 'already-begun' ? null : refused;
        },
      },
    },
  ],
  [
    'a cloud that does not retire nonces',
    /^(I1|I2|truth)/,
    {
      rules: { refuseBegin: (mail, agent, request) => refuseBegin({ ...mail, retired_nonces: [] }, agent, request) },
    },
  ],
  [
    'a cloud that lets a begun mail be cancelled',
    /^(I5|I2|truth)/,
    {
      rules: {
        operatorMay: (act, mail) => operatorMay(act, act === 'cancel' ? notBegun(mail) : mail),
        mayMove: (mail, to) => mayMove(to === 'cancelled' ? notBegun(mail) : mail, to),
      },
    },
  ],
  [
    'a cloud that gives a begun mail back to the queue',
    /^(I1|I2|truth)/,
    {
      rules: {
        operatorMay: (act, mail) => operatorMay(act, act === 'give-back' ? notBegun(mail) : mail),
        mayMove: (mail, to) => mayMove(to === 'queued' ? notBegun(mail) : mail, to),
      },
    },
    GIVEN_BACK,
  ],
  [
    'a cloud that lets the last result win',
    /^(I2|truth)/,
    {
      rules: {
        judgeResult: (mail, agent, result) => {
          const effect = judgeResult(mail, agent, result);
          const isOther = effect.kind === 'refused' && effect.code === 'conflicting-result';
          return isOther && result.outcome !== 'uncertain' ? { kind: 'finish', as: result.outcome } : effect;
        },
        mayMove: () => true,
      },
    },
  ],
];

const notBegun = <T extends { readonly begun_nonce: string | null; readonly uncertain: boolean }>(mail: T): T => ({
  ...mail,
  begun_nonce: null,
  uncertain: false,
});

describe('the simulator notices', () => {
  for (const [what, promises, mutation, world = AS_DRAWN] of BROKEN) {
    it(what, { timeout: TIMEOUT_MS }, async () => {
      expect(await caught(mutation, world)).toMatch(promises);
    });
  }

  it('nothing in the same worlds where no part is broken', { timeout: TIMEOUT_MS }, async () => {
    const failures: string[] = [];
    for (let seed = 1; seed <= 40; seed += 1) {
      const { failure } = await runPlan(smallPlan(seed));
      if (failure !== null) failures.push(`seed ${seed}: ${failure}`);
    }
    expect(failures).toEqual([]);
  });
});
