// Starts the manager as a program, or runs its self-test.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { LogOutput } from '../../shared/log-output.ts';
import { ConfigError, readConfig } from './config.ts';
import { registerTask } from './installation/logon-task.ts';
import { openPage, stopRunning } from './installation/running-manager.ts';
import { LogFile } from './log-file.ts';
import { readVersion, startManager } from './manager.ts';
import { kindInWords } from './operations/kind-words.ts';
import { isBundled } from './own-files.ts';
import { preparePage } from './pages/page-build.ts';
import { Secrets } from './security/secrets.ts';
import { createServices } from './services.ts';

const output = new LogOutput(1);
const print = (text: string) => output.write(`${text}\n`);
/** How long the last log lines may take to reach a slow reader. */
const flushMs = 500;

async function main(command: string | undefined): Promise<void> {
  const config = readConfig(process.env);
  const errors = new LogOutput(2);
  const log = pino(
    { level: config.logLevel },
    pino.multistream([
      { stream: errors, level: 'trace' },
      { stream: new LogFile(join(config.home, 'logs', 'manager.log')), level: 'trace' },
    ]),
  );
  errors.reportTo(log);
  if (command === 'selftest') {
    const secrets = new Secrets();
    // The self-test uses a temporary home, so it leaves nothing behind in the real one.
    const home = await mkdtemp(join(tmpdir(), 'gantry-selftest-'));
    try {
      const services = createServices({ ...config, home }, { version: readVersion(), log, secrets });
      const report = await services.selftest.run();
      print(secrets.hide(JSON.stringify(report, null, 2)));
      process.exitCode = report.checks.some(({ state }) => state === 'failed') ? 1 : 0;
    } finally {
      // Windows refuses to delete a file that is still open; the report is out by then.
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    }
    return;
  }
  if (command === 'open') return openPage(config.home);
  if (command === 'stop') {
    print((await stopRunning(config.home)) ? 'The manager has ended.' : 'No manager runs.');
    return;
  }
  if (command === 'register-task') return registerTask(ownCommand());
  if (command !== undefined)
    throw new ConfigError(
      `Unknown command ${command}; the commands are selftest, open, stop and register-task.`,
    );
  if (!isBundled) await preparePage(print, log);
  const starting = startManager(config, { log, validateReplies: false });
  const exit = (code: number) =>
    void Promise.all([output.flush(flushMs), errors.flush(flushMs)]).then(() => process.exit(code));
  const stop = async () => {
    const manager = await starting;
    const { running } = manager.services.operations;
    if (running !== undefined)
      print(
        `“${kindInWords(running.kind)}” runs: it ends after “${running.steps.at(-1)?.name ?? 'its first step'}”. Press Ctrl-C again to end without waiting.`,
      );
    await manager.stop();
  };
  // The first signal ends it gracefully; a second one ends it at once.
  // Windows sends SIGHUP when the window is closed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      stop().then(
        () => exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'stopping');
          exit(1);
        },
      );
      process.once(signal, () => process.exit(1));
    });
  const manager = await starting;
  if (config.port !== 0 && manager.port !== config.port)
    print(`Windows reserves port ${config.port} for itself, so it listens on ${manager.port} instead.`);
  print(`The local manager listens on ${manager.url}. Open this link; it holds the token of this start:`);
  print(`  ${manager.link}`);
  print('Press Ctrl-C to end it. The virtual machine keeps running.');
}

const ownCommand = (): string[] =>
  isBundled ? [process.execPath] : [process.execPath, resolve(process.argv[1] ?? '')];

main(process.argv[2]).catch((error: unknown) => {
  const text = Error.isError(error) ? error.message : String(error);
  const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  process.stderr.write(
    `${isTaken ? 'The port is taken: end the other manager, or set LOCAL_MANAGER_PORT.' : text}\n`,
  );
  process.exit(1);
});
