// Entries of the calendar: one wipe, or the runs of one schedule on one day.
import type { Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';
import type { ActionKind } from '../schedules/schedule.ts';
import { dayKey } from './calendar-range.ts';

/** What became of it; `planned` is to come. */
export type EntryState = 'planned' | Tone;

export interface Entry {
  key: string;
  atMs: number;
  /** The last one of several runs. */
  untilMs: number;
  count: number;
  kind: ActionKind;
  state: EntryState;
  instanceId: string | null;
  /** The server's name at the time of a wipe. */
  formerName?: string;
  /** Absent for wipes, which are named by their kind. */
  schedule?: { id: string; name: string };
  wipe?: { id: string; kind: Schemas['WipeKind'] };
}

const wipeStates: Partial<Record<Schemas['WipeStatus'], EntryState>> = {
  completed: 'good',
  failed: 'bad',
  rolled_back: 'bad',
  cancelled: 'idle',
};

export function wipeEntry(wipe: Schemas['Wipe']): Entry {
  const { id, kind, instance_id, instance_name, status, begun_at, due_at, created_at } = wipe;
  const atMs = Date.parse(begun_at ?? due_at ?? created_at);
  return {
    key: id,
    atMs,
    untilMs: atMs,
    count: 1,
    kind: 'wipe',
    state: wipeStates[status] ?? 'busy',
    instanceId: instance_id,
    formerName: instance_name,
    wipe: { id, kind },
  };
}

const runStates: Record<Schemas['ScheduleRunStatus'], EntryState> = {
  running: 'busy',
  succeeded: 'good',
  sent: 'good',
  failed: 'bad',
  skipped: 'idle',
};

const ofSchedule = ({ id, name, action, instance_id }: Schemas['Schedule'], atMs: number) => ({
  atMs,
  untilMs: atMs,
  count: 1,
  kind: action.kind,
  instanceId: instance_id,
  schedule: { id, name },
});

export const runEntry = (schedule: Schemas['Schedule'], run: Schemas['ScheduleRun']): Entry => ({
  ...ofSchedule(schedule, Date.parse(run.due_at ?? run.created_at)),
  key: run.id,
  state: runStates[run.status],
});

export const upcomingEntry = (schedule: Schemas['Schedule'], atMs: number): Entry => ({
  ...ofSchedule(schedule, atMs),
  key: `${schedule.id} ${atMs}`,
  state: 'planned',
});

/** In order of time; several runs of a schedule with the same outcome on one day are one entry. */
export function gathered(entries: readonly Entry[]): Entry[] {
  const found = new Map<string, Entry>();
  for (const entry of entries.toSorted((one, other) => one.atMs - other.atMs)) {
    const { schedule, state, atMs, key } = entry;
    const group = schedule === undefined ? key : `${schedule.id} ${dayKey(atMs)} ${state}`;
    const former = found.get(group);
    if (former === undefined) found.set(group, entry);
    else found.set(group, { ...former, untilMs: atMs, count: former.count + 1 });
  }
  return [...found.values()];
}

export function byDay(entries: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> {
  return Map.groupBy(entries, ({ atMs }) => dayKey(atMs));
}
