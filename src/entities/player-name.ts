// A name that a player has used, and when.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const PlayerNameSchema = defineEntity({
  name: 'PlayerName',
  tableName: 'player_name',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    steamId: p.text().primary(),
    name: p.text().primary(),
    firstSeenAt: p.datetime(),
    lastSeenAt: p.datetime(),
  },
});
export class PlayerName extends PlayerNameSchema.class {}
PlayerNameSchema.setClass(PlayerName);
