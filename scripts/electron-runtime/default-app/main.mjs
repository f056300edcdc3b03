// What `electron [-r MODULE] FOLDER` runs first: the runtime's origin is a packaged program and lacks this part.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';
import './newer-node.cjs';

const { preloads, folder } = readArguments(process.argv.slice(1));
process.defaultApp = true;
// Before the app itself: a test driver holds back the `ready` event from here.
const require = createRequire(import.meta.url);
for (const preload of preloads) require(preload);
if (folder === null) {
  process.stdout.write(`Electron v${process.versions.electron}, and no app to run\n`);
  app.exit(2);
} else {
  // Waited for: Electron becomes ready only after its main module has run.
  await run(path.resolve(folder));
}

function readArguments(words) {
  const preloads = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === '-r' || word === '--require') {
      at += 1;
      preloads.push(words[at]);
    } else if (!word.startsWith('-')) return { preloads, folder: word };
  }
  return { preloads, folder: null };
}

/** Name, version and profile folder come from the app's package.json, as in Electron's own default app. */
async function run(root) {
  const text = readFileSync(path.join(root, 'package.json'), 'utf8');
  const { name, productName, version, main, desktopName } = JSON.parse(text);
  app.setVersion(version);
  app.setName(productName ?? name);
  app.setDesktopName(desktopName ?? `${app.name}.desktop`);
  app.setAppPath(root);
  if (!app.commandLine.hasSwitch('user-data-dir')) app.setPath('userData', path.join(app.getPath('appData'), app.name));
  try {
    await import(pathToFileURL(path.join(root, main)).href);
  } catch (error) {
    process.stderr.write(`The app did not load: ${error.stack}\n`);
    app.exit(1);
  }
}
