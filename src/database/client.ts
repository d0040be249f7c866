// Connections to PostgreSQL that detect a server that disappeared silently: every wait for a reply is bounded.
import pg from 'pg';
import type { Logger } from 'pino';
import { within } from '../process/bounded-wait.ts';
import { isWriteRefusal } from './faults.ts';
import { addressIn, DatabaseServers, type ServerKind } from './servers.ts';
import { sessionSettings } from './session-settings.ts';
import { SessionGenerations } from './session-generations.ts';
import { isServed, SilenceWatch } from './silence-watch.ts';

export interface DatabaseLimits {
  /** Maximum time to open a connection, and to wait for one of a pool. */
  connectMs: number;
  /** Maximum time that the server works on one statement. */
  statementMs: number;
  /**
   * After this much silence another session asks the server whether it works on the statement; if not, the connection
   * is lost.
   */
  silenceCheckMs: number;
  /** Maximum silence during a statement: longer than the server's own statement limit. */
  silenceMs: number;
  /** Idle time after which the operating system probes the other side, every second, up to ten times. */
  keepAliveMs: number;
  /** Maximum time that a migration statement waits for a lock: later statements on the table queue behind it. */
  migrationLockMs: number;
}

export const defaultLimits: DatabaseLimits = {
  connectMs: 10_000,
  statementMs: 30_000,
  silenceCheckMs: 5_000,
  silenceMs: 35_000,
  keepAliveMs: 10_000,
  migrationLockMs: 30_000,
};

const ignore = () => undefined;

/** Maximum time for the orderly end of a connection. */
const goodbyeMs = 2_000;
/** How long running statements may take to finish when a pool is closed. */
const closeGraceMs = 3_000;

/**
 * A client that destroys its connection if the server disappears while a reply is pending. The query timeouts of pg
 * would leave such a connection in the pool.
 */
class LimitedClient extends pg.Client {
  readonly #session: string;
  readonly #generations: SessionGenerations;
  readonly #generation: number;
  readonly #silence: SilenceWatch;
  readonly #servers: DatabaseServers;
  #url: string;
  #pid = 0;
  #hasRefusedWrites = false;

  constructor(config: LimitedClientConfig) {
    super(config);
    this.#session = config.session;
    this.#generations = config.generations;
    this.#generation = config.generations.current;
    this.#servers = config.servers;
    this.#url = config.servers.first;
    this.#silence = new SilenceWatch(config, {
      receivedBytes: () => (this.connection.stream as { bytesRead?: number }).bytesRead ?? 0,
      isServed: () => isServed(this.#url, this.#pid),
      onDead: (silentMs) => {
        this.outdate();
        this.connection.stream.destroy(silent(silentMs));
      },
    });
    this.connection.on('errorMessage', (error: Error) => {
      if (!isWriteRefusal(error)) return;
      this.#hasRefusedWrites = true;
      this.outdate();
    });
    this.on('drain', () => {
      this.#silence.stop();
      if (config.isAlone && this.#hasRefusedWrites && this.getTransactionStatus() === 'I') void this.end();
    });
    this.on('end', () => this.#silence.stop());
  }

  /** Whether it was opened before a fault that may affect all sessions of that time. */
  get isOutdated(): boolean {
    return this.#generation < this.#generations.current;
  }

  outdate(): void {
    this.#generations.outdate(this.#generation);
  }

  // It counts as connected once its session settings are applied, so no caller gets a session without them.
  override connect(): Promise<pg.Client>;
  override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
  override connect(callback?: (error: never, client: never) => void): Promise<pg.Client> | void {
    // The caller of `connect` adds its error listener only afterwards. The reply that completes the connection and an
    // error that ends it may arrive together, before any promise settles; the first statement then fails instead.
    this.on('error', ignore);
    const connected = this.#connectToServer().then(() => this.#prepareSession());
    if (callback === undefined) return connected;
    connected.then(
      (client) => callback(null as never, client as never),
      (error: unknown) => callback(error as never, undefined as never),
    );
  }

  async #connectToServer(): Promise<void> {
    if (this.#servers.areSeveral) {
      this.#url = await this.#servers.find(this.#generation);
      // pg reads them when it connects.
      Object.assign(this, addressIn(this.#url));
    }
    try {
      await super.connect();
    } catch (error) {
      this.#servers.forget(this.#url);
      throw error;
    }
  }

  async #prepareSession(): Promise<this> {
    try {
      const { rows } = await this.query<{ pid: number }>(this.#session);
      this.#pid = rows[0]?.pid ?? 0;
    } catch (error) {
      await this.end();
      throw error;
    }
    this.off('error', ignore);
    return this;
  }

  // Subclasses cannot repeat the overloads of pg.Client.query; the arguments pass through unchanged.
  override query = ((...args: Parameters<pg.Client['query']>) => {
    const result: unknown = super.query(...args);
    this.#silence.start();
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
}

/** The operating system uses the same code for a connection whose other side does not reply. */
const silentCode = 'ETIMEDOUT';
const silent = (ms: number) =>
  Object.assign(new Error(`the database has been silent for ${Math.round(ms / 100) / 10} seconds`), {
    code: silentCode,
  });

interface LimitedClientConfig extends pg.ClientConfig {
  connectionString: string;
  silenceCheckMs: number;
  silenceMs: number;
  generations: SessionGenerations;
  servers: DatabaseServers;
  /** Closes itself after it has refused a write, because it belongs to no pool. */
  isAlone: boolean;
  /** A statement that sets the server's limits after connecting. */
  session: string;
}

export interface ConnectionSettings {
  /** It may name several servers, as URLs of libpq do. */
  url: string;
  /** Which of several servers to use; the primary unless given. */
  serverKind?: ServerKind;
  limits?: Partial<DatabaseLimits> | undefined;
  /** Shared by all connections of this process to the database. */
  generations?: SessionGenerations | undefined;
}

interface ClientSettings extends ConnectionSettings {
  /** For migrations and their lock, which have no time limit: only TCP keep-alive watches their connection. */
  isUnlimited?: boolean;
  /** Limits how long a statement waits for a lock. */
  isMigrating?: boolean;
}

/** Connection settings: the client's limits and, in the session, those of the server. */
export function clientConfig({
  url,
  serverKind = 'primary',
  limits,
  generations = new SessionGenerations(),
  isUnlimited = false,
  isMigrating = false,
}: ClientSettings): LimitedClientConfig {
  const { connectMs, statementMs, silenceCheckMs, silenceMs, keepAliveMs, migrationLockMs } = {
    ...defaultLimits,
    ...limits,
  };
  const servers = new DatabaseServers(url, serverKind, connectMs);
  return {
    connectionString: servers.first,
    servers,
    session: sessionSettings(isUnlimited ? 0 : statementMs, isMigrating ? migrationLockMs : 0),
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    silenceCheckMs,
    silenceMs: isUnlimited ? 0 : silenceMs,
    generations,
    isAlone: false,
  };
}

export function createClient(settings: ClientSettings): pg.Client {
  return new LimitedClient({ ...clientConfig(settings), isAlone: true });
}

/** Whether the connection must not be used any more. */
export function isOutdated(client: unknown): boolean {
  return client instanceof LimitedClient && client.isOutdated;
}

type Connected = Parameters<pg.Pool['connect']>[0];

/** graphile-worker releases its listening connection twice if that is lost while the run stops. */
function onlyOnce<T>(done: (error?: T) => void): (error?: T) => void {
  let isDone = false;
  return (error) => {
    if (isDone) return;
    isDone = true;
    done(error);
  };
}

/** A pool that can be closed even if the server is gone, and that hands out no session from before a fault. */
export class LimitedPool extends pg.Pool {
  readonly #clients = new Set<pg.PoolClient>();
  readonly #log: Logger;

  constructor(config: pg.PoolConfig & LimitedClientConfig, log: Logger) {
    super({ ...config, Client: LimitedClient as unknown as new () => pg.ClientBase });
    this.#log = log;
    // The pool listens to idle clients only; without this, losing a client in use would end the process.
    this.on('error', () => undefined);
    this.on('connect', (client) => {
      this.#clients.add(client);
      client.on('error', (error) => this.#lose(error, client));
    });
    // The pool discards a client that has ended.
    this.on('release', (_error, client) => {
      if (isOutdated(client)) void client.end();
    });
    this.on('remove', (client) => this.#clients.delete(client));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (callback === undefined) return super.connect().then((client) => this.#replaceOutdated(client));
    super.connect((error, client, done) => {
      if (!isOutdated(client)) {
        callback(error, client, client === undefined ? done : onlyOnce(done));
        return;
      }
      done(true);
      this.connect(callback);
    });
  }

  async #replaceOutdated(client: pg.PoolClient): Promise<pg.PoolClient> {
    if (!isOutdated(client)) return client;
    client.release(true);
    return this.connect();
  }

  /** If one connection finds the server silent, the others would too, and each would cost a caller its statement. */
  #lose(error: Error & { code?: unknown }, client: pg.PoolClient): void {
    this.#log.warn({ err: error }, 'a database connection was lost');
    if (error.code === silentCode && client instanceof LimitedClient) client.outdate();
  }

  /** Connections that are still in use after the grace period are cut off: their server may never reply. */
  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | void {
    const cut = setTimeout(() => {
      for (const { connection } of this.#clients) connection.stream.destroy();
    }, closeGraceMs);
    // A caller that still holds a connection then may never return it.
    const ended = within(closeGraceMs + goodbyeMs, super.end())
      .catch((error: unknown) => this.#log.warn({ err: error }, 'database connections were still in use'))
      .finally(() => clearTimeout(cut));
    if (callback === undefined) return ended;
    void ended.then(callback);
  }
}
