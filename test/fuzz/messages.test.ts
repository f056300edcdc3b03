import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerLine, ControlRequest, serveControl } from '../../src/main/headless/control.ts';
import { answerRequest } from '../../src/main/window-host/answer-request.ts';
import { REQUEST_NAMES, type RequestName } from '../../src/shared/ipc/channels.ts';
import { ARGUMENTS } from '../../src/shared/ipc/schemas.ts';
import { OUR_WINDOW, watchedHandlers } from '../hostile/watched-handlers.ts';
import { Chance } from './chance.ts';
import { fuzz, fuzzLater, must } from './fuzz.ts';
import { isPartOf, mutated } from './mutate.ts';

const SMTP = { host: 'smtp.example.com', port: 465, security: 'tls', caFile: null };
const PACE = { gapMinMs: 0, gapMaxMs: 0, perMinute: 3, perHour: 60, perDay: 300, workingHours: null };
/** One sound argument for each request: a new one has none until it is written here. */
const EXAMPLES: { readonly [N in RequestName]: unknown } = {
  today: null,
  mails: { kinds: ['sent', 'failed'], text: 'wang', offset: 0, limit: 50 },
  mail: { id: '7' },
  questions: null,
  answer: { mailId: '7', as: 'sent' },
  'note-conflict': { mailId: '7' },
  'note-failures': { cause: 'no such mailbox', upToMs: 1_000 },
  'undo-answer': { mailId: '7' },
  'lift-address': { address: 'wang@example.cn' },
  pause: { until: 'hour' },
  resume: null,
  'try-now': null,
  'check-now': null,
  'set-up': null,
  pair: { cloudUrl: 'https://cloud.example', code: 'ABCD-1234' },
  'guess-server': { address: 'wang@example.com' },
  'open-provider-page': { provider: 'qq' },
  'save-account': {
    ...{ address: 'wang@example.com', name: null, userName: 'wang', password: 'x', smtp: SMTP },
    ...{ imap: null, testMail: 'none', login: 'password', signIn: 'kept' },
  },
  'stop-sign-in': null,
  'finish-set-up': { startAtLogin: true },
  settings: null,
  'save-settings': { pace: PACE, language: 'en', startAtLogin: false },
  proxy: null,
  'save-proxy': { proxy: { kind: 'http', host: 'proxy.example', port: 8080 }, password: '' },
  language: null,
  about: null,
  licences: null,
  'export-log': null,
  'open-data-folder': null,
  'copy-diagnostics': null,
};
const COMMANDS = [
  { command: 'status' },
  { command: 'pause', untilMs: 1_000 },
  { command: 'resume' },
  { command: 'try-now' },
  { command: 'check-now' },
  { command: 'resolve', mailId: '7', as: 'sent' },
];
const SENDERS = [
  OUR_WINDOW,
  OUR_WINDOW,
  OUR_WINDOW,
  { ...OUR_WINDOW, isOurWindow: false },
  { ...OUR_WINDOW, isMainFrame: false },
  { ...OUR_WINDOW, frameUrl: null },
  { ...OUR_WINDOW, frameUrl: 'app://agent.evil/' },
  { ...OUR_WINDOW, frameUrl: 'https://agent/' },
];

/** Without what is undefined: the form's own defaults stand there. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('any message of the window', () => {
  it('has an example to start from that is accepted', () => {
    for (const name of REQUEST_NAMES) expect(ARGUMENTS[name].safeParse(EXAMPLES[name]).success, name).toBe(true);
  });

  const { called, parts } = watchedHandlers();
  fuzzLater('is refused, or reaches its own handler from our page exactly as it was sent', async (chance) => {
    called.length = 0;
    const name = chance.pick(REQUEST_NAMES);
    const sender = chance.pick(SENDERS);
    const argument = mutated(EXAMPLES[name], chance);
    const answer = await answerRequest(parts, name, sender, argument);
    const shown = () => `${name} ${JSON.stringify([sender, argument])}`;
    const [reached] = called;
    must(called.length === (answer.ok ? 1 : 0), shown);
    if (reached === undefined) return;
    must(sender === OUR_WINDOW && reached.name === name && isPartOf(asJson(argument), asJson(reached.argument)), shown);
    must(JSON.stringify(reached.argument)?.length < 100_000, shown);
  });
});

describe('any line to the running agent', () => {
  const PIECES = [
    '{',
    '}',
    '"command":',
    '"status"',
    '"pause"',
    '"untilMs":',
    'null',
    ',',
    '1e999',
    '[',
    ']',
    '\0',
    '\ud800',
    ' ',
  ];
  fuzz('is refused, or one of its five commands', (chance) => {
    const line = chance.once(4)
      ? chance.text(PIECES, 10)
      : (JSON.stringify(mutated(chance.pick(COMMANDS), chance)) ?? '');
    const heard: ControlRequest[] = [];
    const reply = answerLine(line, (request) => {
      heard.push(request);
      return { ok: true, value: null };
    });
    must(reply.ok === (heard.length === 1), () => JSON.stringify(line));
    for (const request of heard) {
      must(ControlRequest.safeParse(request).success && isPartOf(request, JSON.parse(line)), () =>
        JSON.stringify(line),
      );
    }
  });

  it('over the real socket leaves it serving: garbage, endless lines, halves and hang-ups', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'hostile-control-'));
    const served = await serveControl(folder, () => ({ ok: true, value: 'fine' }));
    const ask = (bytes: Buffer | string, end: 'end' | 'drop') =>
      new Promise<string>((resolve) => {
        let text = '';
        const socket = connect(path.join(folder, 'control.sock'));
        socket.on('error', () => undefined);
        socket.on('close', () => resolve(text));
        socket.on('data', (chunk) => {
          text += chunk.toString();
        });
        socket.on('connect', () => {
          socket.write(bytes, () => (end === 'drop' ? socket.destroy() : undefined));
          if (end === 'end') socket.end();
        });
      });
    try {
      const chance = new Chance(4_711);
      for (let round = 0; round < 100; round += 1) {
        const garbage = Buffer.from(Array.from({ length: chance.int(300) }, () => chance.int(256)));
        await ask(garbage, chance.pick(['end', 'drop'] as const));
      }
      expect(await ask(Buffer.alloc(1_000_000, 'x'), 'end')).toBe('');
      expect(await ask(`${JSON.stringify({ command: 'status' })}\n`, 'end')).toBe('{"ok":true,"value":"fine"}\n');
      expect(await ask('{"command":"status","more":1}\n', 'end')).toBe('{"ok":false,"error":"unknown command"}\n');
    } finally {
      await served.close();
      rmSync(folder, { recursive: true });
    }
  });
});
