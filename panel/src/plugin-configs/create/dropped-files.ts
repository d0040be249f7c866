// Reads what was dropped on the page or chosen, folders included.
import type { DroppedFile } from './plugin-files.ts';

/** The platform takes 8 MiB in one request, as JSON. */
export const maxBytes = 6 * 1024 * 1024;

export const bytesOf = (files: readonly DroppedFile[]): number =>
  files.reduce((sum, { content }) => sum + new Blob([content]).size, 0);

export async function readFiles(files: readonly File[]): Promise<DroppedFile[]> {
  const wanted = files.filter(({ name }) => name.toLowerCase().endsWith('.json'));
  return Promise.all(
    wanted.map(async (file) => ({ path: file.webkitRelativePath || file.name, content: await file.text() })),
  );
}

export async function readDropped(transfer: DataTransfer): Promise<DroppedFile[]> {
  // Entries are only there until the event ends, so all of them are taken first.
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  return (await Promise.all(entries.map(readEntry))).flat();
}

async function readEntry(entry: FileSystemEntry): Promise<DroppedFile[]> {
  if (entry.isDirectory) {
    const entries = await entriesIn((entry as FileSystemDirectoryEntry).createReader());
    return (await Promise.all(entries.map(readEntry))).flat();
  }
  if (!entry.name.toLowerCase().endsWith('.json')) return [];
  const file = await new Promise<File>((resolve, reject) =>
    (entry as FileSystemFileEntry).file(resolve, reject),
  );
  return [{ path: entry.fullPath.replace(/^\//, ''), content: await file.text() }];
}

/** Browsers return the entries of a folder in parts, the last of which is empty. */
async function entriesIn(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return entries;
    entries.push(...part);
  }
}
