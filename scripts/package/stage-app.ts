import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { PackageTarget } from './target.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const NEWER_NODE = path.join(ROOT, 'scripts/electron-runtime/default-app/newer-node.cjs');

const Manifest = z.object({
  name: z.string(),
  productName: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  main: z.string(),
});

/** Whether the app runs on the Electron of package.json, or on the older one for machines without a download. */
export type RuntimeKind = 'shipped' | 'cached';

/**
 * Lays out in `folder` what the app consists of, and nothing else, from what `npm run build` left. `betterSqlite3` is the
 * folder of the one that the runtime can load.
 */
export function stageApp(
  folder: string,
  parts: { readonly target: PackageTarget; readonly runtime: RuntimeKind; readonly betterSqlite3: string },
): void {
  const { target, runtime, betterSqlite3 } = parts;
  rmSync(folder, { recursive: true, force: true });
  const from = (place: string) => path.join(ROOT, place);
  const to = (place: string) => path.join(folder, place);
  // Source maps stay behind: they are twice the program.
  const isShipped = (file: string) => !file.endsWith('.map');
  cpSync(from('build/app'), to('build/app'), { recursive: true, filter: isShipped });
  cpSync(from('build/renderer'), to('build/renderer'), { recursive: true, filter: isShipped });
  cpSync(from('assets/icon.png'), to('assets/icon.png'));
  for (const file of readdirSync(from('assets/tray')).filter((name) => isTrayIconOf(name, target))) {
    cpSync(from(`assets/tray/${file}`), to(`assets/tray/${file}`));
  }
  const addon =
    runtime === 'shipped' ? `prebuilds/${target.platform}-${target.arch}.node` : 'build/Release/better_sqlite3.node';
  for (const place of ['package.json', 'lib', addon]) {
    // The small modules named for a system serve bundlers; the loader reads none of them.
    const filter = (file: string) => !/[/\\](darwin|linux|linuxmusl|win32)-[a-z0-9]+\.js$/.test(file);
    cpSync(path.join(betterSqlite3, place), to(`node_modules/better-sqlite3/${place}`), { recursive: true, filter });
  }
  for (const place of ['package.json', 'lib', `prebuilds/${target.platform}-${target.arch}`]) {
    cpSync(from(`node_modules/keytar/${place}`), to(`node_modules/keytar/${place}`), { recursive: true });
  }
  const { main, ...manifest } = Manifest.parse(JSON.parse(readFileSync(from('package.json'), 'utf8')));
  const own = {
    ...manifest,
    type: 'module',
    main,
    author: 'The Mail Agent authors',
    homepage: homepage(process.env),
    desktopName: 'mail-agent.desktop',
  };
  mkdirSync(folder, { recursive: true });
  if (runtime === 'cached') {
    cpSync(NEWER_NODE, to('build/app/newer-node.cjs'));
    // Waited for: Electron becomes ready only after its main module has run.
    writeFileSync(to('build/app/start.mjs'), `import './newer-node.cjs';\nawait import('./${path.basename(main)}');\n`);
    own.main = 'build/app/start.mjs';
  }
  writeFileSync(to('package.json'), `${JSON.stringify(own, null, 2)}\n`);
}

/** macOS reads the templates alone, Linux and Windows the coloured ones. */
const isTrayIconOf = (file: string, { platform }: PackageTarget): boolean =>
  file.includes('Template') === (platform === 'darwin') && file.endsWith('-24.png') === (platform === 'linux');

/** A Debian package must name one. Where a release is made by a workflow, it is the repository's. */
function homepage(env: NodeJS.ProcessEnv): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = env;
  return server === undefined || repository === undefined ? 'https://mail-agent.invalid/' : `${server}/${repository}`;
}
