// What a kind of plugin configuration is: its schema in the contract, the files it stands for, and how they are brought into force.
import type { Node } from 'jsonc-parser';
import { applied, type Edit } from './edits.ts';
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
import { completed, editsFor, together, type Wanted } from './merge.ts';
import { defaultsOf, mostRemarks, reading, unknownHere, type Remark } from './reading.ts';
import { namedTwice, unprintable, unwrittenIn } from './rules.ts';
import { misplacedIn, resolved, type ConfigSchema, type Schema } from './schema.ts';
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
  /** Permissions of what can be done with it, which who writes or applies it has as well. */
  alsoNeeds?: readonly string[];
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

/** Contents of files by name; a file that is not there has none. */
export type Contents = ReadonlyMap<string, string>;

/** Something in a file that was not taken as it stands, by its place in the document. */
export interface NotRead extends Remark {
  file: string;
}

export interface FromFiles {
  config: ConfigData;
  remarks: NotRead[];
}

/** A file as it is to be. */
export interface ChangedFile {
  content: string;
  /** What was there, without a byte order mark, and what is done to it. */
  text: string;
  edits: readonly Edit[];
}

export class PluginKind {
  readonly definition: KindDefinition;
  readonly schema: Schema;
  /** Of what is written and read. */
  readonly #layout: Schema;
  readonly #partsByFile: ReadonlyMap<string, readonly PluginFile[]>;

  constructor(definition: KindDefinition, schemas: Readonly<Record<string, ConfigSchema>>) {
    this.definition = definition;
    this.#partsByFile = Map.groupBy(definition.files, ({ file }) => file);
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
    return [...this.#partsByFile.keys()];
  }

  defaults(): ConfigData {
    return defaultsOf(this.schema) as ConfigData;
  }

  presets(): readonly Preset[] {
    return this.definition.presets;
  }

  /** What the schema can't say is wrong. */
  contradictions(config: ConfigData): readonly Remark[] {
    return [
      ...unprintable(config, '').slice(0, mostRemarks),
      ...namedTwice(this.schema, config, ''),
      ...(this.definition.faultsOf?.(config) ?? []),
    ];
  }

  /** Every file as it is to be; one that nothing is wanted in and that is not there is left out. */
  toFiles(config: ConfigData, present: Contents): Map<string, string> {
    const changes = this.changes(config, present);
    return new Map([...changes].map(([file, { content }]) => [file, content]));
  }

  /** The same, with what is done to each file for it; but for files that nobody wants to know of. */
  changes(config: ConfigData, present: Contents, but: readonly string[] = []): Map<string, ChangedFile> {
    const { beforeWriting = (same: ConfigData) => same } = this.definition;
    const written = beforeWriting(config);
    const changed = new Map<string, ChangedFile>();
    for (const [file, parts] of this.#partsByFile) {
      if (but.includes(file)) continue;
      const given = parts.flatMap((part) => {
        const value = part.field === undefined ? written : written[part.field];
        return value === undefined ? [] : [{ part, value }];
      });
      if (given.length === 0) continue;
      naming(file, () => {
        const document = readJson(present.get(file) ?? '');
        for (const { part } of given) refuseOther(part, document);
        const wanted = together(given.map(({ part, value }) => this.#wanted(part, value)));
        const edits = editsFor(document, wanted);
        const content = document.mark + applied(document.text, edits);
        changed.set(file, { content, text: document.text, edits });
      });
    }
    return changed;
  }

  /** Throws a `JsonFault` that names the file where one is no JSON. */
  fromFiles(contents: Contents): FromFiles {
    const { afterReading = (same: ConfigData) => same } = this.definition;
    const remarks: NotRead[] = [];
    const config: Record<string, ConfigValue> = {};
    for (const [file, parts] of this.#partsByFile) {
      const document = naming(file, () => readJson(contents.get(file) ?? ''));
      if (document.root === undefined) continue;
      const own = parts.filter((part) => !isOther(part, document));
      if (own.length === 0) remarks.push({ file, pointer: '', detail: `${forAnother}, and was left out` });
      else remarks.push(...strangersIn(document, own).map((remark) => ({ file, ...remark })));
      for (const part of own) {
        const found = this.#readPart(part, document);
        remarks.push(...found.remarks.map((remark) => ({ file, ...remark })));
        if (part.field === undefined) Object.assign(config, found.value);
        else if (found.value !== undefined) config[part.field] = found.value;
      }
    }
    return { config: afterReading(config), remarks: remarks.slice(0, mostRemarks) };
  }

  #readPart({ field, key }: PluginFile, document: JsonText): { value: ConfigValue; remarks: Remark[] } {
    const root = key === undefined ? document.root : valueOf(propertyOf(document.root, key));
    if (root === undefined) return { value: undefined, remarks: [] };
    const { value, remarks } = reading(this.#schemaOf(field), { ...document, root });
    return value === undefined
      ? { value, remarks: [{ pointer: pointerOf(root), detail: 'is of another type and was left out' }] }
      : { value, remarks };
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

  #wanted({ field, key, needs = [] }: PluginFile, value: ConfigValue): Wanted {
    const schema = this.#schemaOf(field);
    const needed = Object.entries(defaultsOf(schema) ?? {}).filter(
      ([name]) => needs === 'all' || needs.includes(name),
    );
    const wanted = completed(wantedOf(schema, value), wantedOf(schema, Object.fromEntries(needed)));
    return key === undefined ? wanted : { is: 'object', isWhole: false, entries: [[key, wanted]] };
  }

  #schemaOf(field: string | undefined): Schema {
    return field === undefined ? this.#layout : (this.#layout.properties?.[field] ?? {});
  }
}

/** The name of its schema in the contract. */
export const schemaNameOf = ({ noun }: Pick<KindDefinition, 'noun'>) => `${noun}ConfigData`;

const isOther = ({ isFor }: PluginFile, { root }: JsonText) =>
  isFor !== undefined && root !== undefined && !isFor(root);

const forAnother = 'is for another version of the plugin';

function refuseOther(part: PluginFile, document: JsonText): void {
  if (isOther(part, document)) throw new JsonFault(`it ${forAnother}`);
}

/** Beside what the parts of the file are. */
function strangersIn({ root }: JsonText, parts: readonly PluginFile[]): Remark[] {
  if (root === undefined || parts.some(({ key }) => key === undefined)) return [];
  return propertiesOf(root)
    .filter((property) => !parts.some(({ key }) => key === keyOf(property)))
    .slice(0, mostRemarks)
    .map((property) => ({ pointer: `/${escaped(keyOf(property))}`, detail: unknownHere }));
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
