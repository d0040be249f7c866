// The rows of the whole database: copied out of one snapshot, and into a migrated database in one transaction.
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { ConfigError } from '../process/environment.ts';

export interface TableContent {
  /** Quoted, with its schema. */
  table: string;
  /** Quoted. */
  columns: string[];
  rows: number;
}

export interface DatabaseContent {
  tables: TableContent[];
  /** Partitions by month or day. */
  partitions: { parent: string; name: string }[];
  sequences: { name: string; lastValue: string }[];
  migrations: string[];
  /** The newest migration of the job queue's own schema. */
  queueMigration: number;
}

/** What migrations write themselves, and the marker of a storage that is another one after the restore. */
const withoutContent = ['public.migration', 'public.storage_marker', 'graphile_worker.migrations'];

const ownSchemas = `('public', 'graphile_worker')`;

/** Reads the catalogue in the transaction of the snapshot. Unlogged tables are empty between transactions. */
export async function readContent(client: pg.Client): Promise<DatabaseContent> {
  const tables = await client.query<{ table: string; columns: string[]; rows: number }>(
    `select format('%I.%I', nspname, relname) as table, 0 as rows, (
       select array_agg(quote_ident(attname) order by attnum) from pg_attribute
       where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = ''
     ) as columns
     from pg_class as class join pg_namespace on pg_namespace.oid = relnamespace
     where nspname in ${ownSchemas} and relkind in ('r', 'p') and not relispartition and relpersistence = 'p'
       and format('%I.%I', nspname, relname) <> all($1)
     order by 1`,
    [withoutContent],
  );
  const partitions = await client.query<{ parent: string; name: string }>(
    `select inhparent::regclass::text as parent, relname as name from pg_inherits join pg_class on oid = inhrelid
     where relispartition and relkind in ('r', 'p') order by 2`,
  );
  const sequences = await client.query<{ name: string; lastValue: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as "lastValue" from pg_sequences
     where schemaname in ${ownSchemas} and last_value is not null order by 1`,
  );
  return {
    tables: tables.rows,
    partitions: partitions.rows,
    sequences: sequences.rows,
    migrations: await appliedMigrations(client),
    queueMigration: await queueMigration(client),
  };
}

export async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows: known } = await client.query<{ is_known: boolean }>(
    `select to_regclass('public.migration') is not null as is_known`,
  );
  if (known[0]?.is_known !== true) return [];
  const { rows } = await client.query<{ name: string }>('select name from public.migration order by name');
  return rows.map(({ name }) => name);
}

export async function queueMigration(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ id: number }>('select max(id) as id from graphile_worker.migrations');
  return rows[0]?.id ?? 0;
}

/** Opens the rows of a table as text of COPY; sets their number at the end. */
export function openRows(client: pg.Client, content: TableContent): Readable {
  const columns = content.columns.join(', ');
  const rows = client.query(copyTo(`copy (select ${columns} from ${content.table}) to stdout`));
  rows.once('end', () => (content.rows = rows.rowCount));
  return rows;
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/**
 * Replaces all rows in the transaction that the caller has begun. Triggers do not run: their effects are in the rows.
 * Foreign keys are dropped and added again, which checks every row against them.
 */
export async function writeContent(
  client: pg.Client,
  content: DatabaseContent,
  openTable: (table: string) => Promise<Readable>,
): Promise<void> {
  await createPartitions(client, content.partitions);
  const tables = await tablesWithTriggers(client);
  const foreignKeys = await findForeignKeys(client);
  for (const { table, name } of foreignKeys)
    await client.query(`alter table ${table} drop constraint ${name}`);
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
  for (const { table } of content.tables) await client.query(`delete from ${table}`);
  for (const { table, columns, rows } of content.tables) {
    const into = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
    await pipeline(await openTable(table), into);
    if (into.rowCount !== rows)
      throw new ConfigError(`The backup is damaged: ${table} has ${into.rowCount} rows instead of ${rows}`);
  }
  for (const { name, lastValue } of content.sequences)
    await client.query('select setval($1::regclass, $2::bigint)', [name, lastValue]);
  await releaseJobs(client);
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
  for (const { table, name, definition } of foreignKeys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
}

async function createPartitions(client: pg.Client, partitions: DatabaseContent['partitions']): Promise<void> {
  for (const { parent, name } of partitions) {
    const { month, day } = /_(?<month>\d{4}_\d\d)(?<day>_\d\d)?$/.exec(name)?.groups ?? {};
    if (month === undefined) throw new ConfigError(`This program does not know the partition ${name}`);
    const first = `${month}${day ?? '_01'}`.replaceAll('_', '-');
    const create = day === undefined ? 'create_month_partitions' : 'create_day_partitions';
    await client.query(`select ${create}($1, $2::date, 1)`, [parent, first]);
  }
}

async function tablesWithTriggers(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `select distinct format('%I.%I', nspname, relname) as table from pg_trigger
     join pg_class as class on class.oid = tgrelid join pg_namespace on pg_namespace.oid = relnamespace
     where nspname in ${ownSchemas} and not tgisinternal and tgparentid = 0 order by 1`,
  );
  return rows.map(({ table }) => table);
}

async function findForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0
       and connamespace in (select oid from pg_namespace where nspname in ${ownSchemas}) order by 1, 2`,
  );
  return rows;
}

/** The workers of the former processes run no more. */
async function releaseJobs(client: pg.Client): Promise<void> {
  await client.query('delete from job_worker');
  await client.query('update graphile_worker._private_jobs set locked_at = null, locked_by = null');
  await client.query('update graphile_worker._private_job_queues set locked_at = null, locked_by = null');
}
