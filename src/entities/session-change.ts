// A player session that analytics must add or subtract; deleted afterwards.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const SessionChangeSchema = defineEntity({
  name: 'SessionChange',
  tableName: 'session_change',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    id: p.bigint('number').primary(),
    /** The count to add; negative for a session that no longer counts. */
    sign: p.integer(),
    instanceId: p.uuid(),
    steamId: p.text(),
    startedAt: p.datetime(),
    endedAt: p.datetime().nullable(),
    hasJoin: p.boolean(),
    /** If set, only the figures of this map change. */
    mapId: p.uuid().nullable(),
    /** If set, only the figures of this wipe change. */
    wipeId: p.uuid().nullable(),
    queuedAt: p.datetime().defaultRaw('now()'),
  },
});
export class SessionChange extends SessionChangeSchema.class {}
SessionChangeSchema.setClass(SessionChange);
