import { z } from 'zod';
import type { MailAccount, Pace } from '../../shared/settings.ts';
import type { Language } from '../../shared/texts/language.ts';
import { LOCAL_TEXTS } from '../../shared/texts/local-texts.ts';
import { autoPause, counts, type EndNote, endsNeeded } from '../core/auto-pause.ts';
import type { Hold } from '../core/hold.ts';
import type { MailEvent } from '../core/mail-state.ts';
import { type Allowed, DAY_MS, nextAllowed, recentNeeded, upToNow } from '../core/pace.ts';
import { recipientDomain } from '../core/recipient-domain.ts';
import type { Ledger, LedgerChange, LedgerMail, Ports } from './ports.ts';

const HOUR_MS = 3_600_000;
/** Submissions within an hour that a start reads for the limit by domain. */
const HOUR_COUNT_MAX = 10_000;

/** What was sent, and how it ended, as far as pace and pauses look at it; read from the ledger at every start. */
export type PaceMemoryOfAgent = {
  /** Newest first; as many as the pace needs. */
  recent: readonly number[];
  /** Of the last hour, newest first, by the recipients' domain. */
  readonly byDomain: Map<string, readonly number[]>;
  /** Days (UTC, counted since 1970) on which this account sent anything. */
  readonly days: Set<number>;
  /** Ends that count for a pause by itself, newest first. */
  ends: EndNote[];
};

type PacedAccount = { readonly pace: Pace; readonly account: MailAccount };

/** Settings of the engine's own: since when an account sends here, and from when on ends are counted. */
const ACCOUNT_SINCE = 'account-since';
const ENDS_FROM = 'ends-counted-from';
const AccountSince = z.object({ address: z.string(), sinceMs: z.number() });

export function readPaceMemory(ledger: Ledger, config: PacedAccount, nowMs: number): PaceMemoryOfAgent {
  const { pace, account } = config;
  const byDomain = new Map<string, readonly number[]>();
  if (pace.perHourPerDomain !== null) {
    for (const { atMs, mailId } of ledger.submissionsSince(nowMs - HOUR_MS, HOUR_COUNT_MAX)) {
      const domain = recipientDomain(ledger.mail(mailId)?.payload ?? null);
      if (domain !== null) byDomain.set(domain, [...(byDomain.get(domain) ?? []), Math.min(atMs, nowMs)]);
    }
  }
  const since = AccountSince.safeParse(ledger.setting(ACCOUNT_SINCE));
  const sinceMs = since.success && since.data.address === account.address ? since.data.sinceMs : 0;
  const from = z.number().safeParse(ledger.setting(ENDS_FROM));
  const fromMs = from.success ? from.data : 0;
  return {
    recent: upToNow(ledger.recentSubmissions(recentNeeded(pace), nowMs), nowMs),
    byDomain,
    days: new Set(pace.rampUpDays === null ? [] : ledger.submissionDays(sinceMs)),
    ends: ledger
      .recentEnds(endsNeeded(pace))
      .flatMap(({ outcome, failure, endedAtMs }) =>
        outcome === null || (endedAtMs ?? 0) <= fromMs ? [] : [{ outcome, failure }],
      )
      .filter(counts),
  };
}

/** Notes beside a newly entered account that it starts here now: what another one sent before is not its own. */
export function accountSince(
  before: { readonly address: string } | null,
  address: string,
  nowMs: number,
): readonly LedgerChange[] {
  if (before === null || before.address === address) return [];
  return [{ kind: 'setting', key: ACCOUNT_SINCE, value: { address, sinceMs: nowMs } }];
}

/** When the pace lets a mail to this domain go. */
export function allowedTo(
  config: Pick<PacedAccount, 'pace'>,
  memory: PaceMemoryOfAgent,
  domain: string | null,
  gapMs: number,
  nowMs: number,
): Allowed {
  const today = Math.floor(nowMs / DAY_MS);
  return nextAllowed(
    config.pace,
    {
      recent: memory.recent,
      gapMs,
      daysBefore: memory.days.size - (memory.days.has(today) ? 1 : 0),
      toDomain: (domain === null ? undefined : memory.byDomain.get(domain)) ?? [],
    },
    nowMs,
  );
}

/** Submissions in the future of a clock that was set back count as of this moment, from now on. */
export function settleClock(memory: PaceMemoryOfAgent, nowMs: number): void {
  memory.recent = upToNow(memory.recent, nowMs);
  for (const [domain, instants] of memory.byDomain) {
    memory.byDomain.set(domain, upToNow(instants, nowMs));
  }
}

/** A mail that may have reached the server counts from now on. */
export function rememberSubmission(memory: PaceMemoryOfAgent, pace: Pace, mail: LedgerMail, nowMs: number): void {
  memory.recent = [nowMs, ...memory.recent].slice(0, recentNeeded(pace));
  if (pace.rampUpDays !== null) memory.days.add(Math.floor(nowMs / DAY_MS));
  const domain = pace.perHourPerDomain === null ? null : recipientDomain(mail.payload);
  if (domain === null) return;
  for (const [known, instants] of memory.byDomain) {
    if ((instants[0] ?? 0) <= nowMs - HOUR_MS) memory.byDomain.delete(known);
  }
  const earlier = memory.byDomain.get(domain) ?? [];
  memory.byDomain.set(domain, [nowMs, ...earlier].slice(0, pace.perHourPerDomain ?? 0));
}

/** What follows for the account from how its latest mails ended: a pause that a person ends, or nothing. */
export function pauseByItself(
  {
    ports,
    config,
  }: { readonly ports: Pick<Ports, 'clock'>; readonly config: { readonly pace: Pace; readonly language: Language } },
  memory: PaceMemoryOfAgent,
  event: MailEvent,
): readonly LedgerChange[] {
  const note = noteOf(event);
  if (note === null || !counts(note)) return [];
  memory.ends = [note, ...memory.ends].slice(0, endsNeeded(config.pace));
  const pause = autoPause(config.pace, memory.ends);
  if (pause === null) return [];
  memory.ends = [];
  const nowMs = ports.clock.nowMs();
  const text = `${LOCAL_TEXTS[config.language][pause.kind]} ${pause.last.message}`;
  const hold: Hold = { kind: 'account', sinceMs: nowMs, untilMs: null, text, repeat: 1 };
  return [
    { kind: 'hold-set', hold },
    // Whoever goes on from here begins to count anew, after a restart too.
    { kind: 'setting', key: ENDS_FROM, value: nowMs },
  ];
}

function noteOf(event: MailEvent): EndNote | null {
  switch (event.kind) {
    case 'accepted':
      return { outcome: 'accepted', failure: null };
    case 'refused':
    case 'not-sent':
    case 'lost':
      return { outcome: event.kind, failure: event.failure };
    default:
      return null;
  }
}
