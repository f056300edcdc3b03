import type { Stage } from '../../src/shared/wire/messages.ts';
import type { SeededRandom } from '../support/fakes-clock.ts';
import type { Play } from '../support/fakes-mailer.ts';

const reply = (code: number, enhanced: string | null, text: string) => ({ code, enhanced, text });

/** What a mail server may do wrong, by the stage in which it does. */
const PLAYS: readonly Play[] = [
  { kind: 'break', stage: 'connect', cause: 'refused' },
  { kind: 'break', stage: 'connect', cause: 'dns' },
  { kind: 'hang', stage: 'connect', forMs: 20_000 },
  { kind: 'reply', stage: 'connect', reply: reply(421, '4.3.2', 'closing') },
  { kind: 'break', stage: 'tls' },
  { kind: 'break', stage: 'tls', cause: 'timeout' },
  { kind: 'reply', stage: 'tls', reply: reply(454, '4.7.0', 'TLS not available') },
  { kind: 'break', stage: 'auth' },
  { kind: 'reply', stage: 'auth', reply: reply(535, '5.7.8', 'bad password') },
  { kind: 'reply', stage: 'auth', reply: reply(454, '4.7.0', 'temporary authentication failure') },
  { kind: 'break', stage: 'envelope' },
  { kind: 'hang', stage: 'envelope', forMs: 90_000 },
  { kind: 'reply', stage: 'envelope', command: 'mail', reply: reply(451, '4.3.0', 'try again later') },
  { kind: 'reply', stage: 'envelope', command: 'rcpt', reply: reply(550, '5.1.1', 'no such user') },
  { kind: 'reply', stage: 'envelope', command: 'rcpt', reply: reply(450, '4.2.0', 'greylisted, try later') },
  { kind: 'break', stage: 'envelope', cause: 'out-of-step' },
  { kind: 'reply', stage: 'envelope', command: 'data', reply: reply(451, '4.3.0', 'not now') },
  { kind: 'break', stage: 'body' },
  { kind: 'reply', stage: 'body', reply: reply(451, '4.3.0', 'storage is full') },
  { kind: 'break', stage: 'body', cause: 'out-of-step' },
  { kind: 'reply', stage: 'handed-over', reply: reply(554, '5.6.0', 'malformed') },
  { kind: 'reply', stage: 'handed-over', reply: reply(451, '4.3.0', 'try again later') },
  { kind: 'reply', stage: 'handed-over', reply: reply(421, '4.4.2', 'closing') },
  { kind: 'reply', stage: 'handed-over', reply: reply(421, '4.4.2', 'closing'), arrived: true },
  { kind: 'break', stage: 'handed-over', arrived: true },
  { kind: 'break', stage: 'handed-over', arrived: false },
  { kind: 'break', stage: 'handed-over', cause: 'out-of-step', arrived: true },
  { kind: 'hang', stage: 'handed-over', forMs: 60_000, arrived: true },
];

/** One of them; with a stage, one that goes wrong just there, `broken` without a complete reply, `replied` with one. */
export function drawPlay(
  random: SeededRandom,
  at: { readonly stage: Stage; readonly command: string | null; readonly how: 'broken' | 'replied' } | null,
): Play {
  if (at === null) return random.oneOf(PLAYS);
  const fitting = PLAYS.filter((play) => {
    if (play.kind === 'accept' || play.stage !== at.stage) return false;
    const isUnreadable = play.kind === 'break' && play.cause === 'out-of-step';
    if (at.how === 'broken') return play.kind !== 'reply' && !isUnreadable;
    if (isUnreadable) return true;
    return play.kind === 'reply' && (play.command === undefined || at.command === null || play.command === at.command);
  });
  return random.oneOf(fitting);
}
