// Puts what a backup holds into its place, all of it or nothing, also when the agent is killed meanwhile.
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, rename } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Logger } from 'pino';
import { replaceDurably } from '../files/durable-file.ts';
import { writeAll } from '../instance-files/content.ts';
import { placeOf, within } from '../instance-files/entries.ts';
import { FileError } from '../instance-files/file-error.ts';
import { ownPrefix } from '../instance-files/file-path.ts';
import type { Folder } from '../instance-files/folder.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import { removeTree } from '../instance-files/temporary-files.ts';
import { makeFolders } from '../instance-files/unzip.ts';
import { isMissing } from '../system-error.ts';
import { unpack } from './archive.ts';
import { plan } from './restoration-plan.ts';
import type { Selection, Swap } from './restoration-plan.ts';

/** What is restored where: the operation names it for whoever asks afterwards how it has ended. */
interface Subject {
  /** Of the directory in which it is prepared. */
  name: string;
  operation: string;
  /** Whether the instance was stopped for it, and is to run again. */
  isToRun?: boolean;
}

/** How a restoration has ended that an agent before this one was at. */
export interface RestorationEnd {
  isRestored: boolean;
  isToRun: boolean;
}

/** What is on disk before anything happens, so that the next agent finishes it or takes it back. */
type Progress = Subject &
  ({ is: 'unpacking' } | { is: 'swapping'; swaps: Swap[] } | { is: 'over'; isRestored: boolean });

/** Why nothing was restored. */
interface Failure {
  reason: unknown;
}

export class Restoration {
  readonly #files: InstanceFiles;
  readonly #progressFile: string;
  readonly #log: Logger;

  constructor(files: InstanceFiles, progressFile: string, log: Logger) {
    this.#files = files;
    this.#progressFile = progressFile;
    this.#log = log;
  }

  /** Before anything is done for it: what is to be known however it ends. */
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

  /** Finishes what an agent before this one was at, or takes it back. */
  async recover(): Promise<void> {
    const progress = await this.#progress();
    if (progress === null) return;
    if (progress.is === 'unpacking') await this.#end(progress, false);
    if (progress.is === 'swapping') {
      const failure = await this.#files.inTurn(() => this.#swap(progress, progress.swaps));
      if (failure !== null)
        this.#log.error({ err: failure.reason }, 'a restoration could not be finished, and was taken back');
    }
    await this.#sweep(progress.name);
  }

  /** Whether files are half of a backup, which can be neither finished nor taken back. */
  async isUnsettled(): Promise<boolean> {
    return (await this.#progress())?.is === 'swapping';
  }

  /** Null when the operation is not the last one, or is not over. */
  async endOf(operation: string): Promise<RestorationEnd | null> {
    const progress = await this.#progress();
    if (progress?.is !== 'over' || progress.operation !== operation) return null;
    return { isRestored: progress.isRestored, isToRun: progress.isToRun === true };
  }

  /** From the plan on, nobody else changes anything among the files. */
  async #attempt(subject: Subject, archive: FileHandle, selection: Selection): Promise<Failure | null> {
    try {
      await this.#unpack(subject.name, archive);
    } catch (reason) {
      await this.#end(subject, false);
      return { reason };
    }
    return this.#files.inTurn(async () => {
      let swaps: Swap[];
      try {
        swaps = await this.#plan(subject.name, selection);
        await this.#note({ is: 'swapping', ...subject, swaps });
      } catch (reason) {
        await this.#end(subject, false);
        return { reason };
      }
      return this.#swap(subject, swaps);
    });
  }

  #end({ name, operation, isToRun = false }: Subject, isRestored: boolean): Promise<void> {
    return this.#note({ is: 'over', name, operation, isToRun, isRestored });
  }

  /** What can't be removed stands in the way of nothing: the next restoration has a name of its own. */
  async #sweep(name: string): Promise<void> {
    await within(this.#files.openRoot, [], (root) => removeTree(root, name)).catch((error: unknown) =>
      this.#log.warn({ err: error, name }, 'what a restoration has left could not be removed'),
    );
  }

  async #unpack(name: string, archive: FileHandle): Promise<void> {
    await within(this.#files.openRoot, [], (root) => mkdir(root.at(name), 0o700));
    await within(this.#files.openRoot, [name], (staging) => unpackInto(staging, archive));
  }

  #plan(name: string, selection: Selection): Promise<Swap[]> {
    return within(this.#files.openRoot, [], (root) =>
      within(this.#files.openRoot, [name], (staging) => plan(staging, root, selection)),
    );
  }

  /**
   * All of them, or none: why they were taken back, or null. Each is found done or not, however often this runs. Throws
   * where neither is possible; then nothing is swept, and the next agent tries again.
   */
  async #swap(subject: Subject, swaps: readonly Swap[]): Promise<Failure | null> {
    let failure: Failure | null = null;
    try {
      await this.#each(subject.name, swaps, (swap, move) => this.#goForth(swap, move));
    } catch (reason) {
      failure = { reason };
      await this.#goBack(subject.name, swaps);
    }
    await this.#end(subject, failure === null);
    return failure;
  }

  /** What goes may have gone, and what is new makes its way. */
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

  /** Where a directory has gone, what was in it has gone with it. */
  async #goBack(name: string, swaps: readonly Swap[]): Promise<void> {
    try {
      await this.#each(name, swaps, async ({ path }, move) => {
        try {
          await move(back);
        } catch (error) {
          if (!isMissing(error) && !(error instanceof FileError)) throw error;
          this.#log.error({ err: error, path }, 'a file has no directory to be brought back to');
        }
      });
    } catch (error) {
      if (!isMissing(error)) throw error;
      this.#log.error({ err: error }, 'what a restoration had put aside is gone');
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
      // Written by this class, whole or not at all.
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

async function unpackInto(staging: Folder, archive: FileHandle): Promise<void> {
  await mkdir(staging.at('old'), 0o700);
  await mkdir(staging.at('new'), 0o700);
  const fresh = await staging.enter('new');
  const { room } = fresh;
  try {
    await unpack(archive, async ({ path, isDirectory, mode, mtimeMs }, content) => {
      const { parents, name } = placeOf(path);
      const folder = await makeFolders(fresh, isDirectory ? [...parents, name] : parents);
      try {
        if (isDirectory) return;
        const handle = await folder.createFile(name);
        try {
          await writeAll({ handle, room }, content);
          await handle.chmod(mode & 0o777);
          await handle.utimes(mtimeMs / 1000, mtimeMs / 1000);
          await handle.datasync();
        } finally {
          await handle.close();
        }
      } finally {
        if (folder !== fresh) await folder.close();
      }
    });
  } finally {
    await fresh.close();
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(nullIfMissing)) !== null;
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
