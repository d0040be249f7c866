// Opens DuckDB, whose package is optional: it is loaded where the archive is written or read, and nowhere else.
import type { DuckDBConnection } from '@duckdb/node-api';
import type * as DuckdbModule from '@duckdb/node-api';
import { ConfigError } from '../process/environment.ts';

export interface DuckdbLimits {
  /** Beyond it, DuckDB writes to the directory. */
  memoryMb: number;
  directory: string;
}

export interface Duckdb {
  connection: DuckDBConnection;
  close: () => void;
}

const missing =
  'The archive needs the package @duckdb/node-api, which is not installed or does not run on this machine';

export async function openDuckdb({ memoryMb, directory }: DuckdbLimits): Promise<Duckdb> {
  const { DuckDBInstance } = await loadDuckdb();
  const instance = await DuckDBInstance.create(':memory:', {
    // An extension would be fetched from the internet.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    memory_limit: `${memoryMb}MB`,
    temp_directory: directory,
    threads: '2',
  });
  const connection = await instance.connect();
  await connection.run(`set TimeZone = 'UTC'`);
  return {
    connection,
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

export async function loadDuckdb(): Promise<typeof DuckdbModule> {
  try {
    return await import('@duckdb/node-api');
  } catch (error) {
    throw new ConfigError(missing, { cause: error });
  }
}

/** Whether the package is there; it may still lack the binding for this machine. */
export function isDuckdbInstalled(): boolean {
  try {
    return import.meta.resolve('@duckdb/node-api') !== '';
  } catch {
    return false;
  }
}

/** A string of SQL. */
export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The format of the archive's files, as options of DuckDB's COPY. */
export const parquetFormat = `(format parquet, compression zstd, parquet_version v2, row_group_size 122880)`;

/** Reads the text that COPY of PostgreSQL writes. */
export function csvRows(path: string, columns: Readonly<Record<string, string>>): string {
  const types = Object.entries(columns).map(([name, type]) => `${name}: ${quoted(type)}`);
  return `read_csv(${quoted(path)}, header = false, auto_detect = false, delim = ',', quote = '"', escape = '"',
    nullstr = '', allow_quoted_nulls = false, parallel = false, columns = {${types.join(', ')}})`;
}
