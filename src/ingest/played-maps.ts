// Resolves the maps in heartbeats to ids, and creates an id for each map that is new to a license.
import { createHash } from 'node:crypto';
import { growingCache } from '../process/growing-cache.ts';
import type pg from 'pg';
import type { Report } from './reports.ts';

/**
 * Agents report maps unverified, so new maps are limited: to this many per license in `newDays`. Housekeeping deletes
 * maps that are no longer seen.
 */
const maxNewPerLicense = 1_000;
const newDays = 30;
const maxNameLength = 200;

/** Ids of maps by license and key; null if the license has exceeded its limit. */
export type FoundMaps = ReadonlyMap<string, string | null>;

/** What distinguishes a map from others, and its name. */
export interface MapIdentity {
  key: string;
  name: string;
  /** The secret in the address of a map that was uploaded here; such a map is identified by its id. */
  secret?: string;
}

export class PlayedMaps {
  readonly #known = growingCache<{ id: string | null }>({ maxEntries: 50_000, ttl: 3_600_000 });

  /** The maps of these reports. New maps exist once the transaction has committed. */
  async find(client: pg.PoolClient, reports: readonly Report[]): Promise<FoundMaps> {
    const found = new Map<string, string | null>();
    const missing = new Map<string, Missing>();
    for (const { host, instance } of reports) {
      const map = identityOf(instance);
      if (map === undefined) continue;
      const key = keyOf(host.license_id, map);
      if (found.has(key) || missing.has(key)) continue;
      const known = this.#known.get(key);
      if (known === undefined) missing.set(key, { licenseId: host.license_id, map });
      else found.set(key, known.id);
    }
    if (missing.size > 0) {
      for (const key of missing.keys()) found.set(key, null);
      for (const { license_id, told_key, id } of await identify(client, [...missing.values()]))
        found.set(`${license_id} ${told_key}`, id);
    }
    return found;
  }

  /** Call it after the transaction that found them has committed. */
  remember(found: FoundMaps): void {
    for (const [key, id] of found) if (!this.#known.has(key)) this.#known.set(key, { id });
  }
}

export function mapIn(found: FoundMaps, { host, instance }: Report): string | null {
  const map = identityOf(instance);
  return map === undefined ? null : (found.get(keyOf(host.license_id, map)) ?? null);
}

/** For these level names, every seed and size makes a different map under the same name. */
const generated = ['Procedural Map', 'Barren'];

export function identityOf({
  map = '',
  seed,
  world_size: size,
  level_url: url,
}: Report['instance']): MapIdentity | undefined {
  if (url !== undefined) {
    const path = url.replace(/[?#].*$/, '');
    const secret = /\/api\/public\/maps\/([^/]+)\/[^/]+$/.exec(path)?.[1];
    return {
      key: `level ${createHash('sha256').update(url).digest('hex')}`,
      name: (path.split('/').findLast((part) => part !== '') ?? url).slice(0, maxNameLength),
      ...(secret !== undefined && { secret }),
    };
  }
  if (map === '') return undefined;
  if (seed === undefined || size === undefined || !generated.includes(map)) return { key: map, name: map };
  const name = `${map}, size ${size}, seed ${seed}`;
  return { key: name, name };
}

const keyOf = (licenseId: string, { key }: MapIdentity) => `${licenseId} ${key}`;

interface Missing {
  licenseId: string;
  map: MapIdentity;
}

interface Identified {
  license_id: string;
  told_key: string;
  id: string;
}

const identified = `
  select named.license_id, told_key, coalesce('map ' || map.id, told_key) as key, coalesce(map.name, named.name) as name
  from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as named(license_id, told_key, name, secret)
  left join map on map.license_id = named.license_id and map.public_secret = secret`;

async function identify(client: pg.PoolClient, missing: readonly Missing[]): Promise<Identified[]> {
  const values = [
    missing.map(({ licenseId }) => licenseId),
    missing.map(({ map }) => map.key),
    missing.map(({ map }) => map.name),
    missing.map(({ map }) => map.secret ?? null),
  ];
  const [, { rows }] = await Promise.all([
    client.query({
      name: 'heartbeat-new-maps',
      text: `
        with identified as (${identified})
        insert into played_map as known (license_id, key, name)
        select distinct on (license_id, key) license_id, key, name from identified
        where exists (select from played_map as known
            where known.license_id = identified.license_id and known.key = identified.key)
          or (select count(*) from played_map as known where known.license_id = identified.license_id
            and first_seen_at > now() - interval '${newDays} days') < ${maxNewPerLicense}
        order by license_id, key
        on conflict (license_id, key) do update set name = excluded.name, last_seen_at = now()
        where known.name <> excluded.name or known.last_seen_at < now() - interval '1 day'`,
      values,
    }),
    client.query<Identified>({
      name: 'heartbeat-maps',
      text: `
        with identified as (${identified})
        select license_id, told_key, played_map.id from identified join played_map using (license_id, key)`,
      values,
    }),
  ]);
  return rows;
}
