import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dateHeader } from '../../../src/main/adapters/message/date-header.ts';
import { composeWith, filesFrom } from '../../support/compose.ts';
import type { Judgement } from '../../support/spam/judgement.ts';
import { startRspamd } from '../../support/spam/rspamd.ts';
import { judgeBySpamAssassin } from '../../support/spam/spamassassin.ts';
import { asThunderbird } from '../../support/spam/thunderbird.ts';
import { TYPICAL_FILES, TYPICAL_MAILS } from './typical-mails.ts';

/** Both filters round to thousandths. */
const ROUNDING = 0.0005;
const NAMES = Object.keys(TYPICAL_MAILS);
const SENT_MS = Date.now();

type Pair = { readonly ours: Buffer; readonly theirs: Buffer };

/** As it stands at the recipient's server: the trace of the sender's one above it. */
const received = (mail: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      [
        'Received: from mail.example.com (mail.example.com [198.51.100.7])',
        ` by mx.example.org (Postfix) with ESMTPS id 4Z1; ${dateHeader(SENT_MS)}`,
        'Received: from [192.168.1.20] (unknown [203.0.113.9]) (Authenticated sender: wang@example.com)',
        ` by mail.example.com (Postfix) with ESMTPSA id 4Z0; ${dateHeader(SENT_MS)}`,
        '',
      ].join('\r\n'),
    ),
    mail,
  ]);

async function pairOf(name: string): Promise<Pair> {
  const payload = TYPICAL_MAILS[name];
  if (payload === undefined) throw new Error(`there is no mail ${name}`);
  const source = filesFrom(({ url }) => TYPICAL_FILES[url] ?? Buffer.alloc(0));
  const messageId = '<email-recipient-17.0123456789abcdef@example.com>';
  const composed = await composeWith(source, { id: '17', messageId, payload, dateMs: SENT_MS });
  if (!composed.ok) throw new Error(composed.error.failure.message);
  return {
    ours: received(composed.value.bytes),
    theirs: received(asThunderbird(payload, dateHeader(SENT_MS), TYPICAL_FILES)),
  };
}

/** The rules that tell the two apart, for whoever reads a failure. */
function differing(ours: Judgement, theirs: Judgement): string {
  const names = [...new Set([...Object.keys(ours.rules), ...Object.keys(theirs.rules)])];
  return names
    .filter((name) => (ours.rules[name] ?? 0) !== (theirs.rules[name] ?? 0))
    .map((name) => `${name}: ${ours.rules[name] ?? 0}, of Thunderbird ${theirs.rules[name] ?? 0}`)
    .join('\n');
}

describe('a typical mail is no more like junk than the same from Thunderbird', () => {
  const judgements = {
    SpamAssassin: new Map<string, readonly Judgement[]>(),
    rspamd: new Map<string, readonly Judgement[]>(),
  };
  let rspamd: Awaited<ReturnType<typeof startRspamd>>;

  beforeAll(async () => {
    const pairs = await Promise.all(NAMES.map(pairOf));
    rspamd = await startRspamd();
    const bySpamAssassin = judgeBySpamAssassin(pairs.flatMap(({ ours, theirs }) => [ours, theirs]));
    for (const [index, name] of NAMES.entries()) {
      judgements.SpamAssassin.set(name, bySpamAssassin.slice(2 * index, 2 * index + 2));
      const pair = pairs[index];
      if (pair !== undefined) {
        judgements.rspamd.set(name, [await rspamd.judge(pair.ours), await rspamd.judge(pair.theirs)]);
      }
    }
  });
  afterAll(() => rspamd.close());

  it('in ten of them', () => {
    expect(NAMES).toHaveLength(10);
  });

  it.each((['SpamAssassin', 'rspamd'] as const).flatMap((filter) => NAMES.map((name) => [filter, name] as const)))(
    'for %s: %s',
    (filter, name) => {
      const [ours, theirs] = judgements[filter].get(name) ?? [];
      if (ours === undefined || theirs === undefined) throw new Error('it was not judged');
      // A filter that found nothing to say looked at nothing.
      expect(Object.keys(theirs.rules).length).toBeGreaterThan(0);
      expect(ours.score, differing(ours, theirs)).toBeLessThanOrEqual(theirs.score + ROUNDING);
    },
  );
});
