// Provides the configured or embedded database and bus, and their secrets.
import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { busPath } from '../bus/websocket-relay.ts';
import { areBusKeys, createBusKeys, serverConfiguration, type BusKeys } from '../bus/keys.ts';
import type { Config } from '../config/index.ts';
import { ConfigError } from '../process/environment.ts';
import { openDataDirectory } from './data-directory.ts';
import { readIfPresent } from '../process/files.ts';
import { startEmbeddedNats } from './nats.ts';
import { refuseUnfinishedRestore } from './unfinished-restore.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './postgres.ts';

export interface Infrastructure {
  databaseUrl: string;
  bus: { url: string; agentUrls: string[]; keys: BusKeys; prefix: string };
  jwtSecret: string;
  /** Calls the listener when an embedded server has ended and cannot be restarted. */
  onFailure(listener: (detail: string) => void): void;
  stop(): Promise<void>;
}

type EmbeddedServer = Pick<EmbeddedPostgres, 'stop' | 'onExit'>;

export async function obtainInfrastructure(config: Config, log: Logger): Promise<Infrastructure> {
  const servers: EmbeddedServer[] = [];
  let release: () => Promise<void> = () => Promise.resolve();
  const stop = async () => {
    for (const server of servers.splice(0).reverse()) await server.stop();
    await release();
  };
  try {
    await refuseUnfinishedRestore(config.dataDir);
    const embedsSomething = config.databaseUrl === undefined || config.nats.url === undefined;
    if (embedsSomething) {
      const directory = await openDataDirectory(config.dataDir).catch((error: unknown) => {
        throw new ConfigError(`GANTRY_DATA_DIR: ${Error.isError(error) ? error.message : 'not usable'}`, {
          cause: error,
        });
      });
      release = () => directory.release();
    }
    const keys = await obtainBusKeys(config);
    const [database, nats] = await Promise.allSettled([
      obtainDatabase(config, log, servers),
      obtainNats(config, keys, log, servers),
    ]);
    const databaseUrl = valueOf(database);
    const natsUrl = valueOf(nats);
    const jwtSecret = await obtainJwtSecret(config);
    return {
      databaseUrl,
      bus: {
        url: natsUrl,
        agentUrls: config.nats.publicUrls ?? relayUrls(config) ?? natsUrl.split(','),
        keys,
        prefix: config.nats.prefix,
      },
      jwtSecret,
      onFailure: (listener) => {
        for (const { onExit } of servers) onExit(listener);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** An embedded bus listens on loopback, so remote agents reach it through the platform's own URL. */
function relayUrls({ nats, publicUrl, roles }: Config): string[] | undefined {
  if (nats.url !== undefined || publicUrl === undefined || !roles.has('api')) return undefined;
  const { hostname } = new URL(publicUrl);
  if (/^(localhost|127\..*|\[::1\])$/.test(hostname)) return undefined;
  return [`${publicUrl.replace(/^http/, 'ws')}${busPath}`];
}

/** The keys of the message bus; created if there are none. */
export function obtainBusKeys({ nats, dataDir }: Config): Promise<BusKeys> {
  return readOrCreate({
    setting: nats.keysFile === undefined ? 'GANTRY_DATA_DIR' : 'GANTRY_NATS_KEYS',
    file: nats.keysFile ?? join(dataDir, 'nats-keys.json'),
    isWhole: areBusKeys,
    create: createBusKeys,
  });
}

/** The secret of access tokens; created if there is none. */
export async function obtainJwtSecret({ jwtSecret, dataDir }: Config): Promise<string> {
  if (jwtSecret !== undefined) return jwtSecret;
  const { secret } = await readOrCreate({
    setting: 'GANTRY_DATA_DIR',
    file: join(dataDir, 'jwt-secret.json'),
    isWhole: isJwtSecret,
    create: () => ({ secret: randomBytes(48).toString('base64url') }),
  });
  return secret;
}

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

async function obtainDatabase(config: Config, log: Logger, servers: EmbeddedServer[]): Promise<string> {
  if (config.databaseUrl !== undefined) return config.databaseUrl;
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  servers.push(postgres);
  return postgres.url;
}

async function obtainNats(
  config: Config,
  keys: BusKeys,
  log: Logger,
  servers: EmbeddedServer[],
): Promise<string> {
  if (config.nats.url !== undefined) return config.nats.url;
  const configuration = await serverConfiguration(
    keys,
    config.nats.prefix,
    join(config.dataDir, 'nats', 'jwt'),
  );
  const { serverBin } = config.nats;
  const nats = await startEmbeddedNats({
    dataDir: config.dataDir,
    cacheDir: config.cacheDir,
    configuration,
    log,
    ...(serverBin !== undefined && { serverBin }),
  });
  servers.push(nats);
  return nats.url;
}

interface SecretFile<T extends object> {
  /** The setting to name in the error if the file is unusable. */
  setting: string;
  file: string;
  isWhole: (value: unknown) => value is T;
  create: () => T;
}

/** Reads a secret file, or creates it. Two processes that create it at once end up with the same secret. */
async function readOrCreate<T extends object>(secret: SecretFile<T>): Promise<T> {
  const { setting, file, create } = secret;
  try {
    return (await readSecret(secret)) ?? (await createSecret(file, create, () => readSecret(secret)));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${setting}: ${Error.isError(error) ? error.message : `${file} is not usable`}`, {
      cause: error,
    });
  }
}

async function createSecret<T extends object>(
  file: string,
  create: () => T,
  read: () => Promise<T | undefined>,
): Promise<T> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, JSON.stringify(create()), { mode: 0o600, flush: true });
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  const made = await read();
  if (made === undefined) throw new Error(`${file} is gone again`);
  return made;
}

async function readSecret<T extends object>({
  setting,
  file,
  isWhole,
}: SecretFile<T>): Promise<T | undefined> {
  const text = await readIfPresent(file);
  if (text === undefined) return undefined;
  const value = parse(text);
  if (!isWhole(value)) throw new ConfigError(`${setting}: ${file} is damaged`);
  await chmod(file, 0o600);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isJwtSecret(value: unknown): value is { secret: string } {
  const secret = new Map<string, unknown>(Object.entries(value ?? {})).get('secret');
  return typeof secret === 'string' && secret.length >= 32;
}
