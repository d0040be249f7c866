// Starts the platform as a program: settings, embedded services where none are configured, signals.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { LogOutput } from '../shared/log-output.ts';
import { releaseStartMemory } from '../shared/start-memory.ts';
import { createPlatformLog } from './process/log.ts';
import { readConfig, type Config } from './config/index.ts';
import { ConfigError } from './process/environment.ts';
import { obtainInfrastructure, type Infrastructure } from './embedded/infrastructure.ts';
import { buildPanel, builtPanel } from './pages/panel/build.ts';
import type { Platform } from './platform.ts';
import type { PlatformOptions } from './process-roles/options.ts';
import { stopTimes } from './config/stop-settings.ts';
import type { Logger } from 'pino';

/** How long the last log lines may take to reach a slow reader. */
const flushMs = 500;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  if (config.roles.has('api')) await refuseTakenPort('HOST or PORT', config.host, config.port);
  if (config.health?.canMove === false)
    await refuseTakenPort('HOST or GANTRY_HEALTH_PORT', config.host, config.health.port);
  const output = new LogOutput(1);
  const log = createPlatformLog(config.logLevel, output);
  output.reportTo(log);
  const [infrastructure, loaded] = await Promise.all([
    obtainInfrastructure(config, log),
    // Half of a restart is loading; the embedded servers start meanwhile.
    import('./platform.ts'),
  ]);
  const options = optionsOf(config, infrastructure, { log, lostLogLines: () => output.lostLines });
  const platform = await loaded.startPlatform(options).catch(async (error: unknown) => {
    await infrastructure.stop();
    throw error;
  });
  const end = stopHandler(
    async () => {
      await platform.stop();
      await infrastructure.stop();
    },
    { seconds: config.stopSeconds, log, output },
  );
  // The first signal ends the platform gracefully; a second one ends it at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(0, { signal }));
  infrastructure.onFailure((detail) => end(1, { detail }));
  platform.onFailure((detail) => end(1, { detail }));
  // Printed last: a reader of this line may stop the process.
  printReady(config, platform);
  releaseStartMemory();
}

function optionsOf(
  config: Config,
  infrastructure: Infrastructure,
  logging: Pick<PlatformOptions, 'log' | 'lostLogLines'>,
): PlatformOptions {
  return {
    ...infrastructure,
    ...logging,
    allowOpenBus: config.environment !== 'production' && leadsHere(infrastructure.bus.url),
    roles: config.roles,
    databaseReplica: config.databaseReplica,
    host: config.host,
    port: config.port,
    health: config.health,
    stopping: stopTimes(config),
    heartbeatIntervalSeconds: config.heartbeatIntervalSeconds,
    bootstrap: config.bootstrap,
    corsOrigins: config.corsOrigins,
    trustProxy: config.trustProxy,
    rateLimitFactor: config.rateLimitFactor,
    passwordHashesAtOnce: config.passwordHashesAtOnce,
    publicUrl: config.publicUrl,
    panelUrl: config.panelUrl,
    ...(config.roles.has('api') && {
      panel: { directory: builtPanel, built: buildPanel(logging.log) },
    }),
    encryptionSecret: config.encryptionSecret ?? infrastructure.jwtSecret,
    mail: { ...config.mail, directory: join(config.dataDir, 'mail') },
    storage: config.storage,
    archive: { months: config.archiveMonths, directory: config.cacheDir },
    isAlone: config.databaseUrl === undefined,
    agentReleaseDirectory: config.agentReleaseDirectory,
    outbound: config.outbound,
    payments: config.payments,
    sandboxes: config.sandboxes,
    validateReplies: config.environment !== 'production',
  };
}

/** Checked before anything starts, so that an unusable address is the only error reported. */
async function refuseTakenPort(setting: string, host: string, port: number): Promise<void> {
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, 'listening');
  } catch (error) {
    throw new ConfigError(`${setting}: ${Error.isError(error) ? error.message : 'cannot be listened on'}`, {
      cause: error,
    });
  } finally {
    probe.close();
  }
}

/** Whether every server of the list is on this machine. */
function leadsHere(urls: string): boolean {
  return urls.split(',').every((url) => ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname));
}

function printReady(config: Config, { url, healthUrl, firstUser }: Platform): void {
  const lines = [''];
  if (url === undefined) lines.push(`Gantry runs ${[...config.roles].join(', ')}.`);
  else {
    const base = config.publicUrl ?? url;
    lines.push(`Gantry is ready at ${base}`, `  API documentation   ${base}/api/docs`);
    if (firstUser.kind === 'setup-token')
      lines.push(`  Create the first user   ${base}/setup#${firstUser.token}`);
    if (firstUser.kind === 'created') lines.push(`  First user   ${firstUser.email}`);
  }
  if (healthUrl !== undefined) lines.push(`  Health and metrics   ${healthUrl}/readyz`);
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

interface StopOptions {
  seconds: number;
  log: Logger;
  output: LogOutput;
}

/** Ends the process after a complete stop or the time limit; at once if it is called again. */
function stopHandler(
  stop: () => Promise<void>,
  { seconds, log, output }: StopOptions,
): (code: 0 | 1, why: object) => void {
  let isStopping = false;
  const exit = (code: number) => void output.flush(flushMs).then(() => process.exit(code));
  return (code, why) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log[code === 0 ? 'info' : 'fatal'](why, 'stopping');
    setTimeout(() => {
      log.fatal({ seconds }, 'stopping took too long; what is left is cut off');
      exit(1);
    }, seconds * 1000).unref();
    stop().then(
      () => exit(code),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        exit(1);
      },
    );
  };
}

await main().catch((error: unknown) => {
  const line = error instanceof ConfigError || isPlain(error) ? error.message : undefined;
  process.stderr.write(
    `gantry: ${line ?? (Error.isError(error) ? (error.stack ?? error.message) : String(error))}\n`,
  );
  process.exit(1);
});

/** Errors of the operating system and of connections are understandable from their one-line message. */
function isPlain(error: unknown): error is Error {
  return Error.isError(error) && 'code' in error;
}
