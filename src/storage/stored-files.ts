// Stored files and their rows: a row is written before its file and deleted after it.
import type { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { isBackupRunning } from '../database/backup-lock.ts';
import type { EntityManager } from '../database/connection.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import { StoredFile } from '../entities/index.ts';
import { DomainError } from '../errors.ts';
import { enqueueJob } from '../queue/enqueue.ts';
import type { JobPayloads } from '../queue/payloads.ts';
import { StorageFault } from './storage-fault.ts';
import type { Storage, StoredRange } from './storage.ts';
import { refuseBeyond } from '../preconditions/limits.ts';

/** Maximum concurrent uploads per license; each may be as large as the largest permitted file. */
export const maxArriving = 5;
/** An upload not completed within this time was left by a process that died. */
const arrivalHours = 1;
const sweptAtOnce = 100;

export type FileKind = StoredFile['kind'];

interface Place {
  /** Maps unless given. */
  kind?: FileKind;
  license_id: string;
  file_id: string;
}

export class StoredFiles {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Records that a file will be uploaded, and returns its id. */
  async announce(ctx: Ctx, em: EntityManager): Promise<string> {
    await refuseBeyond(em, {
      subject: `arriving files ${ctx.licenseId}`,
      max: maxArriving,
      count: () => em.count(StoredFile, { state: 'arriving', kind: 'maps' }),
      detail: `At most ${maxArriving} uploads may be under way at once.`,
    });
    const file = em.create(StoredFile, { kind: 'maps' });
    await em.flush();
    return file.id;
  }

  write(place: Place, content: AsyncIterable<Uint8Array>): Promise<void> {
    return reaching(() => this.#storage.put(keyOf(place), content));
  }

  open(place: Place, range?: StoredRange): Promise<Readable> {
    return reaching(() => this.#storage.open(keyOf(place), range));
  }

  /** Keeps the file permanently. Call it in the transaction that creates the row that uses the file. */
  async keep(em: EntityManager, id: string): Promise<void> {
    const kept = await em.nativeUpdate(StoredFile, { id, state: 'arriving' }, { state: 'kept' });
    if (kept === 0) throw new DomainError('unavailable', 'The upload has taken too long; try again.');
  }

  /** Deletes a file that was announced and is not kept: the transaction that kept it may have failed or not. */
  async abandon(em: EntityManager, id: string): Promise<void> {
    const abandoned = await em.nativeUpdate(StoredFile, { id, state: 'arriving' }, { state: 'unwanted' });
    if (abandoned > 0) await enqueueJob(em, 'remove-file', { file_id: id });
  }

  /** The file is deleted once the transaction commits. */
  async discard(em: EntityManager, id: string): Promise<void> {
    await em.nativeUpdate(StoredFile, { id }, { state: 'unwanted' });
    await enqueueJob(em, 'remove-file', { file_id: id });
  }
}

/** The files of a license that this transaction deletes are removed once it commits. */
export async function discardAllOf(em: EntityManager, licenseId: string): Promise<void> {
  const files = await em.execute<Pick<StoredFile, 'id' | 'kind' | 'state'>[]>(
    'select id, kind, state from stored_file where license_id = ? for update',
    [licenseId],
  );
  const removed = async (unwanted: Pick<StoredFile, 'id' | 'kind'>[], runAt?: Date) => {
    for (const [kind, ids] of Map.groupBy(unwanted, (file) => file.kind)) {
      const payload = { license_id: licenseId, kind, file_ids: ids.map(({ id }) => id) };
      await enqueueJob(em, 'remove-files', payload, { owner: licenseId, ...(runAt && { runAt }) });
    }
  };
  await removed(files);
  // The process that receives an upload may still write it.
  const afterArrival = new Date(Date.now() + arrivalHours * 60 * 60_000);
  await removed(
    files.filter(({ state }) => state === 'arriving'),
    afterArrival,
  );
}

/** Deletes unwanted files. Each step is idempotent. */
export class FileRemoval {
  readonly #platform: PlatformScope;
  readonly #storage: Storage;

  constructor(platform: PlatformScope, storage: Storage) {
    this.#platform = platform;
    this.#storage = storage;
  }

  async remove(id: string): Promise<void> {
    const file = await this.#platform.read('jobs', (queries) =>
      queries
        .selectFrom('stored_file')
        .select(['id as file_id', 'license_id', 'kind'])
        .where('id', '=', id)
        .where('state', '=', 'unwanted')
        .executeTakeFirst(),
    );
    // The sweep removes it once no backup runs.
    if (file === undefined || (await this.#isBackedUp())) return;
    await this.#storage.remove(keyOf(file));
    await this.#platform.transact('jobs', (em) => em.nativeDelete(StoredFile, { id, state: 'unwanted' }));
  }

  /** Removes files whose rows were deleted with their license. */
  async removeOf({ license_id, kind, file_ids }: JobPayloads['remove-files']): Promise<void> {
    if (await this.#isBackedUp()) throw new Error('files are removed once the running backup has ended');
    for (const file_id of file_ids)
      await this.#storage.remove(keyOf({ ...(kind && { kind }), license_id, file_id }));
  }

  #isBackedUp(): Promise<boolean> {
    return this.#platform.read('jobs', async (queries) => {
      const { rows } = await sql.raw<{ is_running: boolean }>(isBackupRunning).execute(queries);
      return rows[0]?.is_running === true;
    });
  }

  /** Also deletes files that dead processes left, and those whose deletion failed before. */
  async sweep(): Promise<void> {
    const left = await this.#platform.transact('jobs', (em) =>
      em.execute<{ id: string }[]>(
        `update stored_file set state = 'unwanted' where id in (
           select id from stored_file where state <> 'kept' and created_at < now() - make_interval(hours => ?)
           order by created_at limit ? for update skip locked
         ) returning id`,
        [arrivalHours, sweptAtOnce],
      ),
    );
    const failures: unknown[] = [];
    for (const { id } of left) await this.remove(id).catch((error: unknown) => failures.push(error));
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} files stay in the storage`);
  }
}

/** Made of ids only, never of names. */
export const keyOf = ({ kind = 'maps', license_id, file_id }: Place) => `${kind}/${license_id}/${file_id}`;

/** The same of a row of `stored_file`, in SQL. */
export const keyOfRow = `kind || '/' || license_id || '/' || id`;

/** A storage failure is the platform's fault, not the caller's. */
async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StorageFault)) throw error;
    throw new DomainError('unavailable', 'The storage cannot be reached; try again soon.', { cause: error });
  }
}
