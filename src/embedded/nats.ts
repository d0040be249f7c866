// Runs a real nats-server for the platform when no NATS_URL is given: on loopback, on the same port at every start.
import { spawn } from 'node:child_process';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { assertNotUsedByAnother } from './data-directory.ts';
import { readIfPresent, writePrivateFile } from '../process/files.ts';
import { openLogFile, type LogFile } from './log-file.ts';
import { startOnPort } from './loopback-port.ts';
import { findNatsServer } from './nats-binary.ts';
import { stopOrphan } from './orphan.ts';
import { parentDeathGuard, superviseProcess, type SupervisedProcess } from './supervised-process.ts';

export interface EmbeddedNats {
  /** `nats://127.0.0.1:port` */
  url: string;
  stop: () => Promise<void>;
  /** Called once, when nats-server ended and five restarts in a row failed. */
  onExit: (listener: (detail: string) => void) => void;
}

export interface EmbeddedNatsOptions {
  dataDir: string;
  /** The rest of nats.conf: operator, resolver, accounts. */
  configuration: string;
  log: Logger;
  /** From NATS_SERVER_BIN. */
  serverBin?: string;
  /** Where a fetched nats-server is kept; `<dataDir>/nats/bin` unless clones are to share one. */
  cacheDir?: string;
}

const READY_POLL_MS = 10;
const READY_TIMEOUT_MS = 15_000;
const STOP_GRACE_MS = 5_000;

/** The caller has opened the data directory (data-directory.ts). */
export async function startEmbeddedNats(options: EmbeddedNatsOptions): Promise<EmbeddedNats> {
  const { configuration, log, serverBin } = options;
  const dataDir = await realpath(options.dataDir);
  await assertNotUsedByAnother(dataDir);
  const directory = join(dataDir, 'nats');
  const configFile = join(directory, 'nats.conf');
  const pidFile = join(directory, 'nats-server.pid');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await stopNatsOrphan(pidFile, configFile, log);
  const program = await findNatsServer({
    cacheDir: options.cacheDir ?? join(directory, 'bin'),
    log,
    ...(serverBin === undefined ? {} : { serverBin }),
  });
  const logFile = await openLogFile(join(dataDir, 'logs/nats.log'), log);
  try {
    const started = await startOnPort(join(dataDir, 'nats.port'), async (port) => {
      await writePrivateFile(configFile, configText({ port, pidFile, configuration }));
      return { server: await startServer({ program, configFile, logFile, log }), port };
    });
    log.info({ port: started.port, program }, 'nats-server is ready');
    let stopped: Promise<void> | undefined;
    return {
      url: `nats://127.0.0.1:${started.port}`,
      stop: () => (stopped ??= stop(started.server)),
      onExit: started.server.onExit,
    };
  } catch (error) {
    await logFile.close();
    throw error;
  }

  async function stop(server: SupervisedProcess): Promise<void> {
    await server.stop();
    await logFile.close();
  }
}

async function startServer(server: { program: string; configFile: string; logFile: LogFile; log: Logger }) {
  const { program, configFile, logFile, log } = server;
  const [command = program, ...args] = [...(await parentDeathGuard('SIGTERM')), program, '-c', configFile];
  let logStart = 0;

  return superviseProcess({
    name: 'nats-server',
    log,
    launch: async () => {
      logStart = await logFile.size();
      return spawn(command, args, {
        // Leaves out the platform's own environment variables, which include secrets.
        ...(process.platform === 'win32' ? {} : { env: { PATH: '/usr/bin:/bin' }, detached: true }),
        stdio: ['ignore', logFile.fd, logFile.fd],
        windowsHide: true,
      });
    },
    untilReady: async (_child, signal) => {
      while (!signal.aborted && !(await logFile.textFrom(logStart)).includes('Server is ready')) {
        await pause(READY_POLL_MS);
      }
    },
    readyTimeoutMs: READY_TIMEOUT_MS,
    lastWords: () => logFile.lastWordsFrom(logStart, /\[FTL\]|^nats-server: /),
    stopSignal: 'SIGTERM',
    stopGraceMs: STOP_GRACE_MS,
    abortSignal: 'SIGKILL',
  });
}

function configText({
  port,
  pidFile,
  configuration,
}: {
  port: number;
  pidFile: string;
  configuration: string;
}): string {
  return `# Written by Gantry at every start.
host: "127.0.0.1"
port: ${port}
pid_file: ${JSON.stringify(pidFile)}
ping_interval: "20s"
ping_max: 2
max_payload: 1MB
max_pending: 64MB
write_deadline: "10s"

${configuration}
`;
}

/** The caller holds the data directory, so no living Gantry process owns the server that is found. */
async function stopNatsOrphan(pidFile: string, configFile: string, log: Logger): Promise<void> {
  await stopOrphan({
    name: 'nats-server',
    pid: Number(await readIfPresent(pidFile)),
    isOurs: (words) => words.includes(configFile),
    signals: [
      { signal: 'SIGTERM', graceMs: STOP_GRACE_MS },
      { signal: 'SIGKILL', graceMs: 2_000 },
    ],
    log,
  });
  await rm(pidFile, { force: true });
}
