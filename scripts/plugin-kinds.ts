// Reads the kinds of plugin configurations, and expands the schemas that all of them have.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parse } from 'yaml';
import { keyDescription } from './key-descriptions.ts';

const folder = resolve(import.meta.dirname, '../openapi/plugin-configs');

type Item = Record<string, unknown>;

/** What a file of openapi/plugin-configs/kinds declares. */
export interface DeclaredKind {
  title: string;
  files: Item[];
  generations?: Item[];
  folders?: Item[];
  alsoNeeds?: string[];
  playerCommands?: Item;
  presets: Item[];
  /** Files of a server that has the example configuration. */
  exampleFiles: Item[];
  schemas: Record<string, Item>;
}

export interface NamedKind extends DeclaredKind {
  name: string;
  /** The name in PascalCase: a part of schema names. */
  noun: string;
}

/** The schemas of every kind, under names with placeholders, and the unions over all kinds. */
export interface SchemaTemplate {
  ofKind: Record<string, Item>;
  unions: Record<string, { of: string; description: string }>;
}

const required = ['title', 'files', 'presets', 'exampleFiles', 'schemas'];
const known = [...required, 'generations', 'folders', 'alsoNeeds', 'playerCommands'];

export const readTemplate = (): SchemaTemplate =>
  parse(readFileSync(resolve(folder, 'schemas.yaml'), 'utf8'), { merge: true }) as SchemaTemplate;

export function readKinds(): NamedKind[] {
  return readdirSync(resolve(folder, 'kinds'))
    .toSorted()
    .map((file) => {
      const text = readFileSync(resolve(folder, 'kinds', file), 'utf8');
      return namedKind(basename(file, '.yaml'), parse(text) as DeclaredKind);
    });
}

export function namedKind(name: string, declared: DeclaredKind): NamedKind {
  const keys = Object.keys(declared);
  const faults = [
    ...required.filter((key) => !keys.includes(key)).map((key) => `lacks ${key}`),
    ...keys.filter((key) => !known.includes(key)).map((key) => `has the unknown key ${key}`),
  ];
  if (faults.length > 0) throw new Error(`the plugin kind ${name} ${faults.join(', ')}`);
  const noun = name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const { [`${noun}ConfigData`]: config, ...others } = keyDescription(declared.schemas);
  if (config === undefined) throw new Error(`the plugin kind ${name} lacks the schema ${noun}ConfigData`);
  const schemas = { [`${noun}ConfigData`]: { ...config, 'x-sent-back': true }, ...others };
  return { name, noun, ...declared, schemas };
}

/** The template's schemas for one kind. */
export const schemasOf = ({ ofKind }: SchemaTemplate, { name, noun }: NamedKind) =>
  expand(ofKind, { kind: name, noun }) as Record<string, Item>;

/**
 * The names of the kinds, and the unions: each has one schema of every kind, selected by `kind`. `fileOf` returns the
 * file with the schemas of a kind.
 */
export function unionsOf(
  { unions }: SchemaTemplate,
  kinds: readonly NamedKind[],
  fileOf: (kind: NamedKind) => string,
): Record<string, Item> {
  const referenceTo = (of: string, kind: NamedKind) =>
    `${fileOf(kind)}#/schemas/${String(expand(of, { noun: kind.noun }))}`;
  const expanded = Object.entries(unions).map(([name, { of, description }]) => {
    const references = kinds.map((kind) => [kind.name, referenceTo(of, kind)] as const);
    const union = {
      type: 'object',
      description,
      oneOf: references.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: 'kind', mapping: Object.fromEntries(references) },
    };
    return [name, union] as const;
  });
  const names = {
    type: 'string',
    enum: kinds.map(({ name }) => name),
    description: 'A kind of plugin configuration: the plugin, or the plugins, that it is for.',
  };
  return { PluginConfigKind: names, ...Object.fromEntries(expanded) };
}

/** Permissions beyond those of the operation that some kinds require, by kind. */
export const additionalPermissions = (kinds: readonly NamedKind[]): Record<string, readonly string[]> =>
  Object.fromEntries(
    kinds.flatMap(({ name, alsoNeeds = [] }) => (alsoNeeds.length > 0 ? [[name, alsoNeeds] as const] : [])),
  );

/** Replaces «placeholders» in texts and keys. */
function expand(node: unknown, values: Readonly<Record<string, string>>): unknown {
  if (typeof node === 'string') return node.replace(/«(\w+)»/g, (_, name: string) => valueOf(name, values));
  if (Array.isArray(node)) return node.map((part: unknown) => expand(part, values));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [String(expand(key, values)), expand(value, values)]),
  );
}

function valueOf(name: string, values: Readonly<Record<string, string>>): string {
  const value = values[name];
  if (value === undefined) throw new Error(`the template has the unknown placeholder «${name}»`);
  return value;
}
