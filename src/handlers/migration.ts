// Operations of the area `migration`.
import type { Schemas } from '../platform-contract/types.ts';
import type { Report } from '../services/migration/index.ts';
import type { Entry, PartPlan } from '../services/migration/plan.ts';
import type { Handlers } from './handlers.ts';

export const migration = {
  exportConfiguration: async (ctx, { query }) => ctx.services.migration.export(ctx, query),
  importConfiguration: async (ctx, { body }) => viewReport(await ctx.services.migration.import(ctx, body)),
} satisfies Partial<Handlers>;

function viewReport({ isDryRun, parts, faults }: Report): Schemas['MigrationReport'] {
  return {
    dry_run: isDryRun,
    parts: parts.map(viewPart),
    faults: faults.map(({ pointer, code, detail }) => ({ pointer, code, detail })),
  };
}

function viewPart({ name, entries }: PartPlan): Schemas['MigrationPartReport'] {
  const count = (outcome: Entry['outcome']) => entries.filter((entry) => entry.outcome === outcome).length;
  return {
    part: name,
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    skipped: count('skipped'),
    items: entries.map(({ pointer, label, outcome, reason, changes }) => ({
      pointer,
      label,
      outcome,
      reason,
      changes: changes.map(({ field, before, after }) => ({ field, before, after })),
    })),
  };
}
