// Packs the stats of heartbeats by the hour; the jobs do it for former rows too, which are read until then as before.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

/** The first day of the oldest month whose rows are kept; null in a new database. */
const oldestMonth = `
  with partitions as materialized (
    select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'instance_stats'::regclass
  )
  select min(to_date(right(relname, 7), 'YYYY_MM')) as oldest from partitions`;

export class PackedStats extends Migration {
  override up(): void {
    this.#createTables();
    this.#enqueueFormerRows();
    this.#fillPages();
  }

  #createTables(): void {
    this.addSql(`
      create table instance_stats_packed (
        license_id uuid not null default ${currentLicense},
        instance_id uuid not null,
        hour_at timestamptz(3) not null check (hour_at = date_bin('1 hour', hour_at, 'epoch')),
        points bytea not null,
        primary key (license_id, instance_id, hour_at)
      ) partition by range (hour_at)`);
    // Compressed already.
    this.addSql('alter table instance_stats_packed alter column points set storage external');
    this.addSql(`
      create table instance_stats_due (
        license_id uuid not null default ${currentLicense},
        instance_id uuid not null,
        hour_at timestamptz(3) not null,
        due_at timestamptz(3) not null,
        primary key (license_id, instance_id, hour_at)
      )`);
    this.addSql('create index on instance_stats_due (due_at)');
    for (const table of ['instance_stats_packed', 'instance_stats_due']) keepLicensesApart(this, table);
  }

  /** Hours whose rows are kept still. Rows of five minutes that are not rolled up yet add theirs later. */
  #enqueueFormerRows(): void {
    this.addSql(`
      select create_month_partitions('instance_stats_packed', oldest, 4) from (${oldestMonth}) as month
      where oldest is not null`);
    this.addSql(`
      insert into instance_stats_due (license_id, instance_id, hour_at, due_at)
      select distinct license_id, instance_id, bucket_at, greatest(now(), bucket_at + interval '2 hours') from instance_stats_hour
      where bucket_at >= (${oldestMonth})`);
  }

  /** All rows of a page are updated together, so a third of it was too little for updates in place, and stayed empty. */
  #fillPages(): void {
    this.addSql(`
      create or replace function create_month_partitions(parent text, first_month date, months integer) returns void
      language plpgsql set timezone = 'UTC' as $$
      declare
        starts date := date_trunc('month', first_month);
        partition text;
      begin
        for i in 1..months loop
          partition := parent || to_char(starts, '_YYYY_MM');
          if to_regclass(format('%I', partition)) is null then
            execute format('create table %I partition of %I for values from (%L) to (%L) %s',
              partition, parent, starts, starts + interval '1 month',
              case when parent = 'instance_stats_5m' then 'with (fillfactor = 90)' end);
            execute format('alter table %I enable row level security', partition);
            if parent = 'audit_entry' then perform keep_append_only(partition); end if;
          end if;
          starts := starts + interval '1 month';
        end loop;
      end $$`);
    this.addSql(`
      do $$
      declare
        partition regclass;
      begin
        for partition in select inhrelid from pg_inherits where inhparent = 'instance_stats_5m'::regclass loop
          execute format('alter table %s set (fillfactor = 90)', partition);
        end loop;
      end $$`);
  }
}
