import { describe, expect, it } from 'vitest';
import { startingView, type TrayEntry, type TrayFacts, trayView } from '../../src/main/window-host/tray-view.ts';
import { hold, statusWith } from '../support/status-sample.ts';

const facts = (change: Partial<TrayFacts> = {}): TrayFacts => ({
  status: statusWith(),
  isSetUp: true,
  isQuitting: false,
  language: 'en',
  ...change,
});
const labels = (entries: readonly TrayEntry[]): string[] =>
  entries.flatMap((entry) => (entry.kind === 'line' ? [] : [entry.label]));
const commands = (entries: readonly TrayEntry[]): string[] =>
  entries.flatMap((entry) => {
    if (entry.kind === 'menu') return commands(entry.entries);
    return entry.kind === 'command' ? [entry.command] : [];
  });

describe('the tray', () => {
  it('says that the program starts, and offers only what can be heard then', () => {
    const { tooltip, menu } = startingView('en');

    expect(tooltip).toBe('Mail Agent: Starting');
    expect(commands(menu)).toEqual(['open', 'quit']);
  });

  it('offers to pause while nothing is paused, and to resume otherwise', () => {
    const running = trayView(facts());
    const paused = trayView(facts({ status: statusWith({ state: 'paused', holds: [hold('user')] }) }));

    expect(commands(running.menu)).toEqual([
      'open',
      'check-now',
      'pause-hour',
      'pause-today',
      'pause-open-end',
      'quit',
    ]);
    expect(commands(paused.menu)).toEqual(['open', 'check-now', 'resume', 'quit']);
  });

  it('counts what needs a person: doubts, conflicts and holds that only a person ends', () => {
    const status = statusWith({
      state: 'needs-you',
      counts: { uncertain: 2, conflicts: 1 },
      holds: [hold('account'), hold('back-off'), hold('user')],
    });

    expect(labels(trayView(facts({ status })).menu)).toContain('Needs you (4)');
  });

  it('says the state in a word and how far it is, in both languages', () => {
    const status = statusWith({ state: 'sending', counts: { sent: 12, waiting: 27, sending: 1 } });

    expect(trayView(facts({ status })).tooltip).toBe('Mail Agent: Sending · 12 of 40 sent');
    expect(trayView(facts({ status, language: 'zh-CN' })).tooltip).toBe('Mail Agent: 发送中 · 已发送 12 / 40');
  });

  it('offers nothing about sending before set-up is done, and asks for a person', () => {
    const view = trayView(facts({ isSetUp: false }));

    expect(view.icon).toBe('needs-you');
    expect(commands(view.menu)).toEqual(['open', 'quit']);
  });

  it('says that it is quitting, and still lets it be forced', () => {
    const view = trayView(facts({ isQuitting: true }));

    expect(view.tooltip).toContain('Quitting when the mail under way is done');
    expect(commands(view.menu)).toEqual(['open', 'quit']);
  });
});
