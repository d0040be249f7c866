// Tells which generation of a plugin's files a server has, and what of a configuration that generation knows.
import type { Node } from 'jsonc-parser';
import { escaped, type JsonText } from './json-text.ts';
import type { Remark } from './reading.ts';
import { fieldOf, isMap, type Schema } from './schema.ts';
import type { ConfigValue } from './wanted.ts';

/** Versions or editions of a plugin whose files have the same keys. */
export interface Generation {
  /** As `x-generations` in the contract has it. */
  name: string;
  /** For people, after "has". */
  title: string;
  /** How a file tells that it is of this one, by file. */
  signs: Readonly<Record<string, (root: Node) => boolean>>;
}

type Generations = readonly Generation[];

export type Documents = ReadonlyMap<string, JsonText>;

/** Which one a file tells of; undefined where it could be of any. */
export const generationOfFile = (
  generations: Generations,
  file: string,
  { root }: JsonText,
): Generation | undefined =>
  root === undefined ? undefined : generations.find(({ signs }) => signs[file]?.(root) === true);

/** Which one the files tell of, the first of them that does, in the order of the signs. */
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

/** The schema without what a generation does not know. */
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

/** What is given that not every generation knows. */
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

/** What of a configuration a generation has no place for. */
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
  /** Where it is for none any more, since each of its parts is for another one. */
  torn: Remark[];
}

function possibleFor(generations: Generations, schema: Schema, config: ConfigValue): Possible {
  let possible = generations;
  for (const { pointer, names } of particular(schema, config)) {
    const left = possible.filter(({ name }) => names.includes(name));
    if (left.length === 0) {
      const titles = possible.map(({ title }) => title).join(' or ');
      return { generations: left, torn: [{ pointer, detail: `is not for ${titles}, as the rest is` }] };
    }
    possible = left;
  }
  return { generations: possible, torn: [] };
}

/** The only one that a configuration can be for. */
export function generationOfConfig(
  generations: Generations,
  schema: Schema,
  config: ConfigValue,
): Generation | undefined {
  const [only, ...others] = possibleFor(generations, schema, config).generations;
  return others.length === 0 ? only : undefined;
}

export const tornIn = (generations: Generations, schema: Schema, config: ConfigValue): Remark[] =>
  possibleFor(generations, schema, config).torn;
