// Writes closed months of sessions and stats as Parquet to the storage, license by license, and removes old ones.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ConnectionSettings } from '../database/client.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import type { TenantScope } from '../database/tenant-scope.ts';
import { ArchivedMonth, StoredFile } from '../entities/index.ts';
import type { Storage } from '../storage/storage.ts';
import { StoredFiles } from '../storage/stored-files.ts';
import { scratch, storeVerified } from './archive-files.ts';
import {
  completeMonth,
  findDueMonths,
  findLicenses,
  isUnsettled,
  findExpiredMonths,
  type DueMonth,
  type LicenseMonth,
} from './due-months.ts';
import { copyRows, openCopyClient } from './month-rows.ts';
import { ParquetWriter } from './parquet-writer.ts';
import { numberPlayers, sources } from './sources.ts';
import { makeScratchDirectory } from '../process/scratch-directory.ts';

export interface ArchiveSettings {
  /** How many months an archived month is kept after its end; 0 writes and removes nothing. */
  months: number;
  /** Where files are written before they are stored. */
  directory: string;
}

interface ArchiveParts {
  settings: ArchiveSettings;
  database: ConnectionSettings;
  platform: PlatformScope;
  tenant: TenantScope;
  storage: Storage;
  /** Reports progress of the job, so that it does not count as hanging. */
  progressed: () => void;
  /** Counts each month of a license, by whether it was archived. */
  counted: (outcome: 'archived' | 'failed') => void;
  /** Reports how many months lack a license. */
  waiting: (months: number) => void;
  log: Logger;
}

/** The next run continues. */
const maxRunMs = 8 * 60_000;
/** A storage that fails this often fails for the next license, too. */
const maxFailures = 3;
const expiredAtOnce = 100;
const duckdbMemoryMb = 256;
/** Every wait for the writer is bounded, but longer than work may be without progress. */
const progressMs = 10_000;
const runLock = 'archive months';

export class MonthArchive {
  readonly #parts: ArchiveParts;
  readonly #files: StoredFiles;
  readonly #writer = new ParquetWriter();

  constructor(parts: ArchiveParts) {
    this.#parts = parts;
    this.#files = new StoredFiles(parts.storage);
  }

  /** One replica at a time. It may be killed at any step: a month counts as archived once its row is written. */
  async run(): Promise<void> {
    const { settings, database, platform, waiting } = this.#parts;
    if (settings.months === 0) return;
    await this.#removeExpired();
    const due = await platform.transact('jobs', (em) => findDueMonths(em, settings.months));
    if (due.length === 0) {
      waiting(0);
      return;
    }
    const directory = await makeScratchDirectory(settings.directory, scratch);
    try {
      const client = await openCopyClient(database);
      try {
        if (await isFirst(client)) await this.#archiveAll(due, { client, directory });
      } finally {
        await client.end();
      }
    } finally {
      this.#writer.close();
      await rm(directory, { recursive: true, force: true });
    }
  }

  close(): void {
    this.#writer.close();
  }

  async #archiveAll(due: readonly DueMonth[], place: Place): Promise<void> {
    const work: Work = { ...place, endsAt: performance.now() + maxRunMs, failures: [] };
    let waitingCount = due.length;
    try {
      for (const month of due) if (await this.#archiveMonth(month, work)) waitingCount -= 1;
    } finally {
      this.#parts.waiting(waitingCount);
    }
    if (work.failures.length > 0) throw new AggregateError(work.failures, failed);
  }

  /** Returns whether the archive has the month of every license. */
  async #archiveMonth(due: DueMonth, work: Work): Promise<boolean> {
    const { platform, counted, log } = this.#parts;
    const { source, month } = due;
    let isComplete = true;
    for (const licenseId of await platform.transact('jobs', (em) => findLicenses(em, due))) {
      if (performance.now() > work.endsAt) return false;
      try {
        if (await this.#archive({ licenseId, source, month }, work)) counted('archived');
        else isComplete = false;
      } catch (error) {
        counted('failed');
        log.warn({ err: error, license_id: licenseId, source, month }, failed);
        isComplete = false;
        work.failures.push(error);
        if (work.failures.length === maxFailures) throw new AggregateError(work.failures, failed);
      }
    }
    if (isComplete) await platform.transact('jobs', (em) => completeMonth(em, due));
    return isComplete;
  }

  /** Returns whether the month was archived; otherwise its rows may still change. */
  async #archive(month: LicenseMonth, { client, directory }: Place): Promise<boolean> {
    const { tenant, storage, progressed } = this.#parts;
    const { licenseId, source } = month;
    if (await tenant.transact(licenseId, (em) => isUnsettled(em, month))) return false;
    if (source === 'sessions') await this.#numberPlayers(month);
    const [text, parquet] = [join(directory, 'rows.csv'), join(directory, 'rows.parquet')];
    try {
      const query = sources[source].rows(month.month);
      const rowCount = await copyRows(client, { licenseId, query, path: text }, progressed);
      const written = await this.#write(source, { text, parquet, directory });
      if (written !== rowCount) throw new Error(`${written} rows were written instead of ${rowCount}`);
      // The row comes first: a file that a killed process leaves is removed by it.
      const fileId = await tenant.transact(licenseId, async (em) => {
        const file = em.create(StoredFile, { kind: 'archive' });
        await em.flush();
        return file.id;
      });
      const checksum = await storeVerified(storage, { licenseId, fileId }, parquet, progressed);
      await tenant.transact(licenseId, async (em) => {
        await this.#files.keep(em, fileId);
        em.create(ArchivedMonth, { source, month: month.month, fileId, rowCount, ...checksum });
        await em.flush();
      });
      return true;
    } finally {
      await rm(text, { force: true });
      await rm(parquet, { force: true });
    }
  }

  /** Day by day, so that no statement is long. */
  async #numberPlayers({ licenseId, month }: LicenseMonth): Promise<void> {
    const first = Date.parse(month);
    for (let at = first; new Date(at).getUTCMonth() === new Date(first).getUTCMonth(); at += 86_400_000) {
      const day = new Date(at).toISOString().slice(0, 10);
      await this.#parts.tenant.transact(licenseId, (em) => em.execute(numberPlayers, [day, day]));
    }
  }

  async #write(
    source: LicenseMonth['source'],
    { text, parquet, directory }: { text: string; parquet: string; directory: string },
  ): Promise<number> {
    const timer = setInterval(this.#parts.progressed, progressMs);
    try {
      const { columns } = sources[source];
      return await this.#writer.write({
        from: text,
        to: parquet,
        columns,
        memoryMb: duckdbMemoryMb,
        directory,
      });
    } finally {
      clearInterval(timer);
    }
  }

  async #removeExpired(): Promise<void> {
    const { settings, platform, tenant } = this.#parts;
    let taken: number;
    do {
      const expired = await platform.transact('jobs', (em) =>
        findExpiredMonths(em, settings.months, expiredAtOnce),
      );
      for (const { licenseId, source, month, fileId } of expired)
        await tenant.transact(licenseId, async (em) => {
          await em.nativeDelete(ArchivedMonth, { source, month });
          await this.#files.discard(em, fileId);
        });
      taken = expired.length;
    } while (taken === expiredAtOnce);
  }
}

const failed = 'months could not be archived';

interface Place {
  client: pg.Client;
  directory: string;
}

interface Work extends Place {
  endsAt: number;
  failures: unknown[];
}

/** Until the connection ends. */
async function isFirst(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is_first: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as is_first',
    [runLock],
  );
  return rows[0]?.is_first === true;
}
