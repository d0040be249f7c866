// Who played in the first day after a wipe and came back in the three days that followed.
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
    /** Whether sessions that were there before it have been counted. */
    isCounted: p.boolean().default(false),
    queuedAt: p.datetime().defaultRaw('now()'),
    /** Whether it is kept who they were; otherwise only how many. */
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
    /** Sessions that have a moment in the first 24 hours after the wipe, and in those that follow. */
    firstDay: p.integer(),
    secondDay: p.integer(),
    thirdDay: p.integer(),
    fourthDay: p.integer(),
  },
});
export class WipePlayer extends WipePlayerSchema.class {}
WipePlayerSchema.setClass(WipePlayer);
