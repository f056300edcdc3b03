import { z } from 'zod';
import { SmtpServer } from '../../src/shared/settings.ts';
import { MAIL_SIZES } from './bench-mail.ts';

/** The mail server both sides of a pair send to, and what they log in with. */
export const BenchServer = z.object({ smtp: SmtpServer, user: z.string(), password: z.string() });
export type BenchServer = z.infer<typeof BenchServer>;

/** What both sides of a pair are told to send. The mails before `warmUp` and the opening of the connection do not count. */
export const Round = z.object({
  kind: z.literal('round'),
  size: z.enum(MAIL_SIZES),
  warmUp: z.int().min(1),
  mails: z.int().min(1),
});
export type Round = z.infer<typeof Round>;

/** Wall time and CPU time of the process for the counted mails. */
export const Measured = z.object({ ms: z.number(), cpuMs: z.number() });
export type Measured = z.infer<typeof Measured>;

/** Measures from the end of the last warm-up mail to the end of the last counted one. */
export function stopwatch(round: Round): { mailEnded(): void; readonly done: Promise<Measured> } {
  const done = Promise.withResolvers<Measured>();
  let ended = 0;
  let startedMs = 0;
  let cpuBefore = process.cpuUsage();
  return {
    mailEnded() {
      ended += 1;
      if (ended === round.warmUp) {
        startedMs = performance.now();
        cpuBefore = process.cpuUsage();
      }
      if (ended === round.warmUp + round.mails) {
        const { user, system } = process.cpuUsage(cpuBefore);
        done.resolve({ ms: performance.now() - startedMs, cpuMs: (user + system) / 1000 });
      }
    },
    done: done.promise,
  };
}
