// Opens the license of the host that reported something, so that agents' reports reach no rows of other licenses.
import { growingCache } from '../../process/growing-cache.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import type { TenantScope } from '../../database/tenant-scope.ts';

const maxKnown = 50_000;

export class HostScope {
  readonly #platform: PlatformScope;
  readonly #tenant: TenantScope;
  /** A host never changes its license. */
  readonly #licenses = growingCache<string>({ maxEntries: maxKnown });

  constructor(platform: PlatformScope, tenant: TenantScope) {
    this.#platform = platform;
    this.#tenant = tenant;
  }

  /** Changes rows of the host's license atomically; undefined, without running the work, if the host is unknown. */
  async transact<T>(hostId: string, work: (em: EntityManager) => Promise<T>): Promise<T | undefined> {
    const licenseId = await this.#licenseOf(hostId);
    return licenseId === undefined ? undefined : this.#tenant.transact(licenseId, work);
  }

  /**
   * Changes rows atomically beyond the rights of the license's role: it may not add or remove stored backups, nor end
   * what was done to players. The work itself keeps to rows of the host.
   */
  transactAsPlatform<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    return this.#platform.transact('agents', work);
  }

  async #licenseOf(hostId: string): Promise<string | undefined> {
    const known = this.#licenses.get(hostId);
    if (known !== undefined) return known;
    const host = await this.#platform.read('agents', (queries) =>
      queries.selectFrom('agent_host').select('license_id').where('id', '=', hostId).executeTakeFirst(),
    );
    if (host !== undefined) this.#licenses.set(hostId, host.license_id);
    return host?.license_id;
  }
}
