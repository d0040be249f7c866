// Packs files of an instance into a zip file, which appears once it is complete.
import { lstat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { finished, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { bytesOf, writeAll } from './content.ts';
import { placeOf, within } from './entries.ts';
import { FileError } from './file-error.ts';
import { maxSteps, ownPrefix } from './file-path.ts';
import type { Folder } from './folder.ts';
import type { InstanceFiles } from './instance-files.ts';

export const maxEntries = 100_000;
const maxBytes = 64 * 1024 ** 3;
/** Files from 2 GiB on are packed in Zip64 format, which also allows for growth while packing. */
export const largeBytes = 2 * 1024 ** 3;

interface Packed {
  steps: string[];
  size: number;
  mtime: Date;
  isDirectory: boolean;
}

/** Returns a sentence that says how much was packed. */
export async function packFiles(files: InstanceFiles, paths: string[], archivePath: string): Promise<string> {
  const found: Packed[] = [];
  let size = 0;
  for (const path of new Set(paths)) {
    const { parents, name } = placeOf(path);
    await within(files.openRoot, parents, async (folder) => {
      for await (const entry of walked(folder, parents, name)) {
        found.push(entry);
        size += entry.size;
        if (found.length > maxEntries)
          throw new FileError('too_large', `There are more than ${maxEntries} files.`);
        if (size > maxBytes) throw new FileError('too_large', 'The files have more than 64 GiB.');
      }
    });
  }
  const staged = await files.stage(archivePath, false);
  try {
    const zip = new ZipFile();
    const reading = new Map<Readable, FileHandle>();
    for (const entry of found) add(zip, files, entry, reading);
    zip.end();
    const packed = zip.outputStream as Readable;
    // An entry's error is emitted on the zip file only; without this its output stream would wait forever.
    zip.on('error', (error: Error) => packed.destroy(error));
    try {
      await writeAll(staged, packed);
    } finally {
      await Promise.all([...reading].map(([stream, file]) => leave(stream, file)));
    }
    await files.exclusively(() => staged.publish(false));
  } finally {
    await staged.discard();
  }
  return `${found.length} entries were packed.`;
}

function add(
  zip: ZipFile,
  files: InstanceFiles,
  { steps, size, mtime, isDirectory }: Packed,
  reading: Map<Readable, FileHandle>,
): void {
  const name = steps.join('/');
  if (isDirectory) {
    zip.addEmptyDirectory(name, { mtime });
    return;
  }
  zip.addReadStreamLazy(name, { mtime, forceZip64Format: size > largeBytes }, (done) => {
    within(files.openRoot, steps.slice(0, -1), (folder) => folder.openFile(steps.at(-1) ?? '')).then(
      (file) => {
        const stream = Readable.from(bytesOf(file, size), { objectMode: false });
        reading.set(stream, file);
        stream.on('end', () => {
          reading.delete(stream);
          void file.close();
        });
        done(null, stream);
      },
      (error: unknown) => done(error, null as never),
    );
  });
}

/** Closes the file once its stream no longer reads it. */
async function leave(stream: Readable, file: FileHandle): Promise<void> {
  const isOver = new Promise<void>((resolve) => finished(stream, () => resolve()));
  stream.destroy();
  await isOver;
  await file.close();
}

/**
 * Yields the entry and, for a directory, everything below it. Entries that cannot be packed are skipped, except the one
 * that was requested itself.
 */
async function* walked(
  folder: Folder,
  parents: readonly string[],
  name: string,
  isAskedFor = true,
): AsyncGenerator<Packed> {
  const steps = [...parents, name];
  if (steps.length > maxSteps) throw new FileError('too_large', 'The directories are nested too deeply.');
  const found = await lstat(folder.at(name));
  const { mtime } = found;
  if (found.isFile()) yield { steps, size: found.size, mtime, isDirectory: false };
  else if (found.isDirectory()) {
    yield { steps, size: 0, mtime, isDirectory: true };
    const inner = await folder.enter(name);
    try {
      for await (const child of inner.names()) {
        if (child.toLowerCase().startsWith(ownPrefix) || (await inner.isOwn(child))) continue;
        yield* walked(inner, steps, child, false);
      }
    } finally {
      await inner.close();
    }
  } else if (isAskedFor) throw new FileError('wrong_type', `"${name}" is neither a file nor a directory.`);
}
