// What a kind of plugin configuration is: its schema in the contract, the files it stands for, and how they are brought into force.
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
  tornIn,
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

/** Contents of files by name; a file that is not there has none. */
export type Contents = ReadonlyMap<string, string>;

export interface FromFiles {
  config: ConfigData;
  /** What of the files is not in the configuration: the first hundred places. */
  remarks: NotRead[];
  /** How many places there are in all. */
  remarkCount: number;
}

/** A file as it is to be. */
export interface ChangedFile {
  content: string;
  /** What was there, without a byte order mark, and what is done to it. */
  text: string;
  edits: readonly Edit[];
}

/** What comes of a configuration for the files that there are. */
export interface Written {
  /** Every file as it is to be; one that nothing is wanted in and that is not there is left out. */
  files: Map<string, ChangedFile>;
  /** What the record keeps and no file gets. */
  unwritten: Remark[];
  /** What the server has instead of what the configuration is for, where nothing of it fits. */
  foreign: string | null;
}

export class PluginKind {
  readonly definition: KindDefinition;
  readonly schema: Schema;
  /** The same with its references, and what they refer to: much faster to compile. */
  readonly schemaWithReferences: object;
  readonly #validity: Validity;
  readonly #generations: readonly Generation[];
  /** Of what is written and read, by generation. */
  readonly #layouts: ReadonlyMap<Generation | undefined, Schema>;
  readonly #partsByFile: ReadonlyMap<string, readonly PluginFile[]>;

  constructor(definition: KindDefinition, schemas: Readonly<Record<string, ConfigSchema>>) {
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

  /** Of the usual generation. */
  defaults(): ConfigData {
    const [usual] = this.#generations;
    return defaultsOf(usual === undefined ? this.schema : ofGeneration(this.schema, usual)) as ConfigData;
  }

  presets(): readonly Preset[] {
    return this.definition.presets;
  }

  /** What the schema can't say is wrong. */
  contradictions(config: ConfigData): readonly Remark[] {
    return this.#contradictions(config).slice(0, maxRemarks);
  }

  /** What the schema refuses or, failing that, what contradicts itself. */
  faults(config: ConfigData): readonly Remark[] {
    return this.#faultsOf(config).slice(0, maxRemarks);
  }

  #faultsOf(config: ConfigData): Remark[] {
    const faults = this.#validity.faultsOf(config);
    return faults.length > 0 ? faults : this.#contradictions(config);
  }

  #contradictions(config: ConfigData): Remark[] {
    return [
      ...unprintable(config, ''),
      ...namedTwice(this.schema, config, ''),
      ...tornIn(this.#generations, this.schema, config),
      ...(this.definition.faultsOf?.(config) ?? []),
    ];
  }

  toFiles(config: ConfigData, present: Contents): Map<string, string> {
    const { files } = this.written(config, present);
    return new Map([...files].map(([file, { content }]) => [file, content]));
  }

  /** Throws a `JsonFault` that names the file where one can't be edited. */
  written(config: ConfigData, present: Contents): Written {
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
    config: ConfigData,
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
   * What files say, whether the contract takes it or not. Throws a `JsonFault` that names the file where one is no JSON.
   */
  fromFiles(contents: Contents): FromFiles {
    return saidBy(this.#intakeOf(documentsOf(this.files, contents)));
  }

  /** What files say but what the contract does not take, which is among the remarks. Throws as `fromFiles` does. */
  taken(contents: Contents): FromFiles {
    return saidBy(this.#intakeOf(documentsOf(this.files, contents)).reduce());
  }

  /** Which generation of the plugin the files are of; null where they don't tell, or where it has only one. */
  generationTitle(contents: Contents): string | null {
    return generationOfFiles(this.#generations, documentsOf(this.files, contents))?.title ?? null;
  }

  #intakeOf(documents: Documents): Intake {
    const generation = generationOfFiles(this.#generations, documents);
    const intake = this.#intake(documents, generation);
    const isTorn = tornIn(this.#generations, this.schema, intake.config).length > 0;
    return generation === undefined && isTorn ? this.#intake(documents, this.#generations[0]) : intake;
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
   * What of a configuration files do not say: what the server's generation has no place for, and what is otherwise.
   * Those that are `known` say all that is theirs.
   */
  differences(config: ConfigData, contents: Contents, known: readonly string[] = []): Remark[] {
    const documents = documentsOf(this.files, contents);
    const generation = generationOfFiles(this.#generations, documents);
    const foreign = this.#foreign(config, generation);
    const files = this.#changed(config, documents, generation, known);
    const isSame = [...files].every(([file, { content }]) => contents.get(file) === content);
    const schema = generation === undefined ? this.schema : ofGeneration(this.schema, generation);
    const others = isSame ? [] : differencesIn(schema, config, this.fromFiles(contents).config);
    return [...foreign, ...others].slice(0, maxRemarks);
  }

  /** What the platform itself does for the configuration; null where that is nothing. */
  playerCommands(config: ConfigData): PlayerCommands | null {
    const given = Object.entries(this.definition.playerCommands ?? {}).flatMap(([moment, field]) =>
      config[field] === undefined ? [] : [[moment, config[field]] as const],
    );
    return given.length === 0 ? null : Object.fromEntries(given);
  }

  /** What the record keeps and no file gets, whatever a server has. */
  unwritten(config: ConfigData): Remark[] {
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
    const told = generationOfFile(this.#generations, file, document);
    return told !== undefined && told !== generation;
  }

  /** Nothing where the configuration says nothing for it. */
  #wanted({ key, needs = [] }: PluginFile, schema: Schema, value: ConfigValue): Wanted[] {
    const given = wantedOf(schema, value);
    if (given.is === 'object' && !given.isWhole && given.entries.length === 0) return [];
    const needed = Object.entries(defaultsOf(schema) ?? {}).filter(
      ([name]) => needs === 'all' || needs.includes(name),
    );
    const wanted = completed(given, wantedOf(schema, Object.fromEntries(needed)));
    return [key === undefined ? wanted : { is: 'object', isWhole: false, entries: [[key, wanted]] }];
  }

  /** None where the generation does not have it. */
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
