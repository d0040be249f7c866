// Runs SQL on the archive of one license. Its files are copied into a directory of the query; nothing else can be read.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type pg from 'pg';
import { openScope } from '../database/scope.ts';
import { archiveSources, type ArchiveSource } from '../entities/archive.ts';
import { ConfigError } from '../process/environment.ts';
import type { Storage } from '../storage/storage.ts';
import { fetchVerified } from './archive-files.ts';
import { csvRows, openDuckdb, quoted } from './duckdb.ts';
import { copyRows } from './month-rows.ts';
import { sources } from './sources.ts';

export interface ArchivedMonthRow {
  source: ArchiveSource;
  /** Its first day. */
  month: string;
  file_id: string;
  row_count: number;
  bytes: number;
  sha256: string;
}

/** Months as `2026-01`, both included; without them, all. */
export interface MonthRange {
  from?: string | undefined;
  to?: string | undefined;
}

/** Tables of the database as they are now, beside those of the archive. */
const currentTables: Readonly<Record<string, { columns: Record<string, string>; query: string }>> = {
  instances: {
    columns: { instance_id: 'UUID', name: 'VARCHAR', hostname: 'VARCHAR' },
    query: `select game_instance.id, name, hostname from game_instance
      join agent_host on agent_host.license_id = game_instance.license_id and agent_host.id = host_id`,
  },
  maps: {
    columns: { map_id: 'UUID', name: 'VARCHAR' },
    query: 'select id, name from played_map',
  },
  wipes: {
    columns: { wipe_id: 'UUID', instance_id: 'UUID', kind: 'VARCHAR', wiped_at: 'TIMESTAMP' },
    query: `select id, instance_id, kind, finished_at at time zone 'UTC' from wipe_history where status = 'completed'`,
  },
  players: {
    columns: { player: 'BIGINT', steam_id: 'VARCHAR', name: 'VARCHAR' },
    query: `select number, steam_id, name from archived_player join player using (license_id, steam_id)`,
  },
};

/** The archived months of the license, the oldest first. */
export async function listMonths(
  client: pg.Client,
  licenseId: string,
  { from, to }: MonthRange,
): Promise<ArchivedMonthRow[]> {
  await client.query(`begin read only; ${openScope({ licenseId })}`);
  try {
    const { rows: known } = await client.query('select from license where id = $1', [licenseId]);
    if (known.length === 0) throw new ConfigError(`There is no license ${licenseId}`);
    const { rows } = await client.query<ArchivedMonthRow>(
      `select source, month::text, file_id, row_count::float8, bytes::float8, sha256 from archived_month
       where month >= coalesce($1::date, '-infinity') and month <= coalesce($2::date, 'infinity')
       order by month, source`,
      [firstDayOf(from), firstDayOf(to)],
    );
    return rows;
  } finally {
    await client.query('rollback');
  }
}

function firstDayOf(month: string | undefined): string | null {
  if (month === undefined) return null;
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new ConfigError(`${month} is no month such as 2026-01`);
  return `${month}-01`;
}

interface QueryParts {
  client: pg.Client;
  storage: Storage;
  licenseId: string;
  months: readonly ArchivedMonthRow[];
  /** An empty directory, which the caller removes. */
  directory: string;
  memoryMb: number;
}

export interface ArchiveResult {
  columns: string[];
  rows: AsyncIterable<unknown[]>;
}

/** Runs one statement. Its rows are valid until `use` has ended. */
export async function queryArchive<T>(
  parts: QueryParts,
  sql: string,
  use: (result: ArchiveResult) => Promise<T>,
): Promise<T> {
  const { directory, memoryMb } = parts;
  const files = join(directory, 'files');
  await mkdir(files);
  const { connection, close } = await openDuckdb({ memoryMb, directory: join(directory, 'overflow') });
  try {
    for (const source of archiveSources) await loadSource(connection, source, { ...parts, files });
    for (const [table, { columns, query }] of Object.entries(currentTables)) {
      // Only what the statement may need: players can be many.
      if (!new RegExp(`\\b${table}\\b`, 'i').test(sql)) continue;
      const path = join(directory, `${table}.csv`);
      await copyRows(parts.client, { licenseId: parts.licenseId, query, path });
      await connection.run(`create table ${table} as select * from ${csvRows(path, columns)}`);
      await rm(path);
    }
    // The statement reads the files of this license and changes none of these settings.
    await connection.run(
      `set allowed_directories = [${quoted(`${files}/`)}]; set enable_external_access = false;
       set lock_configuration = true`,
    );
    return await use(await resultOf(connection, sql));
  } finally {
    close();
  }
}

async function loadSource(
  connection: DuckDBConnection,
  source: ArchiveSource,
  { storage, licenseId, months, files }: QueryParts & { files: string },
): Promise<void> {
  const paths: string[] = [];
  for (const { month, file_id: fileId, sha256 } of months.filter((each) => each.source === source)) {
    const path = join(files, `${source}-${month}.parquet`);
    await fetchVerified(storage, { licenseId, fileId }, { path, sha256 });
    paths.push(path);
  }
  const { columns } = sources[source];
  const types = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  await connection.run(
    paths.length === 0
      ? `create table ${source} (${types.join(', ')})`
      : `create view ${source} as select * from read_parquet([${paths.map(quoted).join(', ')}])`,
  );
}

async function resultOf(connection: DuckDBConnection, sql: string): Promise<ArchiveResult> {
  const result = await connection.stream(sql).catch(refuse);
  const numbers = result.columnTypes().map((type) => /^U?(BIG|HUGE)INT$/.test(String(type)));
  return { columns: result.columnNames(), rows: rowsOf(result.yieldRowsJson(), numbers) };
}

/** What DuckDB says of a statement is for the operator who wrote it. */
function refuse(error: unknown): never {
  throw Error.isError(error) ? new ConfigError(error.message, { cause: error }) : error;
}

/** DuckDB gives large integers as text; those that JSON can hold become numbers. */
async function* rowsOf(
  chunks: AsyncIterable<unknown[][]>,
  numbers: readonly boolean[],
): AsyncGenerator<unknown[]> {
  const reading = chunks[Symbol.asyncIterator]();
  for (;;) {
    const next = await reading.next().catch(refuse);
    if (next.done === true) return;
    for (const row of next.value)
      yield row.map((value, index) => {
        if (numbers[index] !== true || typeof value !== 'string') return value;
        return Number.isSafeInteger(Number(value)) ? Number(value) : value;
      });
  }
}
