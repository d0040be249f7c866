// What a kind of plugin configuration is: its schema in the contract, the files it stands for, and how they are brought into force.
import type { Node } from 'jsonc-parser';
import type { Fault } from '../errors.ts';
import { defaultsOf, escaped, reading, type Remark } from './reading.ts';
import { JsonFault, propertyOf, readJson, valueOf, type JsonText } from './json-text.ts';
import { completed, merged, type Wanted } from './merge.ts';
import { isMap, isWritten, keysOf, misplacedIn, resolved, type ConfigSchema, type Schema } from './schema.ts';
import { wantedOf, type ConfigValue } from './wanted.ts';

export type PlayerMoment = 'join' | 'leave';

/** Templates of console commands; what is left out stays as it was. */
export type PlayerCommands = Readonly<Partial<Record<PlayerMoment, readonly string[]>>>;

export type ConfigData = Readonly<Record<string, ConfigValue>>;

/** One file of a plugin, below the folder of the framework: `config/…` or `data/…`. */
export interface PluginFile {
  file: string;
  /** Which field of the configuration it holds; all of it unless given. */
  field?: string;
  /** The key of its document that holds the field; the document itself unless given. */
  key?: string;
  /** Fields that the plugin can't do without: where neither the file nor the configuration has them, they get their defaults. */
  needs?: 'all' | readonly string[];
  /** Whether a document is one for the field, where others may stand in its place. */
  isFor?: (root: Node) => boolean;
  /** The plugin that reads it. */
  plugin: string;
}

export interface Preset {
  name: string;
  description: string;
  /** What it sets; everything else is left out, and so stays as a server has it. */
  config: ConfigData;
}

export interface KindDefinition<Noun extends string = string> {
  /** Part of its paths, and what its rows are called. */
  name: string;
  /** Part of the names of its operations and schemas. */
  noun: Noun;
  /** For people, after "a" or "the". */
  title: string;
  files: readonly PluginFile[];
  presets: readonly Preset[];
  /** What the schema can't say: faults by their place in the configuration. */
  faultsOf?: (config: ConfigData) => readonly Remark[];
  /** Whether its plugins write these files while they unload, so that they are written between unloading and loading. */
  isWrittenOnUnload?: boolean;
  /** Its fields of commands that no plugin runs, and the platform has typed when a player joins or leaves. */
  playerCommands?: Readonly<Record<PlayerMoment, string>>;
  /** The schema of what is written and read, where that is laid out otherwise than the contract's. */
  layout?: (schema: Schema) => Schema;
  /** What is read of the files, where that is more than the schema says; the same for what is written. */
  afterReading?: (config: ConfigData) => ConfigData;
  beforeWriting?: (config: ConfigData) => ConfigData;
}

const typedByUs = 'The plugin has no such setting; the platform has these commands typed itself.';

/** Nobody reads more of them. */
const mostRemarks = 100;

/** Contents of files by name; a file that is not there has none. */
export type Contents = ReadonlyMap<string, string>;

export interface FromFiles {
  config: ConfigData;
  remarks: Remark[];
}

export class PluginKind {
  readonly definition: KindDefinition;
  readonly schema: Schema;
  /** Of what is written and read. */
  readonly #layout: Schema;

  constructor(definition: KindDefinition, schemas: Readonly<Record<string, ConfigSchema>>) {
    this.definition = definition;
    this.schema = resolved({ $ref: `#/components/schemas/${schemaNameOf(definition)}` }, schemas);
    this.#layout = definition.layout?.(this.schema) ?? this.schema;
    const isFile = (name: string) => definition.files.some(({ field }) => field === name);
    const misplaced = misplacedIn(this.#layout, '', isFile);
    if (misplaced.length > 0)
      throw new Error(`${definition.name}: ${misplaced.join(', ')} needs either x-key or x-kept`);
  }

  get name(): string {
    return this.definition.name;
  }

  /** The names of its files. */
  get files(): string[] {
    return [...new Set(this.definition.files.map(({ file }) => file))];
  }

  defaults(): ConfigData {
    return defaultsOf(this.schema) as ConfigData;
  }

  presets(): readonly Preset[] {
    return this.definition.presets;
  }

  /** What the schema can't say is wrong. */
  contradictions(config: ConfigData): readonly Remark[] {
    return [...namedTwice(this.schema, config, ''), ...(this.definition.faultsOf?.(config) ?? [])];
  }

  faultsOf(config: ConfigData): Fault[] {
    return this.contradictions(config).map(({ pointer, detail }) => ({
      in: 'body',
      pointer: `/config_data${pointer}`,
      detail,
    }));
  }

  /** Every file as it is to be; one that nothing is wanted in and that is not there is left out. */
  toFiles(config: ConfigData, present: Contents): Map<string, string> {
    const { files, beforeWriting = (same: ConfigData) => same } = this.definition;
    const written = beforeWriting(config);
    const contents = new Map<string, string>();
    for (const part of files) {
      const { file, field, key } = part;
      const value = field === undefined ? written : written[field];
      if (value === undefined) continue;
      const inner = this.#wanted(part, value);
      const wanted: Wanted =
        key === undefined ? inner : { is: 'object', isWhole: false, entries: [[key, inner]] };
      const text = present.get(file) ?? '';
      const content = naming(file, () => {
        refuseOther(part, readJson(text));
        return merged(text, wanted);
      });
      contents.set(file, content);
    }
    return contents;
  }

  /** Throws a `JsonFault` that names the file where one is no JSON. */
  fromFiles(contents: Contents): FromFiles {
    const { files, afterReading = (same: ConfigData) => same } = this.definition;
    const remarks: Remark[] = [];
    const config: Record<string, ConfigValue> = {};
    for (const part of files) {
      const { file, field, key } = part;
      const document = naming(file, () => readJson(contents.get(file) ?? ''));
      const root = key === undefined ? document.root : valueOf(propertyOf(document.root, key));
      if (root === undefined || isOther(part, document)) continue;
      const found = reading(this.#schemaOf(field), { ...document, root });
      remarks.push(
        ...found.remarks.map(({ pointer, detail }) => ({
          pointer: `${field === undefined ? '' : `/${field}`}${pointer}`,
          detail,
        })),
      );
      if (field === undefined) Object.assign(config, found.value);
      else config[field] = found.value;
    }
    return { config: afterReading(config), remarks };
  }

  /** What the platform itself does for the configuration; null where that is nothing. */
  playerCommands(config: ConfigData): PlayerCommands | null {
    const given = Object.entries(this.definition.playerCommands ?? {}).flatMap(([moment, field]) =>
      config[field] === undefined ? [] : [[moment, config[field]] as const],
    );
    return given.length === 0 ? null : Object.fromEntries(given);
  }

  /** What the record keeps and no file gets. */
  unwritten(config: ConfigData): Remark[] {
    const { files, playerCommands = {} } = this.definition;
    const isFile = (name: string) => files.some(({ field }) => field === name);
    const typed = new Set(Object.values<string>(playerCommands).map((field) => `/${field}`));
    return unwrittenIn(this.schema, config, '', isFile)
      .slice(0, mostRemarks)
      .map(({ pointer, detail }) => ({ pointer, detail: typed.has(pointer) ? typedByUs : detail }));
  }

  #wanted({ field, needs = [] }: PluginFile, value: ConfigValue): Wanted {
    const schema = this.#schemaOf(field);
    const needed = Object.entries(defaultsOf(schema) ?? {}).filter(
      ([name]) => needs === 'all' || needs.includes(name),
    );
    return completed(wantedOf(schema, value), wantedOf(schema, Object.fromEntries(needed)));
  }

  #schemaOf(field: string | undefined): Schema {
    return field === undefined ? this.#layout : (this.#layout.properties?.[field] ?? {});
  }
}

const isPlain = (value: ConfigValue): value is ConfigData =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name of its schema in the contract. */
export const schemaNameOf = ({ noun }: Pick<KindDefinition, 'noun'>) => `${noun}ConfigData`;

const isOther = ({ isFor }: PluginFile, { root }: JsonText) =>
  isFor !== undefined && root !== undefined && !isFor(root);

function refuseOther(part: PluginFile, document: JsonText): void {
  if (isOther(part, document)) throw new JsonFault('it is for another version of the plugin');
}

/** Says of which file it is that it is no JSON. */
function naming<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof JsonFault) throw new JsonFault(`${file}, ${error.message}`, { cause: error });
    throw error;
  }
}

/** Keys among the rest that have a field of their own: nobody could tell which of the two counts. */
function namedTwice(schema: Schema, value: ConfigValue, pointer: string): Remark[] {
  if (!isPlain(value)) return [];
  if (isMap(schema))
    return Object.entries(value).flatMap(([key, each]) =>
      namedTwice(schema.additionalProperties, each, `${pointer}/${escaped(key)}`),
    );
  const parts = Object.entries(schema.properties ?? {});
  const named = new Map(parts.map(([name, part]) => [keysOf(part)[0], name]));
  return parts.flatMap(([name, part]) => {
    const given = value[name];
    const at = `${pointer}/${name}`;
    if (part['x-rest'] !== true || !isPlain(given)) return namedTwice(part, given, at);
    return Object.keys(given).flatMap((key) => {
      const field = named.get(key);
      return field === undefined
        ? []
        : [{ pointer: `${at}/${escaped(key)}`, detail: `belongs into ${field}, its own field` }];
    });
  });
}

function unwrittenIn(
  schema: Schema,
  value: ConfigValue,
  pointer: string,
  isFile: (name: string) => boolean = () => false,
): Remark[] {
  if (!isPlain(value)) return [];
  if (isMap(schema))
    return Object.entries(value).flatMap(([key, each]) =>
      unwrittenIn(schema.additionalProperties, each, `${pointer}/${escaped(key)}`),
    );
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const given = value[name];
    const at = `${pointer}/${name}`;
    if (given === undefined) return [];
    if (!isWritten(part) && !isFile(name))
      return [{ pointer: at, detail: 'The plugin has no such setting; it is kept here and not written.' }];
    return unwrittenIn(part, given, at);
  });
}
