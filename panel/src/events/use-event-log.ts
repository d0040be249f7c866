// The event log: pages of past events, and those that arrive while it is open.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { usePages } from '../api/reading.ts';
import { listen } from '../live/listeners.ts';
import { isShown, queryOf, type EventSearch } from './event-search.ts';
import type { LoggedEvent } from './event-words.ts';

/** More would make a busy page slow; then the pages are read again instead. */
const maxArrived = 300;

export function useEventLog(filters: EventSearch) {
  const queries = useQueryClient();
  const query = useMemo(() => queryOf(filters, serverNow()), [filters]);
  const pages = usePages('/api/events', { params: { query } });
  const [arrived, setArrived] = useState<readonly LoggedEvent[]>([]);
  useEffect(() => {
    setArrived([]);
    return listen((event) => {
      if (isShown(filters, event)) setArrived((former) => [event, ...former]);
    });
  }, [filters]);
  const isFull = arrived.length > maxArrived;
  useEffect(() => {
    if (!isFull) return;
    setArrived([]);
    void queries.invalidateQueries({ queryKey: ['/api/events'] });
  }, [isFull, queries]);
  const items = useMemo(
    () => (pages.items === undefined ? undefined : merged(arrived, pages.items)),
    [arrived, pages.items],
  );
  return { ...pages, items };
}

/** Newest first, each once: a page that was read again has some that arrived before. */
function merged(arrived: readonly LoggedEvent[], read: readonly LoggedEvent[]): LoggedEvent[] {
  const known = new Set(read.map(({ id }) => id));
  const all = [...arrived.filter(({ id }) => !known.has(id)), ...read];
  // The sort is stable, and the log's times never fall.
  return all.sort((one, other) =>
    one.recorded_at < other.recorded_at ? 1 : one.recorded_at > other.recorded_at ? -1 : 0,
  );
}
