// Builds the npm packages: `npm run build:packages`. Each is a folder of dist/packages to publish or to pack.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPanelIfChanged } from '../../src/pages/panel/build.ts';
import { scalarDirectory } from '../../src/contract/reference/scalar.ts';
import { buildIfChanged } from '../../shared/page-build.ts';
import { page as managerPage } from '../../local-manager/src/pages/page-build.ts';
import { buildTypescriptPackage } from '../sdks/typescript.ts';
import { launcherPath, launcherText, oldestNode } from './launcher.ts';
import { collectModules } from './modules.ts';
import { packages, scalarFiles, type Package } from './packages.ts';

const root = resolve(import.meta.dirname, '../..');

interface Manifest {
  name: string;
  version: string;
  description: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'dist/packages') },
    repository: { type: 'string' },
  },
});

const publishing = {
  // npm publishes with provenance only what names the repository that it was built from.
  ...(values.repository !== undefined && { repository: { type: 'git', url: values.repository } }),
  publishConfig: { access: 'public', provenance: true },
};

const say = (line: string) => void process.stdout.write(`${line}\n`);
await buildPanelIfChanged(() => say('building the panel'));
await buildIfChanged(managerPage, () => say('building the page of the local manager'));
await rm(values.out, { recursive: true, force: true });
const versions = await versionsOf(packages.map(({ manifest }) => manifest));
for (const one of packages) say(await buildPackage(one, join(values.out, one.folder)));
buildTypescriptPackage(join(values.out, 'client'), publishing);

async function buildPackage(one: Package, out: string): Promise<string> {
  const { files, dependencies } = await collectModules(root, one.entries);
  for (const [name, text] of files) await write(join(out, name), text);
  for (const [name, module] of Object.entries(one.commands))
    await write(join(out, launcherPath(name)), launcherText(name, module));
  for (const asset of one.assets) await cp(join(root, asset), join(out, asset), { recursive: true });
  if (one.bundlesScalar === true)
    for (const file of scalarFiles)
      await cp(join(scalarDirectory(), file), join(out, 'vendor/scalar', file), {
        recursive: true,
        filter: (source) => !source.endsWith('.map'),
      });
  await cp(join(root, one.readme), join(out, 'README.md'));
  await cp(join(root, 'LICENSE'), join(out, 'LICENSE'));
  const folders = (await readdir(out, { withFileTypes: true })).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
  const { optional = [] } = one;
  const names = [...new Set([...dependencies, ...(one.dependencies ?? [])])]
    .filter((name) => !optional.includes(name))
    .sort();
  const source = await readManifest(one.manifest);
  await write(
    join(out, 'package.json'),
    `${JSON.stringify(manifestOf(one, source, { dependencies: names, folders }), null, 2)}\n`,
  );
  return `${source.name} ${source.version}: ${files.size} modules, ${names.length} dependencies`;
}

/** A manifest of the repository may also be a file of the package, where the code reads its version. */
function manifestOf(
  one: Package,
  { name, version, description }: Manifest,
  { dependencies, folders }: { dependencies: readonly string[]; folders: readonly string[] },
) {
  return {
    name,
    version,
    description,
    license: 'MIT',
    type: 'module',
    engines: { node: `>=${oldestNode}` },
    ...publishing,
    bin: Object.fromEntries(Object.keys(one.commands).map((command) => [command, launcherPath(command)])),
    exports: one.exports,
    files: folders,
    dependencies: versionsFor(dependencies),
    ...(one.optional !== undefined && {
      // npm does not install optional peers by itself.
      peerDependencies: versionsFor(one.optional),
      peerDependenciesMeta: Object.fromEntries(one.optional.map((name) => [name, { optional: true }])),
    }),
  };
}

function versionsFor(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, versionOf(name)]));
}

function versionOf(name: string): string {
  const version = versions.get(name);
  if (version === undefined) throw new Error(`${name} is imported, and no package.json names it`);
  return version;
}

async function versionsOf(manifests: readonly string[]): Promise<Map<string, string>> {
  const all = await Promise.all([...manifests, 'cli/package.json'].map(readManifest));
  return new Map(
    all.flatMap(({ name, version, dependencies, optionalDependencies }) => [
      [name, version] as const,
      ...Object.entries({ ...dependencies, ...optionalDependencies }),
    ]),
  );
}

async function readManifest(path: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(root, path), 'utf8')) as Manifest;
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
