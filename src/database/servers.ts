// The servers that a database URL names, and which of them new connections lead to.
import pg from 'pg';
import { within } from '../process/bounded-wait.ts';

/** Which server a connection needs: one that takes writes, or a hot standby. */
export type ServerKind = 'primary' | 'standby';

/** Values of libpq's `target_session_attrs` that select servers of each kind. */
export const targetsOf: Readonly<Record<ServerKind, readonly string[]>> = {
  primary: ['read-write', 'primary'],
  standby: ['standby', 'prefer-standby', 'read-only', 'any'],
};

const shape = /^(?<head>[a-z]+:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#]*)(?<path>[^?#]*)(?:\?(?<query>[^#]*))?$/i;

/**
 * One URL for each host of a URL as libpq takes it, `postgresql://a,b:5433/db?target_session_attrs=read-write`. A URL of
 * another form is returned unchanged.
 */
export function serverUrls(url: string): string[] {
  const { head = '', hosts = '', path = '', query } = shape.exec(url)?.groups ?? {};
  if (head === '') return [url];
  // The driver does not know this parameter.
  const parameters = query?.split('&').filter((item) => !item.startsWith('target_session_attrs=')) ?? [];
  const rest = `${path}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
  return hosts.split(',').map((host) => `${head}${host}${rest}`);
}

/** The value of the URL's `target_session_attrs`, if it has one. */
export function targetIn(url: string): string | undefined {
  return /[?&]target_session_attrs=([^&#]*)/.exec(url)?.[1];
}

/** The address of a server in the form of pg: a directory for a socket, and no brackets around IPv6. */
export function addressIn(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return {
    host: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? 5432 : Number(port),
  };
}

/** No server of the list is of the needed kind, or none can be reached. */
class NoServer extends Error {
  override readonly name = 'NoServer';
  /** As for a connection that failed. */
  readonly code = '08006';
}

export class DatabaseServers {
  readonly #urls: readonly string[];
  readonly #kind: ServerKind;
  readonly #connectMs: number;
  #found: { url: string; generation: number } | undefined;
  #search: Promise<string> | undefined;

  constructor(url: string, kind: ServerKind, connectMs: number) {
    this.#urls = serverUrls(url);
    this.#kind = kind;
    this.#connectMs = connectMs;
  }

  /** A URL with one host, for what needs only the name of the database and of the user. */
  get first(): string {
    return this.#urls[0] ?? '';
  }

  get areSeveral(): boolean {
    return this.#urls.length > 1;
  }

  /** Returns the URL of the server to connect to. With several, it asks all of them again after each fault. */
  async find(generation: number): Promise<string> {
    if (!this.areSeveral) return this.first;
    if (this.#found?.generation === generation) return this.#found.url;
    this.#search ??= this.#ask().finally(() => {
      this.#search = undefined;
    });
    const url = await this.#search;
    this.#found = { url, generation };
    return url;
  }

  /** Call it when a connection to the server failed. */
  forget(url: string): void {
    if (this.#found?.url === url) this.#found = undefined;
  }

  /** The first server that replies and is of the needed kind: a host that is gone delays no connection. */
  async #ask(): Promise<string> {
    const faults: string[] = [];
    const questions = this.#urls.map(async (url) => {
      try {
        const kind = await kindOf(url, this.#connectMs);
        if (kind === this.#kind) return url;
        faults.push(`${hostIn(url)} is a ${kind}`);
      } catch (error) {
        faults.push(`${hostIn(url)}: ${Error.isError(error) ? error.message : 'the connection failed'}`);
      }
      throw new NoServer();
    });
    try {
      return await Promise.any(questions);
    } catch {
      throw new NoServer(`none of the servers is a ${this.#kind}: ${faults.join('; ')}`);
    }
  }
}

const hostIn = (url: string) => new URL(url).host;

async function kindOf(url: string, limitMs: number): Promise<ServerKind> {
  const client = new pg.Client({ connectionString: url });
  // A loss of this connection fails its statement as well.
  client.on('error', () => undefined);
  try {
    return await within(limitMs, askKind(client));
  } finally {
    client.connection.stream.destroy();
  }
}

async function askKind(client: pg.Client): Promise<ServerKind> {
  await client.connect();
  const { rows } = await client.query<{ takes_writes: boolean }>(
    `select not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off' as takes_writes`,
  );
  return rows[0]?.takes_writes === true ? 'primary' : 'standby';
}
