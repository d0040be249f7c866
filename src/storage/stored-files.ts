// Stored files and their rows: a row is written before its file and deleted after it.
import type { Readable } from 'node:stream';
import type { Ctx } from '../context.ts';
import type { EntityManager } from '../database/connection.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import { StoredFile } from '../entities/index.ts';
import { DomainError } from '../errors.ts';
import { enqueueJob } from '../queue/enqueue.ts';
import { StorageFault } from './storage-fault.ts';
import type { Storage, StoredRange } from './storage.ts';
import { refuseBeyond } from '../preconditions/limits.ts';

/** Maximum concurrent uploads per license; each may be as large as the largest permitted file. */
const maxArriving = 5;
/** An upload not completed within this time was left by a process that died. */
const arrivalHours = 1;
const sweptAtOnce = 100;

interface Place {
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
      count: () => em.count(StoredFile, { state: 'arriving' }),
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

  /** The file is deleted once the transaction commits. */
  async discard(em: EntityManager, id: string): Promise<void> {
    await em.nativeUpdate(StoredFile, { id }, { state: 'unwanted' });
    await enqueueJob(em, 'remove-file', { file_id: id });
  }
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
        .select(['id as file_id', 'license_id'])
        .where('id', '=', id)
        .where('state', '=', 'unwanted')
        .executeTakeFirst(),
    );
    if (file === undefined) return;
    await this.#storage.remove(keyOf(file));
    await this.#platform.transact('jobs', (em) => em.nativeDelete(StoredFile, { id, state: 'unwanted' }));
  }

  /** Removes every file of a license that is about to be deleted. The rows go with the license. */
  async removeAllOf(licenseId: string): Promise<void> {
    const files = await this.#platform.read('jobs', (queries) =>
      queries
        .selectFrom('stored_file')
        .select(['id as file_id', 'license_id'])
        .where('license_id', '=', licenseId)
        .execute(),
    );
    for (const file of files) await this.#storage.remove(keyOf(file));
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
const keyOf = ({ license_id, file_id }: Place) => `maps/${license_id}/${file_id}`;

/** A storage failure is the platform's fault, not the caller's. */
async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StorageFault)) throw error;
    throw new DomainError('unavailable', 'The storage cannot be reached; try again soon.', { cause: error });
  }
}
