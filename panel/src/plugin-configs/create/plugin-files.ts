// Which files of plugins dropped files are, by their names and contents.
import { kinds, type KindName } from '../kinds.ts';

export interface DroppedFile {
  /** As far as it is known, with its folders. */
  path: string;
  content: string;
}

export interface RecognizedFile extends DroppedFile {
  kind: KindName;
  /** The file of the plugin, such as `config/GatherManager.json`. */
  file: string;
}

export interface Recognized {
  files: readonly RecognizedFile[];
  unknown: readonly DroppedFile[];
}

export function recognized(dropped: readonly DroppedFile[]): Recognized {
  const files: RecognizedFile[] = [];
  const unknown: DroppedFile[] = [];
  for (const each of dropped) {
    const found = recognize(each);
    if (found === null) unknown.push(each);
    else files.push({ ...each, ...found });
  }
  return { files, unknown };
}

/** The folders decide; without them the name does, and whether the file is a list. */
function recognize({ path, content }: DroppedFile): { kind: KindName; file: string } | null {
  const wanted = normalized(path);
  const all = kinds.flatMap(({ name, files }) => files.map((file) => ({ kind: name, ...file })));
  const exact = all.find(
    ({ file }) => wanted === file.toLowerCase() || wanted.endsWith(`/${file.toLowerCase()}`),
  );
  if (exact !== undefined) return exact;
  const named = all.filter(({ file }) => nameOf(file.toLowerCase()) === nameOf(wanted));
  const isList = /^\s*\[/.test(content);
  return named.find((file) => file.isList === isList) ?? named[0] ?? null;
}

/** Carbon keeps configurations in `configs`. */
const normalized = (path: string): string =>
  path
    .toLowerCase()
    .replaceAll('\\', '/')
    .replace(/(^|\/)configs\//, '$1config/');

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
