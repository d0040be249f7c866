// Compares configurations and files of plugins leaf by leaf.
import type { Node } from 'jsonc-parser';
import {
  escaped,
  itemsOf,
  propertiesOf,
  readJson,
  valueOf,
  keyOf,
} from '../../src/plugin-configs/json-text.ts';
import type { ConfigData, Contents, PluginKind } from '../../src/plugin-configs/kind.ts';

/** Every value that is not an object or a list, by its pointer. */
export function leavesOf(value: unknown, pointer = ''): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return value === undefined ? {} : { [pointer]: value };
  const inner = Object.entries(value).map(([key, part]) => leavesOf(part, `${pointer}/${escaped(key)}`));
  return Object.assign({}, ...inner) as Record<string, unknown>;
}

/** Leaves that a file of the plugin can hold. */
export function writtenLeaves(kind: PluginKind, config: ConfigData): Record<string, unknown> {
  const unwritten = kind.unwritten(config).map(({ pointer }) => pointer);
  const isWritten = ([at]: [string, unknown]) =>
    !unwritten.some((pointer) => at === pointer || at.startsWith(`${pointer}/`));
  return Object.fromEntries(Object.entries(leavesOf(config)).filter(isWritten));
}

export interface FileLeaf {
  pointer: string;
  node: Node;
  text: string;
}

/** Every leaf of a JSON file as written. */
export function fileLeaves(content: string): FileLeaf[] {
  const document = readJson(content);
  const walk = (node: Node, pointer: string): FileLeaf[] => {
    if (node.type === 'object')
      return propertiesOf(node).flatMap((property) =>
        walk(valueOf(property) as Node, `${pointer}/${escaped(keyOf(property))}`),
      );
    if (node.type === 'array')
      return itemsOf(node).flatMap((item, index) => walk(item, `${pointer}/${index}`));
    return [{ pointer, node, text: document.text.slice(node.offset, node.offset + node.length) }];
  };
  return document.root === undefined ? [] : walk(document.root, '');
}

/** Another value of the same type. */
export function differentValue(leaf: unknown): unknown {
  if (typeof leaf === 'boolean') return !leaf;
  if (typeof leaf === 'number') return leaf + 1;
  if (typeof leaf === 'string') return /^\d+$/.test(leaf) ? (leaf === '7' ? '8' : '7') : `${leaf}x`;
  return 'x';
}

/** Leaves of files whose text differs from the other files, as `file#pointer`. */
export function changedLeaves(one: Contents, other: Contents): string[] {
  const textsOf = (contents: Contents) =>
    new Map(
      [...contents].flatMap(([file, content]) =>
        fileLeaves(content).map(({ pointer, text }) => [`${file}#${pointer}`, text] as const),
      ),
    );
  const [before, after] = [textsOf(one), textsOf(other)];
  return [...new Set([...before.keys(), ...after.keys()])].filter((at) => before.get(at) !== after.get(at));
}

/** The same with another value at one place. */
export function withLeaf<T>(value: T, pointer: string, leaf: unknown): T {
  const copy = structuredClone(value) as unknown;
  const steps = pointer.split('/').slice(1);
  const unescaped = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = unescaped.pop() ?? '';
  const place = unescaped.reduce((inner, step) => (inner as Record<string, unknown>)[step], copy);
  (place as Record<string, unknown>)[last] = leaf;
  return copy as T;
}
