// Counts of all licenses, kept by triggers: transactions append changes, and the jobs add them to the counts.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

/** A count that a row belongs to. */
interface Count {
  figure: string;
  /** SQL expressions of the row's columns. */
  key?: string;
  detail?: string;
}

interface Counted {
  table: string;
  /** Whether a row counts, as SQL of the row. */
  isCounted: string;
  /** Columns that the counts depend on. */
  columns: string[];
  counts: Count[];
}

const dayOf = (row: string) => `to_char(${row}.created_at at time zone 'UTC', 'YYYY-MM-DD')`;

/** Null if the license is gone, as sandboxes are before their hosts. A scalar is looked up by its index, never joined. */
const isReal = (row: string) => `(select not is_sandbox from license where license.id = ${row}.license_id)`;

const counted: readonly Counted[] = [
  {
    table: 'license',
    isCounted: 'not known.is_sandbox',
    columns: ['status', 'revoked_by', 'created_at', 'is_sandbox'],
    counts: [
      {
        figure: 'licenses',
        key: `case when known.status = 'revoked' and known.revoked_by = 'reseller' then 'suspended' else known.status end`,
      },
      { figure: 'licenses_added', key: dayOf('known') },
    ],
  },
  {
    table: 'user_account',
    isCounted: 'known.sandbox_license_id is null',
    columns: ['is_disabled', 'is_super_admin', 'created_at', 'sandbox_license_id'],
    counts: [
      {
        figure: 'users',
        key: `case when known.is_disabled then 'disabled' else 'enabled' end`,
        detail: `case when known.is_super_admin then 'super_admin' else '' end`,
      },
      { figure: 'users_added', key: dayOf('known') },
    ],
  },
  {
    table: 'early_access_signup',
    isCounted: 'true',
    columns: ['created_at'],
    counts: [{ figure: 'signups' }, { figure: 'signups_added', key: dayOf('known') }],
  },
  {
    table: 'agent_host',
    isCounted: isReal('known'),
    columns: ['status', 'agent_version', 'created_at', 'license_id'],
    counts: [
      { figure: 'hosts', key: 'known.status', detail: 'known.agent_version' },
      { figure: 'hosts_added', key: dayOf('known') },
    ],
  },
];

export class PlatformCounts extends Migration {
  override up(): void {
    this.#createTables();
    for (const table of counted) this.#countRows(table);
    this.#countInstances();
    this.#followLicenses();
    this.#createViews();
    this.#fill();
  }

  #createTables(): void {
    this.addSql(`
      create table platform_count (
        figure text not null,
        key text not null,
        detail text not null,
        n bigint not null,
        primary key (figure, key, detail)
      ) with (fillfactor = 50)`);
    this.addSql(`
      create table license_count (
        license_id uuid not null default ${currentLicense},
        figure text not null,
        key text not null,
        is_active boolean not null,
        n bigint not null,
        primary key (license_id, figure, key)
      ) with (fillfactor = 70)`);
    // Only ever appended to and emptied, so that no transaction waits for another one's counts.
    this.addSql(`
      create table platform_count_change (
        figure text not null,
        key text not null default '',
        detail text not null default '',
        n bigint not null
      )`);
    this.addSql(`
      create table license_count_change (
        license_id uuid not null default ${currentLicense},
        figure text not null,
        key text not null default '',
        n bigint not null
      )`);
    for (const table of ['license_count', 'license_count_change'])
      keepLicensesApart(this, table, { rights: 'select' });
    for (const table of ['platform_count_change', 'license_count_change'])
      this.addSql(
        `alter table ${table} set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
      );
  }

  /** Most updates change no count, so the trigger looks at each row before its function is called. */
  #countRows({ table, isCounted, columns, counts }: Counted): void {
    const values = counts.map(({ figure, key = `''`, detail = `''` }) => `('${figure}', ${key}, ${detail})`);
    const added = (row: 'old' | 'new', sign: string) => `
      insert into platform_count_change (figure, key, detail, n)
      select count.figure, count.key, count.detail, ${sign}1
      from (select ${row}.*) as known cross join lateral (values ${values.join(', ')}) as count (figure, key, detail)
      where ${isCounted};`;
    this.addSql(`
      create function count_${table}() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public as $$
      begin
        if tg_op <> 'INSERT' then ${added('old', '-')} end if;
        if tg_op <> 'DELETE' then ${added('new', '')} end if;
        return null;
      end $$`);
    this.addSql(`revoke execute on function count_${table} from public`);
    const row = (name: string) => `(${columns.map((column) => `${name}.${column}`).join(', ')})`;
    this.addSql(
      `create trigger counted after insert or delete on ${table} for each row execute function count_${table}()`,
    );
    this.addSql(`
      create trigger counted_again after update on ${table} for each row
      when (${row('old')} is distinct from ${row('new')}) execute function count_${table}()`);
  }

  /** By statement: a batch of heartbeats changes the players of many instances of few licenses. */
  #countInstances(): void {
    const counts = (rows: string, sign: string) => `
      select license_id, 'instances' as figure, state as key, ${sign}1 as n from ${rows}
      union all
      select license_id, 'players', '', ${sign}players from ${rows} where state = 'running' and players <> 0`;
    const add = (changes: string) => `
      insert into license_count_change (license_id, figure, key, n)
      select license_id, figure, key, sum(n) from (${changes}) as known
      group by license_id, figure, key having sum(n) <> 0 and ${isReal('known')};`;
    this.addSql(`
      create function count_game_instance() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public as $$
      begin
        if tg_op = 'INSERT' then ${add(counts('new_rows', ''))}
        elsif tg_op = 'DELETE' then ${add(counts('old_rows', '-'))}
        else ${add(`${counts('new_rows', '')} union all ${counts('old_rows', '-')}`)}
        end if;
        return null;
      end $$`);
    this.addSql('revoke execute on function count_game_instance from public');
    const tables = { insert: ['new'], update: ['old', 'new'], delete: ['old'] };
    for (const [event, kinds] of Object.entries(tables))
      this.addSql(`
        create trigger counted_${event} after ${event} on game_instance
        referencing ${kinds.map((kind) => `${kind} table as ${kind}_rows`).join(' ')}
        for each statement execute function count_game_instance()`);
  }

  /** A row that counts nothing has the counts of its license moved between those of active and other licenses. */
  #followLicenses(): void {
    this.addSql(`
      create function move_license_counts() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public as $$
      begin
        insert into license_count_change (license_id, figure, n) values (new.id, 'license', 0);
        return null;
      end $$`);
    this.addSql('revoke execute on function move_license_counts from public');
    this.addSql(`
      create trigger counts_moved after update on license for each row
      when (old.status is distinct from new.status and not new.is_sandbox) execute function move_license_counts()`);
  }

  /** What the counts have to be, for the recount. */
  #createViews(): void {
    const rows = counted.flatMap(({ table, isCounted, counts }) =>
      counts.map(
        ({ figure, key = `''`, detail = `''` }) => `
          select '${figure}' as figure, ${key} as key, ${detail} as detail, count(*) as n
          from ${table} as known where ${isCounted} group by 2, 3`,
      ),
    );
    this.addSql(`create view counted_platform as ${rows.join(' union all ')}`);
    this.addSql(`
      create view counted_licenses as
      select license_id as owner_id, 'instances' as figure, state as key, count(*) as n from game_instance as known
      where ${isReal('known')} group by 1, 3
      union all
      select license_id, 'players', '', sum(players) from game_instance as known
      where state = 'running' and players <> 0 and ${isReal('known')} group by 1`);
  }

  /** Creating the triggers has locked the tables, so nothing changes until the migration is committed. */
  #fill(): void {
    this.addSql(
      'insert into platform_count (figure, key, detail, n) select figure, key, detail, n from counted_platform',
    );
    this.addSql(
      'insert into license_count_change (license_id, figure, key, n) select owner_id, figure, key, n from counted_licenses',
    );
  }
}
