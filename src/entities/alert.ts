// A current or past problem of a host or a game instance.
import { defineEntity, p } from '@mikro-orm/core';
import type { components } from '../../generated/platform.d.ts';
import { tenantColumns, tenantTable } from './tenant.ts';

export const alertSeverities = ['Info', 'Warning', 'Critical'] as const;
export const alertKinds = [
  'agent_outdated',
  'clock_wrong',
  'disk_full',
  'host_down',
  'instance_crashed',
  'low_fps',
  'population_drop',
] as const satisfies components['schemas']['AlertKind'][];
const endReasons = ['recovered', 'settled', 'turned_off', 'gone'] as const;

export const AlertSchema = defineEntity({
  name: 'Alert',
  tableName: 'alert',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    kind: p.enum(alertKinds),
    severity: p.enum(alertSeverities),
    /** The instance or the host. It may have been deleted. */
    subjectId: p.uuid(),
    subjectName: p.text(),
    hostId: p.uuid(),
    hostName: p.text(),
    instanceId: p.uuid().nullable(),
    /** The values that triggered it. */
    metadata: p.json<Record<string, string | number>>(),
    raisedAt: p.datetime().defaultRaw('now()'),
    /** When it was last reopened after it had ended. */
    reopenedAt: p.datetime().nullable(),
    /** While it is open: since when its condition no longer holds. */
    wellSince: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
    endReason: p.enum(endReasons).nullable(),
    acknowledgedAt: p.datetime().nullable(),
    acknowledgedBy: p.text().nullable(),
  },
});
export class Alert extends AlertSchema.class {}
AlertSchema.setClass(Alert);
