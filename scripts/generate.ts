// Writes the documents that are made from code. `--check` writes nothing and fails where one of them has drifted.
// Usage: npm run generate [-- --check]
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { OPERATOR_ROUTES } from '../cloud/operator/routes.ts';
import { openapiDocument } from '../src/shared/wire/openapi.ts';
import { AGENT_ROUTES } from '../src/shared/wire/routes.ts';
import { crashMatrixPage } from './crash-matrix-page.ts';
import { hostileInputsPage } from './hostile-inputs-page.ts';
import { providersPage } from './providers-page.ts';
import { stateMachinePage } from './state-machine-page.ts';

const root = path.dirname(import.meta.dirname);
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const DOCUMENTS: Readonly<Record<string, () => string>> = {
  'docs/crash-matrix.md': crashMatrixPage,
  'docs/state-machine.md': stateMachinePage,
  'docs/PROVIDERS.md': providersPage,
  'docs/hostile-inputs.md': hostileInputsPage,
  'docs/openapi.json': () =>
    json(
      openapiDocument(AGENT_ROUTES, {
        title: 'Mail Agent: agent API',
        version,
        description: 'What an agent and the cloud say to each other, in the order of one mail’s life.',
      }),
    ),
  'docs/openapi-operator.json': () =>
    json(
      openapiDocument(OPERATOR_ROUTES, {
        title: 'Mail Agent: operator API',
        version,
        description: 'How the office fills the queue, watches it, and steps in.',
      }),
    ),
};

const mode = process.argv.includes('--check') ? 'check' : 'write';
const drifted: string[] = [];
for (const [file, make] of Object.entries(DOCUMENTS)) {
  const place = path.join(root, file);
  const text = make();
  if (existsSync(place) && readFileSync(place, 'utf8') === text) continue;
  if (mode === 'check') drifted.push(file);
  else {
    writeFileSync(place, text);
    process.stdout.write(`${file} written\n`);
  }
}
if (drifted.length > 0) {
  process.stderr.write(
    `${drifted.join(', ')}: not as the code makes it. Run "npm run generate" and commit the result.\n`,
  );
  process.exitCode = 1;
}
