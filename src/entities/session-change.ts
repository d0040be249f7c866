// A player's session that analytics have to count in or out; it is gone once they have.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const SessionChangeSchema = defineEntity({
  name: 'SessionChange',
  tableName: 'session_change',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    id: p.bigint('number').primary(),
    /** How often it counts from now on; negative for what counts no more. */
    sign: p.integer(),
    instanceId: p.uuid(),
    steamId: p.text(),
    startedAt: p.datetime(),
    endedAt: p.datetime().nullable(),
    hasJoin: p.boolean(),
    /** Only the figures of this map are meant. */
    mapId: p.uuid().nullable(),
    /** Only the figures of this wipe are meant. */
    wipeId: p.uuid().nullable(),
    queuedAt: p.datetime().defaultRaw('now()'),
  },
});
export class SessionChange extends SessionChangeSchema.class {}
SessionChangeSchema.setClass(SessionChange);
