import { type Context, createContext } from '../../src/main/engine/context.ts';
import { readPaceMemory } from '../../src/main/engine/pace-memory.ts';
import type { Ports } from '../../src/main/engine/ports.ts';
import { SeededRandom, VirtualClock } from './fakes-clock.ts';
import { ModelCloud } from './fakes-cloud.ts';
import { fakeComposer, fakeMailer, ModelSmtp } from './fakes-mailer.ts';
import { CONFIG } from './fakes-world.ts';
import { type MemoryLedger, memoryLedger } from './memory-ledger.ts';

/** What the parts of the engine share, with no loop running. */
export type BareContext = {
  readonly context: Context;
  readonly ledger: MemoryLedger;
  readonly clock: VirtualClock;
  /** How often the status was said to have changed. */
  readonly changes: () => number;
  /** The bells that rang and that nobody waited for, by name. */
  readonly rung: () => Promise<readonly string[]>;
};

export function bareContext(over: Partial<Ports> & { readonly ledger?: MemoryLedger } = {}): BareContext {
  const clock = new VirtualClock();
  const ledger = over.ledger ?? memoryLedger();
  const quiet = (): void => undefined;
  const ports: Ports = {
    clock,
    ledger,
    random: new SeededRandom(1),
    cloud: new ModelCloud(clock).port('agent-1'),
    composer: fakeComposer(),
    mailer: fakeMailer(new ModelSmtp(), clock, { isAlive: () => true }),
    mailbox: null,
    log: { info: quiet, warn: quiet, error: quiet },
    ...over,
  };
  let changes = 0;
  const context = createContext(ports, CONFIG, readPaceMemory(ledger, CONFIG, clock.nowMs()), () => {
    changes += 1;
  });
  const rung = async (): Promise<readonly string[]> => {
    const names: string[] = [];
    for (const [name, bell] of Object.entries(context.bells)) {
      if ((await bell.wait(clock, 0, new AbortController().signal)) === 'rang') names.push(name);
    }
    return names;
  };
  return { context, ledger, clock, changes: () => changes, rung };
}
