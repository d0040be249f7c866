// Runs the manager on this machine with stand-ins for Windows, the virtual machine and the game, for trying
// it out.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../../src/embedded/postgres.ts';
import { readConfig } from '../src/config.ts';
import { startManager } from '../src/manager.ts';
import { preparePage } from '../src/pages/page-build.ts';
import { StandInWorld } from './world.ts';

const begins = process.argv[2] ?? 'ready';
const beginnings = ['empty', 'imported', 'half-way', 'ready'] as const;
const print = (text: string) => process.stdout.write(`${text}\n`);

async function main(): Promise<void> {
  const begin = beginnings.find((name) => name === begins);
  if (begin === undefined) throw new Error(`begin with one of ${beginnings.join(', ')}`);
  const log = pino({ level: process.env['LOCAL_MANAGER_LOG_LEVEL'] ?? 'warn' }, pino.destination(2));
  const folder = await mkdtemp(join(tmpdir(), 'gantry-local-manager-demo-'));
  const dataDir = join(folder, 'database');
  await mkdir(dataDir);
  await preparePage(print, log);
  print('Starting the stand-ins …');
  const database = await startEmbeddedPostgres({ dataDir, log });
  await createGameDatabase(database.tcpUrl);
  const world = await StandInWorld.start({
    begins: begin,
    databaseUrl: database.tcpUrl,
    pace: Number(process.env['LOCAL_MANAGER_DEMO_PACE'] ?? 1),
    memoryUsedGB: Number(process.env['LOCAL_MANAGER_DEMO_MEMORY_USED'] ?? 16),
  });
  const environment = {
    LOCAL_MANAGER_HOME: join(folder, 'home'),
    ...world.environment(join(folder, 'home')),
  };
  const port = process.env['LOCAL_MANAGER_PORT'] ?? '4400';
  const manager = await startManager(readConfig({ ...environment, LOCAL_MANAGER_PORT: port }), {
    log,
    validateReplies: true,
  });
  print(`The local manager looks after a world of stand-ins that is ${begin}. Open this link:`);
  print(`  ${manager.link}`);
  print(
    'Its documentation is at /api/docs; scripts send the token as X-Manager-Token. Press Ctrl-C to end it.',
  );
  print(`Other beginnings: npm run local-manager:demo -- ${beginnings.join(' | ')}`);
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    await manager.stop();
    await world.stop();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      stop().catch((error: unknown) => {
        log.error({ err: error }, 'stopping');
        process.exit(1);
      });
    });
}

async function createGameDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(await readFile(resolve(import.meta.dirname, 'game-database.sql'), 'utf8'));
  await client.end();
}

await main();
