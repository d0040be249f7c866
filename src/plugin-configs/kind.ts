// A kind of plugin configuration: its schema in the contract, its files, and how they are read and written.
import { differencesIn } from './comparing.ts';
import type { ConfigData, KindDefinition, PlayerCommands, PluginFile, Preset } from './definition.ts';
import { documentsOf, naming, unknownKeysIn, type NotRead } from './documents.ts';
import { applied, type Edit } from './edits.ts';
import {
  foreignTo,
  generationOfConfig,
  generationOfFile,
  generationOfFiles,
  ofGeneration,
  mixedGenerationsIn,
  type Documents,
  type Generation,
} from './generations.ts';
import { Intake, type Source } from './intake.ts';
import { JsonFault, type JsonText } from './json-text.ts';
import { editsFor } from './merge.ts';
import { defaultsOf, stays, type Remark } from './reading.ts';
import { maxRemarks, RemarkList } from './remarks.ts';
import { namedTwice, unprintable, unwrittenIn } from './rules.ts';
import { fieldOf, misplacedIn, resolved, type ConfigSchema, type Schema } from './schema.ts';
import { Validity } from './validity.ts';
import { completed, together, type Wanted } from './wanted-parts.ts';
import { wantedOf, type ConfigValue } from './wanted.ts';

export type * from './definition.ts';
export type { NotRead } from './documents.ts';

const typedByUs = 'The plugin has no such setting; the platform has these commands typed itself.';

/** Contents of files by name; missing files have no entry. */
export type Contents = ReadonlyMap<string, string>;

export interface FromFiles {
  config: ConfigData;
  /** The content of the files that is not in the configuration: the first hundred places. */
  remarks: NotRead[];
  /** The total number of places. */
  remarkCount: number;
}

/** A file with its new content. */
export interface ChangedFile {
  content: string;
  /** The former content, without a byte order mark, and the edits to it. */
  text: string;
  edits: readonly Edit[];
}

/** The result of writing a configuration to the present files. */
export interface Written {
  /** Every file with its new content; a missing file with nothing to write is left out. */
  files: Map<string, ChangedFile>;
  /** Configuration values that are stored but not written to a file. */
  unwritten: Remark[];
  /** The title of the server's generation, if it supports no part of the configuration; otherwise null. */
  foreign: string | null;
}

export class PluginKind<Data extends ConfigData = ConfigData> {
  readonly definition: KindDefinition<Data>;
  readonly schema: Schema;
  /** The same schema with its references unresolved, and their targets: much faster to compile. */
  readonly schemaWithReferences: object;
  readonly #validity: Validity;
  readonly #generations: readonly Generation[];
  /** Schemas for writing and reading, by generation. */
  readonly #layouts: ReadonlyMap<Generation | undefined, Schema>;
  readonly #partsByFile: ReadonlyMap<string, readonly PluginFile[]>;

  constructor(definition: KindDefinition<Data>, schemas: Readonly<Record<string, ConfigSchema>>) {
    this.definition = definition;
    this.#partsByFile = Map.groupBy(definition.files, ({ file }) => file);
    const reference = { $ref: `#/components/schemas/${schemaNameOf(definition)}` };
    this.schema = resolved(reference, schemas);
    this.schemaWithReferences = { ...reference, components: { schemas } };
    this.#validity = new Validity(this.schemaWithReferences);
    this.#generations = definition.generations ?? [];
    const layout = definition.layout?.(this.schema) ?? this.schema;
    this.#layouts = new Map<Generation | undefined, Schema>([
      [undefined, layout],
      ...this.#generations.map((generation) => [generation, ofGeneration(layout, generation)] as const),
    ]);
    const misplaced = misplacedIn(layout, '', this.#isFile);
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

  /** The defaults of the usual generation. */
  defaults(): Data {
    const [usual] = this.#generations;
    return defaultsOf(usual === undefined ? this.schema : ofGeneration(this.schema, usual)) as Data;
  }

  presets(): readonly Preset<Data>[] {
    return this.definition.presets;
  }

  /** Faults that the schema cannot express. */
  contradictions(config: Data): readonly Remark[] {
    return this.#contradictions(config).slice(0, maxRemarks);
  }

  /** The schema's faults or, if there are none, contradictions. */
  faults(config: Data): readonly Remark[] {
    return this.#faultsOf(config).slice(0, maxRemarks);
  }

  #faultsOf(config: ConfigData): Remark[] {
    const faults = this.#validity.faultsOf(config);
    // Without faults, it is what the schema describes.
    return faults.length > 0 ? faults : this.#contradictions(config as Data);
  }

  #contradictions(config: Data): Remark[] {
    return [
      ...unprintable(config, ''),
      ...namedTwice(this.schema, config, ''),
      ...mixedGenerationsIn(this.#generations, this.schema, config),
      ...(this.definition.faultsOf?.(config) ?? []),
    ];
  }

  toFiles(config: Data, present: Contents): Map<string, string> {
    const { files } = this.written(config, present);
    return new Map([...files].map(([file, { content }]) => [file, content]));
  }

  /** Throws a `JsonFault` that names the file if one cannot be edited. */
  written(config: Data, present: Contents): Written {
    const documents = documentsOf(this.files, present);
    const generation = generationOfFiles(this.#generations, documents);
    const foreign = this.#foreign(config, generation);
    const files = this.#changed(config, documents, generation);
    return {
      files,
      unwritten: [...foreign, ...this.unwritten(config)].slice(0, maxRemarks),
      foreign: foreign.length > 0 && files.size === 0 ? (generation?.title ?? null) : null,
    };
  }

  #changed(
    config: Data,
    documents: Documents,
    found: Generation | undefined,
    but: readonly string[] = [],
  ): Map<string, ChangedFile> {
    const generation = found ?? generationOfConfig(this.#generations, this.schema, config);
    const { beforeWriting = (same: ConfigData) => same } = this.definition;
    const written = beforeWriting(config);
    const changed = new Map<string, ChangedFile>();
    let intake: Intake | undefined;
    const leftOut = () => (intake ??= this.#intake(documents, generation).reduce()).leftOut;
    for (const [file, parts] of this.#partsByFile) {
      if (but.includes(file)) continue;
      const given = parts.flatMap((part) => {
        const schema = this.#schemaOf(part, generation);
        const value = part.field === undefined ? written : written[part.field];
        return schema === undefined || value === undefined ? [] : this.#wanted(part, schema, value);
      });
      const document = documents.get(file);
      if (given.length === 0 || document === undefined) continue;
      naming(file, () => {
        if (this.#isOfOther(file, document, generation)) throw new JsonFault(`it ${forAnother}`);
        const edits = editsFor(document, together(given), leftOut);
        const content = document.mark + applied(document.text, edits);
        changed.set(file, { content, text: document.text, edits });
      });
    }
    return changed;
  }

  /**
   * The files' configuration, whether the contract accepts it or not. Throws a `JsonFault` that names the file if one
   * is not JSON.
   */
  fromFiles(contents: Contents): FromFiles {
    return saidBy(this.#intakeOf(documentsOf(this.files, contents)));
  }

  /** The files' configuration without what the contract refuses, which the remarks list. Throws as `fromFiles` does. */
  taken(contents: Contents): FromFiles {
    return saidBy(this.#intakeOf(documentsOf(this.files, contents)).reduce());
  }

  /** The title of the files' generation; null if they do not show it, or if the plugin has only one. */
  generationTitle(contents: Contents): string | null {
    return generationOfFiles(this.#generations, documentsOf(this.files, contents))?.title ?? null;
  }

  #intakeOf(documents: Documents): Intake {
    const generation = generationOfFiles(this.#generations, documents);
    const intake = this.#intake(documents, generation);
    const isMixed = mixedGenerationsIn(this.#generations, this.schema, intake.config).length > 0;
    return generation === undefined && isMixed ? this.#intake(documents, this.#generations[0]) : intake;
  }

  #intake(documents: Documents, generation: Generation | undefined): Intake {
    const { afterReading = (same: ConfigData) => same, placeBefore = (steps) => steps } = this.definition;
    const remarks = new RemarkList<NotRead>();
    const sources: Source[] = [];
    for (const [file, document] of documents) {
      if (document.root === undefined) continue;
      const isOfOther = this.#isOfOther(file, document, generation);
      const own = (isOfOther ? [] : (this.#partsByFile.get(file) ?? [])).flatMap((part) => {
        const schema = this.#schemaOf(part, generation);
        return schema === undefined ? [] : [{ ...part, document, schema }];
      });
      if (own.length === 0) remarks.add({ file, pointer: '', detail: `${forAnother} and ${stays}` });
      else remarks.addAll(unknownKeysIn(document, own), (remark) => ({ file, ...remark }));
      sources.push(...own);
    }
    const faultsOf = (config: ConfigData) => this.#faultsOf(config);
    return new Intake(sources, { afterReading, placeBefore, faultsOf }, remarks);
  }

  /**
   * The parts of a configuration that the files lack: what the server's generation does not support, and differing
   * values. Files in `known` are taken as complete.
   */
  differences(config: Data, contents: Contents, known: readonly string[] = []): Remark[] {
    const documents = documentsOf(this.files, contents);
    const generation = generationOfFiles(this.#generations, documents);
    const foreign = this.#foreign(config, generation);
    const files = this.#changed(config, documents, generation, known);
    const isSame = [...files].every(([file, { content }]) => contents.get(file) === content);
    const schema = generation === undefined ? this.schema : ofGeneration(this.schema, generation);
    const others = isSame ? [] : differencesIn(schema, config, this.fromFiles(contents).config);
    return [...foreign, ...others].slice(0, maxRemarks);
  }

  /** Commands that the platform itself runs for the configuration; null if there are none. */
  playerCommands(config: Data): PlayerCommands | null {
    const given = Object.entries(this.definition.playerCommands ?? {}).flatMap(([moment, field]) =>
      config[field] === undefined ? [] : [[moment, config[field]] as const],
    );
    return given.length === 0 ? null : Object.fromEntries(given);
  }

  /** Values that are stored but never written to a file. */
  unwritten(config: Data): Remark[] {
    const { playerCommands = {} } = this.definition;
    const typed = new Set(Object.values<string>(playerCommands).map((field) => `/${field}`));
    return unwrittenIn(this.schema, config, '', this.#isFile)
      .slice(0, maxRemarks)
      .map(({ pointer, detail }) => ({ pointer, detail: typed.has(pointer) ? typedByUs : detail }));
  }

  readonly #isFile = (name: string) => this.definition.files.some(({ field }) => field === name);

  #foreign(config: ConfigData, generation: Generation | undefined): Remark[] {
    return generation === undefined ? [] : foreignTo(this.schema, config, generation);
  }

  #isOfOther(file: string, document: JsonText, generation: Generation | undefined): boolean {
    const fileGeneration = generationOfFile(this.#generations, file, document);
    return fileGeneration !== undefined && fileGeneration !== generation;
  }

  /** Empty if the configuration sets nothing for the file. */
  #wanted({ key, needs = [] }: PluginFile, schema: Schema, value: ConfigValue): Wanted[] {
    const given = wantedOf(schema, value);
    if (given.is === 'object' && !given.isWhole && given.entries.length === 0) return [];
    const needed = Object.entries(defaultsOf(schema) ?? {}).filter(
      ([name]) => needs === 'all' || needs.includes(name),
    );
    const wanted = completed(given, wantedOf(schema, Object.fromEntries(needed)));
    return [key === undefined ? wanted : { is: 'object', isWhole: false, entries: [[key, wanted]] }];
  }

  /** Undefined if the generation does not have the file. */
  #schemaOf({ field }: PluginFile, generation: Generation | undefined): Schema | undefined {
    const layout = this.#layouts.get(generation);
    return field === undefined ? layout : layout && fieldOf(layout, field);
  }
}

/** The name of its schema in the contract. */
export const schemaNameOf = ({ noun }: Pick<KindDefinition, 'noun'>) => `${noun}ConfigData`;

const saidBy = ({ config, remarks }: Intake): FromFiles => ({
  config,
  remarks: remarks.listed,
  remarkCount: remarks.count,
});

const forAnother = 'is for another version of the plugin';
