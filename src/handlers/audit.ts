// Operations of the area `audit`.
import type { Schemas } from '../platform-contract/types.ts';
import { Table, type Columns } from '../results/results.ts';
import { resourceOfTarget, type AuditEntries, type AuditRow } from '../services/audit.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const audit = {
  listAuditEntries: async (ctx, { query, wantsCsv }) =>
    viewEntries(await ctx.services.audit.list(ctx, query, wantsCsv ? 'everything' : 'page')),
  listPlatformAuditEntries: async (ctx, { query, wantsCsv }) =>
    viewEntries(await ctx.services.audit.listAll(ctx, query, wantsCsv ? 'everything' : 'page')),
} satisfies Partial<Handlers>;

const viewEntries = (entries: AuditEntries) =>
  'rows' in entries ? viewPage(entries, viewEntry) : new Table('audit.csv', columns, entries);

function viewEntry(entry: AuditRow): Schemas['AuditEntry'] {
  return {
    id: entry.id,
    recorded_at: entry.recorded_at,
    license_id: entry.license_id,
    actor: { kind: entry.actor_kind, id: entry.actor_id, label: entry.actor_label },
    operation: entry.operation,
    action: entry.action,
    target_type: viewTargetType(entry),
    target_id: entry.target_id,
    before: entry.before,
    after: entry.after,
    request_id: entry.request_id,
    source: entry.source,
  };
}

function viewTargetType({ target_type }: AuditRow): Schemas['AuditTargetType'] {
  const resource = resourceOfTarget[target_type];
  if (resource === undefined) throw new Error(`the audit log has no name for ${target_type}`);
  return resource;
}

const columns = {
  id: ({ id }) => id,
  recorded_at: ({ recorded_at }) => recorded_at,
  license_id: ({ license_id }) => license_id,
  actor_kind: ({ actor_kind }) => actor_kind,
  actor_id: ({ actor_id }) => actor_id,
  actor_label: ({ actor_label }) => actor_label,
  operation: ({ operation }) => operation,
  action: ({ action }) => action,
  target_type: viewTargetType,
  target_id: ({ target_id }) => target_id,
  before: ({ before }) => before && JSON.stringify(before),
  after: ({ after }) => after && JSON.stringify(after),
  request_id: ({ request_id }) => request_id,
  source: ({ source }) => source,
} satisfies Columns<AuditRow>;
