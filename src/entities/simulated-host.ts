// The simulated host of a sandbox: the state of its simulation, and the process that runs it.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const SimulatedHostSchema = defineEntity({
  name: 'SimulatedHost',
  tableName: 'simulated_host',
  ...tenantTable,
  properties: {
    hostId: p.uuid().primary(),
    licenseId: tenantColumns.licenseId(),
    /** `SimulatedHost` of `src/sandbox`. */
    state: p.json<object>(),
    /** `Vitals` of `src/sandbox`. */
    vitals: p.json<object>().nullable(),
    /** No request has used the sandbox for an hour, so its players neither come nor go. */
    isUnused: p.boolean().default(false),
    /** Whether messages wait to be sent. */
    hasOutgoing: p.boolean().default(false),
    /** By the sandbox's clock. */
    nextStepAt: p.datetime().nullable(),
    /** As above, without repeated steps. */
    nextMilestoneAt: p.datetime().nullable(),
    /** The process that receives the host's messages, and until when. */
    owner: p.uuid().nullable(),
    ownedUntil: p.datetime().nullable(),
  },
});
export class SimulatedHost extends SimulatedHostSchema.class {}
SimulatedHostSchema.setClass(SimulatedHost);
