// A span of time in which an instance had one state; those of an instance follow each other without a gap.
import { defineEntity, p } from '@mikro-orm/core';
import { gameInstanceStates } from './game-instance.ts';
import { tenantColumns, tenantTable } from './tenant.ts';

export const InstanceStateIntervalSchema = defineEntity({
  name: 'InstanceStateInterval',
  tableName: 'instance_state_interval',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    instanceId: p.uuid().primary(),
    fromAt: p.datetime().primary(),
    /** Null while it lasts. */
    toAt: p.datetime().nullable(),
    state: p.enum(gameInstanceStates),
    /** Of the report that said so, if it was one that an agent repeats until it is taken. */
    bootId: p.uuid().nullable(),
    seq: p.bigint('number').nullable(),
  },
});
export class InstanceStateInterval extends InstanceStateIntervalSchema.class {}
InstanceStateIntervalSchema.setClass(InstanceStateInterval);
