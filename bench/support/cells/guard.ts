// Decides in each cell whether a license may be written there: triggers that exist only while and after it is moved.
import type pg from 'pg';

/** `here`: writable; `arriving`: only the subscription writes; `moved`: never again. */
export type MoveState = 'here' | 'arriving' | 'moved';

/** SQLSTATE of writes that were refused during the switch, and in a cell that the license is not in. */
export const refusals = { moving: 'CM001', elsewhere: 'CM002' };

/** Held exclusively by the session that switches; it ends with that session, and so does the refusal. */
const lockOf = (license: string) => `hashtextextended('move ' || ${license}, 0)`;

export const moveLock = `pg_advisory_lock(${lockOf('$1::text')})`;
export const moveUnlock = `pg_advisory_unlock(${lockOf('$1::text')})`;

/**
 * The lock comes before the state: a write that has the lock either ends before the switch, or begins after it and sees
 * its result. That takes a snapshot for each statement, so other isolation levels are refused. Statements of jobs and of
 * ingest are for many licenses: in the target they pass over the rows of a license that still arrives, and in the source
 * heartbeats wait for the switch and then pass over its hosts, so that those of other licenses are stored.
 */
const objects = `
  create schema if not exists cells;
  create table if not exists cells.move (license_id uuid primary key, state text not null);
  create table if not exists cells.marker (license_id uuid, token uuid, primary key (license_id, token));
  create table if not exists cells.moved_job (id uuid primary key default uuidv7(), license_id uuid not null, job jsonb not null);
  create or replace function cells.guard() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
  declare
    known text;
    is_for_many boolean := coalesce(current_setting('app.license_id', true), '') = '';
  begin
    if current_setting('transaction_isolation') <> 'read committed' then
      raise exception 'a license that may move is written in read committed transactions only';
    end if;
    if is_for_many and tg_table_name = 'agent_host' then
      perform pg_advisory_xact_lock_shared(${lockOf('tg_argv[0]')});
    elsif not pg_try_advisory_xact_lock_shared(${lockOf('tg_argv[0]')}) then
      raise exception 'the license is being moved' using errcode = '${refusals.moving}';
    end if;
    select state into known from cells.move where license_id = tg_argv[0]::uuid;
    if known = 'here' then
      return case when tg_op = 'DELETE' then old else new end;
    end if;
    if is_for_many and (known = 'arriving' or tg_table_name = 'agent_host') then
      return null;
    end if;
    raise exception 'the license is in another cell' using errcode = '${refusals.elsewhere}';
  end $$`;

interface Table {
  name: string;
  /** The column that names the license. */
  column: string;
}

/** Unlogged tables are empty between transactions. */
export async function tablesOfLicenses(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select relname as name, attname as column from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relpersistence = 'p' and attnum > 0 and not attisdropped
       and attname = case relname when 'license' then 'id' else 'license_id' end
     order by 1`,
  );
  return rows;
}

export async function createGuard(client: pg.Client, licenseId: string, state: MoveState): Promise<void> {
  await client.query(objects);
  await client.query('insert into cells.move values ($1, $2) on conflict do nothing', [licenseId, state]);
  const name = guardName(licenseId);
  const { rows } = await client.query<{ table: string }>(
    `select tgrelid::regclass::text as table from pg_trigger where tgname = $1 and tgparentid = 0`,
    [`${name}_d`],
  );
  const guarded = new Set(rows.map(({ table }) => table));
  for (const { name: table, column } of await tablesOfLicenses(client)) {
    if (guarded.has(table)) continue;
    await inShortLocks(client, [
      `create or replace trigger ${name}_w before insert or update on ${table} for each row
       when (new.${column} = '${licenseId}') execute function cells.guard('${licenseId}')`,
      `create trigger ${name}_d before delete on ${table} for each row
       when (old.${column} = '${licenseId}') execute function cells.guard('${licenseId}')`,
    ]);
  }
}

export async function dropGuard(client: pg.Client, licenseId: string): Promise<void> {
  const name = guardName(licenseId);
  for (const { name: table } of await tablesOfLicenses(client))
    await inShortLocks(client, [
      `drop trigger if exists ${name}_w on ${table}`,
      `drop trigger if exists ${name}_d on ${table}`,
    ]);
  await client.query('delete from cells.move where license_id = $1', [licenseId]);
}

export async function stateOf(client: pg.Client, licenseId: string): Promise<MoveState | undefined> {
  const { rows: known } = await client.query<{ is_known: boolean }>(
    `select to_regclass('cells.move') is not null as is_known`,
  );
  if (known[0]?.is_known !== true) return undefined;
  const { rows } = await client.query<{ state: MoveState }>(
    'select state from cells.move where license_id = $1',
    [licenseId],
  );
  return rows[0]?.state;
}

/** Waits briefly for the lock of a table, since later statements on the table queue behind it, and tries again. */
export async function inShortLocks(client: pg.Client, statements: readonly string[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(`begin; set local lock_timeout = '500ms'; ${statements.join('; ')}; commit`);
      return;
    } catch (error) {
      await client.query('rollback');
      if ((error as { code?: string }).code !== '55P03' || attempt === 60) throw error;
    }
  }
}

function guardName(licenseId: string): string {
  return `a_move_${licenseId.replaceAll('-', '')}`;
}
