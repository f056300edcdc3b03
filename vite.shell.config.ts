import path from 'node:path';
import { defineConfig } from 'vite';

const root = import.meta.dirname;
const outDir = path.join(root, 'build/app');
const source = (name: string): string => path.join(root, 'src/main/shell', name);
/** Native code cannot be bundled, and Electron brings itself. */
const NOT_BUNDLED = ['electron', 'better-sqlite3', 'keytar'];

/** Of these the app needs little, and their indexes bring everything. */
const PARTS = ['undici', 'date-fns'].map((name) => ({
  find: new RegExp(`^${name}$`),
  replacement: path.join(root, 'scripts/bundle', `${name}.js`),
}));

// The maps stay on the machine that built: nothing in the app may name them.
const common = {
  outDir,
  minify: false,
  sourcemap: 'hidden',
  reportCompressedSize: false,
  copyPublicDir: false,
} as const;

/** The app without its page. `--mode main`: what runs in Node. `--mode preload`: what a sandboxed page gets, one file. */
export default defineConfig(({ mode }) =>
  mode === 'preload'
    ? {
        build: {
          ...common,
          emptyOutDir: false,
          target: 'chrome130',
          lib: { entry: source('preload.ts'), formats: ['cjs'], fileName: () => 'preload.cjs' },
          rollupOptions: { external: NOT_BUNDLED },
        },
      }
    : {
        resolve: { alias: PARTS },
        ssr: { noExternal: true, external: NOT_BUNDLED },
        build: {
          ...common,
          emptyOutDir: true,
          ssr: true,
          target: 'node20',
          rollupOptions: {
            input: { main: source('main.ts'), 'keychain-process': source('keychain-process.ts') },
            external: NOT_BUNDLED,
            // Read as one byte a character and half as long: less to read at start, less to keep in memory.
            output: { minify: true, charset: 'ascii' },
          },
        },
      },
);
