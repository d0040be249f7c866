// A machine that runs a companion agent, with the metrics of its last heartbeat.
import { defineEntity, p } from '@mikro-orm/core';
import type { BusSchemas } from '../platform-contract/bus-types.ts';
import { tenantColumns, tenantTable } from './tenant.ts';

export const AgentHostSchema = defineEntity({
  name: 'AgentHost',
  tableName: 'agent_host',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    hostname: p.text(),
    platform: p.text(),
    agentVersion: p.text(),
    status: p.enum(['online', 'offline'] as const).default('offline'),
    /** Bound to this host from its enrolment until an operator resets it; revocations use it. */
    busPublicKey: p.text(),
    /** The key admits the host without the companion token. */
    hasOwnCredential: p.boolean().default(false),
    /** Set while the key is reset: until then, the next agent of this name binds the host to its own key. */
    keyResetExpiresAt: p.datetime().nullable(),
    /** When it was last cut off the bus because it sent far too much. */
    floodedAt: p.datetime().nullable(),
    bootId: p.uuid().nullable(),
    /** Send time of the first message of this boot that was received; messages of earlier boots are older. */
    bootSince: p.datetime().nullable(),
    /** The boot has said goodbye; none of its messages can bring the host back online. */
    isBootOver: p.boolean().default(false),
    heartbeatSeq: p.bigint('number').nullable(),
    cpuPercent: p.float().nullable(),
    memoryUsedBytes: p.bigint('number').nullable(),
    memoryTotalBytes: p.bigint('number').nullable(),
    diskUsedBytes: p.bigint('number').nullable(),
    diskTotalBytes: p.bigint('number').nullable(),
    /** By how many milliseconds its clock is ahead of the platform's. */
    clockOffsetMs: p.bigint('number').nullable(),
    /** The offset at the previous heartbeat. */
    formerClockOffsetMs: p.bigint('number').nullable(),
    lastHeartbeatAt: p.datetime().nullable(),
    /** The last silent interval, from the last heartbeat before it to the first one after it. */
    silentSince: p.datetime().nullable(),
    heardAgainAt: p.datetime().nullable(),
    /** End of the lease with which one relay of commands holds this host. */
    relayUntil: p.datetime().nullable(),
    /** The host has not replied to its last command. */
    isSilent: p.boolean().default(false),
    /** As last reported by its agent; null if the agent does not report them. */
    instanceTemplates: p.json<BusSchemas['InstanceTemplate'][]>().nullable(),
    maxManagedInstances: p.integer().default(0),
    /** The agent's report that the managed-instance data comes from. */
    managedBootId: p.uuid().nullable(),
    managedSeq: p.bigint('number').nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class AgentHost extends AgentHostSchema.class {}
AgentHostSchema.setClass(AgentHost);
