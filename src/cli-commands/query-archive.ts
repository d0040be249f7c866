// Runs an operator's SQL on the archive of one license, and lists its months.
import { rm } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import type { Logger } from 'pino';
import { listMonths, queryArchive, type ArchiveResult, type MonthRange } from '../archive/archive-query.ts';
import { openCopyClient } from '../archive/month-rows.ts';
import { scratch } from '../archive/archive-files.ts';
import { makeScratchDirectory } from '../process/scratch-directory.ts';
import type { Config } from '../config/index.ts';
import { openPostgres } from '../embedded/running-postgres.ts';
import { refuseUnfinishedRestore } from '../embedded/unfinished-restore.ts';
import { ConfigError } from '../process/environment.ts';
import { openStorage } from '../storage/open-storage.ts';
import { formats } from '../values/formats.ts';

export interface ArchiveQuestion extends MonthRange {
  licenseId: string;
  /** Without it, the archived months are listed. */
  sql: string | undefined;
  format: 'csv' | 'json';
  memoryMb: number;
}

/** Passes lines to `write` as they come. */
export async function printFromArchive(
  config: Config,
  { licenseId, sql, format, memoryMb, ...range }: ArchiveQuestion,
  { write, log }: { write: (line: string) => Promise<void>; log: Logger },
): Promise<void> {
  if (!formats.uuid(licenseId)) throw new ConfigError('Name the license by its ID');
  await refuseUnfinishedRestore(config.dataDir);
  const database = await openPostgres(config, log);
  try {
    const client = await openCopyClient({ url: database.url });
    try {
      const months = await listMonths(client, licenseId, range);
      if (sql === undefined) {
        await writeResult(format, { columns: [...listed], rows: listedRows(months) }, write);
        return;
      }
      const storage = await openStorage(config.storage);
      const directory = await makeScratchDirectory(config.cacheDir, scratch);
      try {
        await queryArchive({ client, storage, licenseId, months, directory, memoryMb }, sql, (result) =>
          writeResult(format, result, write),
        );
      } finally {
        storage.close();
        await rm(directory, { recursive: true, force: true });
      }
    } finally {
      await client.end();
    }
  } finally {
    await database.close();
  }
}

const listed = ['source', 'month', 'row_count', 'bytes'] as const;

async function* listedRows(months: Awaited<ReturnType<typeof listMonths>>): AsyncGenerator<unknown[]> {
  for (const month of months) yield listed.map((column) => month[column]);
}

async function writeResult(
  format: ArchiveQuestion['format'],
  { columns, rows }: ArchiveResult,
  write: (line: string) => Promise<void>,
): Promise<void> {
  if (format === 'csv') await write(csvLine(columns));
  for await (const row of rows)
    await write(
      format === 'csv'
        ? csvLine(row)
        : JSON.stringify(Object.fromEntries(columns.map((column, index) => [column, row[index]]))),
    );
}

const csvLine = (values: readonly unknown[]) =>
  stringify([values], { eof: false, cast: { boolean: String }, quoted_match: /\r/ });
