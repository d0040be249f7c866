// Adds changes to the counts of all licenses, and compares the counts with the rows.
import type { EntityManager } from '../database/connection.ts';

/** A change of a count of the platform; `n` is a whole number of any size. */
export interface CountChange {
  figure: string;
  key: string;
  detail: string;
  n: string;
}

interface LicenseChange {
  license_id: string;
  figure: string;
  key: string;
  n: string;
}

/** What is counted for each license; the platform's counts of these are the sums of active and of other licenses. */
const figuresOfLicenses = "('instances', 'players', 'subscriptions', 'revenue_cents')";

/** Name of the advisory lock that every writer of the counts holds. */
export const countingLock = 'platform counts';

/** Adds at most that many changes of each table, and returns whether any were found. */
export async function addChanges(em: EntityManager, maxRows: number): Promise<boolean> {
  const ofPlatform = await em.execute<CountChange[]>(
    `with taken as (${takeFrom('platform_count_change')} returning figure, key, detail, n)
     select figure, key, detail, sum(n)::text as n from taken group by figure, key, detail`,
    [maxRows],
  );
  const ofLicenses = await em.execute<LicenseChange[]>(
    `with taken as (${takeFrom('license_count_change')} returning license_id, figure, key, n)
     select license_id, figure, key, sum(n)::text as n from taken group by license_id, figure, key`,
    [maxRows],
  );
  await addToPlatform(em, [...ofPlatform, ...(await addToLicenses(em, ofLicenses))]);
  return ofPlatform.length + ofLicenses.length > 0;
}

const takeFrom = (table: string) =>
  `delete from ${table} where ctid = any(array(select ctid from ${table} limit ?))`;

/** Returns what it changes for the platform: counts of a license that became active or revoked are moved. */
async function addToLicenses(em: EntityManager, changes: readonly LicenseChange[]): Promise<CountChange[]> {
  if (changes.length === 0) return [];
  const ids = `{${[...new Set(changes.map(({ license_id }) => license_id))].join(',')}}`;
  return em.execute<CountChange[]>(
    `with owner as (select id, status = 'active' as is_active from license where id = any(?::uuid[])),
     former as (select license_id, figure, key, is_active, n from license_count where license_id = any(?::uuid[])),
     wanted as (
       select license_id, figure, key, coalesce(owner.is_active, false) as is_active,
         case when owner.id is null then 0 else sum(n) end as n
       from (
         select license_id, figure, key, n from former
         union all
         select license_id, figure, key, n from jsonb_to_recordset(?::jsonb)
           as change(license_id uuid, figure text, key text, n bigint) where figure <> 'license'
       ) as part left join owner on owner.id = part.license_id
       group by license_id, figure, key, owner.id, owner.is_active
     ),
     written as (
       insert into license_count (license_id, figure, key, is_active, n)
       select license_id, figure, key, is_active, n from wanted
       on conflict (license_id, figure, key) do update set is_active = excluded.is_active, n = excluded.n
     )
     select figure, key, case when is_active then 'active' else 'other' end as detail, sum(n)::text as n
     from (
       select figure, key, is_active, n from wanted union all select figure, key, is_active, -n from former
     ) as difference
     group by figure, key, is_active having sum(n) <> 0`,
    [ids, ids, JSON.stringify(changes)],
  );
}

async function addToPlatform(em: EntityManager, changes: readonly CountChange[]): Promise<void> {
  if (changes.length === 0) return;
  await em.execute(
    `merge into platform_count as known
     using jsonb_to_recordset(?::jsonb) as change(figure text, key text, detail text, n bigint)
     on known.figure = change.figure and known.key = change.key and known.detail = change.detail
     when matched and known.n + change.n = 0 then delete
     when matched then update set n = known.n + change.n
     when not matched then insert (figure, key, detail, n) values (change.figure, change.key, change.detail, change.n)`,
    [JSON.stringify(changes)],
  );
}

/** A count that was not the number of its rows; `n` is what was missing. */
export interface Difference extends CountChange {
  license_id: string | null;
}

/**
 * Compares the counts with the rows, in one snapshot for each kind, and corrects them. Corrections are changes like any
 * others, so transactions that count meanwhile are not lost.
 */
export async function correctCounts(em: EntityManager): Promise<Difference[]> {
  const ofPlatform = await em.execute<Difference[]>(
    `with difference as (
       select figure, key, detail, sum(n) as n from (
         select figure, key, detail, n from counted_platform
         union all select figure, key, detail, -n from platform_count where figure not in ${figuresOfLicenses}
         union all select figure, key, detail, -n from platform_count_change
       ) as count group by figure, key, detail having sum(n) <> 0
     ), corrected as (
       insert into platform_count_change (figure, key, detail, n) select figure, key, detail, n from difference
     )
     select null as license_id, figure, key, detail, n::text as n from difference`,
  );
  const ofLicenses = await em.execute<Difference[]>(
    `with difference as (
       select license_id, figure, key, sum(n) as n from (
         select owner_id as license_id, figure, key, n from counted_licenses
         union all select license_id, figure, key, -n from license_count
         union all select license_id, figure, key, -n from license_count_change where figure <> 'license'
       ) as count group by license_id, figure, key having sum(n) <> 0
       union all
       select distinct license_id, 'license', '', 0 from license_count
       where is_active is distinct from (select status = 'active' from license where license.id = license_id)
         and not exists (select from license_count_change as change
           where change.license_id = license_count.license_id and change.figure = 'license')
     ), corrected as (
       insert into license_count_change (license_id, figure, key, n) select license_id, figure, key, n from difference
     )
     select license_id, figure, key, '' as detail, n::text as n from difference`,
  );
  const ofSums = await correctSums(em);
  await em.execute('delete from license_count where n = 0');
  return [...ofPlatform, ...ofLicenses, ...ofSums];
}

async function correctSums(em: EntityManager): Promise<Difference[]> {
  const differences = await em.execute<Difference[]>(
    `select null as license_id, figure, key, detail, sum(n)::text as n from (
       select figure, key, case when is_active then 'active' else 'other' end as detail, n from license_count
       union all
       select figure, key, detail, -n from platform_count where figure in ${figuresOfLicenses}
     ) as count group by figure, key, detail having sum(n) <> 0`,
  );
  await addToPlatform(em, differences);
  return differences;
}
