// Runs client generators over the published contract, in both forms: how long each takes, and whether its code compiles.
// Generators of npm are installed into a folder of their own; GANTRY_GENERATORS names one to keep. Those that are
// neither installed nor installable here are left out, with the reason. GANTRY_DOCUMENTS names a folder with the
// documents of another version of the contract.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { sdkFiles } from '../scripts/sdks/generate.ts';

const root = resolve(import.meta.dirname, '..');
const kept = process.env['GANTRY_GENERATORS'];
const tools = kept ?? mkdtempSync(join(tmpdir(), 'gantry-generators-'));
const output = mkdtempSync(join(tmpdir(), 'gantry-generated-'));
const timeoutMs = 300_000;

interface Generator {
  name: string;
  /** A package of npm with its version. */
  package?: string;
  /** A program that the machine must have. */
  program?: string;
  generate: (document: string, target: string) => string[];
  /** Undefined if nothing here compiles its code. */
  compile?: (target: string) => string[];
}

const bin = (name: string) => join(tools, 'node_modules/.bin', name);

/** Compiles strictly; the libraries that the code imports are not checked. */
const typescriptCompiles = (target: string) => [
  process.execPath,
  join(root, 'node_modules/typescript/bin/tsc'),
  ...'--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler'.split(' '),
  ...[
    '--lib',
    'es2022,dom,dom.iterable',
    '--typeRoots',
    join(root, 'node_modules/@types'),
    '--types',
    'node',
  ],
  ...globSync('**/*.ts', { cwd: target }).map((file) => join(target, file)),
];

const pythonCompiles = (target: string) => ['python3', '-m', 'compileall', '-q', target];

const generators: Generator[] = [
  {
    name: 'SDKs of this repository',
    generate: (document, target) => [process.execPath, import.meta.filename, document, target],
    compile: pythonCompiles,
  },
  {
    name: 'openapi-typescript',
    generate: (document, target) => [
      join(root, 'node_modules/.bin/openapi-typescript'),
      ...[document, '--output', join(target, 'types.ts')],
    ],
    compile: typescriptCompiles,
  },
  {
    name: '@hey-api/openapi-ts',
    package: '@hey-api/openapi-ts@0.99.0',
    generate: (document, target) => [bin('openapi-ts'), '--input', document, '--output', target],
    compile: typescriptCompiles,
  },
  {
    name: 'orval',
    package: 'orval@8.38.0',
    generate: (document, target) => [
      bin('orval'),
      ...['--input', document, '--output', join(target, 'api.ts'), '--client', 'fetch'],
    ],
    compile: typescriptCompiles,
  },
  {
    name: 'swagger-typescript-api',
    package: 'swagger-typescript-api@13.13.0',
    generate: (document, target) => [
      bin('swagger-typescript-api'),
      ...['generate', '--path', document, '--output', target, '--name', 'api.ts'],
    ],
    compile: typescriptCompiles,
  },
  {
    name: 'openapi-python-client',
    program: 'openapi-python-client',
    generate: (document, target) => [
      'openapi-python-client',
      ...['generate', '--path', document, '--output-path', target, '--overwrite'],
    ],
    compile: pythonCompiles,
  },
  {
    name: 'oapi-codegen',
    program: 'oapi-codegen',
    generate: (document, target) => [
      'oapi-codegen',
      ...['-generate', 'types,client', '-package', 'gantry', '-o', join(target, 'client.go'), document],
    ],
    compile: (target) => ['gofmt', '-l', target],
  },
  ...['python', 'go', 'php', 'java', 'csharp'].map((language) => ({
    name: `openapi-generator: ${language}`,
    program: 'openapi-generator-cli',
    generate: (document: string, target: string) => [
      'openapi-generator-cli',
      ...['generate', '-i', document, '-g', language, '-o', target],
    ],
  })),
];

function run([program = '', ...args]: string[]): { isDone: boolean; seconds: number; reason: string } {
  const startedAt = performance.now();
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: output,
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: 64 << 20,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const lines = [error?.message ?? '', ...`${stderr}\n${stdout}`.split('\n')].map((line) => line.trim());
  const reason = lines.find((line) => /error/i.test(line)) ?? lines.find(Boolean) ?? '';
  return { isDone: status === 0, seconds, reason: reason.slice(0, 100) };
}

/** Why the generator cannot run here; undefined if it can. */
function obstacle({ package: wanted, program }: Generator): string | undefined {
  if (program !== undefined)
    return run(['which', program]).isDone ? undefined : `${program} is not installed`;
  if (wanted === undefined || existsSync(join(tools, 'node_modules', wanted.replace(/@[^@]+$/, ''))))
    return undefined;
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
  // Some generators need the compiler beside them.
  const compiler = 'typescript@5.9.3';
  const { isDone, reason } = run(['npm', 'install', '--prefix', tools, ...options, wanted, compiler]);
  return isDone ? undefined : `${wanted} cannot be installed: ${reason}`;
}

const documents = process.env['GANTRY_DOCUMENTS'] ?? 'generated';
const documentOf = (form: string) => resolve(root, documents, `platform.openapi-${form}.json`);

function measured({ name, generate, compile }: Generator, form: string): string {
  const target = join(output, `${name.replace(/\W+/g, '-')}-${form}`);
  mkdirSync(target, { recursive: true });
  const generated = run(generate(documentOf(form), target));
  if (!generated.isDone) return `fails: ${generated.reason}`;
  const seconds = `${generated.seconds.toFixed(1)} s`;
  if (compile === undefined) return seconds;
  const compiled = run(compile(target));
  return `${seconds}, ${compiled.isDone ? 'compiles' : `does not compile: ${compiled.reason}`}`;
}

function writeSdks(document: string, target: string): void {
  const contract = JSON.parse(readFileSync(document, 'utf8')) as Record<string, unknown>;
  for (const [name, text] of sdkFiles(contract)) {
    mkdirSync(dirname(join(target, name)), { recursive: true });
    writeFileSync(join(target, name), text);
  }
}

function measureAll(): void {
  const headings = ['3.1', '3.0'].map(
    (form) => `${form} (${(statSync(documentOf(form)).size / 1e6).toFixed(2)} MB)`,
  );
  console.log(`| generator | ${headings.join(' | ')} |\n| --- | --- | --- |`);
  for (const generator of generators) {
    const reason = obstacle(generator);
    const cells =
      reason === undefined
        ? ['3.1', '3.0'].map((form) => measured(generator, form))
        : [`left out: ${reason}`, ''];
    console.log(`| ${generator.name} | ${cells.join(' | ')} |`);
  }
}

const [document, target] = process.argv.slice(2);
if (document !== undefined && target !== undefined) writeSdks(document, target);
else
  try {
    measureAll();
  } finally {
    rmSync(output, { recursive: true, force: true });
    if (kept === undefined) rmSync(tools, { recursive: true, force: true });
  }
