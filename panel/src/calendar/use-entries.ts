// What the calendar has in its range: wipes, runs of schedules that happened, and runs to come.
import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { keyOf, read, usePages } from '../api/reading.ts';
import { seldom } from '../api/seldom.ts';
import type { CalendarRange } from './calendar-range.ts';
import type { CalendarSearch } from './calendar-search.ts';
import { runEntry, gathered, upcomingEntry, wipeEntry, type Entry } from './entries.ts';

type Schedule = Schemas['Schedule'];
type Run = Schemas['ScheduleRun'];

export interface Partly {
  schedule: Schedule;
  /** Runs are shown from here, or up to here. */
  side: 'from' | 'until';
  atMs: number;
}

export interface CalendarEntries {
  entries: readonly Entry[];
  /** Schedules that run too often, or too far from now, for all their runs to be shown. */
  partly: readonly Partly[];
  isLoading: boolean;
  error: Error | null;
  retry: () => void;
}

/** The most that one preview has. */
const previewCount = 50;
const runsPerPage = 100;
const maxRunPages = 5;

/** Two requests for each schedule remain far below what one person may send, however many schedules run. */
const pauseMsFor = (schedules: readonly Schedule[]): number => schedules.length * 400;

type Filters = Pick<CalendarSearch, 'server' | 'kind'>;

export function useEntries(range: CalendarRange, { server, kind }: Filters, nowMs: number): CalendarEntries {
  const wipes = useWipes(range, nowMs);
  const schedules = useSchedules({ server, kind });
  const upcoming = useUpcoming(schedules.items, range, nowMs);
  const past = usePastRuns(schedules.items, range, nowMs);
  return useMemo(() => {
    const shownWipes = wipes.items.filter(
      ({ instance_id }) => (kind === '' || kind === 'wipe') && (server === '' || instance_id === server),
    );
    const ofWipes = new Set(shownWipes.map(({ command_id }) => command_id));
    const all = [
      ...shownWipes.map(wipeEntry),
      ...past.runs.flatMap(({ schedule, runs }) =>
        // A run that made a wipe is shown as the wipe.
        runs
          .filter(({ command_id }) => command_id === null || !ofWipes.has(command_id))
          .map((run) => runEntry(schedule, run)),
      ),
      ...upcoming.runs.flatMap(({ schedule, times }) =>
        times.filter((at) => at > nowMs).map((at) => upcomingEntry(schedule, at)),
      ),
    ].filter(({ atMs }) => atMs >= range.fromMs && atMs < range.untilMs);
    const asked = [wipes, schedules, upcoming, past];
    return {
      entries: gathered(all),
      partly: [...past.partly, ...upcoming.partly],
      isLoading: asked.some(({ isLoading }) => isLoading),
      error: asked.find(({ error }) => error !== null)?.error ?? null,
      retry: () => {
        for (const { retry } of asked) retry();
      },
    };
  }, [wipes, schedules, upcoming, past, range, server, kind, nowMs]);
}

/** Newest first, until the range begins. */
function useWipes({ fromMs }: CalendarRange, nowMs: number) {
  const may = useMay('GET /api/wipes');
  const { items, hasNextPage, isFetching, isError, isLoading, error, fetchNextPage, refetch } = usePages(
    '/api/wipes',
    {},
    { limit: 100, enabled: may },
  );
  const earliestMs = Date.parse(items?.at(-1)?.created_at ?? new Date(nowMs).toISOString());
  // A countdown takes up to a day.
  const needsMore = hasNextPage && earliestMs > fromMs - 86_400_000;
  useEffect(() => {
    if (needsMore && !isFetching && !isError) void fetchNextPage();
  }, [needsMore, isFetching, isError, fetchNextPage]);
  return useMemo(
    () => ({ items: items ?? [], isLoading: isLoading || needsMore, error, retry: () => void refetch() }),
    [items, isLoading, needsMore, error, refetch],
  );
}

function useSchedules({ server, kind }: Filters) {
  const may = useMay('GET /api/schedules');
  const { items, isLoading, error, refetch } = usePages('/api/schedules', {}, { all: true, enabled: may });
  return useMemo(
    () => ({
      items: (items ?? []).filter(
        ({ instance_id, action }) =>
          (server === '' || instance_id === server) && (kind === '' || action.kind === kind),
      ),
      isLoading,
      error,
      retry: () => void refetch(),
    }),
    [items, isLoading, error, refetch, server, kind],
  );
}

function useUpcoming(schedules: readonly Schedule[], { untilMs }: CalendarRange, nowMs: number) {
  const due = useMemo(
    () => (untilMs > nowMs ? schedules.filter(({ is_enabled }) => is_enabled) : []),
    [schedules, untilMs, nowMs],
  );
  const combine = useMemo(() => combiner(due), [due]);
  const { found, ...state } = useQueries({
    queries: due.map(({ cron, time_zone }) => {
      const init = { params: { query: { cron, time_zone, count: previewCount } } };
      return {
        queryKey: [...keyOf('/api/schedule-preview', init), 'seldom'],
        ...seldom(pauseMsFor(due), (signal) => read('/api/schedule-preview', init, signal)),
      };
    }),
    combine,
  });
  return useMemo(() => {
    const runs = found.map(({ schedule, data }) => ({
      schedule,
      times: data.next_runs.map((at) => Date.parse(at)),
    }));
    const partly = runs.flatMap(({ schedule, times }): Partly[] => {
      const lastMs = times.at(-1) ?? 0;
      return times.length === previewCount && lastMs < untilMs
        ? [{ schedule, side: 'until', atMs: lastMs }]
        : [];
    });
    return { runs, partly, ...state };
  }, [found, state.isLoading, state.error, state.retry, untilMs]);
}

function usePastRuns(schedules: readonly Schedule[], { fromMs }: CalendarRange, nowMs: number) {
  const asked = useMemo(() => (fromMs < nowMs ? schedules : []), [schedules, fromMs, nowMs]);
  const combine = useMemo(() => combiner(asked), [asked]);
  const { found, ...state } = useQueries({
    queries: asked.map(({ id }) => ({
      queryKey: ['/api/schedules/{schedule_id}/runs', { path: { schedule_id: id } }, 'since', fromMs],
      ...seldom(pauseMsFor(asked), (signal) => runsSince(id, fromMs, signal)),
    })),
    combine,
  });
  return useMemo(() => {
    const runs = found.map(({ schedule, data }) => ({ schedule, runs: data.runs }));
    const partly = found.flatMap(({ schedule, data }): Partly[] =>
      data.isComplete
        ? []
        : [{ schedule, side: 'from', atMs: Date.parse(data.runs.at(-1)?.created_at ?? '') }],
    );
    return { runs, partly, ...state };
  }, [found, state.isLoading, state.error, state.retry]);
}

interface Asked<Data> {
  data: Data | undefined;
  isLoading: boolean;
  error: Error | null;
  refetch: () => unknown;
}

/** Puts the results of one query for each schedule together. */
function combiner(schedules: readonly Schedule[]) {
  return <Data>(results: readonly Asked<Data>[]) => ({
    found: results.flatMap(({ data }, index) => {
      const schedule = schedules[index];
      return data === undefined || schedule === undefined ? [] : [{ schedule, data }];
    }),
    isLoading: results.some(({ isLoading }) => isLoading),
    error: results.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const { refetch } of results) void refetch();
    },
  });
}

async function runsSince(
  scheduleId: string,
  fromMs: number,
  signal: AbortSignal,
): Promise<{ runs: Run[]; isComplete: boolean }> {
  const runs: Run[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxRunPages; page += 1) {
    const query = { limit: runsPerPage, ...(cursor !== undefined && { cursor }) };
    const { data, next_cursor } = await read(
      '/api/schedules/{schedule_id}/runs',
      { params: { path: { schedule_id: scheduleId }, query } },
      signal,
    );
    runs.push(...data);
    const isBefore = Date.parse(data.at(-1)?.created_at ?? '') < fromMs;
    if (next_cursor === null || isBefore) return { runs, isComplete: true };
    cursor = next_cursor;
  }
  return { runs, isComplete: false };
}
