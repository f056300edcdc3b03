import { openLedger } from '../../src/main/adapters/sqlite/open-ledger.ts';
import { isSettled } from '../support/fakes-cloud-mail.ts';
import type { Death } from '../support/fakes-life.ts';
import type { World } from '../support/fakes-world.ts';
import { putDown } from './check-images.ts';
import type { Image } from './images.ts';
import { liveThrough } from './recorded-life.ts';

const LIMIT_MS = 48 * 3_600_000;
const NO_MARKS = (): void => undefined;

/** A computer that lost its power at one effect of the engine, and how many commits its disk may hold. */
export type Loss = { readonly death: Death; readonly commits: readonly number[] };

/** Every effect of the recorded life (commit, request, stage of the dialogue), the loss right before and right after it. */
export async function everyLoss(): Promise<readonly Loss[]> {
  const losses: Loss[] = [];
  for (let call = 1; ; call += 1) {
    const before = committed(await liveThrough(null, NO_MARKS, { call, when: 'before' }));
    const world = await liveThrough(null, NO_MARKS, { call, when: 'after' });
    const after = committed(world);
    // Under way, a commit may be on the disk or not; answered, it is there.
    losses.push({ death: { call, when: 'before' }, commits: after > before ? [before, after] : [before] });
    losses.push({ death: { call, when: 'after' }, commits: [after] });
    if (world.end === 'survived') return losses;
  }
}

const committed = (world: World): number => world.commits.filter(({ failed }) => failed === null).length;

/**
 * Starts the engine again over a disk image, in the world as the loss left it. Answers what does not hold once it has
 * come to rest: nothing accepted twice, every mail final or doubted, and nothing called sent that was not.
 */
export async function driveOn(death: Death, image: Image, folder: string): Promise<readonly string[]> {
  const world = await liveThrough(null, NO_MARKS, death);
  putDown(image, folder);
  const opened = openLedger({ folder });
  if (!opened.ok) return [opened.error.text];
  const { ledger } = opened.value;
  world.ledger = { ...world.ledger, ...ledger };
  const agent = world.start();
  const { cloud, smtp } = world;
  const isAtRest = (): boolean => {
    const { claimed, attempting, untold, 'handed-over': handedOver } = ledger.counts();
    return [...cloud.mails.values()].every(isSettled) && claimed + attempting + handedOver + untold === 0;
  };
  const came = await world.clock.runUntil(isAtRest, LIMIT_MS).then(
    () => true,
    () => false,
  );
  agent.kill();
  const broken = came ? [] : ['it never came to rest'];
  for (const mail of cloud.mails.values()) {
    const accepted = smtp.acceptances.get(mail.id) ?? 0;
    if (accepted > 1 || (smtp.ends.get(mail.id) ?? 0) > 1) broken.push(`mail ${mail.id} was handed over twice`);
    if (mail.status === 'sent' && accepted !== 1) broken.push(`mail ${mail.id} is called sent and was not taken`);
    if (mail.status === 'send_failed') broken.push(`mail ${mail.id} is called failed`);
    const here = ledger.mail(mail.id)?.state.kind;
    if (here !== (mail.status === 'sending' ? 'uncertain' : mail.status))
      broken.push(`mail ${mail.id}: ${here} here, ${mail.status} there`);
  }
  ledger.close();
  return broken;
}
