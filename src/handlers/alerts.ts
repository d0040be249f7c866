// Operations of the area `alerts`.
import type { Schemas } from '../platform-contract/types.ts';
import { Versioned } from '../contract/replies.ts';
import type { AlertRow } from '../services/alerts/index.ts';
import type { ConfigRow } from '../services/alerts/config.ts';
import { messageOf } from '../services/alerts/wording.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const alerts = {
  listAlerts: async (ctx, { query }) => viewPage(await ctx.services.alerts.list(ctx, query), viewAlert),
  getAlert: async (ctx, { path }) => viewAlert(await ctx.services.alerts.get(ctx, path.alert_id)),
  acknowledgeAlert: async (ctx, { path, body }) =>
    viewAlert(await ctx.services.alerts.update(ctx, path.alert_id, body)),
  getAlertRules: async (ctx) => viewConfig(await ctx.services.alertConfigs.get(ctx)),
  updateAlertRules: async (ctx, { expectedVersions, body }) =>
    viewConfig(await ctx.services.alertConfigs.update(ctx, expectedVersions, body)),
} satisfies Partial<Handlers>;

const viewConfig = ({ rules, version }: ConfigRow): Versioned<Schemas['AlertConfig']> =>
  new Versioned({ rules, version }, version);

function viewAlert(alert: AlertRow): Schemas['Alert'] {
  return {
    id: alert.id,
    kind: alert.kind,
    severity: alert.severity,
    host_id: alert.host_id,
    instance_id: alert.instance_id,
    subject_name: alert.subject_name,
    message: messageOf(alert.kind, alert.metadata),
    metadata: alert.metadata,
    raised_at: alert.raised_at,
    reopened_at: alert.reopened_at,
    ended_at: alert.ended_at,
    end_reason: alert.end_reason,
    acknowledged_at: alert.acknowledged_at,
    acknowledged_by: alert.acknowledged_by,
  };
}
