// The settings of the platform: parses and checks the environment once.
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import {
  ConfigError,
  integer,
  list,
  number,
  oneOf,
  text,
  url,
  type Environment,
} from '../process/environment.ts';
import { cacheDirectory, inDataDirectory } from './cache-directory.ts';
import { paymentSettings, PaymentSettingsFault, type PaymentSettings } from '../payments/settings.ts';
import type { DestinationSettings } from '../outbound/destinations.ts';
import { parseNetwork } from '../network/ip-networks.ts';
import type { ReplicaSettings } from '../database/replica.ts';
import { serverUrls, targetIn, targetsOf, type ServerKind } from '../database/servers.ts';
import { sandboxSettings, type SandboxSettings } from './sandbox-settings.ts';
import { stopSettings, type StopSettings } from './stop-settings.ts';
import type { StorageSettings } from '../storage/open-storage.ts';

export const roles = ['api', 'ingest', 'jobs'] as const;
export type Role = (typeof roles)[number];

export interface HealthPort {
  port: number;
  /** Whether any free port may replace this one if another process uses it. */
  canMove: boolean;
}

export interface Config extends StopSettings {
  environment: 'development' | 'production' | 'test';
  host: string;
  port: number;
  /** Where a process serves its health separately from the API, which serves it as well. */
  health: HealthPort | undefined;
  publicUrl: string | undefined;
  panelUrl: string | undefined;
  dataDir: string;
  cacheDir: string;
  databaseUrl: string | undefined;
  /** A standby of that database for reads that may be a little old. */
  databaseReplica: ReplicaSettings | undefined;
  nats: {
    url: string | undefined;
    publicUrls: string[] | undefined;
    keysFile: string | undefined;
    serverBin: string | undefined;
    prefix: string;
  };
  jwtSecret: string | undefined;
  /** The secret that encrypts values in the database; the secret of access tokens unless given. */
  encryptionSecret: string | undefined;
  mail: { smtpUrl: string | undefined; from: string };
  storage: StorageSettings;
  /** How many months the archive keeps a month after its end; 0 if there is no archive. */
  archiveMonths: number;
  /** The release of the agent that hosts install. */
  agentReleaseDirectory: string;
  bootstrap: { email: string; password: string } | undefined;
  corsOrigins: string[];
  /** Which destinations the platform may send requests to on behalf of licenses. */
  outbound: DestinationSettings;
  payments: PaymentSettings;
  sandboxes: SandboxSettings;
  /** The number of proxies in front, or their addresses. */
  trustProxy: number | string[];
  rateLimitFactor: number;
  passwordHashesAtOnce: number;
  roles: ReadonlySet<Role>;
  heartbeatIntervalSeconds: number;
  logLevel: string;
}

/** Where `npm run build:agent` puts a release. */
const builtRelease = join(import.meta.dirname, '../../dist/agent');

export function readConfig(env: Environment): Config {
  const given = new Set(roleList(env));
  const config: Config = {
    environment: oneOf(env, 'NODE_ENV', ['development', 'production', 'test'] as const, 'development'),
    host: text(env, 'HOST') ?? '127.0.0.1',
    port: integer(env, 'PORT', 0, 65535, 3000),
    health: healthPort(env, given),
    publicUrl: url(env, 'GANTRY_PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
    panelUrl: url(env, 'GANTRY_PANEL_URL', ['http:', 'https:']),
    dataDir: resolve(text(env, 'GANTRY_DATA_DIR') ?? '.gantry'),
    cacheDir: cacheDirectory(env),
    databaseUrl: databaseUrl(env, 'DATABASE_URL', 'primary'),
    databaseReplica: databaseReplica(env),
    nats: {
      url: busUrls(env, 'NATS_URL', ['nats:', 'tls:'])?.join(','),
      publicUrls: busUrls(env, 'GANTRY_NATS_PUBLIC_URLS', ['nats:', 'tls:', 'ws:', 'wss:']),
      keysFile: text(env, 'GANTRY_NATS_KEYS'),
      serverBin: text(env, 'NATS_SERVER_BIN'),
      prefix: text(env, 'GANTRY_BUS_PREFIX') ?? 'gantry',
    },
    jwtSecret: text(env, 'GANTRY_JWT_SECRET'),
    encryptionSecret: text(env, 'GANTRY_SEALING_SECRET'),
    mail: mailSettings(env),
    storage: storageSettings(env),
    archiveMonths: integer(env, 'GANTRY_ARCHIVE_MONTHS', 0, 1200, 0),
    agentReleaseDirectory: resolve(text(env, 'GANTRY_AGENT_RELEASE_DIR') ?? builtRelease),
    bootstrap: bootstrapUser(env),
    corsOrigins: list(env, 'GANTRY_CORS_ORIGINS').map(origin),
    outbound: outboundSettings(env),
    payments: payments(env),
    sandboxes: sandboxSettings(env),
    trustProxy: trustedProxies(env),
    rateLimitFactor: number(env, 'GANTRY_RATE_LIMIT_FACTOR', 0.1, 1000, 1),
    passwordHashesAtOnce: integer(env, 'GANTRY_PASSWORD_HASHES_AT_ONCE', 1, 64, 2),
    roles: given,
    heartbeatIntervalSeconds: number(env, 'GANTRY_HEARTBEAT_SECONDS', 0.1, 300, 10),
    ...stopSettings(env),
    logLevel: oneOf(
      env,
      'LOG_LEVEL',
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const,
      'info',
    ),
  };
  refuseCombinations(config);
  refuseLoneReplica(config, env);
  return config;
}

function refuseCombinations(config: Config): void {
  if (config.jwtSecret !== undefined && config.jwtSecret.length < 32)
    throw new ConfigError('GANTRY_JWT_SECRET must have at least 32 characters');
  if (config.encryptionSecret !== undefined && config.encryptionSecret.length < 32)
    throw new ConfigError('GANTRY_SEALING_SECRET must have at least 32 characters');
  if (config.databaseUrl !== undefined && config.jwtSecret === undefined)
    throw new ConfigError('GANTRY_JWT_SECRET is required when DATABASE_URL is set');
  if (!/^[a-z0-9_-]{1,32}$/.test(config.nats.prefix))
    throw new ConfigError('GANTRY_BUS_PREFIX must be 1 to 32 lower-case letters, digits, - or _');
}

/** Refuses settings that leave state in one process or on its disk while other processes share its work. */
function refuseLoneReplica({ roles: given, databaseUrl, publicUrl }: Config, env: Environment): void {
  if (given.has('jobs') && !given.has('api') && publicUrl === undefined)
    throw new ConfigError(
      'GANTRY_PUBLIC_URL is required where GANTRY_ROLES has jobs without api: links in messages and commands lead there',
    );
  const isOneOfSeveral = databaseUrl !== undefined && given.size < roles.length;
  const hasFiles = given.has('api') || given.has('jobs');
  const isStorageChosen = ['GANTRY_STORAGE_DIR', ...s3Names].some((name) => text(env, name) !== undefined);
  if (isOneOfSeveral && hasFiles && !isStorageChosen)
    throw new ConfigError(
      'GANTRY_STORAGE_DIR or S3_BUCKET is required where GANTRY_ROLES divides the roles: maps must be in a directory or a bucket that all processes share',
    );
}

/** A URL of PostgreSQL, which may name several hosts as libpq takes them: of these, the right one is looked for. */
function databaseUrl(env: Environment, name: string, kind: ServerKind): string | undefined {
  const given = text(env, name);
  if (given === undefined) return undefined;
  const asParameters = [...given.matchAll(/[?&](?:host|hostaddr)=([^&#]*)/gi)].map(([, host = '']) => host);
  if (asParameters.length > 1 || asParameters.some((item) => /,|%2c/i.test(item)))
    throw new ConfigError(`${name} must name several hosts as in postgres://first:5432,second:5432/gantry`);
  const servers = serverUrls(given);
  for (const server of servers) {
    url({ [name]: server }, name, ['postgres:', 'postgresql:']);
    if (servers.length > 1 && new URL(server).hostname === '')
      throw new ConfigError(`${name} has an entry without a host`);
  }
  const target = targetIn(given);
  if (target !== undefined && !targetsOf[kind].includes(target))
    throw new ConfigError(
      `${name} takes target_session_attrs=${targetsOf[kind].join(' or ')}: it has to lead to a ${kind}`,
    );
  return given;
}

function databaseReplica(env: Environment): ReplicaSettings | undefined {
  const maxLagSeconds = number(env, 'GANTRY_REPLICA_MAX_LAG_SECONDS', 0.5, 4, 2);
  const given = databaseUrl(env, 'DATABASE_REPLICA_URL', 'standby');
  if (given === undefined) return undefined;
  if (text(env, 'DATABASE_URL') === undefined)
    throw new ConfigError('DATABASE_URL is required when DATABASE_REPLICA_URL is set');
  return { url: given, maxLagMs: maxLagSeconds * 1_000 };
}

/** Several URLs, separated by commas. Agents receive them, so they must not contain passwords. */
function busUrls(env: Environment, name: string, protocols: string[]): string[] | undefined {
  return text(env, name)
    ?.split(',')
    .map((item) => {
      const given = url({ [name]: item }, name, protocols);
      if (given === undefined) throw new ConfigError(`${name} has an empty entry`);
      const { hostname, username, password } = new URL(given);
      if (hostname === '') throw new ConfigError(`${name} has an entry without a host`);
      if (username !== '' || password !== '')
        throw new ConfigError(`${name} must name no user: everybody on the bus is known by a key`);
      return given;
    });
}

function roleList(env: Environment): Role[] {
  const given = text(env, 'GANTRY_ROLES');
  if (given === undefined) return [...roles];
  return given.split(',').map((item) => {
    const role = roles.find((known) => known === item.trim());
    if (role === undefined)
      throw new ConfigError(
        `GANTRY_ROLES must list some of ${roles.join(', ')}, not ${JSON.stringify(item.trim())}`,
      );
    return role;
  });
}

/**
 * By default only a process without the API has a health port. Another port replaces an occupied one, so that several
 * replicas can start on one machine.
 */
function healthPort(env: Environment, given: ReadonlySet<Role>): HealthPort | undefined {
  if (text(env, 'GANTRY_HEALTH_PORT') !== undefined)
    return { port: integer(env, 'GANTRY_HEALTH_PORT', 0, 65535, 0), canMove: false };
  if (given.has('api')) return undefined;
  return { port: given.has('ingest') ? 3001 : 3002, canMove: true };
}

function bootstrapUser(env: Environment): Config['bootstrap'] {
  const email = text(env, 'GANTRY_BOOTSTRAP_EMAIL');
  const password = env['GANTRY_BOOTSTRAP_PASSWORD'];
  if (email === undefined && !password) return undefined;
  if (email === undefined)
    throw new ConfigError('GANTRY_BOOTSTRAP_EMAIL is required when GANTRY_BOOTSTRAP_PASSWORD is set');
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    throw new ConfigError('GANTRY_BOOTSTRAP_EMAIL must be an e-mail address');
  if (!password)
    throw new ConfigError('GANTRY_BOOTSTRAP_PASSWORD is required when GANTRY_BOOTSTRAP_EMAIL is set');
  if (password.length < 12)
    throw new ConfigError('GANTRY_BOOTSTRAP_PASSWORD must have at least 12 characters');
  return { email: email.toLowerCase(), password };
}

function origin(given: string): string {
  const { protocol, origin: itself } = URL.canParse(given) ? new URL(given) : { protocol: '', origin: '' };
  if (!['http:', 'https:'].includes(protocol) || itself !== given)
    throw new ConfigError(
      'GANTRY_CORS_ORIGINS must list origins as browsers send them, such as https://panel.example.com',
    );
  return given;
}

function outboundSettings(env: Environment): DestinationSettings {
  const [allow = [], deny = []] = ['GANTRY_OUTBOUND_ALLOW', 'GANTRY_OUTBOUND_DENY'].map((name) => {
    const entries = list(env, name);
    if (entries.every((entry) => parseNetwork(entry) !== undefined)) return entries;
    throw new ConfigError(`${name} must list addresses or networks, such as 10.1.0.0/16 or fd00::/8`);
  });
  const allowsHttp = oneOf(env, 'GANTRY_OUTBOUND_HTTP', ['true', 'false'] as const, 'false') === 'true';
  return { allow, deny, allowsHttp };
}

function payments(env: Environment): PaymentSettings {
  try {
    return paymentSettings(env, text(env, 'NODE_ENV') === 'production');
  } catch (error) {
    throw error instanceof PaymentSettingsFault ? new ConfigError(error.message) : error;
  }
}

/** Express takes addresses, networks, and names for private networks. */
function trustedProxies(env: Environment): number | string[] {
  const entries = list(env, 'GANTRY_TRUST_PROXY');
  const [first = '0', ...others] = entries;
  if (others.length === 0 && /^\d{1,2}$/.test(first)) return Number(first);
  const isNetwork = (entry: string) =>
    isIP(entry.split('/')[0] ?? '') !== 0 && (!entry.includes('/') || ipaddr.isValidCIDR(entry));
  if (!entries.every((entry) => isNetwork(entry) || proxyNames.includes(entry)))
    throw new ConfigError(
      'GANTRY_TRUST_PROXY must be how many proxies stand in front, or list their addresses or networks',
    );
  return entries;
}

const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];

function mailSettings(env: Environment): Config['mail'] {
  const smtpUrl = url(env, 'SMTP_URL', ['smtp:', 'smtps:']);
  const from = text(env, 'GANTRY_MAIL_FROM');
  if (smtpUrl !== undefined && from === undefined)
    throw new ConfigError('GANTRY_MAIL_FROM is required when SMTP_URL is set');
  if (from !== undefined && !/^([^<>@\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(from))
    throw new ConfigError('GANTRY_MAIL_FROM must be an e-mail address, or a name and an address in <>');
  return { smtpUrl, from: from ?? 'Gantry <gantry@localhost>' };
}

/** An S3 bucket if one is named, otherwise a directory. */
function storageSettings(env: Environment): StorageSettings {
  const given = s3Names.filter((name) => text(env, name) !== undefined);
  if (given.length === 0)
    return { directory: resolve(text(env, 'GANTRY_STORAGE_DIR') ?? inDataDirectory(env, 'storage')) };
  if (text(env, 'GANTRY_STORAGE_DIR') !== undefined)
    throw new ConfigError(`GANTRY_STORAGE_DIR cannot be set together with ${given.join(', ')}`);
  const needed = (name: (typeof s3Names)[number]) => {
    const value = text(env, name);
    if (value === undefined) throw new ConfigError(`${name} is required when ${given.join(', ')} is set`);
    return value;
  };
  const bucket = needed('S3_BUCKET');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new ConfigError('S3_BUCKET must be a name of 3 to 63 lower-case letters, digits, dots or hyphens');
  const region = text(env, 'S3_REGION') ?? 'us-east-1';
  if (!/^[a-z0-9-]{1,64}$/.test(region))
    throw new ConfigError('S3_REGION must be the name of a region, such as eu-central-1');
  return {
    s3: {
      endpoint: url(env, 'S3_ENDPOINT', ['http:', 'https:']),
      bucket,
      region,
      accessKeyId: needed('S3_ACCESS_KEY_ID'),
      secretAccessKey: needed('S3_SECRET_ACCESS_KEY'),
      forcePathStyle: oneOf(env, 'S3_FORCE_PATH_STYLE', ['true', 'false'] as const, 'false') === 'true',
    },
  };
}

const s3Names = [
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_FORCE_PATH_STYLE',
] as const;
