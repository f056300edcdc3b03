import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build, type InlineConfig } from 'vite';
import { CONTENT_POLICY } from '../../../src/shared/ipc/content-policy.ts';
import { MAIL_PREVIEW_POLICY, MAIL_PREVIEW_PREFIX } from '../../../src/shared/ipc/mail-preview.ts';
import { LANGUAGES } from '../../../src/shared/texts/language.ts';
import { exampleDetail, SCENES } from './example-scenes.ts';
import type { FakeOptions } from './fake-agent.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };

export type PageServer = {
  /** The address of the window's page over an example. */
  readonly url: (options: FakeOptions) => string;
  readonly close: () => Promise<void>;
};

/** File names and their content. */
type Built = ReadonlyMap<string, string | Uint8Array>;

/**
 * Builds the window's page and serves it on loopback as the app does, policy included, with a fake agent before it. The
 * build stays in memory: tests run side by side.
 */
export async function servePage(): Promise<PageServer> {
  const page = await buildInMemory({ configFile: path.join(ROOT, 'vite.renderer.config.ts') });
  const fake = await buildInMemory({
    configFile: false,
    publicDir: false,
    build: {
      minify: false,
      lib: {
        entry: path.join(import.meta.dirname, 'fake-agent-entry.ts'),
        formats: ['iife'],
        name: 'fakeAgentEntry',
        fileName: () => 'fake-agent.js',
      },
    },
  });
  const files: Built = new Map([...page, ...fake]);
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    // The frame of a preview speaks the language of the page around it.
    const around = request.headers.referer;
    answer(url, readOptions(around === undefined ? url : new URL(around)), response, files);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: ({ scene, language }) => `http://127.0.0.1:${port}/?scene=${scene}&language=${language}`,
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

function answer(url: URL, around: FakeOptions, response: ServerResponse, files: Built): void {
  const send = (body: string | Uint8Array, type: string, policy = CONTENT_POLICY): void => {
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy }).end(body);
  };
  const name = url.pathname === '/' ? 'index.html' : url.pathname.slice(1);
  if (url.pathname.startsWith(MAIL_PREVIEW_PREFIX)) {
    const index = Number(url.pathname.slice(`${MAIL_PREVIEW_PREFIX}mail-`.length));
    send(exampleDetail(index, around.language, 0).html ?? '', 'text/html', MAIL_PREVIEW_POLICY);
    return;
  }
  const body = files.get(name);
  const type = TYPES[path.extname(name)];
  if (body === undefined || type === undefined) {
    // A browser asks for an icon of its own accord; that is no fault of the page.
    response.writeHead(url.pathname === '/favicon.ico' ? 204 : 404).end();
  } else if (name === 'index.html') {
    const first = `<script src="/fake-agent.js${url.search.replaceAll('&', '&amp;')}"></script><script `;
    send(String(body).replace('<script ', first), type);
  } else if (name === 'fake-agent.js') {
    send(`const fakeOptions = ${JSON.stringify(readOptions(url))};\n${String(body)}`, type);
  } else {
    send(body, type);
  }
}

const readOptions = ({ searchParams }: URL): FakeOptions => ({
  scene: SCENES.find((scene) => scene === searchParams.get('scene')) ?? 'empty',
  language: LANGUAGES.find((language) => language === searchParams.get('language')) ?? 'en',
});

async function buildInMemory(config: InlineConfig): Promise<Built> {
  const built = await build({ ...config, logLevel: 'warn', build: { ...config.build, write: false } });
  const [result] = Array.isArray(built) ? built : [built];
  if (result === undefined || !('output' in result)) throw new Error('nothing was built');
  return new Map(result.output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]));
}
