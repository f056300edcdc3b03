import type { Clock, Cloud, Ledger, Mailbox, Mailer, Ports } from '../../src/main/engine/ports.ts';

/** Thrown through the engine where its process is killed in the middle of a step. */
export class Killed extends Error {}

/** When a process dies: at its `call`-th effect (commit, request, stage), just before it or just after it. */
export type Death = { readonly call: number; readonly when: 'before' | 'after' };

/** One process from its start to its end; nothing it does after its end has any effect. */
export class Life {
  isAlive = true;
  #calls = 0;
  readonly #death: Death | null;
  constructor(death: Death | null) {
    this.#death = death;
  }

  end(): void {
    this.isAlive = false;
  }

  /** One effect; throws where the process dies around it. */
  effect<T>(run: () => T): T {
    if (!this.isAlive) throw new Killed();
    this.#calls += 1;
    const dies = this.#death?.call === this.#calls ? this.#death.when : null;
    if (dies === 'before') this.end();
    if (!this.isAlive) throw new Killed();
    const value = run();
    if (dies === 'after') this.end();
    // Nobody hears what becomes of it.
    if (!this.isAlive && value instanceof Promise) value.catch(() => undefined);
    if (!this.isAlive) throw new Killed();
    return value;
  }

  /** What resolves after the end is heard by nobody. */
  async heard<T>(answer: Promise<T>): Promise<T> {
    const value = await answer;
    return this.isAlive ? value : new Promise<T>(() => undefined);
  }
}

/** The same ports as a process sees them that may be killed. */
export function mortal(ports: Ports, life: Life): Ports {
  const asked = <A extends readonly unknown[], T>(call: (...args: A) => Promise<T>) => {
    return async (...args: A): Promise<T> => life.heard(life.effect(() => call(...args)));
  };
  const clock: Clock = {
    ...ports.clock,
    nowMs: ports.clock.nowMs,
    monotonicMs: ports.clock.monotonicMs,
    sleep: (ms, signal) => life.heard(ports.clock.sleep(ms, signal)),
  };
  const cloud: Cloud = {
    claim: asked(ports.cloud.claim),
    begin: asked(ports.cloud.begin),
    report: asked(ports.cloud.report),
    heartbeat: asked(ports.cloud.heartbeat),
    sync: asked(ports.cloud.sync),
    close: ports.cloud.close,
  };
  const mailer: Mailer = {
    submit: (message, watch, signal) =>
      life.heard(
        life.effect(() =>
          ports.mailer.submit(
            message,
            { ...watch, onStage: (stage) => life.effect(() => watch.onStage(stage)) },
            signal,
          ),
        ),
      ),
    close: ports.mailer.close,
  };
  const ledger: Ledger = { ...ports.ledger, commit: (changes) => life.effect(() => ports.ledger.commit(changes)) };
  const { mailbox } = ports;
  const watched: Mailbox | null = mailbox && {
    find: asked(mailbox.find),
    keepCopies: asked(mailbox.keepCopies),
    letters: asked(mailbox.letters),
  };
  return { ...ports, clock, cloud, mailer, mailbox: watched, ledger };
}
