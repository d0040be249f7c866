// A player joining or leaving a game server, as reported by its plugin; partitioned by month.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const PlayerEventSchema = defineEntity({
  name: 'PlayerEvent',
  tableName: 'player_event',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    /** Unique within the license. */
    eventId: p.text().primary(),
    occurredAt: p.datetime().primary(),
    instanceId: p.uuid(),
    steamId: p.text(),
    kind: p.enum(['join', 'leave'] as const),
    displayName: p.text(),
    receivedAt: p.datetime().defaultRaw('now()'),
  },
});
export class PlayerEvent extends PlayerEventSchema.class {}
PlayerEventSchema.setClass(PlayerEvent);
