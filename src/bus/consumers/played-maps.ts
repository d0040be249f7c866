// Knows the ids of the maps that heartbeats name; a name that is new to a license gets one.
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Report } from './reports.ts';

/** Names are an agent's word: one that invents them does not fill the table. */
const mostOfLicense = 1_000;

/** Ids of maps by license and name; null where a license has too many. */
export type FoundMaps = ReadonlyMap<string, string | null>;

export class PlayedMaps {
  readonly #known = new LRUCache<string, { id: string | null }>({ max: 50_000, ttl: 3_600_000 });

  /** The maps of these reports. Those that are new exist once the transaction has committed. */
  async find(client: pg.PoolClient, reports: readonly Report[]): Promise<FoundMaps> {
    const found = new Map<string, string | null>();
    const missing = new Map<string, [string, string]>();
    for (const report of reports) {
      const key = keyOf(report);
      if (key === undefined || found.has(key) || missing.has(key)) continue;
      const known = this.#known.get(key);
      if (known === undefined) missing.set(key, [report.host.license_id, report.instance.map ?? '']);
      else found.set(key, known.id);
    }
    if (missing.size > 0) {
      for (const key of missing.keys()) found.set(key, null);
      for (const { license_id, name, id } of await identify(client, [...missing.values()]))
        found.set(`${license_id} ${name}`, id);
    }
    return found;
  }

  /** Call it once the transaction that found them has committed. */
  remember(found: FoundMaps): void {
    for (const [key, id] of found) if (!this.#known.has(key)) this.#known.set(key, { id });
  }
}

export function mapIn(found: FoundMaps, report: Report): string | null {
  return found.get(keyOf(report) ?? '') ?? null;
}

function keyOf({ host, instance }: Report): string | undefined {
  return instance.map === undefined || instance.map === '' ? undefined : `${host.license_id} ${instance.map}`;
}

interface Identified {
  license_id: string;
  name: string;
  id: string;
}

async function identify(client: pg.PoolClient, missing: [string, string][]): Promise<Identified[]> {
  const values = [missing.map(([licenseId]) => licenseId), missing.map(([, name]) => name)];
  const [, { rows }] = await Promise.all([
    client.query({
      name: 'heartbeat-new-maps',
      text: `
        insert into played_map (license_id, name)
        select * from unnest($1::uuid[], $2::text[]) as named(license_id, name)
        where (select count(*) from played_map where played_map.license_id = named.license_id) < ${mostOfLicense}
        order by license_id, name
        on conflict (license_id, name) do nothing`,
      values,
    }),
    client.query<Identified>({
      name: 'heartbeat-maps',
      text: `
        select license_id, name, id from played_map
        join unnest($1::uuid[], $2::text[]) as named(license_id, name) using (license_id, name)`,
      values,
    }),
  ]);
  return rows;
}
