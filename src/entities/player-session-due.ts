// A player whose sessions on a game server must be derived again, starting with the one before that time.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const PlayerSessionDueSchema = defineEntity({
  name: 'PlayerSessionDue',
  tableName: 'player_session_due',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    instanceId: p.uuid().primary(),
    steamId: p.text().primary(),
    since: p.datetime(),
    queuedAt: p.datetime().defaultRaw('now()'),
  },
});
export class PlayerSessionDue extends PlayerSessionDueSchema.class {}
PlayerSessionDueSchema.setClass(PlayerSessionDue);
