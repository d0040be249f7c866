// Examines the archive of closed months: whether it can be written, and whether the storage has its newest files.
import { archiveKey } from '../archive/archive-files.ts';
import { loadDuckdb } from '../archive/duckdb.ts';
import type { Config } from '../config/index.ts';
import { causesOf } from '../database/faults.ts';
import { ConfigError } from '../process/environment.ts';
import { openStorage } from '../storage/open-storage.ts';
import { ok, problem, warning, type Finding } from './finding.ts';

const check = 'archive';
const examinedFiles = 5;

interface Database {
  query(sql: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

interface ArchivedFile {
  license_id: string;
  file_id: string;
  bytes: number;
}

/** Nothing where there is no archive. */
export async function examineArchive(database: Database, config: Config): Promise<Finding[]> {
  const { rows: counts } = await database.query(
    `select count(*)::integer as count from archived_month join stored_file on stored_file.id = file_id
     where state = 'kept'`,
  );
  const count = (counts as { count: number }[])[0]?.count ?? 0;
  if (config.archiveMonths === 0)
    return count === 0
      ? []
      : [
          warning(
            check,
            `${count} archived months stay, because GANTRY_ARCHIVE_MONTHS is not set`,
            'Set GANTRY_ARCHIVE_MONTHS to how many months they are kept',
          ),
        ];
  try {
    await loadDuckdb();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const fix = 'Install @duckdb/node-api as docs/archive.md says, or unset GANTRY_ARCHIVE_MONTHS';
    return [problem(check, error.message, fix)];
  }
  return [await examineFiles(database, config, count)];
}

async function examineFiles(database: Database, config: Config, count: number): Promise<Finding> {
  const { rows } = await database.query(
    `select archived_month.license_id, file_id, bytes::float8 from archived_month
     join stored_file on stored_file.id = file_id where state = 'kept'
     order by archived_month.created_at desc limit $1`,
    [examinedFiles],
  );
  const storage = await openStorage(config.storage);
  try {
    for (const { license_id: licenseId, file_id: fileId, bytes } of rows as ArchivedFile[]) {
      const key = archiveKey({ licenseId, fileId });
      const size = await storage.sizeOf(key);
      if (size === bytes) continue;
      const state = size === null ? 'is missing in the storage' : `has ${size} bytes instead of ${bytes}`;
      return problem(check, `${key} ${state}`, 'Restore the storage of files from a backup');
    }
    return ok(check, `${count} months of licenses; the newest files are stored`);
  } catch (error) {
    const reason = causesOf(error).at(-1)?.message ?? 'the storage does not respond';
    return problem(check, reason, 'Make the storage of files available');
  } finally {
    storage.close();
  }
}
