import { assertNever } from '../../src/shared/result.ts';
import type { SeededRandom } from '../support/fakes-clock.ts';
import type { ModelCloud } from '../support/fakes-cloud.ts';
import { type CloudMail, claimedItem } from '../support/fakes-cloud-mail.ts';
import type { Timeline } from '../support/fakes-timeline.ts';
import type { MemoryLedger } from '../support/memory-ledger.ts';
import type { Computer } from './computer.ts';
import type { Trouble } from './plan.ts';
import type { Safety } from './safety.ts';

/** Agents and computers at most: more of them only make a run long. */
const COMPUTERS_MAX = 4;

/** What a trouble can reach. */
type World = {
  readonly timeline: Timeline;
  readonly random: SeededRandom;
  readonly cloud: ModelCloud;
  readonly safety: Safety;
  readonly computers: readonly Computer[];
  addComputer(agentId: string, file?: MemoryLedger): Computer;
  comeBack(computer: Computer, afterMs: number): void;
  queueMails(count: number): void;
  sendAgain(mailId: string): void;
  note(line: string): void;
};

/**
 * Makes a trouble happen, on this computer and for this mail where it concerns one. What the agent or its person does
 * follows a moment later, because this may be called in the middle of the agent's own step.
 */
export function applyTrouble(sim: World, what: Trouble, computer: Computer, mailId: string | null): void {
  const nowMs = sim.timeline.nowMs;
  const soon = (run: () => void) => sim.timeline.after(0, run);
  switch (what.kind) {
    case 'kill':
    case 'power-loss':
      computer.powerFailed = what.kind === 'power-loss';
      computer.kill();
      if (what.kind === 'power-loss') computer.disk.losePower();
      sim.comeBack(computer, what.backAfterMs);
      return;
    case 'quit':
      soon(() => computer.stop(what.mode));
      comeBackOnceEnded(sim, computer, what.backAfterMs);
      return;
    case 'disk':
      computer.disk.trouble = { how: what.how, untilMs: nowMs + what.forMs };
      return;
    case 'network-down':
      computer.network.downUntilMs = nowMs + what.forMs;
      computer.network.cutAll();
      return;
    case 'reply-lost':
      computer.network.loseReplies();
      return;
    case 'cloud-answers':
      computer.network.answers = { problem: what.problem, untilMs: nowMs + what.forMs };
      return;
    case 'office-was-faster':
      beFaster(sim, what.which, theMail(sim, what.which, mailId));
      return;
    case 'told-otherwise': {
      // Another copy of this agent, whose word came first.
      const mail = theMail(sim, 0.5, mailId);
      if (mail.status === 'sending')
        sim.cloud.resolve(mail.id, 'send_failed', { errorMessage: 'told by another copy' });
      return;
    }
    case 'smtp':
      computer.smtpTrouble = { play: what.play, untilMs: nowMs + what.forMs };
      if (computer.dialogue !== null) computer.dialogue.play = what.play;
      return;
    case 'clock-jump':
      computer.hasJumped = true;
      computer.clock.jump(what.ms);
      return;
    case 'sleep':
      computer.clock.suspend();
      sim.timeline.after(what.forMs, () => computer.clock.wake());
      return;
    case 'second-process':
      soon(() => startSecond(sim, computer, what.lock, what.forMs));
      return;
    case 'backup':
      computer.disk.backUp();
      return;
    case 'restore':
    case 'delete-ledger':
      computer.kill();
      if (what.kind === 'delete-ledger') computer.disk.delete();
      else computer.disk.restore();
      sim.comeBack(computer, 1 + Math.floor(what.which * 60_000));
      return;
    case 'second-pc':
    case 'clone':
      if (sim.computers.length < COMPUTERS_MAX) soon(() => addComputer(sim, computer, what.kind));
      return;
    case 'cancel':
      sim.cloud.cancel(theMail(sim, what.which, mailId).id);
      return;
    case 'give-back':
      sim.cloud.giveBack(theMail(sim, what.which, mailId).id);
      return;
    case 'send-again':
      sim.sendAgain(theMail(sim, what.which, null).id);
      return;
    case 'settle':
      settle(sim, what);
      return;
    case 'answer':
      soon(() => answer(computer, what));
      return;
    case 'claim-repeated': {
      const item = claimedItem(theMail(sim, what.which, mailId));
      sim.cloud.extraItems.push(what.hash === 'same' ? item : { ...item, payload_hash: `sha256:${'1'.repeat(64)}` });
      return;
    }
    case 'pause': {
      const { forMs } = what;
      soon(() => computer.ask((agent) => agent.pause(forMs === null ? null : computer.clock.nowMs() + forMs)));
      return;
    }
    case 'resume':
      soon(() => computer.ask((agent) => agent.resume()));
      return;
    case 'lift': {
      const held = computer.disk.file.heldAddresses(100);
      const one = held[Math.floor(what.which * held.length)];
      if (one !== undefined) soon(() => computer.ask((agent) => void agent.liftAddress(one.address)));
      return;
    }
    case 'office':
      sim.cloud.commands.push(what.command);
      return;
    case 'queue':
      sim.queueMails(what.count);
      return;
    default:
      assertNever(what);
  }
}

/** The mail it is about, or one of all. */
function theMail(sim: World, which: number, mailId: string | null): CloudMail {
  if (mailId !== null) return sim.cloud.mail(mailId);
  const ids = [...sim.cloud.mails.values()];
  const mail = ids[Math.floor(which * ids.length)];
  if (mail === undefined) throw new Error('a world without mails');
  return mail;
}

function comeBackOnceEnded(sim: World, computer: Computer, backAfterMs: number): void {
  sim.timeline.after(backAfterMs, () => {
    if (!computer.isOn) computer.start();
    // It may wait ten minutes for the reply of its mail server; somebody tries again.
    else comeBackOnceEnded(sim, computer, 30_000);
  });
}

/** What the agent is about to ask for has been decided otherwise: it is stopped, or another of its agents has it. */
function beFaster(sim: World, which: number, mail: CloudMail): void {
  if (which < 0.4 || mail.status !== 'sending') {
    sim.cloud.cancel(mail.id);
    return;
  }
  if (which < 0.7) {
    // An agent that never comes back; at the end an operator gives its mails back.
    if (sim.cloud.giveBack(mail.id) === 'too-late') return;
    const claim = { claimId: sim.random.uuid(), limit: 1, waitSeconds: 0 };
    void sim.cloud.port('agent-gone').claim(claim, NEVER);
    return;
  }
  // A copy of this agent began it and was never heard of again.
  const request = { idempotency_key: mail.key, payload_hash: mail.hash, nonce: sim.random.nonce(), attempt: 1 };
  if (mail.agentId !== null) void sim.cloud.port(mail.agentId).begin(mail.id, request, NEVER);
}

function startSecond(sim: World, computer: Computer, lock: 'holds' | 'fails', forMs: number): void {
  if (!computer.isOn) return;
  const started = computer.start(lock);
  sim.note(`${computer.name}: a second agent ${started}`);
  if (lock === 'holds' && started !== 'in-use') sim.safety.fail('a second agent opened a ledger in use');
  if (started === 'in-use') return;
  computer.isShared = true;
  sim.timeline.after(forMs, () => {
    computer.kill();
    sim.comeBack(computer, 1_000);
  });
}

/** A second computer of the same user, with an agent of its own, or one that runs on a copy of this one's disk. */
function addComputer(sim: World, computer: Computer, kind: 'second-pc' | 'clone'): void {
  if (kind === 'second-pc') {
    sim.addComputer(`agent-${sim.computers.length + 1}`).start();
    return;
  }
  const twin = sim.addComputer(computer.agentId, computer.disk.file.copy());
  computer.isShared = true;
  twin.isShared = true;
  twin.start();
}

/** An operator's word on a mail that is marked uncertain. */
function settle(sim: World, { as, which }: { readonly as: 'sent' | 'failed'; readonly which: number }): void {
  const doubtful = [...sim.cloud.mails.values()].filter(({ status, uncertain }) => status === 'sending' && uncertain);
  const mail = doubtful[Math.floor(which * doubtful.length)];
  if (mail === undefined) return;
  if (as === 'sent') sim.cloud.settle(mail.id, 'sent');
  else sim.cloud.settle(mail.id, 'send_failed', { errorMessage: 'an operator asked the buyer' });
}

/** The user's own answer. */
function answer(computer: Computer, { as, which }: { readonly as: 'sent' | 'failed'; readonly which: number }): void {
  const doubtful = computer.disk.file.list({ kinds: ['uncertain'], limit: 100, offset: 0 });
  const mail = doubtful[Math.floor(which * doubtful.length)];
  if (mail === undefined) return;
  computer.ask((agent) => void agent.resolve(mail.id, as === 'sent' ? 'sent' : 'not-sent'));
}

const NEVER = new AbortController().signal;
