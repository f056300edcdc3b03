import { createHash, createPrivateKey } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { signOffer } from '../../src/main/window-host/updates/offer.ts';

/** The name under which each system asks, and the files that update it. Source: electron.build/auto-update. */
const FEEDS = [
  { feed: 'latest.yml', file: /-win-x64\.exe$/ },
  { feed: 'latest-mac.yml', file: /-mac-(x64|arm64)\.zip$/ },
  { feed: 'latest-linux.yml', file: /-linux-x86_64\.AppImage$/ },
  { feed: 'latest-linux-arm64.yml', file: /-linux-arm64\.AppImage$/ },
] as const;

/**
 * Writes, beside the installers in `folder`, what an installed app looks for: one signed offer for each system that has
 * files there. `privateKey` is PEM, Ed25519. Answers the files written.
 */
export function writeFeed(folder: string, version: string, privateKey: string): readonly string[] {
  const key = createPrivateKey(privateKey);
  const names = readdirSync(folder).sort();
  return FEEDS.flatMap(({ feed, file }) => {
    const files = names.filter((name) => file.test(name)).map((name) => entryOf(folder, name));
    const [first] = files;
    if (first === undefined) return [];
    const signature = signOffer({ version, files }, key);
    // JSON is YAML; path and sha512 are what the library looks for in an older form.
    const text = JSON.stringify({ version, files, path: first.url, sha512: first.sha512, signature }, null, 2);
    writeFileSync(path.join(folder, feed), `${text}\n`);
    return [path.join(folder, feed)];
  });
}

function entryOf(folder: string, name: string): { url: string; sha512: string; size: number } {
  const bytes = readFileSync(path.join(folder, name));
  return { url: name, sha512: createHash('sha512').update(bytes).digest('base64'), size: bytes.length };
}
