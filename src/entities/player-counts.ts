// The days on which players played, how many did on each, and how long those who came again had been away.
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
    /** Of the player on that day; with none they have not played. */
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
    /** Of UTC; `-infinity` for all players that there ever were. */
    day: p.date().primary(),
    players: p.bigint('number'),
    /** Those who had not played before. */
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
    /** Days since the one on which they had played last, up to a year. */
    gap: p.integer().primary(),
    players: p.bigint('number'),
  },
});
export class PlayerReturn extends PlayerReturnSchema.class {}
PlayerReturnSchema.setClass(PlayerReturn);
