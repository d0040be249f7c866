// The codec's tasks between configurations and files: texts in, texts out, so that any thread can run them.
import { diffOf } from '../edits.ts';
import type { ConfigData, NotRead, PluginKind } from '../kind.ts';
import type { Remark } from '../reading.ts';
import { holdsNothing, isUnset } from '../schema.ts';
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
  /** The title of the server's generation, if it supports no part of the configuration; otherwise null. */
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
  /** Whether it sets nothing at all, or would only empty what the files have and the platform cannot read. */
  isEmpty: boolean;
  /** The plugin generation of the files; null if they do not show it. */
  generation: string | null;
  /** Includes what the contract refuses; the first hundred places. */
  notRead: NotRead[];
  /** The total number of places. */
  notReadCount: number;
}

/** Each throws a `JsonFault` if a file is not JSON. */
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
      isEmpty: isUnset(kind.schema, config) || (remarkCount > 0 && holdsNothing(config)),
      generation: kind.generationTitle(files),
      notRead: remarks.map(cut),
      notReadCount: remarkCount,
    };
  },

  /** All faults that keep a configuration from being stored. */
  faults(kind: PluginKind, { config }: { config: string }): Remark[] {
    return kind.faults(JSON.parse(config) as ConfigData).map(cut);
  },

  /** The parts of a configuration that the files do not contain. */
  compare(kind: PluginKind, { config, present, known }: Writing & { known: readonly string[] }): Remark[] {
    return kind.differences(JSON.parse(config) as ConfigData, new Map(present), known).map(cut);
  },
};

/**
 * Limits the length of places: names in a server's file may be as long as the file, and a hundred remarks may repeat
 * one.
 */
const maxPointerLength = 500;

const cut = <T extends Remark>(remark: T): T => {
  const { pointer } = remark;
  const shown = pointer.length <= maxPointerLength ? pointer : `${pointer.slice(0, maxPointerLength)}…`;
  return { ...remark, pointer: shown.toWellFormed() };
};

export type Works = typeof works;
export type WorkName = keyof Works;
export type WorkInput<Name extends WorkName> = Parameters<Works[Name]>[1];
export type WorkResult<Name extends WorkName> = ReturnType<Works[Name]>;

export function runWork<Name extends WorkName>(
  name: Name,
  kind: PluginKind,
  input: WorkInput<Name>,
): WorkResult<Name> {
  const work = works[name] as (kind: PluginKind, input: WorkInput<Name>) => WorkResult<Name>;
  return work(kind, input);
}
