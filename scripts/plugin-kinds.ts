// Reads the kinds of plugin configurations, and expands the template of their operations for each of them.
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
  /** The name in PascalCase: a part of operationIds and schema names. */
  noun: string;
  /** The path parameter of its configurations. */
  idParameter: string;
}

/** The expanded template: path items by path, and schemas by name. */
export interface KindOperations {
  paths: Record<string, Item>;
  schemas: Record<string, Item>;
}

const required = ['title', 'files', 'presets', 'exampleFiles', 'schemas'];
const known = [...required, 'generations', 'folders', 'alsoNeeds', 'playerCommands'];

export const readTemplate = (): KindOperations =>
  parse(readFileSync(resolve(folder, 'operations.yaml'), 'utf8'), { merge: true }) as KindOperations;

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
  return {
    name,
    noun: name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()),
    idParameter: `${name.replaceAll('-', '_')}_config_id`,
    ...declared,
    schemas: keyDescription(declared.schemas),
  };
}

/** The template's operations for one kind. */
export function operationsOf(template: KindOperations, kind: NamedKind): KindOperations {
  const { name, noun, idParameter, title, alsoNeeds = [], exampleFiles, schemas } = kind;
  const expanded = expand(template, {
    kind: name,
    noun,
    id: idParameter,
    title,
    one: `${/^[aeiou]/.test(title) ? 'an' : 'a'} ${title}`,
    alsoNeeds,
    example: schemas[`${noun}ConfigData`]?.['example'],
    files: exampleFiles,
  }) as KindOperations;
  for (const item of Object.values(expanded.paths))
    for (const [method, operation] of Object.entries(item))
      if (method !== 'parameters')
        item[method] = {
          ...(operation as Item),
          tags: ['Plugin Configurations'],
          'x-validator': `plugin-configs-${name}`,
        };
  return expanded;
}

/**
 * Replaces «placeholders» in texts and keys. A text that is nothing but a placeholder becomes its value; a list of values
 * is inserted into the list around it.
 */
function expand(node: unknown, values: Item): unknown {
  if (typeof node === 'string') {
    const only = /^«(\w+)»$/.exec(node)?.[1];
    return only === undefined
      ? node.replace(/«(\w+)»/g, (_, name: string) => String(valueOf(name, values)))
      : valueOf(only, values);
  }
  if (Array.isArray(node))
    return node.flatMap((part: unknown) => {
      const value = expand(part, values);
      return typeof part === 'string' && Array.isArray(value) ? (value as unknown[]) : [value];
    });
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [String(expand(key, values)), expand(value, values)]),
  );
}

function valueOf(name: string, values: Item): unknown {
  if (values[name] === undefined) throw new Error(`the template has the unknown placeholder «${name}»`);
  return values[name];
}

/** The operations of the template, by their operationIds without the noun. */
export const operationNames = ({ paths }: KindOperations): string[] =>
  operationIdsIn(paths).map((id) => id.replace('«noun»', ''));

export const operationIdsIn = (paths: Record<string, Item>): string[] =>
  Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap((part) =>
      typeof part === 'object' && part !== null && 'operationId' in part ? [String(part.operationId)] : [],
    ),
  );
