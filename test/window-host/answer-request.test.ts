import { describe, expect, it } from 'vitest';
import { answerRequest } from '../../src/main/window-host/answer-request.ts';
import type { Handlers } from '../../src/main/window-host/handlers.ts';
import type { RequestName } from '../../src/shared/ipc/channels.ts';
import { REQUEST_NAMES } from '../../src/shared/ipc/channels.ts';
import { ARGUMENTS } from '../../src/shared/ipc/schemas.ts';
import { DESKTOP_TEXTS } from '../../src/shared/texts/desktop-texts.ts';

const OURS = { isOurWindow: true, isMainFrame: true, frameUrl: 'app://agent/' };

function world(fault: Error | null = null) {
  const called: string[] = [];
  const logged: string[] = [];
  const note = (event: string, fields: object = {}) => logged.push(`${event} ${JSON.stringify(fields)}`);
  const handler = (name: RequestName) => () => {
    called.push(name);
    if (fault !== null) throw fault;
    return { ok: true, value: null };
  };
  const handlers = Object.fromEntries(REQUEST_NAMES.map((name) => [name, handler(name)])) as unknown as Handlers;
  const log = { info: note, warn: note, error: note };
  return { called, logged, parts: { handlers, log, texts: () => DESKTOP_TEXTS.en } };
}

describe('a request of the window', () => {
  it('reaches its handler with arguments of its form', async () => {
    const { parts, called } = world();

    expect(await answerRequest(parts, 'pause', OURS, { until: 'hour' })).toEqual({ ok: true, value: null });
    expect(called).toEqual(['pause']);
  });

  it('of a stranger reaches nothing and is logged', async () => {
    const { parts, called, logged } = world();

    const answer = await answerRequest(parts, 'today', { ...OURS, isMainFrame: false }, null);

    expect(answer).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(called).toEqual([]);
    expect(logged).toEqual(['window.request.refused {"name":"today"}']);
  });

  it('with other arguments reaches nothing', async () => {
    const { parts, called } = world();

    for (const argument of [undefined, {}, { until: 'ever' }, { until: 'hour', more: 1 }, 'hour']) {
      expect(await answerRequest(parts, 'pause', OURS, argument)).toMatchObject({ error: { code: 'bad-arguments' } });
    }
    expect(called).toEqual([]);
  });

  it('whose handler has a fault is answered, and the fault’s words stay out of log and page', async () => {
    const { parts, logged } = world(new TypeError('about wang@example.com'));

    const answer = await answerRequest(parts, 'today', OURS, null);

    expect(answer).toMatchObject({ ok: false, error: { code: 'failed' } });
    expect(JSON.stringify([answer, logged])).not.toContain('wang');
    expect(logged).toEqual(['window.request.fault {"name":"today","fault":"TypeError"}']);
  });

  it('has a schema whatever its name', () => {
    expect(Object.keys(ARGUMENTS).sort()).toEqual([...REQUEST_NAMES].sort());
  });
});
