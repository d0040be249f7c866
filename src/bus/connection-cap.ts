// Limits each host to a few connections to the bus, and closes those beyond the limit.
import type { Logger } from 'pino';
import { ThrottledLogger } from '../process/throttled-logger.ts';
import type { BusKeys } from './keys.ts';
import { SystemConnection, type AgentConnection } from './system-connection.ts';

/** An agent needs one, and briefly a second one: while it restarts, or before a dead one is detected. */
export const maxConnectionsPerHost = 8;

export interface ConnectionCapOptions {
  url: string;
  keys: BusKeys;
  onEnded: (connection: AgentConnection) => void;
  log: Logger;
}

/**
 * Each replica counts by the events that the brokers publish. Its count decides only when to check; which connections
 * are closed follows from the brokers' list at that time. So replicas agree, and a missed event does no harm.
 */
export class ConnectionCap {
  readonly #options: ConnectionCapOptions;
  readonly #throttled = new ThrottledLogger();
  readonly #open = new Map<string, Set<string>>();
  readonly #checks = new Map<string, { isStale: boolean; done: Promise<void> }>();
  #system: SystemConnection | null = null;
  #isClosed = false;

  constructor(options: ConnectionCapOptions) {
    this.#options = options;
  }

  /** Connects if necessary, counts again, and checks every host that has too many connections. */
  async refresh(): Promise<void> {
    if (this.#isClosed) return;
    const system = (this.#system ??= await this.#connect());
    const listed = await system.list();
    this.#open.clear();
    for (const connection of listed) this.#add(connection);
    await Promise.all([...this.#open.keys()].map((publicKey) => this.#checkIfBeyond(publicKey)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#checks.values()].map(({ done }) => done));
    await this.#system?.close();
  }

  #connect(): Promise<SystemConnection> {
    const { url, keys, log } = this.#options;
    return SystemConnection.open({
      url,
      keys,
      log,
      onConnect: (connection) => {
        this.#add(connection);
        void this.#checkIfBeyond(connection.publicKey);
      },
      onDisconnect: (connection) => this.#remove(connection),
      onReconnect: () => {
        this.refresh().catch((error: unknown) =>
          log.warn({ err: error }, 'the connections of agents could not be counted'),
        );
      },
    });
  }

  #add(connection: AgentConnection): void {
    const known = this.#open.get(connection.publicKey) ?? new Set();
    known.add(nameOf(connection));
    this.#open.set(connection.publicKey, known);
  }

  #remove(connection: AgentConnection): void {
    const known = this.#open.get(connection.publicKey);
    known?.delete(nameOf(connection));
    if (known?.size === 0) this.#open.delete(connection.publicKey);
  }

  /** One check of a key at a time; connections opened meanwhile are handled by the next round of the same check. */
  #checkIfBeyond(publicKey: string): Promise<void> {
    if ((this.#open.get(publicKey)?.size ?? 0) <= maxConnectionsPerHost) return Promise.resolve();
    const running = this.#checks.get(publicKey);
    if (running !== undefined) {
      running.isStale = true;
      return running.done;
    }
    const check = { isStale: false, done: Promise.resolve() };
    this.#checks.set(publicKey, check);
    check.done = this.#check(publicKey, check)
      .catch((error: unknown) =>
        this.#throttled.once('failed', () =>
          this.#options.log.error({ err: error }, 'connections beyond the cap could not be ended'),
        ),
      )
      .finally(() => this.#checks.delete(publicKey));
    return check.done;
  }

  async #check(publicKey: string, check: { isStale: boolean }): Promise<void> {
    while (this.#system !== null && !this.#isClosed) {
      check.isStale = false;
      const surplus = surplusOf(await this.#system.list(publicKey));
      await Promise.all(surplus.map((connection) => this.#end(connection)));
      if (surplus.length === 0 && !check.isStale) return;
    }
  }

  async #end(connection: AgentConnection): Promise<void> {
    const { hostId } = connection;
    await this.#system?.end(connection);
    this.#options.onEnded(connection);
    this.#throttled.once(`surplus ${hostId}`, () =>
      this.#options.log.warn(
        { host_id: hostId },
        `a host has more than ${maxConnectionsPerHost} connections to the bus; the surplus is ended`,
      ),
    );
  }
}

/**
 * Keeps the oldest and the newest connections: a flood does not close an agent's long-standing connection, and
 * connections that are held open, or dead but undetected, do not lock out an agent that reconnects.
 */
export function surplusOf(open: readonly AgentConnection[]): AgentConnection[] {
  if (open.length <= maxConnectionsPerHost) return [];
  const half = maxConnectionsPerHost / 2;
  return open.toSorted(byAge).slice(half, -half);
}

function byAge(one: AgentConnection, other: AgentConnection): number {
  return (
    one.startedAt.getTime() - other.startedAt.getTime() ||
    one.clientId - other.clientId ||
    one.serverId.localeCompare(other.serverId)
  );
}

const nameOf = ({ serverId, clientId }: AgentConnection) => `${serverId} ${clientId}`;
