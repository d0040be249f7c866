// Starts the companion agent from its settings and stops it on a signal; the game servers keep running.
import type { Logger } from 'pino';
import { LogOutput } from '../../shared/log-output.ts';
import { releaseStartMemory, saveStartMemory } from '../../shared/start-memory.ts';
import { startAgent } from './agent.ts';
import type { Agent } from './agent.ts';
import { configFilesOf } from './command-line.ts';
import { readConfig } from './config.ts';
import type { Config } from './config.ts';
import { enrollFromCommandLine } from './enrolment.ts';
import { Enrolments } from './several-agents.ts';
import { createAgentLog } from './log.ts';
import { SettingError } from './errors.ts';
import { verifyFromCommandLine } from './updates/release-signature.ts';
import { runSelftestServer, selftestFromCommandLine } from './selftest.ts';
import type { OwnInstallation } from './updates/agent-updates.ts';
import { Installation } from './updates/installation.ts';
import { agentVersion, buildOf } from './version.ts';

const stopLimitMs = 8_000;
/** Time for the last log lines to reach a slow reader. */
const flushMs = 500;
const args = process.argv.slice(2);

if (args.includes('--version')) process.stdout.write(`${buildOf()}\n`);
else
  runCommand().catch((error: unknown) => {
    if (!(error instanceof SettingError)) throw error;
    process.stderr.write(`gantry-agent: ${error.message}\n`);
    process.exitCode = 1;
  });

function runCommand(): Promise<void> {
  const [command = '', ...rest] = args;
  if (command === 'enroll') return enrollFromCommandLine(rest);
  if (command === 'verify-release') return verifyFromCommandLine(rest);
  if (command === 'selftest')
    return selftestFromCommandLine(rest).then((exitCode) => void (process.exitCode = exitCode));
  if (command === 'selftest-server') return runSelftestServer();
  return run();
}

async function run(): Promise<void> {
  saveStartMemory();
  const files = configFilesOf(args, process.env);
  if (files.length === 0) await runOne(readConfig(args, process.env));
  else await runSeveral(files);
  releaseStartMemory();
}

async function runOne(config: Config): Promise<void> {
  const { log, output } = openLog();
  const starting = startAgent(
    config,
    agentVersion,
    log,
    ownInstallation(false, () => end('update')),
  );
  const end = endingOf(starting, log, output);
  await starting;
  const { path, isPresent } = config.configFile;
  if (!isPresent) {
    log.warn(
      { file: path },
      'no instances: copy agent/gantry-agent.example.yaml to this file, add one and start the agent again',
    );
  }
  log.info(
    { instances: config.instances.map(({ name }) => name), state: config.stateDirectory, url: config.url },
    'agent started',
  );
  warnOfPlainHttp(config, log);
}

async function runSeveral(files: readonly string[]): Promise<void> {
  const { log, output } = openLog();
  const read = (file: string) => {
    const config = readConfig(args, process.env, file);
    warnOfPlainHttp(config, log);
    return config;
  };
  const own = ownInstallation(true, () => end('update'));
  const enrolments = new Enrolments({ files, read, agentVersion, own, log });
  const end = endingOf(Promise.resolve(enrolments), log, output);
  const starting = enrolments.start();
  await starting;
  log.info({ files }, 'all enrolments were tried');
}

function openLog(): { log: Logger; output: LogOutput } {
  const output = new LogOutput(1);
  const log = createAgentLog(output);
  output.reportTo(log);
  return { log, output };
}

/** `end` ends this process. */
function ownInstallation(isShared: boolean, end: () => void): OwnInstallation {
  const installation = Installation.find(process.env, process.execPath);
  const restart = async () => {
    await installation?.startAfterwards(process.env);
    end();
  };
  return { installation, isShared, restart };
}

/** Ends this process on a signal. Returns a function that ends it for another reason. */
function endingOf(starting: Promise<Agent>, log: Logger, output: LogOutput): (reason: string) => void {
  let isEnding = false;
  const end = (reason: string) => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(1), stopLimitMs).unref();
    const exit = (code: number) => void output.flush(flushMs).then(() => process.exit(code));
    const stopped = starting.then((agent) => agent.stop(reason));
    stopped.then(
      () => exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the agent did not stop cleanly');
        exit(1);
      },
    );
  };
  const stop = (signal: NodeJS.Signals) => {
    log.info({ signal }, 'agent stops; the game servers continue to run');
    end('shutdown');
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return end;
}

function warnOfPlainHttp({ url }: Config, log: Logger): void {
  if (/^http:\/\/(?!localhost|127\.|\[::1\])/.test(url))
    log.warn({ url }, 'the credential of this host travels unencrypted: use https');
}
