// Detects the generation of a server's plugin files, and the parts of a configuration that it supports.
import type { Node } from 'jsonc-parser';
import { escaped, type JsonText } from './json-text.ts';
import type { Remark } from './reading.ts';
import { fieldOf, isMap, type Schema } from './schema.ts';
import type { ConfigValue } from './wanted.ts';

/** Versions or editions of a plugin whose files have the same keys. */
export interface Generation {
  /** As in `x-generations` in the contract. */
  name: string;
  /** For people, after "has". */
  title: string;
  /** Predicates by file that recognize this generation. */
  signs: Readonly<Record<string, (root: Node) => boolean>>;
}

type Generations = readonly Generation[];

export type Documents = ReadonlyMap<string, JsonText>;

/** The generation that a file shows; undefined if it could be any. */
export const generationOfFile = (
  generations: Generations,
  file: string,
  { root }: JsonText,
): Generation | undefined =>
  root === undefined ? undefined : generations.find(({ signs }) => signs[file]?.(root) === true);

/** The generation that the files show; the first conclusive file decides, in the order of the signs. */
export function generationOfFiles(generations: Generations, documents: Documents): Generation | undefined {
  const files = new Set(generations.flatMap(({ signs }) => Object.keys(signs)));
  for (const file of files) {
    const document = documents.get(file);
    const generation = document && generationOfFile(generations, file, document);
    if (generation !== undefined) return generation;
  }
  return undefined;
}

const isOf = ({ 'x-generations': names }: Schema, generation: Pick<Generation, 'name'>) =>
  names === undefined || names.includes(generation.name);

/** The schema without the parts that the generation does not support. */
export function ofGeneration(schema: Schema, generation: Generation): Schema {
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties)
          .filter(([, part]) => isOf(part, generation))
          .map(([name, part]) => [name, ofGeneration(part, generation)]),
      ),
    }),
    ...(items && { items: ofGeneration(items, generation) }),
    ...(additionalProperties && { additionalProperties: ofGeneration(additionalProperties, generation) }),
  };
}

interface Given {
  pointer: string;
  names: readonly string[];
}

/** The given values that not every generation supports. */
function particular(schema: Schema, value: ConfigValue, pointer = ''): Given[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as Readonly<Record<string, ConfigValue>>).flatMap(([key, inner]) => {
    const part = Array.isArray(value)
      ? schema.items
      : isMap(schema)
        ? schema.additionalProperties
        : fieldOf(schema, key);
    if (part === undefined || inner === undefined) return [];
    const at = `${pointer}/${escaped(key)}`;
    const names = part['x-generations'];
    return [...(names === undefined ? [] : [{ pointer: at, names }]), ...particular(part, inner, at)];
  });
}

/** The parts of a configuration that the generation does not support. */
export function foreignTo(schema: Schema, config: ConfigValue, { name, title }: Generation): Remark[] {
  return particular(schema, config)
    .filter(({ names }) => !names.includes(name))
    .map(({ pointer }) => ({
      pointer,
      detail: `The server has ${title}, which has no such setting; it is kept here and not written.`,
    }));
}

interface Possible {
  generations: Generations;
  /** Remarks if no single generation supports the whole configuration. */
  conflicts: Remark[];
}

function possibleFor(generations: Generations, schema: Schema, config: ConfigValue): Possible {
  let possible = generations;
  for (const { pointer, names } of particular(schema, config)) {
    const left = possible.filter(({ name }) => names.includes(name));
    if (left.length === 0) {
      const titles = possible.map(({ title }) => title).join(' or ');
      return { generations: left, conflicts: [{ pointer, detail: `is not for ${titles}, as the rest is` }] };
    }
    possible = left;
  }
  return { generations: possible, conflicts: [] };
}

/** The only generation that supports the configuration. */
export function generationOfConfig(
  generations: Generations,
  schema: Schema,
  config: ConfigValue,
): Generation | undefined {
  const [only, ...others] = possibleFor(generations, schema, config).generations;
  return others.length === 0 ? only : undefined;
}

export const mixedGenerationsIn = (generations: Generations, schema: Schema, config: ConfigValue): Remark[] =>
  possibleFor(generations, schema, config).conflicts;
