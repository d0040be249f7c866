// Puts what a backup holds into its place, all of it or nothing, also when the agent is killed meanwhile.
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, rename } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Logger } from 'pino';
import { replaceDurably } from '../files/durable-file.ts';
import { writeAll } from '../instance-files/content.ts';
import { placeOf, within } from '../instance-files/entries.ts';
import { ownPrefix } from '../instance-files/file-path.ts';
import type { Folder } from '../instance-files/folder.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import { removeTree } from '../instance-files/temporary-files.ts';
import { makeFolders } from '../instance-files/unzip.ts';
import { isMissing } from '../system-error.ts';
import { unpack } from './archive.ts';
import { isNameForAll, isSelected, leadsToSelected } from './contents.ts';

/** Something that changes its place: what was there goes aside, what is new takes the place, if there is anything. */
interface Swap {
  path: string;
  isNew: boolean;
}

/** What is on disk before anything happens, so that the next agent finishes it or takes it back. */
type Progress =
  | { is: 'unpacking'; name: string; operation: string }
  | { is: 'swapping'; name: string; operation: string; swaps: Swap[] }
  | { is: 'over'; name: string; operation: string; isRestored: boolean };

export interface Selection {
  /** What the backup is of; everything when there are none. */
  paths: readonly string[] | undefined;
  /** Whether what came there after the backup is removed. */
  isRemovingLater: boolean;
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

  /** `operation` names it for whoever asks afterwards how it has ended. */
  async run(archive: FileHandle, selection: Selection, operation: string): Promise<void> {
    await this.recover();
    const name = `${ownPrefix}${randomUUID()}`;
    await this.#note({ is: 'unpacking', name, operation });
    let swaps: Swap[];
    try {
      swaps = await this.#prepare(name, archive, selection);
      await this.#note({ is: 'swapping', name, operation, swaps });
    } catch (error) {
      await this.#end({ is: 'over', name, operation, isRestored: false });
      throw error;
    }
    const failure = await this.#swap(name, swaps);
    await this.#end({ is: 'over', name, operation, isRestored: failure === null });
    if (failure !== null) throw failure.reason;
  }

  /** Finishes what an agent before this one was at, or takes it back. */
  async recover(): Promise<void> {
    const progress = await this.#progress();
    if (progress === null) return;
    const { name, operation } = progress;
    switch (progress.is) {
      case 'unpacking':
        await this.#end({ is: 'over', name, operation, isRestored: false });
        return;
      case 'swapping': {
        const failure = await this.#swap(name, progress.swaps);
        if (failure !== null)
          this.#log.error({ err: failure.reason }, 'a restoration could not be finished, and was taken back');
        await this.#end({ is: 'over', name, operation, isRestored: failure === null });
        return;
      }
      case 'over':
        await this.#sweep(name);
    }
  }

  /** Whether that operation has restored everything; null when it is not the last one. */
  async hasRestored(operation: string): Promise<boolean | null> {
    const progress = await this.#progress();
    return progress?.is === 'over' && progress.operation === operation ? progress.isRestored : null;
  }

  async #end(progress: Progress & { is: 'over' }): Promise<void> {
    await this.#note(progress);
    await this.#sweep(progress.name);
  }

  async #sweep(name: string): Promise<void> {
    await within(this.#files.openRoot, [], (root) => removeTree(root, name));
  }

  async #prepare(name: string, archive: FileHandle, selection: Selection): Promise<Swap[]> {
    return within(this.#files.openRoot, [], async (root) => {
      await mkdir(root.at(name), 0o700);
      const staging = await root.enter(name);
      try {
        await unpackInto(staging, archive);
        return await plan(staging, root, selection);
      } finally {
        await staging.close();
      }
    });
  }

  /**
   * All of them, or none: why they were taken back, or null. Each is found done or not, however often this runs. Throws
   * where neither is possible; then nothing is swept, and the next agent tries again.
   */
  async #swap(name: string, swaps: readonly Swap[]): Promise<{ reason: unknown } | null> {
    try {
      await this.#each(name, swaps, forth);
      return null;
    } catch (reason) {
      await this.#each(name, swaps, back);
      return { reason };
    }
  }

  async #each(name: string, swaps: readonly Swap[], move: Move): Promise<void> {
    await within(this.#files.openRoot, [name, 'old'], async (aside) => {
      for (const [index, { path, isNew }] of swaps.entries()) {
        const { parents, name: leaf } = placeOf(path);
        await within(this.#files.openRoot, parents, async (folder) => {
          const place = { present: folder.at(leaf), old: aside.at(String(index)) };
          if (isNew)
            await within(this.#files.openRoot, [name, 'new', ...parents], (fresh) =>
              move({ ...place, fresh: fresh.at(leaf) }),
            );
          else await move({ ...place, fresh: null });
          if (isLastOfItsFolder(swaps, index, parents)) await folder.sync();
        });
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

type Move = (places: Places) => Promise<void>;

const forth: Move = async ({ present, old, fresh }) => {
  const isDue = fresh === null || (await isThere(fresh));
  if (isDue && !(await isThere(old)) && (await isThere(present))) await rename(present, old);
  if (fresh !== null && isDue) await rename(fresh, present);
};

const back: Move = async ({ present, old, fresh }) => {
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
  try {
    await unpack(archive, async ({ path, isDirectory, mode, mtimeMs }, content) => {
      const { parents, name } = placeOf(path);
      const folder = await makeFolders(fresh, isDirectory ? [...parents, name] : parents);
      try {
        if (isDirectory) return;
        const file = await folder.createFile(name);
        try {
          await writeAll(file, content);
          await file.chmod(mode & 0o777);
          await file.utimes(mtimeMs / 1000, mtimeMs / 1000);
          await file.datasync();
        } finally {
          await file.close();
        }
      } finally {
        if (folder !== fresh) await folder.close();
      }
    });
  } finally {
    await fresh.close();
  }
}

async function plan(staging: Folder, root: Folder, selection: Selection): Promise<Swap[]> {
  const swaps: Swap[] = [];
  const fresh = await staging.enter('new');
  try {
    await compare(fresh, root, '', { selection, swaps });
  } finally {
    await fresh.close();
  }
  return swaps;
}

/** Directories that are on both sides stay; what is in them is compared. */
async function compare(
  fresh: Folder | null,
  present: Folder,
  path: string,
  found: { selection: Selection; swaps: Swap[] },
): Promise<void> {
  const freshNames = new Set(fresh === null ? [] : await namesIn(fresh));
  for (const name of freshNames) {
    await present.refuseOwn(name);
    const isFolder = (await isDirectory(fresh, name)) && (await isDirectory(present, name));
    if (isFolder) await compareInner(fresh, present, name, path, found);
    else found.swaps.push({ path: path + name, isNew: true });
  }
  if (!found.selection.isRemovingLater) return;
  const { paths } = found.selection;
  for (const name of await namesIn(present)) {
    if (freshNames.has(name) || !isNameForAll(name) || (await present.isOwn(name))) continue;
    if (isSelected(path + name, paths)) {
      if (await isFileOrDirectory(present, name)) found.swaps.push({ path: path + name, isNew: false });
    } else if (leadsToSelected(path + name, paths) && (await isDirectory(present, name)))
      await compareInner(null, present, name, path, found);
  }
}

async function compareInner(
  fresh: Folder | null,
  present: Folder,
  name: string,
  path: string,
  found: { selection: Selection; swaps: Swap[] },
): Promise<void> {
  const innerFresh = fresh === null ? null : await fresh.enter(name);
  try {
    const innerPresent = await present.enter(name);
    try {
      await compare(innerFresh, innerPresent, `${path}${name}/`, found);
    } finally {
      await innerPresent.close();
    }
  } finally {
    await innerFresh?.close();
  }
}

async function namesIn(folder: Folder): Promise<string[]> {
  const names: string[] = [];
  for await (const name of folder.names()) names.push(name);
  return names.sort();
}

async function isDirectory(folder: Folder | null, name: string): Promise<boolean> {
  const found = folder === null ? null : await lstat(folder.at(name)).catch(nullIfMissing);
  return found?.isDirectory() === true;
}

async function isFileOrDirectory(folder: Folder, name: string): Promise<boolean> {
  const found = await lstat(folder.at(name)).catch(nullIfMissing);
  return found !== null && (found.isFile() || found.isDirectory());
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(nullIfMissing)) !== null;
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
