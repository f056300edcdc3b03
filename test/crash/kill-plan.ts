import type { AgentRouteName } from '../../src/shared/wire/routes.ts';
import { SeededRandom } from '../support/fakes-clock.ts';
import type { SmtpScript } from '../support/scripted-smtp.ts';

/** A point of the mail dialogue; at each the peer has just heard something and says nothing yet, or has said it. */
export type SmtpPoint = Exclude<keyof SmtpScript, 'body' | 'starttls' | 'authStep' | 'rset' | 'quit'>;

/** When the agent is killed. Milliseconds count from the moment mails are there, or from the start of the process. */
export type KillMoment =
  | { readonly kind: 'while-sending'; readonly afterMs: number }
  | { readonly kind: 'while-starting'; readonly afterMs: number }
  | { readonly kind: 'smtp'; readonly point: SmtpPoint; readonly times: number; readonly when: 'before' | 'after' }
  | {
      readonly kind: 'http';
      readonly route: AgentRouteName;
      readonly times: number;
      readonly when: 'before' | 'after';
    };

/** What else goes wrong meanwhile. */
export type Weather = 'fair' | 'rcpt-refused' | 'data-dropped' | 'end-dropped' | 'end-refused' | 'http-replies-lost';

/** What became of the ledger while the agent was dead. */
export type LedgerFate = 'kept' | 'older-copy' | 'deleted' | 'copied-and-both-run';

export type KillPlan = {
  readonly mails: number;
  readonly moment: KillMoment;
  readonly weather: Weather;
  readonly fate: LedgerFate;
  readonly cancels: boolean;
};

const SMTP_POINTS: readonly SmtpPoint[] = ['greeting', 'ehlo', 'auth', 'mail', 'rcpt', 'data', 'endOfData'];
const ROUTES: readonly AgentRouteName[] = ['sync', 'claim', 'begin', 'begin', 'result', 'notSent', 'heartbeat'];
const BAD_WEATHER: readonly Weather[] = [
  'rcpt-refused',
  'data-dropped',
  'end-dropped',
  'end-refused',
  'http-replies-lost',
];
const BAD_FATES: readonly LedgerFate[] = ['older-copy', 'deleted', 'copied-and-both-run'];
/** Three mails and their reports are over within this time on an idle machine. */
const SENDING_MS = 400;
/** A start takes about so long, its comparison with the cloud included. */
const STARTING_MS = 1_500;

/** The kills of one story, the same for the same seed. Seconds, threads and sockets fall as they fall. */
export function planKills(seed: number, count: number): readonly KillPlan[] {
  const random = new SeededRandom(seed);
  const oneOf = <T>(list: readonly T[]): T => {
    const one = list[random.below(list.length)];
    if (one === undefined) throw new Error('an empty list');
    return one;
  };
  const when = () => oneOf(['before', 'after'] as const);
  const moment = (): KillMoment => {
    switch (random.below(5)) {
      case 0:
        // As often in the first few milliseconds as in all the rest.
        return { kind: 'while-sending', afterMs: Math.floor(SENDING_MS ** random.fraction()) };
      case 1:
        return { kind: 'while-starting', afterMs: random.below(STARTING_MS) };
      case 2:
        return { kind: 'http', route: oneOf(ROUTES), times: 1 + random.below(2), when: when() };
      default:
        return { kind: 'smtp', point: oneOf(SMTP_POINTS), times: 1 + random.below(2), when: when() };
    }
  };
  return Array.from({ length: count }, () => ({
    mails: 1 + random.below(3),
    moment: moment(),
    weather: random.fraction() < 0.4 ? oneOf(BAD_WEATHER) : 'fair',
    fate: random.fraction() < 0.15 ? oneOf(BAD_FATES) : 'kept',
    cancels: random.fraction() < 0.15,
  }));
}
