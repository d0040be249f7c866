// A player as seen by the license's game servers, with their latest name.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const PlayerSchema = defineEntity({
  name: 'Player',
  tableName: 'player',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    steamId: p.text().primary(),
    name: p.text(),
    firstSeenAt: p.datetime(),
    lastSeenAt: p.datetime(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class Player extends PlayerSchema.class {}
PlayerSchema.setClass(Player);
