// Players of the first day after a wipe, and those who came back in the following three days.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const WipeRetentionSchema = defineEntity({
  name: 'WipeRetention',
  tableName: 'wipe_retention',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    wipeId: p.uuid().primary(),
    instanceId: p.uuid(),
    wipedAt: p.datetime(),
    /** Whether sessions from before this row existed have been counted. */
    isCounted: p.boolean().default(false),
    queuedAt: p.datetime().defaultRaw('now()'),
    /** Whether the individual players are still stored; otherwise only their number. */
    hasPlayers: p.boolean().default(true),
    cohort: p.bigint('number').default(0),
    secondDay: p.bigint('number').default(0),
    thirdDay: p.bigint('number').default(0),
    fourthDay: p.bigint('number').default(0),
  },
});
export class WipeRetention extends WipeRetentionSchema.class {}
WipeRetentionSchema.setClass(WipeRetention);

export const WipePlayerSchema = defineEntity({
  name: 'WipePlayer',
  tableName: 'wipe_player',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    wipeId: p.uuid().primary(),
    steamId: p.text().primary(),
    /** Sessions that overlap the first 24 hours after the wipe, and those that overlap the following days. */
    firstDay: p.integer(),
    secondDay: p.integer(),
    thirdDay: p.integer(),
    fourthDay: p.integer(),
  },
});
export class WipePlayer extends WipePlayerSchema.class {}
WipePlayerSchema.setClass(WipePlayer);
