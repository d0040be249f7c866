// Connections to PostgreSQL that notice a server which is gone without a goodbye: no wait for an answer is unlimited.
import pg from 'pg';
import type { Logger } from 'pino';
import { within } from '../limited-wait.ts';

export interface DatabaseLimits {
  /** How long a connection may take to be opened, and a caller may wait for one of a pool. */
  connectMs: number;
  /** How long the server works on one statement. */
  statementMs: number;
  /** How long a statement may be without any sign of the server: longer than the server itself allows it to take. */
  silenceMs: number;
  /** After this much idleness the operating system asks every second whether the other side is there, ten times. */
  keepAliveMs: number;
  /** How long a statement of a migration waits for a lock: all that comes after it waits behind it. */
  migrationLockMs: number;
}

export const defaultLimits: DatabaseLimits = {
  connectMs: 10_000,
  statementMs: 30_000,
  silenceMs: 35_000,
  keepAliveMs: 10_000,
  migrationLockMs: 30_000,
};

/** How long the goodbye to a server may take. */
const goodbyeMs = 2_000;
/** How long statements under way may take to end when a pool is closed. */
const closeGraceMs = 3_000;

/**
 * A client whose connection is destroyed when the server is silent for too long while it owes a reply. Timeouts of
 * single queries, as pg has them, leave such a connection in the pool.
 */
class LimitedClient extends pg.Client {
  readonly #silenceMs: number;
  readonly #session: string;
  #watch: NodeJS.Timeout | undefined;
  #seenBytes = 0;

  constructor(config: LimitedClientConfig) {
    super(config);
    this.#silenceMs = config.silenceMs;
    this.#session = config.session;
    this.on('drain', () => this.#stopWatch());
    this.on('end', () => this.#stopWatch());
  }

  // It counts as connected once its session has its settings: nobody gets one without.
  override connect(): Promise<pg.Client>;
  override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
  override connect(callback?: (error: never, client: never) => void): Promise<pg.Client> | void {
    const connected = super.connect().then(() => this.#prepareSession());
    if (callback === undefined) return connected;
    connected.then(
      (client) => callback(null as never, client as never),
      (error: unknown) => callback(error as never, undefined as never),
    );
  }

  async #prepareSession(): Promise<this> {
    // Whoever connects listens to errors only afterwards; the statement fails with what is lost meanwhile.
    const ignore = () => undefined;
    this.on('error', ignore);
    try {
      await this.query(this.#session);
    } catch (error) {
      await this.end();
      throw error;
    }
    this.off('error', ignore);
    return this;
  }

  // The overloads of pg.Client.query are not for subclasses to repeat; what it is called with goes through as it is.
  override query = ((...args: Parameters<pg.Client['query']>) => {
    const result: unknown = super.query(...args);
    this.#startWatch();
    return result;
  }) as pg.Client['query'];

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    const { stream } = this.connection;
    const timer = setTimeout(() => stream.destroy(), goodbyeMs).unref();
    stream.once('close', () => clearTimeout(timer));
    return callback === undefined ? super.end() : super.end(callback);
  }

  #startWatch(): void {
    if (this.#silenceMs === 0 || this.#watch !== undefined) return;
    this.#seenBytes = this.#receivedBytes;
    this.#watch = setTimeout(() => this.#check(), this.#silenceMs).unref();
  }

  #stopWatch(): void {
    clearTimeout(this.#watch);
    this.#watch = undefined;
  }

  #check(): void {
    this.#watch = undefined;
    if (this.#receivedBytes > this.#seenBytes) this.#startWatch();
    else this.connection.stream.destroy(silent(this.#silenceMs));
  }

  get #receivedBytes(): number {
    return (this.connection.stream as { bytesRead?: number }).bytesRead ?? 0;
  }
}

/** The operating system says the same of a connection whose other side does not reply. */
const silentCode = 'ETIMEDOUT';
const silent = (ms: number) =>
  Object.assign(new Error(`the database has been silent for ${ms / 1000} seconds`), { code: silentCode });

interface LimitedClientConfig extends pg.ClientConfig {
  silenceMs: number;
  /** A statement that sets the limits of the server, once connected. */
  session: string;
}

export interface ConnectionSettings {
  url: string;
  limits?: Partial<DatabaseLimits> | undefined;
}

interface ClientSettings extends ConnectionSettings {
  /** Migrations and their lock take as long as they take: only the operating system watches their connection. */
  isUnlimited?: boolean;
  /** Limits how long a statement waits for a lock. */
  isMigrating?: boolean;
}

/** How to connect: the client's limits and, in the session, those of the server. */
export function clientConfig({
  url,
  limits,
  isUnlimited = false,
  isMigrating = false,
}: ClientSettings): LimitedClientConfig {
  const { connectMs, statementMs, silenceMs, keepAliveMs, migrationLockMs } = { ...defaultLimits, ...limits };
  return {
    connectionString: url,
    session: sessionSettings(isUnlimited ? 0 : statementMs, isMigrating ? migrationLockMs : 0),
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    silenceMs: isUnlimited ? 0 : silenceMs,
  };
}

export function createClient(settings: ClientSettings): pg.Client {
  return new LimitedClient(clientConfig(settings));
}

/** A pool that can be closed although the server is gone. */
export class LimitedPool extends pg.Pool {
  readonly #clients = new Set<pg.PoolClient>();
  readonly #idle = new Set<pg.PoolClient>();
  readonly #log: Logger;

  constructor(config: pg.PoolConfig & LimitedClientConfig, log: Logger) {
    super({ ...config, Client: LimitedClient as unknown as new () => pg.ClientBase });
    this.#log = log;
    this.on('error', (error) => this.#lose(error));
    this.on('connect', (client) => {
      this.#clients.add(client);
      // The pool listens to idle clients only; one that is lost while in use would end the process.
      client.on('error', (error) => this.#lose(error));
    });
    this.on('acquire', (client) => this.#idle.delete(client));
    this.on('release', (_error, client) => this.#idle.add(client));
    this.on('remove', (client) => {
      this.#clients.delete(client);
      this.#idle.delete(client);
    });
  }

  /** Where one connection has found its server silent, the idle ones would: each would cost a caller its statement. */
  #lose(error: Error & { code?: unknown }): void {
    this.#log.warn({ err: error }, 'a database connection was lost');
    if (error.code !== silentCode) return;
    for (const { connection } of this.#idle) connection.stream.destroy();
    this.#idle.clear();
  }

  /** Connections that are still in use some time later are cut off: their server may never reply. */
  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | void {
    const cut = setTimeout(() => {
      for (const { connection } of this.#clients) connection.stream.destroy();
    }, closeGraceMs);
    // Whoever still holds a connection then may never give it back.
    const ended = within(closeGraceMs + goodbyeMs, super.end())
      .catch((error: unknown) => this.#log.warn({ err: error }, 'database connections were still in use'))
      .finally(() => clearTimeout(cut));
    if (callback === undefined) return ended;
    void ended.then(callback);
  }
}

/**
 * Times are written in UTC. A statement that runs for longer than its limit is a fault of ours; a forgotten transaction
 * must not hold locks, nor must those of a process whose machine is gone: the server looks for it too. Poolers refuse
 * these settings as parameters of the connection.
 */
function sessionSettings(statementMs: number, lockMs: number): string {
  const settings = Object.entries({
    timezone: 'UTC',
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: 60_000,
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
    tcp_user_timeout: 25_000,
    client_connection_check_interval: 10_000,
  });
  return `select ${settings.map(([name, value]) => `set_config('${name}', '${value}', false)`).join(', ')}`;
}
