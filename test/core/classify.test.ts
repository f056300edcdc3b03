import { describe, expect, it } from 'vitest';
import type { BrokenCause } from '../../src/main/core/attempt-end.ts';
import { classify, classifyBroken, RETRY_LATER_MAX, type Verdict } from '../../src/main/core/classify.ts';
import { FALLBACK_RULES, REPLY_RULES } from '../../src/main/core/reply-rules.ts';
import { type ReplyClass, type SmtpReply, STAGES } from '../../src/shared/wire/messages.ts';
import { REPLY_SAMPLES } from './reply-samples.ts';

const BEFORE_THE_GATE = STAGES.filter((stage) => stage !== 'handed-over');

/** A reply line as a server sends it. */
function reply(line: string): SmtpReply {
  const parts = /^(\d{3})[ -](?:([245]\.\d{1,3}\.\d{1,3}) )?(.*)$/.exec(line);
  return { code: Number(parts?.[1]), enhanced: parts?.[2] ?? null, text: parts?.[3] ?? '' };
}

const SAMPLES = Object.entries(REPLY_SAMPLES).flatMap(([ruleId, lines]) => lines.map((line) => ({ ruleId, line })));

describe('classify', () => {
  it.each(SAMPLES)('reads "$line" by rule $ruleId', ({ ruleId, line }) => {
    const rule = REPLY_RULES.find(({ id }) => id === ruleId);

    const verdict = classify('body', reply(line));

    expect(verdict.ruleId).toBe(ruleId);
    if (rule?.finalFor?.test(reply(line).enhanced ?? '')) {
      expect(verdict).toMatchObject({ class: rule.class, action: 'fail-recipient', waitMs: null });
    } else if (rule?.action !== 'never-auto-retry') {
      expect(verdict).toEqual({
        class: rule?.class,
        outcome: rule?.action === 'fail-recipient' ? 'refused' : 'not-sent',
        action: rule?.action,
        waitMs: rule?.waitMs ?? null,
        untilMidnightFrom: rule?.untilMidnightFrom ?? null,
        ruleId,
      });
    }
  });

  it('has a sample for every rule', () => {
    expect(Object.keys(REPLY_SAMPLES)).toEqual(REPLY_RULES.map(({ id }) => id));
  });

  it.each(SAMPLES)('never calls a mail uncertain before the gate for "$line"', ({ line }) => {
    for (const stage of BEFORE_THE_GATE) {
      const { outcome, action } = classify(stage, reply(line));
      expect(outcome).toBe(action === 'fail-recipient' ? 'refused' : 'not-sent');
      expect(action).not.toBe('never-auto-retry');
    }
  });

  it.each(SAMPLES)('calls a mail uncertain after the gate only for 421 and idle lines: "$line"', ({ ruleId, line }) => {
    const { outcome } = classify('handed-over', reply(line));

    expect(outcome === 'uncertain').toBe(line.startsWith('421') || ruleId === 'timeout-client-input');
  });

  it('is acceptance only after the gate and only for a complete 2yz', () => {
    const wait = { waitMs: null, untilMidnightFrom: null };
    const accepted = { class: 'local', outcome: 'accepted', action: 'none', ...wait, ruleId: 'accepted' };

    for (const line of ['250 2.0.0 queued', '200 ok', '299 ok']) {
      expect(classify('handed-over', reply(line))).toEqual(accepted);
    }
    for (const stage of BEFORE_THE_GATE) expect(classify(stage, reply('250 2.0.0 queued')).outcome).toBe('not-sent');
  });

  it('is uncertain after the gate for a code that answers nothing', () => {
    for (const [line, ruleId] of [
      ['354 go on', 'out-of-step'],
      ['300 hm', 'out-of-step'],
      ['199 hm', 'out-of-step'],
      ['399 hm', 'out-of-step'],
      ['600 hm', 'no-rule'],
    ] as const) {
      expect(classify('handed-over', reply(line))).toMatchObject({ outcome: 'uncertain', ruleId });
      expect(classify('body', reply(line))).toMatchObject({ outcome: 'not-sent', action: 'retry-later', ruleId });
    }
    expect(classify('handed-over', reply('421 bye'))).toMatchObject({ outcome: 'uncertain', ruleId: 'closing-421' });
  });

  it('has an answer for every negative code, enhanced or bare, at every stage', () => {
    for (const stage of STAGES) {
      for (let code = 400; code <= 599; code += 1) {
        for (const enhanced of [null, `${String(code)[0]}.9.9`]) {
          expect(classify(stage, { code, enhanced, text: '' }).ruleId).not.toBe('no-rule');
        }
      }
    }
  });

  it.each([
    ['fb-auth-5', 'auth', '550 go away', 'stop-ask-user'],
    ['fb-auth-4', 'auth', '432 not now', 'back-off-account'],
    ['fb-530', 'envelope', '530 who are you', 'stop-ask-user'],
    ['fb-5.1', 'envelope', '550 5.1.1 nobody', 'fail-recipient'],
    ['fb-5.2', 'envelope', '550 5.2.1 closed', 'fail-recipient'],
    ['fb-4.2', 'handed-over', '450 4.2.0 later', 'retry-later'],
    ['fb-5.3.4', 'handed-over', '500 5.3.4 heavy', 'fail-recipient'],
    ['fb-4.3-4.4', 'body', '451 4.3.0 trouble', 'retry-later'],
    ['fb-4.5.3', 'envelope', '452 4.5.3 so many', 'stop-ask-user'],
    ['fb-5.6', 'handed-over', '554 5.6.0 odd', 'fail-recipient'],
    ['fb-4.7', 'envelope', '450 4.7.1 not yet', 'back-off-account'],
    ['fb-5.7', 'envelope', '550 5.7.1 policy', 'stop-ask-user'],
    ['fb-4xx', 'envelope', '450 hm', 'retry-later'],
    ['fb-4xx', 'handed-over', '400 hm', 'retry-later'],
    ['fb-5xx', 'envelope', '550 no', 'stop-ask-user'],
  ] as const)('falls back to %s at stage %s for "%s"', (ruleId, stage, line, action) => {
    expect(classify(stage, reply(line))).toMatchObject({ ruleId, action });
  });

  it('has fifty-five rules and sixteen fallbacks, the last of them for no reply at all', () => {
    expect(REPLY_RULES).toHaveLength(55);
    expect(FALLBACK_RULES).toHaveLength(15);
    expect(classifyBroken('handed-over', 'dropped').ruleId).toBe('fb-none');
  });

  it('tries a mailbox that is full for now again, and fails for one that is full for good', () => {
    expect(classify('handed-over', reply('452 4.2.2 Mailbox full'))).toMatchObject({ action: 'retry-later' });
    expect(classify('handed-over', reply('552 5.2.2 Mailbox full'))).toMatchObject({ outcome: 'refused' });
  });

  it('fails one recipient for a bare refusal of RCPT, and asks a person for one of MAIL', () => {
    expect(classify('envelope', reply('550 no'), 'rcpt')).toMatchObject({ ruleId: 'fb-rcpt-5', outcome: 'refused' });
    expect(classify('envelope', reply('550 no'), 'mail')).toMatchObject({ ruleId: 'fb-5xx', outcome: 'not-sent' });
    expect(classify('body', reply('550 no'), 'rcpt')).toMatchObject({ ruleId: 'fb-5xx', outcome: 'not-sent' });
  });

  it.each([
    'Daily user sending\r\n550-5.4.5 limit exceeded. See\r\n550 5.4.5 the help pages',
    'Daily user sending\n550 limit exceeded',
    'Daily user sending\n5.4.5 limit exceeded',
    'Daily user sending\r\n550-5.44.555 limit exceeded',
    'Daily user  sending\t limit exceeded',
  ])('reads over the line ends of a long reply and the codes repeated behind them: %j', (text) => {
    expect(classify('handed-over', { code: 550, enhanced: '5.4.5', text }).ruleId).toBe('gmail-daily');
  });

  it('reads GB18030 and UTF-8 bytes that came as Latin-1', () => {
    // 请使用授权码 in GB18030.
    const bytes = [0xc7, 0xeb, 0xca, 0xb9, 0xd3, 0xc3, 0xca, 0xda, 0xc8, 0xa8, 0xc2, 0xeb];
    const texts = [String.fromCharCode(...bytes), Buffer.from('请使用授权码', 'utf8').toString('latin1')];
    // Cut off within its last character.
    texts.push(Buffer.from('请使用授权码登录', 'utf8').subarray(0, -1).toString('latin1'));

    for (const text of texts.flatMap((one) => [one, `Error: ${one}`])) {
      expect(classify('connect', { code: 535, enhanced: null, text }).ruleId).toBe('qq-authcode');
    }
  });

  it('leaves a text as it is that has characters beyond Latin-1', () => {
    expect(classify('connect', { code: 535, enhanced: null, text: 'é: 请使用授权码' }).ruleId).toBe('qq-authcode');
  });
});

describe('the reply table', () => {
  it('names every line once', () => {
    const ids = [...REPLY_RULES, ...FALLBACK_RULES].map(({ id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
  });

  it('names a time exactly where something waits for it', () => {
    for (const { id, action, waitMs } of [...REPLY_RULES, ...FALLBACK_RULES]) {
      expect([id, waitMs !== undefined]).toEqual([id, action === 'retry-later' || action === 'back-off-account']);
    }
  });

  it('lets a reply put one mail off three times', () => {
    expect(RETRY_LATER_MAX).toBe(3);
  });
});

const CAUSES: Record<BrokenCause, readonly [ReplyClass, Verdict['action'], number | null]> = {
  dns: ['connection', 'retry-later', 60_000],
  refused: ['connection', 'retry-later', 60_000],
  timeout: ['connection', 'retry-later', 60_000],
  dropped: ['connection', 'retry-later', 60_000],
  'proxy-unreachable': ['connection', 'retry-later', 60_000],
  'sign-in-unreachable': ['connection', 'retry-later', 60_000],
  tls: ['connection', 'retry-later', 300_000],
  'out-of-step': ['connection', 'retry-later', 300_000],
  'too-much': ['connection', 'retry-later', 300_000],
  'proxy-login': ['connection', 'retry-later', 300_000],
  'proxy-refused': ['connection', 'retry-later', 300_000],
  certificate: ['connection', 'stop-ask-user', null],
  'starttls-missing': ['connection', 'stop-ask-user', null],
  'auth-not-offered': ['auth', 'stop-ask-user', null],
  'no-credentials': ['auth', 'stop-ask-user', null],
  'sign-in-again': ['auth', 'stop-ask-user', null],
  'smtputf8-missing': ['recipient-invalid', 'fail-recipient', null],
  'size-exceeded': ['too-big', 'fail-recipient', null],
  stopped: ['local', 'none', null],
};
const causes = (Object.keys(CAUSES) as BrokenCause[]).map((cause) => [cause, CAUSES[cause]] as const);

describe('classifyBroken', () => {
  it.each(causes)('takes %s before the gate as %s, never as uncertain', (cause, [replyClass, action, waitMs]) => {
    for (const stage of BEFORE_THE_GATE) {
      expect(classifyBroken(stage, cause)).toEqual({
        class: replyClass,
        action,
        outcome: action === 'fail-recipient' ? 'refused' : 'not-sent',
        waitMs,
        untilMidnightFrom: null,
        ruleId: `broken-${cause}`,
      });
    }
  });

  it.each(causes)('takes %s after the gate as uncertain', (cause) => {
    expect(classifyBroken('handed-over', cause)).toEqual({
      class: 'ambiguous',
      outcome: 'uncertain',
      action: 'never-auto-retry',
      waitMs: null,
      untilMidnightFrom: null,
      ruleId: 'fb-none',
    });
  });
});
