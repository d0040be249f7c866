// Compiled code is kept for the next start, unless others can write there.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const moduleUrl = pathToFileURL(resolve(import.meta.dirname, '../../src/process/compiled-code.ts')).href;

let directory: string;
let versions: string;
let compiled: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gantry-compiled-'));
  versions = join(directory, 'cache/compiled');
  compiled = join(versions, '2.0.0');
  writeFileSync(join(directory, 'program.ts'), 'export const words: string[] = ["kept"];');
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Starts a program as the platform's entry does, and ends it once it has stored its code; returns whether code is kept. */
function start(version = '2.0.0', environment: Record<string, string> = {}): boolean {
  const text = `import { keepCompiledCode } from ${JSON.stringify(moduleUrl)};
    keepCompiledCode(${JSON.stringify(join(directory, 'cache'))}, ${JSON.stringify(version)}, 1);
    const { words } = await import(${JSON.stringify(pathToFileURL(join(directory, 'program.ts')).href)});
    process.stdout.write(words[0]);
    setTimeout(() => undefined, 100);`;
  const { PATH = '' } = process.env;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', text], {
    env: { PATH, ...environment },
  });
  expect(printed.toString()).toBe('kept');
  return (
    existsSync(compiled) &&
    readdirSync(compiled, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile())
  );
}

it('is kept in a directory that only this user can enter', () => {
  expect(start()).toBe(true);
  for (const kept of [versions, compiled]) expect(statSync(kept).mode & 0o777).toBe(0o700);
  expect(start()).toBe(true);
});

it('is kept for one version', () => {
  start('1.0.0');
  expect(readdirSync(versions)).toEqual(['1.0.0']);
  start();
  expect(readdirSync(versions)).toEqual(['2.0.0']);
});

it('is kept where Node is asked to keep it', () => {
  expect(start('2.0.0', { NODE_COMPILE_CACHE: join(directory, 'of-node') })).toBe(false);
  expect(existsSync(join(directory, 'of-node'))).toBe(true);
});

it.each(['cache/compiled', 'cache/compiled/2.0.0'])('is not kept where others can write %s', (open) => {
  mkdirSync(compiled, { recursive: true, mode: 0o700 });
  chmodSync(join(directory, open), 0o777);
  expect(start()).toBe(false);
});

it('is not kept where nothing can be written, and the program starts', () => {
  writeFileSync(join(directory, 'cache'), 'a file');
  expect(start()).toBe(false);
});
