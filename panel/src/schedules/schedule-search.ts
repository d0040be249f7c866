// Which schedules the list shows, as its address says.
import * as v from 'valibot';
import type { Schemas } from '../api/operations.ts';
import { actionKinds, type Schedule } from './schedule.ts';
import { anyOf, text, textOr } from '../shared/address-values.ts';

export const runStatuses = [
  'running',
  'succeeded',
  'sent',
  'failed',
  'skipped',
] as const satisfies readonly Schemas['ScheduleRunStatus'][];

export const noFilters = { search: '', server: '', kind: '', enabled: '', sort: 'next' } as const;

export const scheduleSearch = v.object({
  search: text,
  server: text,
  kind: anyOf(actionKinds),
  enabled: anyOf(['yes', 'no']),
  sort: textOr('next'),
});

export type ScheduleSearch = v.InferOutput<typeof scheduleSearch>;

export function matching(schedules: readonly Schedule[], filters: ScheduleSearch): Schedule[] {
  const wanted = filters.search.trim().toLowerCase();
  return schedules.filter(
    ({ name, instance_id, action, is_enabled }) =>
      name.toLowerCase().includes(wanted) &&
      (filters.server === '' || instance_id === filters.server) &&
      (filters.kind === '' || action.kind === filters.kind) &&
      (filters.enabled === '' || is_enabled === (filters.enabled === 'yes')),
  );
}
