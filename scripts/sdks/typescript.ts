// Builds the package of the TypeScript client: JavaScript and types, with the parts of the repository that it imports.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  dependencies: Record<string, string>;
}

/** Writes a folder that `npm pack` and `npm publish` take; `publishing` are further fields of its manifest. */
export function buildTypescriptPackage(directory: string, publishing: object = {}): void {
  const { name, version, description, license, dependencies } = JSON.parse(
    readFileSync(join(root, 'client/package.json'), 'utf8'),
  ) as Manifest;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  compile(join(directory, 'dist'));
  const entry = './dist/client/src/index';
  const manifest = {
    ...{ name, version, description, license, type: 'module' },
    engines: { node: '>=22' },
    exports: { '.': { types: `${entry}.d.ts`, default: `${entry}.js` } },
    files: ['dist'],
    sideEffects: false,
    ...publishing,
    dependencies,
  };
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(root, 'client/README.md'), join(directory, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(directory, 'LICENSE'));
}

function compile(directory: string): void {
  const options = {
    rootDir: root,
    outDir: directory,
    target: 'es2022',
    lib: 'es2024,dom,dom.iterable',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    types: 'node',
  };
  const flags = [
    'strict',
    'declaration',
    'skipLibCheck',
    'rewriteRelativeImportExtensions',
    'verbatimModuleSyntax',
  ];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/typescript/bin/tsc'),
      join(root, 'client/src/index.ts'),
      ...Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]),
      ...flags.map((flag) => `--${flag}`),
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`the client does not compile:\n${stdout}${stderr}`);
  // The compiler copies no declarations that are sources themselves.
  const types = 'generated/platform.published.d.ts';
  cpSync(join(root, types), join(directory, types));
}
