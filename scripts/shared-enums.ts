// Resolves `enum: { $ref: … }`, so that a list of values is written once; the lint of examples cannot follow it.
import { dirname, join } from 'node:path';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const shared = /enum: \{ \$ref: '([^'#]+)#\/([^']+)' \}/g;

/** Returns the text of the file with each referenced list in its place. */
export function withSharedEnums(path: string): string {
  return readFileSync(path, 'utf8').replace(shared, (reference, file: string, pointer: string) => {
    const source: unknown = parse(readFileSync(join(dirname(path), file), 'utf8'), { merge: true });
    const list = pointer.split('/').reduce(child, source);
    if (!Array.isArray(list)) throw new Error(`${path}: ${reference} does not refer to a list`);
    return `enum: ${JSON.stringify(list)}`;
  });
}

const child = (value: unknown, key: string): unknown => (value as Record<string, unknown> | undefined)?.[key];
