// Unpacks a zip file next to its destination, within limits, and moves the files there once all are unpacked.
import { lstat, mkdir, rename } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Entry, ZipFile } from 'yauzl';
import { counted } from '../counted.ts';
import { isMissing } from '../errors.ts';
import { writeAll } from './content.ts';
import { makeFolders, within } from './entries.ts';
import { FileError } from './file-error.ts';
import { folderStepsOf, refuseDeep } from './file-path.ts';
import type { Folder } from './folder.ts';
import type { InstanceFiles } from './instance-files.ts';
import { moveWithoutReplacing } from './staged-file.ts';
import { maxEntries } from './zip.ts';
import { contentOf, entriesOf, openZip, stepsIn } from './zip-content.ts';

const maxBytes = 16 * 1024 ** 3;
/** Maximum compression ratio. Text compresses about 10:1; a ratio near 1000:1 indicates a zip bomb. */
const maxTimes = 200;
/** Small archives may unpack to 16 MiB at any ratio. */
const freeBytes = 16 * 1024 * 1024;

export interface Extraction {
  archive_path: string;
  path: string;
  overwrite: boolean;
}

/** Returns a sentence that says how much was unpacked. */
export async function unpackFile(files: InstanceFiles, extraction: Extraction): Promise<string> {
  const destination = folderStepsOf(extraction.path);
  const archive = await files.open(extraction.archive_path);
  try {
    const present = await presentOf(files, destination);
    return await within(files.openRoot, present, async (folder) => {
      const temporary = await files.temporaries.claim(present);
      try {
        await mkdir(folder.at(temporary.name), 0o755);
        const inner = await folder.enter(temporary.name);
        try {
          const count = await extractBelow(inner, archive, destination.slice(present.length), present.length);
          await files.exclusively(() => moveAll(inner, folder, extraction.overwrite));
          return `${counted(count, 'file')} ${count === 1 ? 'was' : 'were'} unpacked.`;
        } finally {
          await inner.close();
        }
      } finally {
        await temporary.remove(folder);
      }
    });
  } finally {
    await archive.close();
  }
}

/** Returns the steps that already exist. The missing directories are created with the unpacked files, or not at all. */
async function presentOf(files: InstanceFiles, steps: readonly string[]): Promise<readonly string[]> {
  let folder = await files.openRoot();
  try {
    for (const [depth, step] of steps.entries()) {
      const next = await folder.enter(step).catch(nullIfMissing);
      if (next === null) return steps.slice(0, depth);
      await folder.close();
      folder = next;
    }
    return steps;
  } finally {
    await folder.close();
  }
}

async function extractBelow(
  folder: Folder,
  archive: FileHandle,
  missing: readonly string[],
  depth: number,
): Promise<number> {
  const into = await makeFolders(folder, missing);
  try {
    return await extractAll(archive, into, depth + missing.length);
  } finally {
    if (into !== folder) await into.close();
  }
}

async function extractAll(archive: FileHandle, into: Folder, depth: number): Promise<number> {
  const { size } = await archive.stat();
  const zip = await openZip(archive);
  if (zip.entryCount > maxEntries)
    throw new FileError('too_large', `The archive has more than ${maxEntries} entries.`);
  const max = Math.min(maxBytes, Math.max(size * maxTimes, freeBytes));
  const budget = { left: max };
  let entries = 0;
  let count = 0;
  for await (const entry of entriesOf(zip)) {
    // The entry count in the archive's directory cannot be trusted.
    if ((entries += 1) > maxEntries)
      throw new FileError('too_large', `The archive has more than ${maxEntries} entries.`);
    refuseDeep(depth + stepsIn(entry).length);
    if (await extract(zip, entry, into, budget)) count += 1;
  }
  return count;
}

/** Returns whether the entry was a file. Refuses links, other special files and invalid names. */
async function extract(zip: ZipFile, entry: Entry, into: Folder, budget: { left: number }): Promise<boolean> {
  const isDirectory = entry.fileName.endsWith('/');
  const steps = stepsIn(entry);
  refuseSpecial(entry, isDirectory);
  if (entry.uncompressedSize > budget.left) throw tooLarge();
  const parents = isDirectory ? steps : steps.slice(0, -1);
  const { room } = into;
  await room.require(entry.uncompressedSize);
  const folder = await makeFolders(into, parents);
  try {
    if (isDirectory) return false;
    const handle = await folder.createFile(steps.at(-1) ?? '');
    try {
      await writeAll({ handle, room }, contentOf(zip, entry), (bytes) => {
        budget.left -= bytes;
        if (budget.left < 0) throw tooLarge();
      });
      await handle.datasync();
    } finally {
      await handle.close();
    }
    return true;
  } finally {
    if (folder !== into) await folder.close();
  }
}

/** Unix keeps the file type in the upper half of the attributes. */
export function refuseSpecial(entry: Entry, isDirectory: boolean): void {
  const isFromUnix = entry.versionMadeBy >>> 8 === 3 || entry.versionMadeBy >>> 8 === 19;
  const kind = isFromUnix ? (entry.externalFileAttributes >>> 16) & 0o170000 : 0;
  if (kind !== 0 && kind !== (isDirectory ? 0o040000 : 0o100000))
    throw new FileError('refused', 'The archive contains an entry that is neither a file nor a directory.');
  if (entry.isEncrypted()) throw new FileError('refused', 'The archive is encrypted.');
}

/** Checks everything first, so that a conflict leaves the destination unchanged. */
async function moveAll(from: Folder, to: Folder, isReplacing: boolean): Promise<void> {
  await eachPair(from, to, async (source, target, name) => {
    await target.refuseOwn(name);
    const found = await lstat(target.at(name)).catch(nullIfMissing);
    if (found === null) return 'leave';
    const isDirectory = (await lstat(source.at(name))).isDirectory();
    if (found.isDirectory() && isDirectory) return 'enter';
    if (!found.isFile() || isDirectory)
      throw new FileError('wrong_type', `The entry at "${name}" is of another type.`);
    if (!isReplacing) throw new FileError('exists', `A file "${name}" already exists.`);
    return 'leave';
  });
  await eachPair(from, to, async (source, target, name) => {
    const isDirectory = (await lstat(source.at(name))).isDirectory();
    const found = await lstat(target.at(name)).catch(nullIfMissing);
    if (found !== null && isDirectory) return 'enter';
    if (isReplacing || isDirectory) await rename(source.at(name), target.at(name));
    else await moveWithoutReplacing(source.at(name), target.at(name));
    return 'leave';
  });
  await to.sync();
}

/** Visits each name of the first directory with its counterpart in the second. Descends on the result `enter`. */
async function eachPair(
  from: Folder,
  to: Folder,
  visit: (from: Folder, to: Folder, name: string) => Promise<'enter' | 'leave'>,
): Promise<void> {
  const names: string[] = [];
  for await (const name of from.names()) names.push(name);
  for (const name of names) {
    if ((await visit(from, to, name)) === 'leave') continue;
    const source = await from.enter(name);
    try {
      const target = await to.enter(name);
      try {
        await eachPair(source, target, visit);
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  }
}

const tooLarge = () =>
  new FileError(
    'too_large',
    `The archive unpacks to more than 16 GiB, or to more than ${maxTimes} times its size.`,
  );

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
