// The parsed files of a kind, and which of them is not JSON.
import {
  escaped,
  JsonFault,
  keyOf,
  pointerOf,
  propertiesOf,
  propertyOf,
  readJson,
  valueOf,
  type JsonText,
} from './json-text.ts';
import { reading, stays, unknownHere, type Reading, type Remark, type Tracks } from './reading.ts';
import { RemarkList } from './remarks.ts';
import type { Schema } from './schema.ts';

/** A whole document, or its value under a key. */
interface Part {
  key?: string;
}

/** A value in a file that was not taken unchanged, by its place in the document. */
export interface NotRead extends Remark {
  file: string;
}

/** Throws a `JsonFault` that names the file if one is not JSON. */
export const documentsOf = (
  files: Iterable<string>,
  contents: ReadonlyMap<string, string>,
): ReadonlyMap<string, JsonText> =>
  new Map([...files].map((file) => [file, naming(file, () => readJson(contents.get(file) ?? ''))]));

/** Runs `work`, and adds the file's name to a `JsonFault` that it throws. */
export function naming<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof JsonFault) throw new JsonFault(`${file}, ${error.message}`, { cause: error });
    throw error;
  }
}

/** Keys other than those of the parts; none if one part is the whole document. */
export function unknownKeysIn({ root }: JsonText, parts: readonly Part[]): RemarkList<Remark> {
  const remarks = new RemarkList<Remark>();
  if (root === undefined || parts.some(({ key }) => key === undefined)) return remarks;
  for (const property of propertiesOf(root))
    if (!parts.some(({ key }) => key === keyOf(property)))
      remarks.add({ pointer: `/${escaped(keyOf(property))}`, detail: unknownHere });
  return remarks;
}

/** Reads a part of a document, which may be under a key, by the schema. */
export function readPart(part: Part, schema: Schema, document: JsonText, tracks: Tracks): Reading {
  const root = rootOf(part, document);
  if (root === undefined) return { value: undefined, remarks: new RemarkList() };
  const found = reading(schema, { ...document, root }, tracks);
  if (found.value !== undefined) return found;
  tracks.leftOut.add(root);
  const remarks = new RemarkList<Remark>();
  remarks.add({ pointer: pointerOf(root), detail: `is of another type and ${stays}` });
  return { value: undefined, remarks };
}

export const rootOf = ({ key }: Part, { root }: JsonText) =>
  key === undefined ? root : valueOf(propertyOf(root, key));
