// Queries of the public status: platform totals, listed servers, their uptime and their wipes.
import { sql } from 'kysely';
import type { Query } from '../../platform-contract/types.ts';
import type { Queries } from '../../database/reader.ts';
import { byId, pageOf } from '../../lists/page.ts';

export type PublicLicenseRow = Awaited<ReturnType<typeof publicLicense>>;
export type ShownRow = Awaited<ReturnType<typeof shownServers>>['rows'][number];

/** Only the latest state changes of 30 days count, so that a flapping server cannot slow the status down. */
const maxIntervals = 2_000;

export interface UptimeRow {
  instance_id: string;
  since: string | null;
  last_24_hours: number | null;
  last_7_days: number | null;
  last_30_days: number | null;
}

export interface WipesRow {
  instance_id: string;
  last_kind: 'map' | 'blueprints' | 'full' | null;
  last_finished_at: string | null;
  due_at: string | null;
  /** The end of the countdown of the next scheduled wipe. */
  scheduled_at: string | null;
}

/** The license of that subdomain, if it opted in to the status page. */
export async function publicLicense(queries: Queries, subdomain: string) {
  return queries
    .selectFrom('license')
    .innerJoin('site_config as config', 'config.license_id', 'license.id')
    .select(['license.name', 'license.subdomain', 'config.status_page_description as description'])
    .where('license.subdomain', '=', subdomain)
    .where('license.status', '=', 'active')
    .where('config.is_public', '=', true)
    .executeTakeFirst();
}

/** The servers that both their license and their listing make public. */
export async function shownServers(queries: Queries, query: Query<'getPublicStatus'>) {
  let servers = queries
    .selectFrom('site_config as config')
    .innerJoin('license', 'license.id', 'config.license_id')
    .innerJoin('game_instance as instance', 'instance.license_id', 'config.license_id')
    .leftJoin('site_listing as listing', 'listing.instance_id', 'instance.id')
    .select([
      'instance.id',
      'instance.license_id',
      sql<string>`coalesce(listing.display_name, instance.name)`.as('name'),
      sql<string | null>`coalesce(listing.description, config.status_page_description)`.as('description'),
      'license.name as license_name',
      'license.subdomain',
      'instance.state',
      'instance.game',
      'instance.map',
      'instance.players',
      'instance.max_players',
      'instance.queued',
      'instance.fps',
      'listing.wipe_cron',
      'listing.wipe_time_zone',
    ])
    .where('license.status', '=', 'active')
    .where('config.is_public', '=', true)
    .where(sql<boolean>`coalesce(listing.is_listed, config.is_listed_by_default)`);
  // Sandboxes are not listed among others; their own page works.
  servers =
    query.subdomain === undefined
      ? servers.where('license.is_sandbox', '=', false)
      : servers.where('license.subdomain', '=', query.subdomain);
  return pageOf(servers, query, byId('instance.id', 'asc'));
}

/** The share of the recorded time in which each server ran, and since when it has been in its present state. */
export async function uptimesOf(queries: Queries, servers: readonly ShownRow[]): Promise<UptimeRow[]> {
  const { rows } = await sql<UptimeRow>`
    select shown.instance_id,
      max(from_at) filter (where to_at is null) as since,
      ${percentWithin('24 hours')} as last_24_hours,
      ${percentWithin('7 days')} as last_7_days,
      ${percentWithin('30 days')} as last_30_days
    from ${listed(servers)} cross join lateral (
      select from_at, to_at, state from instance_state_interval as known
      where known.license_id = shown.license_id and known.instance_id = shown.instance_id and from_at <= now()
        and from_at >= coalesce((
          select max(from_at) from instance_state_interval as earlier
          where earlier.license_id = shown.license_id and earlier.instance_id = shown.instance_id
            and earlier.from_at <= now() - interval '30 days'), '-infinity')
      order by from_at desc limit ${maxIntervals}
    ) as known
    group by shown.instance_id`.execute(queries);
  return rows;
}

/** Never rounds up to 100 %. */
function percentWithin(length: string) {
  const seconds = sql`extract(epoch from greatest(
    least(coalesce(to_at, now()), now()) - greatest(from_at, now() - ${length}::interval), interval '0'))`;
  return sql`(floor(10000 * coalesce(sum(${seconds}) filter (where state = 'running'), 0)
    / nullif(sum(${seconds}), 0)) / 100)::float8`;
}

/** The last wipe of each server, the end of a running countdown, and the next scheduled wipe. */
export async function wipesOf(queries: Queries, servers: readonly ShownRow[]): Promise<WipesRow[]> {
  const { rows } = await sql<WipesRow>`
    select shown.instance_id, last.kind as last_kind, last.finished_at as last_finished_at, pending.due_at, scheduled.at as scheduled_at
    from ${listed(servers)}
      left join lateral (
        select kind, finished_at from wipe_history as past
        where past.license_id = shown.license_id and past.instance_id = shown.instance_id and status = 'completed'
        order by finished_at desc limit 1
      ) as last on true
      left join wipe_history as pending
        on pending.instance_id = shown.instance_id and pending.finished_at is null
      left join lateral (
        select min(next_run_at + make_interval(secs => coalesce((action #>> '{wipe,countdown_seconds}')::integer, 0))) as at
        from schedule
        where schedule.license_id = shown.license_id and schedule.instance_id = shown.instance_id
          and next_run_at is not null and action ->> 'kind' = 'wipe'
      ) as scheduled on true`.execute(queries);
  return rows;
}

/** The servers as rows of a statement whose text is the same for any number of them. */
function listed(servers: readonly ShownRow[]) {
  const ids = servers.map(({ id }) => id);
  const licenseIds = servers.map(({ license_id }) => license_id);
  return sql`unnest(${licenseIds}::uuid[], ${ids}::uuid[]) as shown (license_id, instance_id)`;
}
