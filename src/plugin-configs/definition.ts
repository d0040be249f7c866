// What is said of a kind of plugin configuration in its folder, and nothing about how that is done.
import type { Catalogue } from './catalogue.ts';
import type { Generation } from './generations.ts';
import type { Remark } from './reading.ts';
import type { Schema } from './schema.ts';
import type { ConfigValue } from './wanted.ts';

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
  /** The plugin that reads it. */
  plugin: string;
}

export interface Preset {
  name: string;
  /** For people: what it is for, and what of a server it replaces. */
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
  /** Where not every version or edition of the plugin has the same keys; the usual one first. */
  generations?: readonly Generation[];
  /** Where the plugin has files of any name, of which those among `files` are read alone; `detail` says what the others are. */
  folders?: readonly { folder: string; detail: string }[];
  presets: readonly Preset[];
  /** Permissions of what can be done with it, which who writes or applies it has as well. */
  alsoNeeds?: readonly string[];
  /** What the schema can't say: faults by their place in the configuration. */
  faultsOf?: (config: ConfigData) => readonly Remark[];
  /** What the plugin would drop or fail on unless the server has more than the catalogue knows, by its place. */
  warningsOf?: (config: ConfigData, catalogue: Catalogue) => readonly Remark[];
  /** Whether its plugins write these files while they unload, so that they are written between unloading and loading. */
  isWrittenOnUnload?: boolean;
  /** Its fields of commands that no plugin runs, and the platform has typed when a player joins or leaves. */
  playerCommands?: Readonly<Record<PlayerMoment, string>>;
  /** The schema of what is written and read, where that is laid out otherwise than the contract's. */
  layout?: (schema: Schema) => Schema;
  /** What is read of the files, where that is more than the schema says; the same for what is written. */
  afterReading?: (config: ConfigData) => ConfigData;
  /** Where in that a place of what comes of it was. */
  placeBefore?: (steps: readonly string[], read: ConfigData) => readonly string[];
  beforeWriting?: (config: ConfigData) => ConfigData;
}
