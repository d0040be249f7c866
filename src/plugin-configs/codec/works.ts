// What is worked out between configurations and files: texts in, texts out, so that any thread can do it.
import { diffOf } from '../edits.ts';
import type { ConfigData, NotRead, PluginKind } from '../kind.ts';
import type { Remark } from '../reading.ts';
import { isUnset } from '../schema.ts';
import { warningsOf } from '../warnings.ts';

export type Texts = readonly (readonly [file: string, content: string])[];

interface Writing {
  /** The configuration, as JSON. */
  config: string;
  present: Texts;
}

export interface WrittenFile {
  file: string;
  content: string;
  isChanged: boolean;
}

export interface Written {
  files: WrittenFile[];
  /** What the server has instead of what the configuration is for, where nothing of it fits. */
  foreign: string | null;
}

export interface Previewed {
  files: (WrittenFile & { diff: string })[];
  unwritten: Remark[];
  warnings: Remark[];
}

export interface Read {
  /** As JSON. */
  config: string;
  /** Whether it sets nothing at all. */
  isEmpty: boolean;
  /** The generation of the plugin that the files are of; null where they don't tell. */
  generation: string | null;
  /** What the contract does not take, too: the first hundred places. */
  notRead: NotRead[];
  /** How many places there are in all. */
  notReadCount: number;
}

/** Each throws a `JsonFault` where a file is no JSON. */
export const works = {
  write(kind: PluginKind, { config, present }: Writing): Written {
    const contents = new Map(present);
    const { files, foreign } = kind.written(JSON.parse(config) as ConfigData, contents);
    const written = [...files].map(([file, { content }]) => ({
      file,
      content,
      isChanged: contents.get(file) !== content,
    }));
    return { files: written, foreign };
  },

  preview(kind: PluginKind, { config: json, present }: Writing): Previewed {
    const config = JSON.parse(json) as ConfigData;
    const contents = new Map(present);
    const { files, unwritten } = kind.written(config, contents);
    const written = [...files].map(([file, { content, text, edits }]) => ({
      file,
      content,
      isChanged: contents.get(file) !== content,
      diff: diffOf(file, text, edits),
    }));
    return { files: written, unwritten, warnings: warningsOf(kind.definition, config) };
  },

  read(kind: PluginKind, { contents }: { contents: Texts }): Read {
    const files = new Map(contents);
    const { config, remarks, remarkCount } = kind.taken(files);
    return {
      config: JSON.stringify(config),
      isEmpty: isUnset(kind.schema, config),
      generation: kind.generationTitle(files),
      notRead: remarks.map(cut),
      notReadCount: remarkCount,
    };
  },

  /** Everything that keeps a configuration from being kept. */
  judge(kind: PluginKind, { config }: { config: string }): Remark[] {
    return kind.faults(JSON.parse(config) as ConfigData).map(cut);
  },

  /** What of a configuration files do not say. */
  compare(kind: PluginKind, { config, present, known }: Writing & { known: readonly string[] }): Remark[] {
    return kind.differences(JSON.parse(config) as ConfigData, new Map(present), known).map(cut);
  },
};

/** Names in a server's file may be as long as the file, and a hundred places below one of them repeat it. */
const longestPointer = 500;

const cut = <T extends Remark>(remark: T): T => {
  const { pointer } = remark;
  const shown = pointer.length <= longestPointer ? pointer : `${pointer.slice(0, longestPointer)}…`;
  return { ...remark, pointer: shown.toWellFormed() };
};

export type Works = typeof works;
export type WorkName = keyof Works;
export type Asked<Name extends WorkName> = Parameters<Works[Name]>[1];
export type Answer<Name extends WorkName> = ReturnType<Works[Name]>;

export function workedOut<Name extends WorkName>(
  name: Name,
  kind: PluginKind,
  asked: Asked<Name>,
): Answer<Name> {
  const work = works[name] as (kind: PluginKind, asked: Asked<Name>) => Answer<Name>;
  return work(kind, asked);
}
