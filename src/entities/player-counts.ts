// The days on which players played, the number of players per day, and the gaps before they returned.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

const columns = () => ({
  licenseId: tenantColumns.licenseId().primary(),
  /** An instance, a played map or, as zeros, the whole license. */
  scopeId: p.uuid().primary(),
});

export const PlayerDaySchema = defineEntity({
  name: 'PlayerDay',
  tableName: 'player_day',
  ...tenantTable,
  properties: {
    ...columns(),
    steamId: p.text().primary(),
    day: p.date().primary(),
    /** The number of the player's sessions on that day; 0 if the player did not play. */
    sessions: p.integer(),
  },
});
export class PlayerDay extends PlayerDaySchema.class {}
PlayerDaySchema.setClass(PlayerDay);

export const PlayerDayCountSchema = defineEntity({
  name: 'PlayerDayCount',
  tableName: 'player_day_count',
  ...tenantTable,
  properties: {
    ...columns(),
    /** A day in UTC; `-infinity` for all players ever. */
    day: p.date().primary(),
    players: p.bigint('number'),
    /** Players who had not played before. */
    newPlayers: p.bigint('number'),
  },
});
export class PlayerDayCount extends PlayerDayCountSchema.class {}
PlayerDayCountSchema.setClass(PlayerDayCount);

export const PlayerReturnSchema = defineEntity({
  name: 'PlayerReturn',
  tableName: 'player_return',
  ...tenantTable,
  properties: {
    ...columns(),
    day: p.date().primary(),
    /** Days since the player's previous day, up to a year. */
    gap: p.integer().primary(),
    players: p.bigint('number'),
  },
});
export class PlayerReturn extends PlayerReturnSchema.class {}
PlayerReturnSchema.setClass(PlayerReturn);
