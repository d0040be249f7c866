// The declarative definition of a kind of plugin configuration, as its folder provides it.
import type { Catalogue } from './catalogue.ts';
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
  file: string;
  /** The configuration field that it holds; the whole configuration unless given. */
  field?: string;
  /** The document key that holds the field; the document itself unless given. */
  key?: string;
  /** Fields that the plugin requires: if neither the file nor the configuration has them, they get their defaults. */
  needs?: 'all' | readonly string[];
  /** The plugin that reads it. */
  plugin: string;
}

export interface Preset {
  name: string;
  /** For people: its purpose, and what it replaces on a server. */
  description: string;
  /** The fields that it sets; omitted fields keep the server's values. */
  config: ConfigData;
}

export interface KindDefinition<Noun extends string = string> {
  /** A path segment of its operations, and the kind's name in table rows. */
  name: string;
  /** Part of the names of its operations and schemas. */
  noun: Noun;
  /** For people, after "a" or "the". */
  title: string;
  files: readonly PluginFile[];
  /** For plugins whose versions or editions have different keys; the usual generation first. */
  generations?: readonly Generation[];
  /**
   * Folders in which the plugin accepts files of any name; only those among `files` are read. `detail` describes the
   * others.
   */
  folders?: readonly { folder: string; detail: string }[];
  presets: readonly Preset[];
  /** Additional permissions that are required to write or apply it, because of what it can do. */
  alsoNeeds?: readonly string[];
  /** Finds faults that the schema cannot express, by their place in the configuration. */
  faultsOf?: (config: ConfigData) => readonly Remark[];
  /** Finds what the plugin would drop or fail on, unless the server has more than the catalogue; by place. */
  warningsOf?: (config: ConfigData, catalogue: Catalogue) => readonly Remark[];
  /**
   * Whether its plugins write these files while they unload; the files are then written between unloading and loading.
   */
  isWrittenOnUnload?: boolean;
  /** Fields with commands that no plugin runs; the platform runs them when a player joins or leaves. */
  playerCommands?: Readonly<Record<PlayerMoment, string>>;
  /** The schema for writing and reading, if its layout differs from the contract's. */
  layout?: (schema: Schema) => Schema;
  /** Transforms what was read from the files, if it is more than the schema says; `beforeWriting` is the reverse. */
  afterReading?: (config: ConfigData) => ConfigData;
  /** Maps a place of the transformed configuration to the place before the transformation. */
  placeBefore?: (steps: readonly string[], read: ConfigData) => readonly string[];
  beforeWriting?: (config: ConfigData) => ConfigData;
}
