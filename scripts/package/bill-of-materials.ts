import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { z } from 'zod';
import type { BundledPackage } from './bundled-packages.ts';
import type { RuntimeVersions } from './runtime-versions.ts';
import type { PackageTarget } from './target.ts';

type Component = {
  readonly type: 'library' | 'framework' | 'application' | 'file';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl?: string;
  readonly licenses?: readonly ({ readonly expression: string } | { readonly license: { readonly name: string } })[];
  readonly hashes?: readonly { readonly alg: 'SHA-256'; readonly content: string }[];
};

/**
 * A CycloneDX 1.6 list of what is inside one artefact: the packages of which code was bundled or copied, what the native
 * addons were compiled from, and the runtime. `archive` is the finished app.asar, whose digest ties the list to it.
 * Source: cyclonedx.org/docs/1.6/json. Without a time or a random number: the same app gives the same list.
 */
export function billOfMaterials(parts: {
  readonly app: { readonly name: string; readonly version: string; readonly license: string };
  readonly target: PackageTarget;
  readonly packages: readonly BundledPackage[];
  readonly runtime: RuntimeVersions;
  readonly archive: string;
}): object {
  const { app, target, packages, runtime, archive } = parts;
  const digest = createHash('sha256').update(readFileSync(archive)).digest('hex');
  const components = [...packages.map((one) => libraryOf(one, runtime)), ...compiledIn(), ...insideRuntime(runtime)];
  components.sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
  const ref = purlOf(app);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': ref,
        name: app.name,
        version: app.version,
        purl: ref,
        licenses: [{ expression: app.license }],
        hashes: [{ alg: 'SHA-256', content: digest }],
      },
      properties: [
        { name: 'mail-agent:platform', value: target.platform },
        { name: 'mail-agent:arch', value: target.arch },
      ],
    },
    components,
    dependencies: [{ ref, dependsOn: components.map((component) => component['bom-ref']) }],
  };
}

/** Source: github.com/package-url/purl-spec, type npm. */
const purlOf = ({ name, version }: { readonly name: string; readonly version: string }): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

function libraryOf({ name, version, license }: BundledPackage, runtime: RuntimeVersions): Component {
  const isRuntime = name === 'electron';
  const real = { name, version: isRuntime ? runtime.electron : version };
  return {
    type: isRuntime ? 'framework' : 'library',
    'bom-ref': purlOf(real),
    ...real,
    purl: purlOf(real),
    licenses: [{ expression: license }],
  };
}

/** What no manifest of the addons tells, though it is in them. */
function compiledIn(): readonly Component[] {
  const database = new Database(':memory:');
  const Row = z.object({ version: z.string() });
  const { version } = Row.parse(database.prepare('SELECT sqlite_version() AS version').get());
  database.close();
  return [generic('sqlite', version, { expression: 'blessing' })];
}

const insideRuntime = ({ chrome, node, v8 }: RuntimeVersions): readonly Component[] => [
  // Each with parts of its own, listed in LICENSES.chromium.html beside the program.
  generic('chromium', chrome, { license: { name: 'see LICENSES.chromium.html' } }),
  generic('node', node, { expression: 'MIT' }),
  generic('v8', v8, { expression: 'BSD-3-Clause' }),
];

function generic(
  name: string,
  version: string,
  licence: { readonly expression: string } | { readonly license: { readonly name: string } },
): Component {
  const purl = `pkg:generic/${name}@${version}`;
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [licence] };
}
