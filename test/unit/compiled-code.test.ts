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
let compiled: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gantry-compiled-'));
  compiled = join(directory, 'cache/compiled');
  writeFileSync(join(directory, 'program.ts'), 'export const words: string[] = ["kept"];');
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Starts a program as the platform's entry does; returns whether code is kept. */
function start(): boolean {
  const text = `import { keepCompiledCode } from ${JSON.stringify(moduleUrl)};
    keepCompiledCode(${JSON.stringify(join(directory, 'cache'))});
    const { words } = await import(${JSON.stringify(pathToFileURL(join(directory, 'program.ts')).href)});
    process.stdout.write(words[0]);`;
  const { PATH = '' } = process.env;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', text], { env: { PATH } });
  expect(printed.toString()).toBe('kept');
  return (
    existsSync(compiled) &&
    readdirSync(compiled, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile())
  );
}

it('is kept in a directory that only this user can enter', () => {
  expect(start()).toBe(true);
  expect(statSync(compiled).mode & 0o777).toBe(0o700);
  expect(start()).toBe(true);
});

it('is not kept where others can write', () => {
  mkdirSync(compiled, { recursive: true });
  chmodSync(compiled, 0o777);
  expect(start()).toBe(false);
});

it('is not kept where nothing can be written, and the program starts', () => {
  writeFileSync(join(directory, 'cache'), 'a file');
  expect(start()).toBe(false);
});
