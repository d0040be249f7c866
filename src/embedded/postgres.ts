// Runs an embedded PostgreSQL if no DATABASE_URL is given: on loopback, with its data kept between runs.
import { spawn } from 'node:child_process';
import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { ConfigError } from '../process/environment.ts';
import { assertNotUsedByAnother } from './data-directory.ts';
import { readIfPresent } from '../process/files.ts';
import { openLogFile, type LogFile } from './log-file.ts';
import { startOnPort } from './loopback-port.ts';
import { parentDeathGuard, superviseProcess, type SupervisedProcess } from './supervised-process.ts';
import { asAccount } from './postgres-account.ts';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import { POSTGRES_ENVIRONMENT, prepareCluster } from './postgres-cluster.ts';
import { openPostgresHome, type PostgresHome } from './postgres-home.ts';
import { stopPostgresOrphan } from './postgres-orphan.ts';
import { openSocketDirectory, removeStaleSockets } from './postgres-socket.ts';

export interface EmbeddedPostgres {
  /** By Unix socket where supported (`postgres://gantry:…@%2Fdirectory:port/gantry`), otherwise equal to `tcpUrl`. */
  url: string;
  /** `postgres://gantry:…@127.0.0.1:port/gantry`, for tools that do not support Unix sockets. */
  tcpUrl: string;
  stop: () => Promise<void>;
  /** Called once, when PostgreSQL has ended and five restarts in a row have failed. */
  onExit: (listener: (detail: string) => void) => void;
}

interface ServerPlan {
  home: PostgresHome;
  binaries: PostgresBinaries;
  settings: readonly string[];
  socketDirectory: string | undefined;
  logFile: LogFile;
  log: Logger;
}

const READY_POLL_MS = 10;
/** Replaying the WAL after a crash may take minutes on a large database. */
const READY_TIMEOUT_MS = 300_000;
const STOP_GRACE_MS = 15_000;

/** The caller has opened the data directory (data-directory.ts). */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: Logger;
  /** Several processes may share the server. */
  maxConnections?: number;
}): Promise<EmbeddedPostgres> {
  const { log, maxConnections = 200 } = options;
  const dataDir = await realpath(options.dataDir);
  await assertNotUsedByAnother(dataDir);
  const home = await openPostgresHome(dataDir, log);
  let logFile: LogFile | undefined;
  let socketDirectory: string | undefined;
  try {
    await stopPostgresOrphan(home.cluster, log);
    const binaries = await findPostgresBinaries(home.path, home.account);
    const passwords = await prepareCluster({ dataDir, home, binaries, log });
    socketDirectory = await openSocketDirectory(home);
    const openedLog = await openLogFile(join(dataDir, 'logs/postgres.log'), log);
    logFile = openedLog;
    const started = await startOnPort(join(dataDir, 'postgres.port'), async (port) => {
      const server = await startServer({
        home,
        binaries,
        settings: settingsOf({ port, socketDirectory, maxConnections }),
        logFile: openedLog,
        socketDirectory,
        log,
      });
      return { server, port };
    });
    const urls = connectionUrls(passwords.gantry, started.port, socketDirectory);
    await assertConnects(urls.url, started.server);
    log.info({ port: started.port, path: home.cluster }, 'PostgreSQL is ready');
    return { ...urls, onExit: started.server.onExit, stop: once(() => stop(started.server)) };
  } catch (error) {
    await release();
    throw error;
  }

  async function stop(server: SupervisedProcess): Promise<void> {
    await server.stop();
    await release();
  }

  async function release(): Promise<void> {
    if (socketDirectory !== undefined) await rm(socketDirectory, { recursive: true, force: true });
    await logFile?.close();
    await home.release();
  }
}

async function startServer({ home, binaries, settings, socketDirectory, logFile, log }: ServerPlan) {
  const guard = await parentDeathGuard('SIGINT');
  const command = [...guard, binaries.postgres, '-D', home.cluster, ...settings];
  let logStart = 0;

  return superviseProcess({
    name: 'PostgreSQL',
    log,
    launch: async () => {
      await stopPostgresOrphan(home.cluster, log);
      if (socketDirectory !== undefined) await removeStaleSockets(socketDirectory);
      logStart = await logFile.size();
      const [program = '', ...args] = command;
      return spawn(program, args, {
        ...asAccount(home.account),
        ...(process.platform === 'win32' ? {} : { env: POSTGRES_ENVIRONMENT, detached: true }),
        cwd: home.cluster,
        stdio: ['ignore', logFile.fd, logFile.fd],
        windowsHide: true,
      });
    },
    untilReady: async (child, signal) => {
      while (!signal.aborted && !(await isAcceptingConnections(home.cluster, child.pid)))
        await pause(READY_POLL_MS);
    },
    readyTimeoutMs: READY_TIMEOUT_MS,
    lastWords: () => logFile.lastWordsFrom(logStart, /(FATAL|PANIC):/),
    stopSignal: 'SIGINT',
    stopGraceMs: STOP_GRACE_MS,
    abortSignal: 'SIGQUIT',
  });
}

function settingsOf({
  port,
  socketDirectory,
  maxConnections,
}: {
  port: number;
  socketDirectory: string | undefined;
  maxConnections: number;
}): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: socketDirectory ?? '',
    max_connections: maxConnections,
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    fsync: 'on',
    synchronous_commit: 'on',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_checkpoints: 'off',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** PostgreSQL writes its state into the eighth line of its pid file. */
async function isAcceptingConnections(cluster: string, pid: number | undefined): Promise<boolean> {
  const lines = (await readIfPresent(join(cluster, 'postmaster.pid')))?.split('\n') ?? [];
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

function connectionUrls(password: string, port: number, socketDirectory: string | undefined) {
  const to = (host: string) => `postgres://gantry:${password}@${host}:${port}/gantry`;
  const tcpUrl = to('127.0.0.1');
  return { tcpUrl, url: socketDirectory === undefined ? tcpUrl : to(encodeURIComponent(socketDirectory)) };
}

async function assertConnects(url: string, server: SupervisedProcess): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
  } catch (error) {
    await server.stop();
    const why = Error.isError(error) ? error.message : 'the connection failed';
    throw new ConfigError(`The embedded PostgreSQL takes no connection of the platform: ${why}`, {
      cause: error,
    });
  }
}

function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= action());
}
