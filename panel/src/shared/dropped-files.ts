// The files of a drop or a choice, with those in dropped folders.

export interface DroppedFile {
  file: File;
  /** Below the folder that it is dropped into. */
  path: string;
}

/** Whether files are dragged, and not a text or an element of the page. */
export const hasFiles = ({ dataTransfer }: Pick<DragEvent, 'dataTransfer'>): boolean =>
  dataTransfer?.types.includes('Files') === true;

export const chosenFiles = (files: Iterable<File>): DroppedFile[] =>
  [...files].map((file) => ({
    file,
    path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
  }));

export interface Dropped {
  files: DroppedFile[];
  /** Paths of files and folders that the browser could not read. */
  unreadable: string[];
}

/** The browser clears the event after its handler, so the entries are taken before anything is awaited. */
export async function droppedFiles(data: DataTransfer): Promise<Dropped> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const unreadable: string[] = [];
  if (entries.length === 0) return { files: chosenFiles(data.files), unreadable };
  const files = (await Promise.all(entries.map((entry) => filesIn(entry, unreadable)))).flat();
  return { files, unreadable };
}

async function filesIn(entry: FileSystemEntry, unreadable: string[]): Promise<DroppedFile[]> {
  try {
    return await readableIn(entry, unreadable);
  } catch {
    unreadable.push(entry.fullPath);
    return [];
  }
}

async function readableIn(entry: FileSystemEntry, unreadable: string[]): Promise<DroppedFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ file, path: entry.fullPath.replace(/^\/+/, '') }];
  }
  const inside = await entriesIn((entry as FileSystemDirectoryEntry).createReader());
  return (await Promise.all(inside.map((each) => filesIn(each, unreadable)))).flat();
}

/** Browsers return the entries of a folder in portions; the last one is empty. */
async function entriesIn(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (portion.length === 0) return all;
    all.push(...portion);
  }
}
