import type { MailDetail, MailKind, MailRow, Question, TimelineEntry } from '../../../src/shared/ipc/views.ts';
import type { StatusView, TaskProgress } from '../../../src/shared/status.ts';
import { DESKTOP_TEXTS } from '../../../src/shared/texts/desktop-texts.ts';
import type { Language } from '../../../src/shared/texts/language.ts';
import { NO_MAILS } from '../status-sample.ts';
import { EXAMPLE_WORDS } from './example-words.ts';

export const SCENES = [
  'new',
  'empty',
  'sending',
  'waiting',
  'paused',
  'account',
  'came-back',
  'offline',
  'done',
  'many',
  'broken',
] as const;
export type Scene = (typeof SCENES)[number];

const MINUTE_MS = 60_000;

/** Everything one example window has to show; the fake agent answers from it. */
export type Example = {
  readonly isSetUp: boolean;
  readonly status: StatusView;
  readonly currentMail: MailRow | null;
  readonly mailCount: number;
  readonly questions: readonly Question[];
};

const REPLY =
  '450 4.7.1 <m.keller@keller-maschinenbau.example>: Recipient address rejected: Greylisted, see\nhttps://postgrey.example/help';

/** The mail at a place of the list, newest first. */
export function exampleMail(index: number, language: Language, nowMs: number): MailRow {
  const words = EXAMPLE_WORDS[language];
  const [name, address] = words.people[index % words.people.length] ?? ['', ''];
  return {
    id: `mail-${index}`,
    kind: exampleKind(index),
    toName: index % 7 === 6 ? null : name,
    toAddress: address,
    subject: words.subjects[index % words.subjects.length] ?? '',
    taskName: words.tasks[index % 2] ?? '',
    changedAtMs: nowMs - index * 7 * MINUTE_MS,
  };
}

function exampleKind(index: number): MailKind {
  if (index === 0) return 'handed-over';
  if (index < 3) return 'claimed';
  if (index % 17 === 4) return 'uncertain';
  if (index % 13 === 5) return 'failed';
  return index % 29 === 9 ? 'cancelled' : 'sent';
}

export function exampleDetail(index: number, language: Language, nowMs: number): MailDetail {
  const words = EXAMPLE_WORDS[language];
  const row = exampleMail(index, language, nowMs);
  const isHtml = index % 2 === 0;
  return {
    ...row,
    messageId: `<01hx-${index}@keller-maschinenbau.example>`,
    html: isHtml ? words.html : null,
    text: words.text,
    attachments: index % 2 === 0 ? [{ name: words.attachment, sizeBytes: 1_482_000 }] : [],
    timeline: exampleTimeline(row, language),
  };
}

function exampleTimeline({ kind, changedAtMs }: MailRow, language: Language): TimelineEntry[] {
  const texts = DESKTOP_TEXTS[language].timeline;
  const at = (minutes: number): number => changedAtMs - minutes * MINUTE_MS;
  const entry = (minutes: number, what: TimelineEntry['what'], text: string, quote: string | null): TimelineEntry => ({
    atMs: at(minutes),
    what,
    attempt: null,
    text,
    quote,
  });
  return [
    entry(42, 'claimed', texts.claimed, null),
    entry(30, 'attempt', texts.attempt(1), null),
    entry(30, 'not-sent', EXAMPLE_WORDS[language].cause, REPLY),
    entry(2, 'attempt', texts.attempt(2), null),
    entry(1, 'handed-over', texts.handedOver, null),
    ...(kind === 'uncertain' ? [entry(0, 'lost', texts.lost, null)] : []),
    ...(kind === 'sent' ? [entry(0, 'accepted', texts.accepted, '250 2.0.0 OK queued as 4F1A2B3C')] : []),
    ...(kind === 'failed' ? [entry(0, 'refused', EXAMPLE_WORDS[language].cause, REPLY)] : []),
  ];
}

export function example(scene: Scene, language: Language, nowMs: number): Example {
  const words = EXAMPLE_WORDS[language];
  const calm: StatusView = {
    state: 'idle',
    synced: true,
    counts: NO_MAILS,
    tasks: [],
    current: null,
    waiting: { why: 'nothing-to-send', untilMs: null },
    holds: [],
    lastHeartbeatAtMs: nowMs - 24_000,
    cloudReachable: true,
  };
  const busyCounts = { ...calm.counts, waiting: 25, sent: 12, failed: 2, uncertain: 1 };
  const tasks: readonly TaskProgress[] = [
    { taskId: 'a', name: words.tasks[0], sent: 9, total: 15, failed: 2, uncertain: 1 },
    { taskId: 'b', name: words.tasks[1], sent: 3, total: 25, failed: 0, uncertain: 0 },
  ];
  const base: Example = { isSetUp: true, status: calm, currentMail: null, mailCount: 0, questions: [] };
  const atWork: StatusView = { ...calm, counts: busyCounts, tasks };
  const busy: Example = { ...base, status: atWork, mailCount: 40 };
  const waiting = (why: NonNullable<StatusView['waiting']>['why'], untilMs: number | null) => ({ why, untilMs });

  switch (scene) {
    case 'new':
      return { ...base, isSetUp: false };
    case 'empty':
    case 'broken':
      return base;
    case 'sending':
    case 'many':
      return {
        ...busy,
        mailCount: scene === 'many' ? 10_000 : 40,
        questions: questions(language, nowMs),
        currentMail: exampleMail(0, language, nowMs),
        status: {
          ...atWork,
          state: 'needs-you',
          counts: { ...busyCounts, sending: 1, waiting: 24, conflicts: 1, untold: 1 },
          current: { mailId: 'mail-0', attempt: 2, stage: 'handed-over' },
          waiting: null,
        },
      };
    case 'waiting':
      return {
        ...busy,
        status: {
          ...atWork,
          counts: { ...busyCounts, uncertain: 0 },
          waiting: waiting('per-hour', nowMs + 11 * MINUTE_MS),
        },
      };
    case 'paused':
      return {
        ...busy,
        status: {
          ...atWork,
          state: 'paused',
          counts: { ...busyCounts, uncertain: 0 },
          waiting: waiting('held', nowMs + 48 * MINUTE_MS),
          holds: [
            { kind: 'user', sinceMs: nowMs - 12 * MINUTE_MS, untilMs: nowMs + 48 * MINUTE_MS, text: words.paused },
          ],
        },
      };
    case 'account': {
      const text = `${words.refusedLogin}${language === 'en' ? ' ' : ''}${words.keptLogin}`;
      const sinceMs = nowMs - 3 * MINUTE_MS;
      return {
        ...busy,
        questions: [{ kind: 'account', hold: 'account', text, sinceMs, untilMs: null }],
        status: {
          ...atWork,
          state: 'needs-you',
          counts: { ...busyCounts, uncertain: 0 },
          waiting: waiting('held', null),
          holds: [{ kind: 'account', sinceMs, untilMs: null, text }],
        },
      };
    }
    case 'came-back': {
      const mails = [exampleMail(2, language, nowMs)];
      const address = mails[0]?.toAddress ?? '';
      return {
        ...busy,
        questions: [{ kind: 'held-address', address, text: words.cause, mails, count: 1 }],
        status: { ...atWork, state: 'needs-you', counts: { ...busyCounts, uncertain: 0 } },
      };
    }
    case 'offline':
      return {
        ...busy,
        status: {
          ...atWork,
          state: 'offline',
          cloudReachable: false,
          counts: { ...busyCounts, uncertain: 0 },
          waiting: waiting('not-synced', null),
          lastHeartbeatAtMs: nowMs - 17 * MINUTE_MS,
        },
      };
    case 'done':
      return {
        ...busy,
        status: {
          ...calm,
          tasks: [{ taskId: 'a', name: words.tasks[0], sent: 40, total: 40, failed: 0, uncertain: 0 }],
          counts: { ...calm.counts, sent: 40 },
        },
      };
  }
}

function questions(language: Language, nowMs: number): readonly Question[] {
  const { timeline, outcome } = DESKTOP_TEXTS[language];
  return [
    {
      kind: 'uncertain',
      mail: exampleMail(4, language, nowMs),
      known: timeline.lost,
      quote: '421 4.4.2 Timeout exceeded, closing connection',
      answer: null,
    },
    {
      kind: 'conflict',
      mail: exampleMail(7, language, nowMs),
      here: outcome.sent,
      cloud: outcome.send_failed,
    },
    {
      kind: 'failed',
      cause: EXAMPLE_WORDS[language].cause,
      mails: [exampleMail(5, language, nowMs), exampleMail(18, language, nowMs)],
      count: 2,
      newestAtMs: nowMs - 35 * MINUTE_MS,
    },
  ];
}
