// Finds the months to archive, and the archived months whose retention has ended.
import type { EntityManager } from '../database/connection.ts';
import { distinctOf } from '../database/distinct-values.ts';
import { archiveSources, type ArchiveSource } from '../entities/archive.ts';
import { settledSessionDays } from '../queue/retention-periods.ts';
import { sources } from './sources.ts';

/** A complete month is looked at again after so many days: a license may have come with its history. */
const recheckDays = 7;

export interface DueMonth {
  source: ArchiveSource;
  /** Its first day. */
  month: string;
  /** The partition with the rows of every license. */
  partition: string;
}

export interface LicenseMonth {
  licenseId: string;
  source: ArchiveSource;
  month: string;
}

/** Months whose rows no longer change, and which the archive is not known to have of every license; the oldest first. */
export async function findDueMonths(em: EntityManager, keptMonths: number): Promise<DueMonth[]> {
  const found: DueMonth[] = [];
  for (const source of archiveSources)
    found.push(
      ...(await em.execute<DueMonth[]>(
        `with partitions as materialized (
           select relname from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = ?::regclass
         ), months as (
           select relname as partition, to_date(right(relname, 7), 'YYYY_MM') as month from partitions
         )
         select ? as source, month::text, partition from months
         where month + interval '1 month' + interval '${settledSessionDays} days' <= current_date
           and ${isKept('month')} and not exists (
             select from archive_completion as known where known.source = ? and known.month = months.month
               and completed_at > now() - interval '${recheckDays} days')
         order by month`,
        [sources[source].table, source, keptMonths, source],
      )),
    );
  return found;
}

const isKept = (month: string) => `${month} + interval '1 month' + make_interval(months => ?) > current_date`;

/**
 * Licenses with rows in the month that the archive does not have, in random order, so that one that fails does not block
 * the others indefinitely. Sandboxes have no archive.
 */
export async function findLicenses(
  em: EntityManager,
  { source, month, partition }: DueMonth,
): Promise<string[]> {
  const rows = await em.execute<{ license_id: string }[]>(
    `select license_id from ${distinctOf(['license_id'], partition)} as present
     join license on license.id = license_id and not is_sandbox
     where not exists (
       select from archived_month as known
       where known.license_id = present.license_id and known.source = ? and known.month = ?)
     order by random()`,
    [source, month],
  );
  return rows.map(({ license_id }) => license_id);
}

export async function completeMonth(em: EntityManager, { source, month }: DueMonth): Promise<void> {
  await em.execute(
    `insert into archive_completion (source, month) values (?, ?)
     on conflict (source, month) do update set completed_at = now()`,
    [source, month],
  );
}

/** Whether rows of the license's month may still change: a player is online, or a job has not finished. */
export async function isUnsettled(em: EntityManager, { source, month }: LicenseMonth): Promise<boolean> {
  const isUnfinished =
    source === 'sessions'
      ? `exists (select from player_session where started_at >= first_day
           and started_at < first_day + interval '1 month' and ended_at is null)
         or exists (select from player_session_due where since < first_day + interval '1 month')`
      : `exists (select from instance_stats_5m where bucket_at >= first_day
           and bucket_at < first_day + interval '1 month' and not is_rolled_up)`;
  const [row] = await em.execute<{ is_unfinished: boolean }[]>(
    `select ${isUnfinished} as is_unfinished from (values (?::date)) as month(first_day)`,
    [month],
  );
  return row?.is_unfinished === true;
}

export interface ExpiredMonth extends LicenseMonth {
  fileId: string;
}

/** Archived months that are kept no longer. Their completion is forgotten, so a longer period archives them again. */
export async function findExpiredMonths(
  em: EntityManager,
  keptMonths: number,
  max: number,
): Promise<ExpiredMonth[]> {
  await em.execute(`delete from archive_completion where not (${isKept('month')})`, [keptMonths]);
  return em.execute<ExpiredMonth[]>(
    `select license_id as "licenseId", source, month::text, file_id as "fileId" from archived_month
     where not (${isKept('month')}) order by month, license_id, source limit ?`,
    [keptMonths, max],
  );
}
