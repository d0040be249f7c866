// What every editor of a configuration shares: the settings, how to change them, and what was found in them.
import { createContext, useContext } from 'react';
import type { Schemas } from '../../api/operations.ts';
import type { KindName } from '../kinds.ts';
import { pointerOf, type Json, type JsonObject, type Path } from '../schema/data.ts';
import type { ObjectSchema } from '../schema/schema.ts';

export type SetValue = (path: Path, value: Json | undefined) => void;

/** Stays the same while the settings change, so that fields are not rendered again. */
export interface Editing {
  kind: KindName;
  set: SetValue;
  isReadOnly: boolean;
}

export interface Finding {
  /** The place in the settings, as a JSON pointer. */
  pointer: string;
  /** The place for people. */
  place: string;
  detail: string;
  tone: 'fault' | 'warning' | 'note';
}

/** The place that was chosen among the findings; `at` differs for each choice. */
export interface Target {
  pointer: string;
  at: number;
}

/** An editor made for one kind, for some of its fields. */
export interface EditorProps {
  data: JsonObject;
  schema: ObjectSchema;
  /** The version or edition of the plugin that is configured; null if there is one only. */
  generation: string | null;
}

/** The stored configuration that is edited. */
export interface ConfigUnderEdit {
  id: string;
  /** For `If-Match`. */
  version: string;
  isDirty: boolean;
  /** Takes over what an operation has stored. */
  take: (stored: Schemas['PluginConfig']) => void;
}

export const ConfigContext = createContext<ConfigUnderEdit | null>(null);
export const EditingContext = createContext<Editing | null>(null);
export const FindingsContext = createContext<readonly Finding[]>([]);
export const TargetContext = createContext<Target | null>(null);

export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (editing === null) throw new Error('there is no configuration to edit');
  return editing;
}

export function useConfig(): ConfigUnderEdit {
  const config = useContext(ConfigContext);
  if (config === null) throw new Error('there is no configuration to edit');
  return config;
}

/** What was found at a place, the worst first. */
export function useFinding(path: Path): Finding | undefined {
  const findings = useContext(FindingsContext);
  const pointer = pointerOf(path);
  return findings.find((finding) => finding.pointer === pointer);
}

/** How many findings of each tone are at a place or below it. */
export function useFindingCount(path: Path): number {
  const findings = useContext(FindingsContext);
  const pointer = pointerOf(path);
  return findings.filter(
    (finding) =>
      finding.tone !== 'note' && (finding.pointer === pointer || finding.pointer.startsWith(`${pointer}/`)),
  ).length;
}
