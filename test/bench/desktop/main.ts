// How much of a computer the app takes while it does nothing. Usage: npm run bench:desktop [-- --rounds N --idle-seconds N]
import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createPackage } from '@electron/asar';
import { z } from 'zod';
import { until } from '../../e2e/agent-and-cloud/until.ts';
import { setUpByRequest } from '../../e2e/desktop/set-up-by-request.ts';
import { startTestCloud } from '../../support/cloud.ts';
import { DesktopApp } from '../../support/desktop-app.ts';
import { startDesktopSession } from '../../support/desktop-session.ts';
import { copyByLink, type PackagedApp, providePackage } from '../../support/packaged-app.ts';
import { ScriptedSmtp } from '../../support/scripted-smtp.ts';
import { TrayHost } from '../../support/tray-host.ts';
import { spread } from '../figures.ts';
import { createReport, type Report } from '../report.ts';
import { cpuMs, pssByKind, pssKb } from './process-tree.ts';
import { type RunningApp, runApp } from './run-app.ts';

const MEMORY_MOST = { most: 1.15 } as const;
const START_MOST = { most: 1.25 } as const;
const CPU_MOST = { most: 0.005 } as const;
/** A heartbeat, the first claims and the collectors of garbage have been by then. */
const SETTLE_MS = 20_000;

const Options = z.object({
  rounds: z.coerce.number().int().min(1).max(50),
  idleSeconds: z.coerce.number().int().min(10).max(86_400),
});

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      'idle-seconds': { type: 'string', default: '300' },
      json: { type: 'boolean', default: false },
    },
  });
  const options = Options.parse({ rounds: values.rounds, idleSeconds: values['idle-seconds'] });
  const report = createReport((line) => process.stdout.write(`${line}\n`));
  const undo: (() => unknown)[] = [];
  try {
    const packaged = await providePackage();
    undo.push(packaged.remove);
    await measure(packaged, options, report, undo);
  } finally {
    for (const step of undo.reverse()) await step();
  }
  for (const miss of report.missed()) report.line(`Missed: ${miss}`);
  if (values.json) report.line(report.json());
  return report.missed().length === 0 ? 0 : 1;
}

async function measure(
  packaged: PackagedApp,
  options: z.infer<typeof Options>,
  report: Report,
  undo: (() => unknown)[],
): Promise<void> {
  const empty = await emptyApp(packaged);
  undo.push(empty.remove);
  const cloud = await startTestCloud();
  undo.push(() => cloud.close());
  const smtp = await ScriptedSmtp.start();
  undo.push(() => smtp.close());
  const session = await startDesktopSession();
  undo.push(() => session.close());
  const tray = await TrayHost.start(session.busAddress);
  undo.push(() => tray.close());
  const driven = await DesktopApp.launch(packaged.driven, session);
  undo.push(() => driven.kill());
  await setUpByRequest(driven, cloud, smtp.port);
  await driven.quit();

  const start = (which: 'ours' | 'empty') =>
    which === 'ours'
      ? runApp(packaged.shipped.executable, ['--hidden'], { session, tray })
      : runApp(empty.executable, [], { session, tray });
  const during = async <T>(which: 'ours' | 'empty', look: (app: RunningApp) => Promise<T>): Promise<T> => {
    const app = await start(which);
    try {
      return await look(app);
    } finally {
      await app.stop();
    }
  };

  const starts: number[] = [];
  for (let turn = 0; turn <= options.rounds; turn += 1) {
    const emptyMs = await during('empty', async ({ toTrayMs }) => toTrayMs);
    const oursMs = await during('ours', async ({ toTrayMs }) => toTrayMs);
    report.line(`  start ${turn}: empty ${emptyMs.toFixed(0)} ms, ours ${oursMs.toFixed(0)} ms`);
    // The first pair warms up.
    if (turn > 0) starts.push(oursMs / emptyMs);
  }
  report.line('\nstart to the icon in the tray, ours ÷ empty');
  report.ratio('desktop-start', spread(starts), START_MOST);

  const never: number[] = [];
  const closed: number[] = [];
  const memoryRounds = Math.min(options.rounds, 3);
  for (let turn = 0; turn < memoryRounds; turn += 1) {
    const emptyKb = await during('empty', async ({ pid }) => {
      await settle();
      report.line(`  empty: ${kinds(pid)}`);
      return pssKb(pid);
    });
    await during('ours', async (app) => {
      await settle();
      report.line(`  ours, window never opened: ${kinds(app.pid)}`);
      never.push(pssKb(app.pid) / emptyKb);
      await openAndClose(app, tray);
      await settle();
      report.line(`  ours, window opened and closed: ${kinds(app.pid)}`);
      closed.push(pssKb(app.pid) / emptyKb);
    });
  }
  report.line('\nidle memory (PSS of all processes), ours ÷ empty');
  report.line('  window never opened');
  report.ratio('desktop-memory-never-opened', spread(never), MEMORY_MOST);
  report.line('  window opened and closed');
  report.ratio('desktop-memory-closed', spread(closed), MEMORY_MOST);

  const share = await during('ours', async ({ pid }) => {
    await settle();
    const before = cpuMs(pid);
    await new Promise((resolve) => setTimeout(resolve, options.idleSeconds * 1000));
    return (cpuMs(pid) - before) / (options.idleSeconds * 1000);
  });
  report.line(`\nidle CPU over ${options.idleSeconds} s, share of one core`);
  report.ratio('desktop-idle-cpu', spread([share]), CPU_MOST);
}

const settle = () => new Promise((resolve) => setTimeout(resolve, SETTLE_MS));

const kinds = (pid: number): string =>
  Object.entries(pssByKind(pid))
    .map(([kind, kb]) => `${kind} ${(kb / 1024).toFixed(1)}`)
    .join(', ')
    .concat(` = ${(pssKb(pid) / 1024).toFixed(1)} MB`);

/** The same runtime with the same fuses, and another archive to load. */
async function emptyApp(packaged: PackagedApp): Promise<{ readonly executable: string; remove(): void }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'mail-agent-empty-'));
  const program = path.join(folder, 'program');
  await copyByLink(packaged.shipped.folder, program);
  const source = path.join(folder, 'source');
  cpSync(path.join(import.meta.dirname, 'empty-app'), source, { recursive: true });
  copyFileSync(path.join(import.meta.dirname, '../../../assets/tray/idle-light-24.png'), path.join(source, 'icon.png'));
  const archive = path.join(program, 'resources/app.asar');
  rmSync(archive);
  rmSync(`${archive}.unpacked`, { recursive: true });
  await createPackage(source, archive);
  return {
    executable: path.join(program, path.basename(packaged.shipped.executable)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function openAndClose(app: RunningApp, tray: TrayHost): Promise<void> {
  const Targets = z.array(z.object({ id: z.string(), type: z.string(), url: z.string() }));
  const debug = `http://127.0.0.1:${app.debugPort}/json`;
  const pages = async () =>
    Targets.parse(await (await fetch(debug)).json()).filter(({ url }) => url.startsWith('app://'));
  await tray.clickIcon();
  await until(async () => (await pages()).length > 0);
  // What a person looks at before closing it.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  for (const { id } of await pages()) await fetch(`${debug}/close/${id}`);
  await until(async () => (await pages()).length === 0);
}

process.exitCode = await main();
