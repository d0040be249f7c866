// Caches the license of each host, and looks up missing ones in the background.
import { growingCache } from '../process/growing-cache.ts';
import type pg from 'pg';
import type { Logger } from 'pino';

export class HostLicenses {
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  /** A host never changes its license. An unknown host is looked up again soon. */
  readonly #known = growingCache<{ licenseId: string | null }>({ maxEntries: 50_000 });
  #wanted = new Set<string>();
  #lookup: Promise<void> | undefined;

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool;
    this.#log = log;
  }

  /** The host's license; undefined if the host is unknown or not looked up yet. This call then starts the lookup. */
  of(hostId: string): string | undefined {
    const known = this.#known.get(hostId);
    if (known === undefined) {
      this.#wanted.add(hostId);
      this.#lookup ??= this.#lookUp().finally(() => (this.#lookup = undefined));
    }
    return known?.licenseId ?? undefined;
  }

  /** Settles when no lookup is running. */
  async idle(): Promise<void> {
    await this.#lookup;
  }

  async #lookUp(): Promise<void> {
    while (this.#wanted.size > 0) {
      const hostIds = [...this.#wanted];
      this.#wanted = new Set();
      try {
        await this.#readAll(hostIds);
      } catch (error) {
        this.#log.warn({ err: error, hosts: hostIds.length }, 'the licenses of hosts could not be read');
        return;
      }
    }
  }

  async #readAll(hostIds: string[]): Promise<void> {
    const { rows } = await this.#pool.query<{ id: string; license_id: string }>(
      'select id, license_id from agent_host where id = any($1::uuid[])',
      [hostIds],
    );
    const licenses = new Map(rows.map(({ id, license_id }) => [id, license_id]));
    for (const hostId of hostIds) {
      const licenseId = licenses.get(hostId) ?? null;
      this.#known.set(hostId, { licenseId }, licenseId === null ? { ttl: 10_000 } : {});
    }
  }
}
