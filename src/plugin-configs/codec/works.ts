// What is worked out between configurations and files: texts in, texts out, so that any thread can do it.
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { createValidator } from '../../contract/values.ts';
import { diffOf } from '../edits.ts';
import type { ConfigData, NotRead, PluginKind } from '../kind.ts';
import type { Remark } from '../reading.ts';
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
  /** As JSON; only where there are no faults is it a configuration that the contract knows. */
  config: string;
  notRead: NotRead[];
  faults: Remark[];
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
    const { config, remarks } = kind.fromFiles(new Map(contents));
    const faults = [...faultsBySchema(kind, config), ...kind.contradictions(config)];
    return { config: JSON.stringify(config), notRead: remarks.map(cut), faults: faults.map(cut) };
  },

  /** What of a configuration files do not say. */
  compare(kind: PluginKind, { config, present, known }: Writing & { known: readonly string[] }): Remark[] {
    return kind.differences(JSON.parse(config) as ConfigData, new Map(present), known).map(cut);
  },
};

/** Names in a server's file may be as long as the file, and a hundred places below one of them repeat it. */
const longestPointer = 500;

const cut = <T extends Remark>(remark: T): T =>
  remark.pointer.length <= longestPointer
    ? remark
    : { ...remark, pointer: `${remark.pointer.slice(0, longestPointer).toWellFormed()}…` };

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

const ajv = createValidator({ allErrors: true });
const validators = new WeakMap<PluginKind, ValidateFunction>();

/** Nobody reads more of them. */
const mostFaults = 50;

function faultsBySchema(kind: PluginKind, config: ConfigData): Remark[] {
  let validate = validators.get(kind);
  if (validate === undefined) {
    validate = ajv.compile(kind.schemaWithReferences);
    validators.set(kind, validate);
  }
  if (validate(config)) return [];
  return (validate.errors ?? [])
    .slice(0, mostFaults)
    .map(({ instancePath, message = 'is not valid' }) => ({ pointer: instancePath, detail: message }));
}
