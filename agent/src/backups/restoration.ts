// Restores a backup completely or not at all, even if the agent is killed meanwhile.
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, rename } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Logger } from 'pino';
import { replaceDurably } from '../state-files/durable-file.ts';
import { makeFolders, placeOf, within } from '../instance-files/entries.ts';
import { FileError } from '../instance-files/file-error.ts';
import { ownPrefix } from '../instance-files/file-path.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import { removeTree } from '../instance-files/temporary-files.ts';
import { isMissing } from '../errors.ts';
import { FolderModes } from './folder-modes.ts';
import { plan } from './restoration-plan.ts';
import type { Plan, Selection, Swap } from './restoration-plan.ts';
import { unpackInto } from './restoration-staging.ts';

/** Identifies a restoration; `operation` is the id by which its result can be queried later. */
interface Subject {
  /** Name of the staging directory. */
  name: string;
  operation: string;
  /** Whether the instance was stopped for the restoration and must be started again. */
  isToRun?: boolean;
}

/** The result of a restoration that an earlier agent was running. */
export interface RestorationEnd {
  isRestored: boolean;
  isToRun: boolean;
}

/** The state on disk, written before each phase, so that the next agent finishes or undoes the restoration. */
type Progress = Subject &
  ({ is: 'unpacking' } | ({ is: 'swapping' } & Noted) | { is: 'over'; isRestored: boolean });

/** Agents of an earlier version recorded no directories. */
type Noted = Pick<Plan, 'swaps'> & Partial<Plan>;

/** Why nothing was restored. */
interface Failure {
  reason: unknown;
}

export class Restoration {
  readonly #files: InstanceFiles;
  readonly #progressFile: string;
  readonly #log: Logger;
  readonly #modes: FolderModes;

  constructor(files: InstanceFiles, progressFile: string, log: Logger) {
    this.#files = files;
    this.#progressFile = progressFile;
    this.#log = log;
    this.#modes = new FolderModes(files, log);
  }

  /** Records the restoration before any work is done for it. */
  async announce(operation: string, isToRun: boolean): Promise<Subject> {
    await this.recover();
    const subject = { name: `${ownPrefix}${randomUUID()}`, operation, isToRun };
    await this.#note({ is: 'unpacking', ...subject });
    return subject;
  }

  async run(
    archive: FileHandle,
    selection: Selection,
    { operation, isToRun }: Omit<Subject, 'name'>,
  ): Promise<void> {
    const subject = await this.announce(operation, isToRun === true);
    const failure = await this.#attempt(subject, archive, selection);
    await this.#sweep(subject.name);
    if (failure !== null) throw failure.reason;
  }

  /** Finishes or undoes the restoration that an earlier agent was running. */
  async recover(): Promise<void> {
    const progress = await this.#progress();
    if (progress === null) return;
    if (progress.is === 'unpacking') await this.#end(progress, false);
    if (progress.is === 'swapping') {
      const failure = await this.#files.exclusively(() => this.#swap(progress, progress));
      if (failure !== null) this.#log.error({ err: failure.reason }, 'a restoration failed and was undone');
    }
    await this.#sweep(progress.name);
  }

  /** Whether the files are partly restored and the restoration can be neither finished nor undone. */
  async isUnsettled(): Promise<boolean> {
    return (await this.#progress())?.is === 'swapping';
  }

  /** Returns null when the operation is not the last one, or is not over. */
  async endOf(operation: string): Promise<RestorationEnd | null> {
    const progress = await this.#progress();
    if (progress?.is !== 'over' || progress.operation !== operation) return null;
    return { isRestored: progress.isRestored, isToRun: progress.isToRun === true };
  }

  /** From planning on, holds the file queue, so that no other operation changes the files. */
  async #attempt(subject: Subject, archive: FileHandle, selection: Selection): Promise<Failure | null> {
    let modes: ReadonlyMap<string, number>;
    try {
      modes = await this.#unpack(subject.name, archive);
    } catch (reason) {
      await this.#end(subject, false);
      return { reason };
    }
    return this.#files.exclusively(async () => {
      let planned: Plan;
      try {
        planned = await this.#plan(subject.name, selection, modes);
        await this.#note({ is: 'swapping', ...subject, ...planned });
      } catch (reason) {
        await this.#end(subject, false);
        return { reason };
      }
      return this.#swap(subject, planned);
    });
  }

  #end({ name, operation, isToRun = false }: Subject, isRestored: boolean): Promise<void> {
    return this.#note({ is: 'over', name, operation, isToRun, isRestored });
  }

  /** Leftovers that cannot be removed do no harm, because the next restoration uses a new name. */
  async #sweep(name: string): Promise<void> {
    await within(this.#files.openRoot, [], (root) => removeTree(root, name)).catch((error: unknown) =>
      this.#log.warn({ err: error, name }, 'the leftovers of a restoration could not be removed'),
    );
  }

  async #unpack(name: string, archive: FileHandle): Promise<ReadonlyMap<string, number>> {
    await within(this.#files.openRoot, [], (root) => mkdir(root.at(name), 0o700));
    return within(this.#files.openRoot, [name], (staging) => unpackInto(staging, archive));
  }

  #plan(name: string, selection: Selection, modes: ReadonlyMap<string, number>): Promise<Plan> {
    return within(this.#files.openRoot, [], (root) =>
      within(this.#files.openRoot, [name], (staging) => plan(staging, root, selection, modes)),
    );
  }

  /**
   * Makes all swaps or none. Returns the failure that caused an undo, or null. Idempotent: detects which swaps are
   * done. Throws when it can neither finish nor undo; then nothing is removed, and the next agent tries again.
   */
  async #swap(subject: Subject, { swaps, folders = [] }: Noted): Promise<Failure | null> {
    let failure: Failure | null = null;
    await this.#modes.makeWritable(folders);
    try {
      await this.#each(subject.name, swaps, (swap, move) => this.#goForth(swap, move));
    } catch (reason) {
      failure = { reason };
      await this.#goBack(subject.name, swaps);
    }
    await this.#modes.settle(folders, failure === null);
    await this.#end(subject, failure === null);
    return failure;
  }

  /** Makes one swap. If the present entry is already gone, it creates the parent directories and retries. */
  async #goForth({ path, isNew }: Swap, move: (direction: Direction) => Promise<void>): Promise<void> {
    try {
      await move(forth);
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (!isNew) return;
      await within(this.#files.openRoot, [], async (root) => {
        const folder = await makeFolders(root, placeOf(path).parents);
        if (folder !== root) await folder.close();
      });
      await move(forth);
    }
  }

  /** When a directory is gone, the files that were in it are gone with it. */
  async #goBack(name: string, swaps: readonly Swap[]): Promise<void> {
    try {
      await this.#each(name, swaps, async ({ path }, move) => {
        try {
          await move(back);
        } catch (error) {
          if (!isMissing(error) && !(error instanceof FileError)) throw error;
          this.#log.error({ err: error, path }, 'a file has no directory to be restored to');
        }
      });
    } catch (error) {
      if (!isMissing(error)) throw error;
      this.#log.error({ err: error }, 'the files that a restoration moved away are missing');
    }
  }

  async #each(
    name: string,
    swaps: readonly Swap[],
    visit: (swap: Swap, move: (direction: Direction) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    await within(this.#files.openRoot, [name, 'old'], async (aside) => {
      for (const [index, swap] of swaps.entries()) {
        const { parents, name: leaf } = placeOf(swap.path);
        await visit(swap, (direction) =>
          within(this.#files.openRoot, parents, async (folder) => {
            const place = { present: folder.at(leaf), old: aside.at(String(index)) };
            if (swap.isNew)
              await within(this.#files.openRoot, [name, 'new', ...parents], (fresh) =>
                direction({ ...place, fresh: fresh.at(leaf) }),
              );
            else await direction({ ...place, fresh: null });
            if (isLastOfItsFolder(swaps, index, parents)) await folder.sync();
          }),
        );
      }
      await aside.sync();
    });
  }

  #note(progress: Progress): Promise<void> {
    return replaceDurably(this.#progressFile, JSON.stringify(progress));
  }

  async #progress(): Promise<Progress | null> {
    try {
      // Only this class writes the file, and it does so atomically.
      return JSON.parse(await readFile(this.#progressFile, 'utf8')) as Progress;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }
}

interface Places {
  present: string;
  old: string;
  fresh: string | null;
}

type Direction = (places: Places) => Promise<void>;

const forth: Direction = async ({ present, old, fresh }) => {
  const isDue = fresh === null || (await isThere(fresh));
  if (isDue && !(await isThere(old)) && (await isThere(present))) await rename(present, old);
  if (fresh !== null && isDue) await rename(fresh, present);
};

const back: Direction = async ({ present, old, fresh }) => {
  if (fresh !== null && !(await isThere(fresh)) && (await isThere(present))) await rename(present, fresh);
  if (await isThere(old)) await rename(old, present);
};

function isLastOfItsFolder(swaps: readonly Swap[], index: number, parents: readonly string[]): boolean {
  const next = swaps[index + 1];
  return next === undefined || placeOf(next.path).parents.join('/') !== parents.join('/');
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(nullIfMissing)) !== null;
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
