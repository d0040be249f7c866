// The types of events that the platform has, by area.
import { useMemo } from 'react';
import type { Schemas } from '../api/operations.ts';
import { useRead } from '../api/reading.ts';
import { areaOf } from './event-words.ts';

export type EventTypeEntry = Schemas['EventTypeEntry'];

/** The list changes with releases only. */
export const useEventTypes = (enabled = true) => useRead('/api/events/types', {}, { enabled });

export interface EventArea {
  name: string;
  types: readonly EventTypeEntry[];
}

export function useAreas(types: readonly EventTypeEntry[]): readonly EventArea[] {
  return useMemo(() => {
    const areas = new Map<string, EventTypeEntry[]>();
    for (const entry of types) {
      const name = areaOf(entry.type);
      areas.set(name, [...(areas.get(name) ?? []), entry]);
    }
    return [...areas].map(([name, entries]) => ({ name, types: entries }));
  }, [types]);
}
