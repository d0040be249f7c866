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
    /** Belongs to this host alone, from its enrolment until an operator resets it; credentials are revoked by it. */
    busPublicKey: p.text(),
    /** Set while the key is void: until then, the next agent of this name binds the host to its own key. */
    keyResetExpiresAt: p.datetime().nullable(),
    bootId: p.uuid().nullable(),
    /** When the agent sent the first that was heard of this boot; what an earlier boot sent is older. */
    bootSince: p.datetime().nullable(),
    /** The boot has said goodbye; nothing that it sent can bring the host back. */
    isBootOver: p.boolean().default(false),
    heartbeatSeq: p.bigint('number').nullable(),
    cpuPercent: p.float().nullable(),
    memoryUsedBytes: p.bigint('number').nullable(),
    memoryTotalBytes: p.bigint('number').nullable(),
    diskUsedBytes: p.bigint('number').nullable(),
    diskTotalBytes: p.bigint('number').nullable(),
    /** By how much its clock is ahead of the platform's. */
    clockOffsetMs: p.bigint('number').nullable(),
    /** The same in the heartbeat before. */
    formerClockOffsetMs: p.bigint('number').nullable(),
    lastHeartbeatAt: p.datetime().nullable(),
    /** The last time in which nothing was heard of it, from the last heartbeat before to the first one after. */
    silentSince: p.datetime().nullable(),
    heardAgainAt: p.datetime().nullable(),
    /** Until when a relay of commands has this host to itself. */
    relayUntil: p.datetime().nullable(),
    /** It left the last command that was sent to it unanswered. */
    isSilent: p.boolean().default(false),
    /** As its agent reported them last; null for one that does not report them. */
    instanceTemplates: p.json<BusSchemas['InstanceTemplate'][]>().nullable(),
    maxManagedInstances: p.integer().default(0),
    /** Which report of its agent these are from. */
    managedBootId: p.uuid().nullable(),
    managedSeq: p.bigint('number').nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class AgentHost extends AgentHostSchema.class {}
AgentHostSchema.setClass(AgentHost);
