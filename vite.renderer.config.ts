import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const root = path.dirname(fileURLToPath(import.meta.url));

/** zod makes functions out of text, which the page's policy refuses; what the window shows was parsed before it came. */
const noParsers: Plugin = {
  name: 'no-parsers',
  enforce: 'pre',
  resolveId(source, importer) {
    if (/^zod(\/|$)/.test(source)) throw new Error(`${importer ?? source} brings zod into the window's page`);
    return null;
  },
};

/** The window's page: plain files with absolute addresses, for the app's own scheme; nothing inline. */
export default defineConfig({
  root: path.join(root, 'src/renderer'),
  base: '/',
  publicDir: false,
  plugins: [noParsers],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: path.join(root, 'build/renderer'),
    emptyOutDir: true,
    target: 'chrome130',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
