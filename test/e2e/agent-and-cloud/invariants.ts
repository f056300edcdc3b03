import { expect } from 'vitest';
import type { RecipientWithHistory } from '../../../cloud/operator/routes.ts';
import type { StateKind } from '../../../src/main/core/mail-state.ts';
import type { AgentProcess } from '../../support/agent-process.ts';
import type { World } from './world.ts';

const FINAL = ['sent', 'send_failed', 'cancelled'];

/** What a ledger at rest may say of a mail that stands so in the cloud. */
const AGREES: Record<StateKind, readonly string[]> = {
  sent: ['sent'],
  failed: ['send_failed'],
  uncertain: ['uncertain'],
  cancelled: ['cancelled'],
  // Another agent has it, or had it.
  released: ['queued', 'sent', 'send_failed', 'uncertain', 'cancelled'],
  claimed: [],
  attempting: [],
  'handed-over': [],
};

/**
 * The five promises, at rest: I1 no mail ended twice at the mail server, I2 one result a mail and a true one, I3 every
 * mail final or before a person as uncertain, there and here, I4 and I5 by I2: nothing of a failed or cancelled mail
 * was ever handed over. `conflicts` are results that a ledger keeps against the cloud's word.
 */
export async function expectInvariants(world: World, expected: Expected = {}): Promise<void> {
  expect(await brokenPromises(world, expected)).toEqual([]);
}

type Expected = { readonly conflicts?: readonly string[] };

/** The same as a list of what does not hold, one sentence each. */
export async function brokenPromises(world: World, expected: Expected = {}): Promise<readonly string[]> {
  const broken: string[] = [];
  const ledgers = world.agents.map((agent) => ({ agent, mails: agent.ledger() }));
  const fates = new Map<string, string>();
  for (const id of world.mailIds) {
    const mail = await world.mail(id);
    const fate = mail.status === 'sending' && mail.uncertain_since !== null ? 'uncertain' : mail.status;
    fates.set(id, fate);
    broken.push(...brokenByServer(world, mail, fate));
    const moves = mail.history.filter(({ event, to_status }) => event === 'move' && FINAL.includes(to_status));
    if (moves.length !== (FINAL.includes(fate) ? 1 : 0)) broken.push(`I2: mail ${id} got ${moves.length} results`);
    if (!FINAL.includes(fate) && fate !== 'uncertain') broken.push(`I3: mail ${id} rests as ${fate}`);
    if (world.cancelled.has(id) && fate !== 'cancelled') broken.push(`I5: mail ${id} was cancelled and is ${fate}`);
    for (const { mails } of ledgers) {
      const state = mails.get(id)?.state.kind;
      if (state === undefined || expected.conflicts?.includes(id) || isRefusedBeforeCancelled(state, fate)) continue;
      if (!AGREES[state].includes(fate)) broken.push(`I2: mail ${id} is ${fate} there and ${state} here`);
    }
    if (fate === 'uncertain' && !isShownUncertain(ledgers, mail)) {
      broken.push(`I3: mail ${id} is uncertain there and no ledger of its agent shows it`);
    }
  }
  for (const { agent, mails } of ledgers) {
    const status = await agent.status();
    const conflicts = status?.counts.conflicts ?? 0;
    const races = [...mails].filter(([id, { state }]) => isRefusedBeforeCancelled(state.kind, fates.get(id)));
    const shown = (expected.conflicts?.length ?? 0) + races.length;
    if (conflicts !== shown) broken.push(`I2: ${conflicts} conflicts at an agent that should show ${shown}`);
  }
  return broken;
}

/**
 * The mail server refused it before anything had begun, and the office cancelled it before it heard: both know that it
 * was not sent. The cloud's word stands, and the ledger keeps its own as a conflict that is shown.
 */
const isRefusedBeforeCancelled = (state: StateKind, fate: string | undefined): boolean =>
  state === 'failed' && fate === 'cancelled';

function brokenByServer(world: World, mail: RecipientWithHistory, fate: string): string[] {
  const copies = world.smtp.messages.filter((message) => keyOf(message.data) === mail.idempotency_key);
  // Whether a mail whose end got no reply was taken, only the server knows: it counts as taken.
  const perhapsTaken = copies.filter((copy) => !world.refused.has(copy));
  const accepted = copies.filter((copy) => copy.accepted);
  const broken: string[] = [];
  if (perhapsTaken.length > 1) broken.push(`I1: mail ${mail.id} ended ${perhapsTaken.length} times`);
  if (copies.some(({ recipients }) => recipients.length !== 1)) broken.push(`mail ${mail.id} had several recipients`);
  if (fate === 'cancelled' && copies.length > 0) broken.push(`I5: mail ${mail.id} is cancelled and was sent`);
  if (hasEvidence(mail.result)) return broken;
  if (fate === 'sent' && accepted.length !== 1) broken.push(`I2: mail ${mail.id} is sent, accepted ${accepted.length}`);
  if (fate === 'send_failed' && perhapsTaken.length > 0) broken.push(`I2: mail ${mail.id} failed and may be taken`);
  return broken;
}

/** The key inside the Message-ID; all attempts of one mail share it. */
const keyOf = (data: string): string | undefined => /^Message-ID: <(email-recipient-\d+)\./im.exec(data)?.[1];

/** True where a person said how it ended, and not the mail server. */
const hasEvidence = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'evidence' in result && result.evidence !== null;

/** An agent whose ledger is lost shows nothing; the operator still does. */
function isShownUncertain(
  ledgers: readonly { readonly agent: AgentProcess; readonly mails: ReturnType<AgentProcess['ledger']> }[],
  mail: RecipientWithHistory,
): boolean {
  const own = ledgers.filter(({ agent }) => agent.agentId === mail.agent_id);
  return own.length === 0 || own.some(({ mails }) => mails.get(mail.id)?.state.kind === 'uncertain');
}
