// A player's session on a game server, derived from events and server downtime; partitioned by month.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const PlayerSessionSchema = defineEntity({
  name: 'PlayerSession',
  tableName: 'player_session',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    instanceId: p.uuid().primary(),
    steamId: p.text().primary(),
    startedAt: p.datetime().primary(),
    /** Null while the session is open. */
    endedAt: p.datetime().nullable(),
    /** The last event that belongs to it. */
    lastSignAt: p.datetime(),
    /** Whether it began with a join; otherwise only the leave is known, and it has no length. */
    hasJoin: p.boolean(),
    endReason: p.enum(['leave', 'server_down', 'silence'] as const).nullable(),
  },
});
export class PlayerSession extends PlayerSessionSchema.class {}
PlayerSessionSchema.setClass(PlayerSession);
