// Lists and closes agents' connections at the brokers, and follows their connects and disconnects.
import { RequestError, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { connectToSystem } from './connection.ts';
import { publicKeyOf, type BusKeys } from './keys.ts';

/** A connection of an agent to one of the brokers. */
export interface AgentConnection {
  serverId: string;
  clientId: number;
  hostId: string;
  /** The public nkey whose possession it has proved. */
  publicKey: string;
  startedAt: Date;
}

export interface SystemConnectionOptions {
  url: string;
  keys: BusKeys;
  /** Called with each new connection of an agent. */
  onConnect: (connection: AgentConnection) => void;
  onDisconnect: (connection: AgentConnection) => void;
  /** Called after an interruption, during which any number of those events may have been missed. */
  onReconnect: () => void;
  log: Logger;
}

/** A connection in the brokers' format. */
interface ListedConnection {
  cid: number;
  start: string;
  authorized_user: string;
  tags?: string[];
}

interface ConnectionEvent {
  server: { id: string };
  client: { id: number; start: string; user: string; tags?: string[] };
}

interface ListReply {
  server: { id: string };
  data?: { connections?: ListedConnection[] | null };
  error?: { description?: string };
}

/** Connections per page: each lists its credentials, about two kilobytes. */
const pageSize = 250;
/** How long another broker may take after one has replied. */
const stallMs = 300;
const maxWaitMs = 5_000;
const hostTag = 'host:';

export class SystemConnection {
  readonly #connection: NatsConnection;
  readonly #account: string;

  private constructor(connection: NatsConnection, account: string) {
    this.#connection = connection;
    this.#account = account;
  }

  /** Opens it with the minimum rights. */
  static async open(options: SystemConnectionOptions): Promise<SystemConnection> {
    const { url, keys, onConnect, onDisconnect, onReconnect, log } = options;
    const account = publicKeyOf(keys.account);
    const events = `$SYS.ACCOUNT.${account}`;
    const connection = await connectToSystem(
      { url, keys, name: 'gantry-connections' },
      {
        pub: { allow: ['$SYS.REQ.SERVER.*.KICK', `$SYS.REQ.ACCOUNT.${account}.CONNZ`] },
        sub: { allow: [`${events}.CONNECT`, `${events}.DISCONNECT`, '_INBOX.>'] },
      },
    );
    const follow = (kind: string, receive: (connection: AgentConnection) => void) =>
      connection.subscribe(`${events}.${kind}`, {
        callback: (error, message) => {
          if (error !== null) {
            log.error({ err: error, kind }, 'a subscription to the connections of agents failed');
            return;
          }
          const { server, client } = message.json<ConnectionEvent>();
          const { id: cid, start, user: authorized_user, tags = [] } = client;
          for (const found of agentConnections(server.id, [{ cid, start, authorized_user, tags }]))
            receive(found);
        },
      });
    follow('CONNECT', onConnect);
    follow('DISCONNECT', onDisconnect);
    void (async () => {
      for await (const { type } of connection.status()) if (type === 'reconnect') onReconnect();
    })();
    await connection.flush();
    return new SystemConnection(connection, account);
  }

  /** Every open connection of agents, or of that key's holder, as the brokers list it now. */
  async list(publicKey?: string): Promise<AgentConnection[]> {
    const found: AgentConnection[] = [];
    for (let offset = 0, isWhole = false; !isWhole; offset += pageSize) {
      isWhole = true;
      const query = {
        auth: true,
        sort: 'cid',
        offset,
        limit: pageSize,
        ...(publicKey !== undefined && { user: publicKey }),
      };
      const replies = await this.#connection.requestMany(
        `$SYS.REQ.ACCOUNT.${this.#account}.CONNZ`,
        JSON.stringify(query),
        { strategy: 'stall', stall: stallMs, maxWait: maxWaitMs },
      );
      for await (const reply of replies) {
        const { server, data, error } = reply.json<ListReply>();
        if (error !== undefined)
          throw new Error(
            `a broker does not list its connections: ${error.description ?? 'no reason given'}`,
          );
        const listed = data?.connections ?? [];
        if (listed.length === pageSize) isWhole = false;
        found.push(...agentConnections(server.id, listed));
      }
    }
    return publicKey === undefined ? found : found.filter((one) => one.publicKey === publicKey);
  }

  /** Closes the connection; has no effect if it is already closed. */
  async end({ serverId, clientId }: AgentConnection): Promise<void> {
    try {
      await this.#connection.request(`$SYS.REQ.SERVER.${serverId}.KICK`, JSON.stringify({ cid: clientId }), {
        timeout: maxWaitMs,
      });
    } catch (error) {
      if (error instanceof RequestError && error.isNoResponders())
        throw new Error('the broker is gone, or too old to end connections (before 2.10)', { cause: error });
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}

/** The platform's own connections have no host and are left out. */
function agentConnections(serverId: string, listed: readonly ListedConnection[]): AgentConnection[] {
  return listed.flatMap(({ cid, start, authorized_user: publicKey, tags = [] }) => {
    const hostId = tags.find((tag) => tag.startsWith(hostTag))?.slice(hostTag.length);
    if (hostId === undefined) return [];
    return [{ serverId, clientId: cid, hostId, publicKey, startedAt: new Date(start) }];
  });
}
