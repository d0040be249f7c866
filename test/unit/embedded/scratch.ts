// Data directories that are removed after a test file, and programs created by a test.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openDataDirectory } from '../../../src/embedded/data-directory.ts';
import { startEmbeddedPostgres } from '../../../src/embedded/postgres.ts';
import { readIfPresent } from '../../../src/process/files.ts';

export const log = pino({ level: 'silent' });

export function natsServer(): string {
  const path = process.env['GANTRY_TEST_NATS_SERVER'];
  if (path === undefined) throw new Error('the tests run under jest.config.js');
  return path;
}

/** A folder for the tests of a file; removing it removes everything in it. */
export class Scratch {
  #folders: string[] = [];

  /** Only its owner can enter it, as with a root user's home. */
  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-embedded-'));
    this.#folders.push(folder);
    return folder;
  }

  /** Below a folder that other users can enter, so that PostgreSQL, started as root, can reach its data. */
  async dataDir(): Promise<string> {
    const folder = await this.folder();
    await chmod(folder, 0o755);
    return join(folder, 'data');
  }

  async remove(): Promise<void> {
    for (const folder of this.#folders.splice(0)) {
      const elsewhere = await readIfPresent(join(folder, 'data', 'postgres.location'));
      if (elsewhere !== undefined) await rm(elsewhere.trim(), { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Opens the directory, starts PostgreSQL and stops both in the end. */
export async function withPostgres<T>(
  dataDir: string,
  use: (postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>) => Promise<T>,
): Promise<T> {
  const directory = await openDataDirectory(dataDir);
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: directory.path, log });
    try {
      return await use(postgres);
    } finally {
      await postgres.stop();
    }
  } finally {
    await directory.release();
  }
}

export async function firstNumber(path: string): Promise<number> {
  return Number.parseInt(await readFile(path, 'utf8'), 10);
}

export async function writeProgram(path: string, ...lines: string[]): Promise<string> {
  await writeFile(path, ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
  return path;
}
