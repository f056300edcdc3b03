import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Terminal } from '../../src/main/headless/terminal.ts';
import { type ChaosPlan, planChaos } from './chaos.ts';
import { openDemoFolder } from './folder.ts';
import { followTask, listMails, taskMail, whatHangs } from './follow-task.ts';
import { confirmDemoTask } from './mails.ts';
import type { DemoOptions } from './options.ts';
import { chaosCounts, nudge, runChaos } from './run-chaos.ts';
import { type DemoStage, setStage } from './stage.ts';
import { type Tally, tallyUp } from './tally.ts';
import { DEMO_TEXTS } from './texts.ts';

/** Slow enough to watch, quick enough to wait for: 40 mails in a few seconds. */
const SENDING_MS = 4_000;
const GAP_MAX_MS = 150;
/** Where lines do not replace each other there is one so often. */
const PLAIN_LINE_MS = 1_000;
const LIMIT_MS = 60_000;
const CHAOS_LIMIT_MS = 120_000;
const LIMIT_MS_PER_MAIL = 1_000;
/** What the mail server has read by the end may still be on its way into the inbox. */
const SETTLE_MS = 500;

export type Performance = {
  readonly options: DemoOptions;
  readonly terminal: Terminal;
  /** Takes every part that was started; the caller ends them. */
  readonly ending: AsyncDisposableStack;
  readonly stop: AbortSignal;
  /** Cuts the end of the agent short. */
  readonly hurry: AbortSignal;
};

export type Outcome = { readonly tally: Tally; readonly problems: readonly string[] };

/** One task from its confirmation to the last count. Throws where a part fails or `stop` aborts. */
export async function perform({ options, terminal, ending, stop, hurry }: Performance): Promise<Outcome> {
  const { language, mails: mailCount, chaosSeed } = options;
  const texts = DEMO_TEXTS[language];
  const { say } = terminal;
  say(texts.starting(options.dataFolder));
  if (chaosSeed !== null) say(texts.seed(chaosSeed));
  const plan = chaosSeed === null ? null : planChaos(chaosSeed, mailCount);
  const folder = await openDemoFolder(options.dataFolder);
  const pace = { gapMinMs: 0, gapMaxMs: Math.min(GAP_MAX_MS, Math.ceil((2 * SENDING_MS) / mailCount)) };
  const { shell } = options;
  const stage = await setStage({ folder, language, shell, plan, pace, texts, say, ending, stop, hurry });

  const startedMs = performance.now();
  const mark = randomBytes(4).toString('hex');
  const taskId = await confirmDemoTask(stage.office, { userId: stage.userId, mailCount, mark });
  say(texts.confirmed(mailCount));
  const chaos = await sendTask(stage, taskId, { plan, mailCount, terminal, stop });
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  if (chaos !== null) say(texts.faults(chaos));
  await sleep(SETTLE_MS);
  const outcome = await count(stage, taskId, seconds, plan === null ? 'plain' : 'chaos');
  say(`\n${texts.summary(outcome.tally)}\n`);
  if (outcome.uncertain.length > 0) say(texts.uncertainMails(outcome.uncertain));
  say(outcome.problems.length === 0 ? texts.allWell : texts.problems(outcome.problems));
  const { inboxUrl: inbox } = stage.mailServer;
  say(texts.whereToLook({ inbox, cloud: stage.cloudUrl, task: taskId, tokenFile: folder.tokenFile }));
  return outcome;
}

/** Runs the agent until every mail is done or the time is up; answers what went wrong on purpose. */
async function sendTask(
  stage: DemoStage,
  taskId: string,
  run: {
    readonly plan: ChaosPlan | null;
    readonly mailCount: number;
    readonly terminal: Terminal;
    readonly stop: AbortSignal;
  },
) {
  const { agent, faults, mailServer } = stage;
  const { plan, mailCount, terminal } = run;
  const texts = DEMO_TEXTS[terminal.language];
  const limitMs = (plan === null ? LIMIT_MS : CHAOS_LIMIT_MS) + mailCount * LIMIT_MS_PER_MAIL;
  const over = new AbortController();
  const agentEnded = Promise.withResolvers<never>();
  agent.start((how) => agentEnded.reject(new Error(`the agent ended by itself: ${how}`)));
  const kills = { count: 0 };
  const troubles: Promise<void>[] = [];
  if (plan !== null && faults !== null) {
    faults.arm();
    const acceptedCount = () => mailServer.accepted.length;
    troubles.push(runChaos({ plan, agent, ...faults, acceptedCount }, kills, over.signal), nudge(agent, over.signal));
  }
  const followed = followTask(stage.office, taskId, {
    limitMs,
    signal: run.stop,
    everyMs: process.stdout.isTTY === true ? 0 : PLAIN_LINE_MS,
    onCounts: ({ total, sent, send_failed: failed, uncertain }) =>
      terminal.progress(texts.progress({ sent, total, failed, uncertain })),
  });
  try {
    // Troubles end by themselves; only a fault of theirs ends the run.
    const faulted = troubles.map((trouble) => trouble.then(() => agentEnded.promise));
    const done = await Promise.race([followed, agentEnded.promise, ...faulted]);
    if (!done) {
      const hanging = whatHangs(await listMails(stage.office, taskId), await agent.status());
      terminal.say(texts.tooLate(limitMs / 1000, hanging));
    }
  } finally {
    over.abort();
    await Promise.allSettled(troubles);
  }
  return faults === null ? null : chaosCounts(kills.count, [faults.smtpProxy, faults.httpProxy]);
}

async function count(
  { office, mailServer }: DemoStage,
  taskId: string,
  seconds: number,
  mode: 'plain' | 'chaos',
): Promise<Outcome & { readonly uncertain: readonly string[] }> {
  const mails = await listMails(office, taskId);
  const { earlier, accepted } = mailServer;
  const { tally, problems } = tallyUp({ mails: mails.map(taskMail), earlier, accepted, seconds });
  const uncertain = mails
    .filter((mail) => taskMail(mail).state === 'uncertain')
    .map(({ id, to_address, uncertain_reason }) => `  ${id}  ${to_address}  ${uncertain_reason ?? ''}`);
  // Whatever goes wrong on the way, no mail of the demo is refused by anybody.
  const failed = mode === 'chaos' && tally.failed > 0 ? [`${tally.failed} mails failed, though none was refused`] : [];
  return { tally, problems: [...problems, ...failed], uncertain };
}
