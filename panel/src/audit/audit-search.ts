// Which entries the audit log shows, as its address says, and as the platform is asked.
import * as v from 'valibot';
import type { Schemas } from '../api/operations.ts';
import { anyOf, id, oneOf, text } from '../shared/address-values.ts';

export type AuditEntry = Schemas['AuditEntry'];

export const noFilters = {
  target: '',
  actor: '',
  action: '',
  type: '',
  operation: '',
  license: '',
  range: 'any',
  from: '',
  to: '',
  entry: '',
} as const;

export const actions = ['created', 'updated', 'deleted', 'attempted', 'failed'] as const;

export const ranges = ['any', 'hour', 'day', 'week', 'month', 'custom'] as const;

export const auditSearch = v.object({
  target: text,
  actor: text,
  action: anyOf(actions),
  type: text,
  operation: text,
  license: id,
  range: oneOf(ranges, 'any'),
  from: text,
  to: text,
  /** The entry whose details are open. */
  entry: text,
});

export type AuditSearch = v.InferOutput<typeof auditSearch>;

export type SetSearch = (change: Partial<AuditSearch>) => void;

const hourMs = 60 * 60_000;
const lengths = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs, month: 30 * 24 * hourMs };

/** The query of the operation; `now` is when the range was chosen. */
export function queryOf(search: AuditSearch, now: number) {
  const { target, actor, action, type, operation } = search;
  const { from, to } = spanOf(search, now);
  return {
    ...(target.trim() !== '' && { target_id: target.trim() }),
    ...(actor !== '' && { actor }),
    ...(action !== '' && { action }),
    ...(type !== '' && { target_type: type as Schemas['AuditTargetType'] }),
    ...(operation !== '' && { operation }),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
  };
}

function spanOf({ range, from, to }: AuditSearch, now: number): { from: string | null; to: string | null } {
  if (range === 'any') return { from: null, to: null };
  if (range === 'custom') return { from: timeOf(from), to: timeOf(to) };
  return { from: new Date(now - lengths[range]).toISOString(), to: null };
}

/** The field of the browser has local times without a zone. */
function timeOf(local: string): string | null {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

export const isFiltered = ({ entry: _, ...search }: AuditSearch): boolean =>
  Object.entries(search).some(([key, value]) => value !== noFilters[key as keyof typeof noFilters]);

/** The contract's type of the reply is the one of JSON; as CSV it is a file. */
export const asFile = ({ data }: { data: unknown }): Blob => data as Blob;
