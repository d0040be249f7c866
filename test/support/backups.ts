// Backups and restores as tests run them, and the rows to compare.
import type pg from 'pg';
import { pino } from 'pino';
import { createBackup } from '../../src/platform-backup/create-backup.ts';
import { restoreBackup } from '../../src/platform-backup/restore-backup.ts';
import { readConfig } from '../../src/config/index.ts';

const log = pino({ level: 'silent' });

export const jwtSecret = 'a secret of forty characters for backups.';

export const configOf = (databaseUrl: string, dataDir: string, extra: Record<string, string> = {}) =>
  readConfig({
    DATABASE_URL: databaseUrl,
    GANTRY_DATA_DIR: dataDir,
    GANTRY_JWT_SECRET: jwtSecret,
    ...extra,
  });

export type Config = ReturnType<typeof configOf>;

export const backUp = (config: Config, path: string) => createBackup(config, path, log);

export const restore = (config: Config, path: string) => restoreBackup(config, path, log);

/** The rows of each table, as sorted text. */
export async function rowsOf(
  query: <Row extends pg.QueryResultRow>(sql: string) => Promise<Row[]>,
  tables: readonly string[],
): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const table of tables)
    rows[table] = (await query<{ row: string }>(`select t::text as row from ${table} as t order by 1`)).map(
      ({ row }) => row,
    );
  return rows;
}
