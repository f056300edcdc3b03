import { describe, expect, it } from 'vitest';
import type { BrokenCause } from '../../src/main/core/attempt-end.ts';
import { classify, classifyBroken, RETRY_LATER_MAX } from '../../src/main/core/classify.ts';
import { FALLBACK_RULES, REPLY_RULES } from '../../src/main/core/reply-rules.ts';
import { type SmtpReply, STAGES } from '../../src/shared/wire/messages.ts';
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
      expect(verdict).toMatchObject({ class: rule?.class, action: rule?.action, waitMs: rule?.waitMs ?? null });
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
    expect(classify('handed-over', reply('250 2.0.0 queued')).outcome).toBe('accepted');
    for (const stage of BEFORE_THE_GATE) expect(classify(stage, reply('250 2.0.0 queued')).outcome).toBe('not-sent');
  });

  it('is uncertain after the gate for a code that answers nothing', () => {
    expect(classify('handed-over', reply('354 go on')).outcome).toBe('uncertain');
    expect(classify('body', reply('354 go on')).outcome).toBe('not-sent');
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
  });

  it('reads over the line ends of a long reply and the codes repeated behind them', () => {
    const text = 'Daily user sending\r\n550-5.4.5 limit exceeded. See\r\n550 5.4.5 the help pages';

    expect(classify('handed-over', { code: 550, enhanced: '5.4.5', text }).ruleId).toBe('gmail-daily');
  });

  it('reads GB18030 bytes that came as Latin-1', () => {
    // 请使用授权码 in GB18030.
    const bytes = [0xc7, 0xeb, 0xca, 0xb9, 0xd3, 0xc3, 0xca, 0xda, 0xc8, 0xa8, 0xc2, 0xeb];
    const text = `Error: ${String.fromCharCode(...bytes)}`;

    expect(classify('connect', { code: 535, enhanced: null, text }).ruleId).toBe('qq-authcode');
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

const CAUSES: Record<BrokenCause, ReturnType<typeof classifyBroken>['action']> = {
  dns: 'retry-later',
  refused: 'retry-later',
  timeout: 'retry-later',
  dropped: 'retry-later',
  certificate: 'stop-ask-user',
  'starttls-missing': 'stop-ask-user',
  tls: 'retry-later',
  'auth-not-offered': 'stop-ask-user',
  'smtputf8-missing': 'fail-recipient',
  'size-exceeded': 'fail-recipient',
  'out-of-step': 'retry-later',
  'too-much': 'retry-later',
  'no-credentials': 'stop-ask-user',
  'sign-in-again': 'stop-ask-user',
  'sign-in-unreachable': 'retry-later',
  'proxy-unreachable': 'retry-later',
  'proxy-login': 'retry-later',
  'proxy-refused': 'retry-later',
  stopped: 'none',
};
const causes = (Object.keys(CAUSES) as BrokenCause[]).map((cause) => [cause, CAUSES[cause]] as const);

describe('classifyBroken', () => {
  it.each(causes)('takes %s before the gate as %s, never as uncertain', (cause, action) => {
    for (const stage of BEFORE_THE_GATE) {
      expect(classifyBroken(stage, cause)).toMatchObject({
        action,
        outcome: action === 'fail-recipient' ? 'refused' : 'not-sent',
      });
    }
  });

  it.each(causes)('takes %s after the gate as uncertain', (cause) => {
    expect(classifyBroken('handed-over', cause)).toMatchObject({
      class: 'ambiguous',
      outcome: 'uncertain',
      action: 'never-auto-retry',
      waitMs: null,
    });
  });
});
