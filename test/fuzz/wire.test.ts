import { describe, expect, it } from 'vitest';
import { readClaim } from '../../src/main/core/read-claim.ts';
import { Payload, StrictPayload } from '../../src/shared/wire/payload.ts';
import { payloadHash } from '../../src/shared/wire/payload-hash.ts';
import { CALLS } from '../shared/wire/wire-examples.ts';
import { fuzz, must } from './fuzz.ts';
import { isPartOf, mutated } from './mutate.ts';

const CONTEXT = {
  userId: 'anna',
  fromAddresses: ['anna@firma.example'],
  cloudOrigin: 'https://cloud.example',
  language: 'en',
} as const;
const FULL = {
  from: { name: 'Anna Müller', address: 'anna@firma.example' },
  to: { name: '王小明', address: 'wang@example.cn' },
  subject: 'Angebot 报价',
  text: 'Guten Tag',
  html: '<p>Guten Tag</p>',
  reply_to: { address: 'sales@firma.example' },
  attachments: [
    { name: 'a.pdf', type: 'application/pdf', size: 9, sha256: '0f'.repeat(32), url: 'https://files.example/1' },
  ],
  in_reply_to: '<1@firma.example>',
  references: ['<0@firma.example>'],
  list_unsubscribe: { url: 'https://firma.example/u', mailto: 'u@firma.example', one_click: true },
};
const LEAST = { from: FULL.from, to: FULL.to, subject: 'Angebot', text: 'Guten Tag' };
const GOOD = item('1', LEAST);
const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 600) ?? String(value);
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');

/** No field of a payload that was accepted can end a header, add a recipient or reach a file. */
function mustBeSafe(payload: Payload): void {
  const mailboxes = [payload.from, payload.to, ...(payload.reply_to ? [payload.reply_to] : [])];
  for (const { name, address } of mailboxes) {
    must(/^[^@\s,;:<>"]+@[^@\s,;:<>"]+$/u.test(address), () => `address ${JSON.stringify(address)}`);
    must(!/[\p{Cc}@<>]/u.test(name ?? ''), () => `name ${JSON.stringify(name)}`);
  }
  const lines = [payload.subject, payload.in_reply_to ?? '', ...(payload.references ?? [])];
  for (const line of lines) must(!/[\p{Cc}\p{Zl}\p{Zp}]/u.test(line), () => `line ${JSON.stringify(line)}`);
  must(Boolean(payload.text?.trim() || payload.html?.trim()), () => 'an empty mail');
  for (const { url } of payload.attachments ?? []) must(/^https?:/i.test(url), () => `url ${url}`);
}

describe('any body on the wire', () => {
  it('has examples to start from that are accepted', () => {
    for (const { route, request, reply } of CALLS) {
      expect([route.request?.safeParse(request).success, route.reply.safeParse(reply).success]).toEqual([true, true]);
    }
    expect(StrictPayload.safeParse(FULL).success).toBe(true);
  });

  fuzz('of a request is refused, or taken exactly as it stands', (chance) => {
    const { route, request } = chance.pick(CALLS);
    const value = mutated(request, chance);
    const parsed = route.request?.safeParse(value);
    if (!parsed?.success) return;
    must(
      isPartOf(parsed.data, value) && isPartOf(asJson(value), asJson(parsed.data)),
      () => `${route.path}: ${shown(value)}`,
    );
    must(route.request?.safeParse(asJson(parsed.data)).success === true, () => `no way back: ${shown(value)}`);
  });

  fuzz('of an answer is refused, or taken without anything of its own making', (chance) => {
    const { route, reply } = chance.pick(CALLS);
    const value = mutated(reply, chance);
    const parsed = route.reply.safeParse(value);
    if (!parsed.success) return;
    must(isPartOf(parsed.data, value), () => `${route.path}: ${shown(value)}`);
    must(Reflect.get({}, 'stranger') === undefined, () => 'the prototype was changed');
  });

  fuzz('of a payload is refused by both sides, or harmless', (chance) => {
    const value = mutated(FULL, chance);
    const loose = Payload.safeParse(value);
    if (loose.success) mustBeSafe(loose.data);
    else must(!StrictPayload.safeParse(value).success, () => `the cloud takes what the agent refuses: ${shown(value)}`);
  });

  fuzz('of a claim costs no other mail, and lets no mail through that was not approved', (chance) => {
    const bad = mutated(item('2', chance.once(2) ? mutated(LEAST, chance) : LEAST), chance);
    const { mails, refusals } = readClaim(chance.once(2) ? [GOOD, bad] : [bad, GOOD], CONTEXT, 0);
    const isTwin = typeof bad === 'object' && bad !== null && Reflect.get(bad, 'id') === '1';
    const isWell = mails.some(({ id }) => id === '1') && !refusals.has('1');
    must(isWell || isTwin, () => `another mail suffers from ${shown(bad)}`);
    for (const mail of mails) {
      if (refusals.has(mail.id)) continue;
      must(payloadHash(mail.payload) === mail.payloadHash, () => `another content: ${shown(bad)}`);
      must(mail.idempotencyKey === `email-recipient-${mail.id}`, () => `another key: ${shown(bad)}`);
      const payload = Payload.parse(mail.payload);
      must(payload.from.address === 'anna@firma.example', () => `another sender: ${shown(bad)}`);
      mustBeSafe(payload);
    }
  });
});

/** An item whose hash fits its payload, however spoiled that is: so could a cloud that was taken over. */
function item(id: string, payload: unknown): object {
  return {
    id,
    user_id: 'anna',
    idempotency_key: `email-recipient-${id}`,
    payload_hash: hashOf(payload),
    task: { id: '1', name: 'Autumn' },
    not_before: null,
    not_after: '2026-12-01T00:00:00.000Z',
    payload,
  };
}

function hashOf(payload: unknown): string {
  try {
    return payloadHash(payload);
  } catch {
    // Half a character, or no JSON at all: nobody could have hashed it.
    return `sha256:${'0'.repeat(64)}`;
  }
}
