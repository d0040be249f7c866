// The definition of a kind of plugin configuration: what the contract declares of it, and its own code.
import type { Catalogue } from '../game-catalogue/index.ts';
import type { Generation } from './generations.ts';
import type { Remark } from './reading.ts';
import type { Schema } from './schema.ts';
import type { ConfigValue } from './wanted.ts';

export type PlayerMoment = 'join' | 'leave';

/** Templates of console commands; omitted moments stay unchanged. */
export type PlayerCommands = Readonly<Partial<Record<PlayerMoment, readonly string[]>>>;

export type ConfigData = Readonly<Record<string, ConfigValue>>;

/** One file of a plugin, relative to the framework's folder: `config/…` or `data/…`. */
export interface PluginFile {
  readonly file: string;
  /** The configuration field that it holds; the whole configuration unless given. */
  readonly field?: string;
  /** The document key that holds the field; the document itself unless given. */
  readonly key?: string;
  /** Fields that the plugin requires: if neither the file nor the configuration has them, they get their defaults. */
  readonly needs?: 'all' | readonly string[];
  /** The plugin that reads it. */
  readonly plugin: string;
}

export interface Preset<Data extends ConfigData = ConfigData> {
  readonly name: string;
  /** For people: its purpose, and what it replaces on a server. */
  readonly description: string;
  /** The fields that it sets; omitted fields keep the server's values. */
  readonly config: Data;
}

/** What a kind does in code, because it cannot be declared. */
export interface KindCode<Data extends ConfigData = ConfigData> {
  /** Finds faults that the schema cannot express, by their place in the configuration. */
  faultsOf?(this: void, config: Data): readonly Remark[];
  /** Finds what the plugin would drop or fail on, unless the server has more than the catalogue; by place. */
  warningsOf?(this: void, config: Data, catalogue: Catalogue): readonly Remark[];
  /** The schema for writing and reading, if its layout differs from the contract's. */
  layout?(this: void, schema: Schema): Schema;
  /** Transforms the data read from the files where a schema cannot; `beforeWriting` is the reverse. */
  afterReading?(this: void, config: ConfigData): ConfigData;
  /** Maps a place of the transformed configuration to the place before the transformation. */
  placeBefore?(this: void, steps: readonly string[], read: ConfigData): readonly string[];
  beforeWriting?(this: void, config: Data): ConfigData;
}

/** The part of a kind that the contract declares. */
export interface KindDeclaration {
  /** A path segment of its operations, and the kind's name in table rows. */
  readonly name: string;
  /** Part of the names of its schemas. */
  readonly noun: string;
  /** For people, after "a" or "the". */
  readonly title: string;
  readonly files: readonly PluginFile[];
  /**
   * Folders in which the plugin accepts files of any name; only those among `files` are read. `detail` describes the
   * others.
   */
  readonly folders?: readonly { readonly folder: string; readonly detail: string }[];
  /** Further permissions for writing or applying the configuration, such as for console commands that it contains. */
  readonly alsoNeeds?: readonly string[];
  /**
   * Whether its plugins write these files while they unload; the files are then written between unloading and loading.
   */
  readonly isWrittenOnUnload?: boolean;
  /** Fields with commands that no plugin runs; the platform runs them when a player joins or leaves. */
  readonly playerCommands?: Readonly<Record<PlayerMoment, string>>;
}

export interface KindDefinition<Data extends ConfigData = ConfigData>
  extends KindDeclaration, KindCode<Data> {
  /** For plugins whose versions or editions have different keys; the usual generation first. */
  readonly generations?: readonly Generation[];
  readonly presets: readonly Preset<Data>[];
}
