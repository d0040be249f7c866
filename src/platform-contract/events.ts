// The catalogue of events, as the contract has it, and who may read which type.
import {
  eventCatalogue,
  type EventData as DataOfTypes,
  type EventType as TypeName,
} from '../../generated/events.ts';
import type { Schemas } from './types.ts';

export type EventType = TypeName;
export type EventData = DataOfTypes;

export interface EventTypeInfo {
  area: string;
  permission: Schemas['Permission'];
  subject: string;
  summary: string;
  sentence: string;
  example: Readonly<Record<string, unknown>>;
}

export const eventTypes: Readonly<Record<EventType, EventTypeInfo>> = eventCatalogue;

export const eventTypeNames = Object.keys(eventTypes) as EventType[];

/** The types that a pattern stands for: a type, `area.*` or `*`. */
export function typesOf(pattern: string): EventType[] {
  if (pattern === '*') return eventTypeNames;
  if (pattern.endsWith('.*')) return eventTypeNames.filter((type) => type.startsWith(pattern.slice(0, -1)));
  return eventTypeNames.filter((type) => type === pattern);
}

export type EventPattern = Schemas['EventPattern'];

const currentNames: Readonly<Record<string, EventPattern[]>> = {
  player_banned: ['player.banned'],
  server_down: ['host.offline', 'instance.crashed'],
  wipe_completed: ['wipe.completed'],
};

/** The patterns of a list in which names from before the event log may be; undefined if one is no pattern. */
export function currentPatterns(names: readonly string[]): EventPattern[] | undefined {
  const patterns = [...new Set(names.flatMap((name) => currentNames[name] ?? [name as EventPattern]))];
  return patterns.every((pattern) => typesOf(pattern).length > 0) ? patterns : undefined;
}
