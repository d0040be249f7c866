// Takes the kinds of plugin configurations from the contract into the page: what the list needs, and one module for the
// schema of each kind, which is loaded with its editor.
import type { Plugin } from 'vite';
import { readKinds, type NamedKind } from '../../scripts/plugin-kinds.ts';

type Item = Record<string, unknown>;

const listId = 'virtual:plugin-kinds';
const schemaId = 'virtual:plugin-schema/';

/** Resolves `virtual:plugin-kinds`, which imports the schemas when they are asked for. */
export function pluginKinds(): Plugin {
  const kinds = readKinds();
  return {
    name: 'plugin-kinds',
    resolveId: (id) => (id === listId || id.startsWith(schemaId) ? `\0${id}` : null),
    load: (id) => {
      if (id === `\0${listId}`) return listModule(kinds);
      const kind = kinds.find(({ name }) => id === `\0${schemaId}${name}`);
      return kind === undefined ? null : schemaModule(kind);
    },
  };
}

function listModule(kinds: readonly NamedKind[]): string {
  const imports = kinds.map(({ name }) => `${JSON.stringify(name)}: () => import('${schemaId}${name}')`);
  return `export const kinds = ${JSON.stringify(kinds.map(listed))};
export const schemas = { ${imports.join(', ')} };`;
}

function listed(kind: NamedKind): Item {
  const root = kind.schemas[`${kind.noun}ConfigData`] ?? {};
  const fields = (root['properties'] ?? {}) as Record<string, Item>;
  const used = Object.values(fields).flatMap((field) => (field['x-generations'] ?? []) as string[]);
  const generations = (kind.generations ?? []).map(({ name }) => name as string);
  const isOfAll = Object.values(fields).some((field) => field['x-generations'] === undefined);
  return {
    name: kind.name,
    needs: kind.alsoNeeds ?? [],
    files: distinct(
      kind.files.map(({ file, field, key, plugin }) => ({
        file,
        plugin,
        isList: key === undefined && isList(fields[field as string], kind),
      })),
    ),
    // Versions that nothing can be configured for are left out.
    generations: generations.filter((name) => isOfAll || used.includes(name)),
  };
}

/** A file that holds several fields is declared for each of them. */
const distinct = <Each extends { file: unknown }>(files: readonly Each[]): Each[] =>
  files.filter(({ file }, index) => files.findIndex((other) => other.file === file) === index);

function isList(field: Item | undefined, kind: NamedKind): boolean {
  const reference = field?.['$ref'];
  const target = typeof reference === 'string' ? kind.schemas[nameOf(reference)] : field;
  return target?.['type'] === 'array';
}

const nameOf = (reference: string): string => reference.replace('#/schemas/', '');

const schemaModule = ({ noun, schemas }: NamedKind): string =>
  `export default JSON.parse(${JSON.stringify(
    JSON.stringify({ root: `${noun}ConfigData`, schemas: slim(schemas) }),
  )});`;

/** Keywords of the contract, each under the name that editors use. */
const keywords: Readonly<Record<string, string>> = {
  'x-plugin-default': 'default',
  'x-generations': 'generations',
  'x-key': 'key',
  'x-kept': 'kept',
  'x-form': 'form',
  'x-new': 'initial',
};

/** Values of these are data, not schemas. */
const plain = new Set(['x-plugin-default', 'enum', 'required', 'x-generations', 'type', 'x-new']);
const dropped = new Set(['example', 'format', 'x-former-key', 'x-identity', 'x-sent-back', 'x-rest']);

function slim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(slim);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([keyword, inner]) => slimmed(keyword, inner)));
}

function slimmed(keyword: string, inner: unknown): [string, unknown][] {
  if (dropped.has(keyword)) return [];
  if (keyword === '$ref') return [['ref', nameOf(String(inner))]];
  if (keyword === 'properties')
    return [
      [keyword, Object.fromEntries(Object.entries(inner as Item).map(([name, part]) => [name, slim(part)]))],
    ];
  if (keyword === 'x-key') return lastKey(inner);
  // A closed object and an open map differ in this keyword only.
  if (keyword === 'additionalProperties' && typeof inner !== 'object') return [];
  // Generated from the key, which is there itself.
  if (keyword === 'description' && /^(?:Setting )?`[^`]+`\.$/.test(String(inner))) return [];
  return [[keywords[keyword] ?? keyword, plain.has(keyword) ? inner : slim(inner)]];
}

function lastKey(key: unknown): [string, unknown][] {
  const last = [key].flat().at(-1);
  return last === undefined ? [] : [['key', last]];
}
