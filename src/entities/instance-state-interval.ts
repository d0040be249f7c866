// A time interval in which an instance had one state; an instance's intervals are contiguous.
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
    /** Null for the current interval. */
    toAt: p.datetime().nullable(),
    state: p.enum(gameInstanceStates),
    /** The agent's report of the state, if the agent repeats such reports until they are acknowledged. */
    bootId: p.uuid().nullable(),
    seq: p.bigint('number').nullable(),
  },
});
export class InstanceStateInterval extends InstanceStateIntervalSchema.class {}
InstanceStateIntervalSchema.setClass(InstanceStateInterval);
