// Runs the manager on this machine with stand-ins for Windows, the virtual machine and the game, for trying
// it out.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import { readConfig } from '../src/config.ts';
import { startManager } from '../src/manager.ts';
import { preparePage } from '../src/pages/page-build.ts';
import { GamePostgres } from './game-postgres.ts';
import { missingPrograms } from './needed-programs.ts';
import { StandInWorld } from './world.ts';

const begins = process.argv[2] ?? 'ready';
const beginnings = ['empty', 'imported', 'half-way', 'ready'] as const;
/** An error that its user can fix. */
class DemoError extends Error {
  override readonly name = 'DemoError';
}

const print = (text: string) => process.stdout.write(`${text}\n`);

async function main(): Promise<void> {
  const begin = beginnings.find((name) => name === begins);
  if (begin === undefined) throw new DemoError(`Begin with one of ${beginnings.join(', ')}.`);
  const missing = missingPrograms();
  if (missing !== undefined) throw new DemoError(missing);
  const log = pino({ level: process.env['LOCAL_MANAGER_LOG_LEVEL'] ?? 'warn' }, pino.destination(2));
  const started = new AsyncDisposableStack();
  try {
    await start(begin, log, started);
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      started.disposeAsync().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'stopping');
          process.exit(1);
        },
      );
    });
}

/** Everything that it starts and makes goes with the stack. */
async function start(
  begin: (typeof beginnings)[number],
  log: Logger,
  started: AsyncDisposableStack,
): Promise<void> {
  await preparePage(print, log);
  print('Starting the stand-ins …');
  const folder = await mkdtemp(join(tmpdir(), 'gantry-local-manager-demo-'));
  started.defer(() => rm(folder, { recursive: true, force: true }));
  const database = await GamePostgres.start();
  started.defer(() => database.stop());
  const world = await StandInWorld.start({
    begins: begin,
    databaseUrl: database.url,
    pace: Number(process.env['LOCAL_MANAGER_DEMO_PACE'] ?? 1),
    memoryUsedGB: Number(process.env['LOCAL_MANAGER_DEMO_MEMORY_USED'] ?? 16),
  });
  started.defer(() => world.stop());
  const environment = {
    LOCAL_MANAGER_HOME: join(folder, 'home'),
    ...world.environment(join(folder, 'home')),
  };
  const port = process.env['LOCAL_MANAGER_PORT'] ?? '4400';
  // So that the charts grow while they are looked at.
  const settings = { ...environment, LOCAL_MANAGER_PORT: port, LOCAL_MANAGER_SAMPLE_SECONDS: '5' };
  const manager = await startManager(readConfig(settings), {
    log,
    validateReplies: true,
  });
  started.defer(() => manager.stop());
  print(`The local manager looks after a world of stand-ins that is ${begin}. Open this link:`);
  print(`  ${manager.link}`);
  print(
    'Its documentation is at /api/docs; scripts send the token as X-Manager-Token. Press Ctrl-C to end it.',
  );
  print(`Other beginnings: npm run local-manager:demo -- ${beginnings.join(' | ')}`);
}

await main().catch((error: unknown) => {
  const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  if (isTaken) process.stderr.write('The port is taken: end the other manager, or set LOCAL_MANAGER_PORT.\n');
  else if (error instanceof DemoError) process.stderr.write(`${error.message}\n`);
  else throw error;
  process.exit(1);
});
