// Starts the PostgreSQL that all tests share, finds a nats-server, and prepares the database that each test file copies.
import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { migrate } from '../../src/database/migrate.ts';
import { openDataDirectory } from '../../src/embedded/data-directory.ts';
import { findNatsServer } from '../../src/embedded/nats-binary.ts';
import { startEmbeddedPostgres } from '../../src/embedded/postgres.ts';
import { executeOnce } from './database.ts';
import { startInstalledPostgres } from './installed-postgres.ts';
import { createTestBus } from './nats.ts';

export const templateDatabase = 'gantry_template';

const maxConnections = 600;

/** Room for the databases of all workers at once, with their WAL. */
const MIN_MEMORY_BYTES = 4 * 1024 ** 3;

/**
 * Each suite creates and drops databases of 1,500 files. On ext4, 20 of them in a row took 0.8 s of CPU time each and in
 * memory less than 0.1 s, because ext4 searches linearly past inodes that were just freed.
 */
async function findMemoryDirectory(): Promise<string | undefined> {
  const path = '/dev/shm';
  const found = await statfs(path).catch(() => undefined);
  return found !== undefined && found.bavail * found.bsize >= MIN_MEMORY_BYTES ? path : undefined;
}

/**
 * Temporary files of all suites and of what they start, so that none of them outlives the run. Other users may write
 * there, as in the system's own directory: some suites start programs as another user.
 */
async function makeTemporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-run-'));
  await chmod(directory, 0o1777);
  process.env['TMPDIR'] = directory;
  return directory;
}

/** What suites make for each other (built-agent.ts). */
const shared = ['built-agent'];

/** Removes the directory, and lists what suites should have removed themselves. */
async function removeTemporaryDirectory(directory: string): Promise<void> {
  const left = (await readdir(directory)).filter((name) => !shared.includes(name));
  if (left.length > 0)
    process.stdout.write(`LEFT BEHIND by suites, and removed: ${left.sort().join(', ')}\n`);
  await rm(directory, { recursive: true, force: true });
}

export default async function setUp(): Promise<void> {
  const log = pino({ level: 'error' });
  const memory = await findMemoryDirectory();
  const dataDir = await mkdtemp(join(memory ?? tmpdir(), 'gantry-test-'));
  const temporary = await makeTemporaryDirectory();
  // Copying files is the faster way in memory; on a disk it waits for checkpoints.
  if (memory !== undefined) process.env['GANTRY_TEST_DATABASE_STRATEGY'] = 'file_copy';
  // Hundreds of agents and platforms are started; each would compile the same files again, and so would the next run.
  process.env['NODE_COMPILE_CACHE'] = resolve(
    import.meta.dirname,
    '../../node_modules/.cache/gantry-tests-compiled',
  );
  const directory = await openDataDirectory(dataDir);
  const { GANTRY_TEST_POSTGRES: programs } = process.env;
  const postgres =
    programs === undefined
      ? await startEmbeddedPostgres({ dataDir, log, maxConnections })
      : await startInstalledPostgres(programs, dataDir, maxConnections);
  await executeOnce(postgres.url, `create database ${templateDatabase}`);
  // No test takes this server away; those of its recovery (test/faults/embedded-server) have one of their own.
  await executeOnce(postgres.url, 'alter role current_user set synchronous_commit = off');
  const url = new URL(postgres.url);
  url.pathname = `/${templateDatabase}`;
  await migrate({ url: url.href }, log);
  const { NATS_SERVER_BIN: serverBin, XDG_CACHE_HOME: cacheHome } = process.env;
  process.env['GANTRY_TEST_DATABASE_URL'] = postgres.url;
  process.env['GANTRY_TEST_BUS'] = JSON.stringify(await createTestBus());
  process.env['GANTRY_TEST_NATS_SERVER'] = await findNatsServer({
    cacheDir: join(cacheHome ?? join(homedir(), '.cache'), 'gantry'),
    log,
    ...(serverBin !== undefined && { serverBin }),
  });
  Object.assign(globalThis, {
    gantryTestTearDown: async () => {
      await postgres.stop();
      await directory.release();
      await rm(dataDir, { recursive: true, force: true });
      await removeTemporaryDirectory(temporary);
    },
  });
}
