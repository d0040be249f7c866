// A game server on an agent host, as last reported; the billed unit.
import { defineEntity, p } from '@mikro-orm/core';
import type { BusSchemas } from '../platform-contract/bus-types.ts';
import { tenantColumns, tenantTable } from './tenant.ts';

export const gameInstanceStates = [
  'offline',
  'stopped',
  'starting',
  'running',
  'stopping',
  'crashed',
] as const;

export const GameInstanceSchema = defineEntity({
  name: 'GameInstance',
  tableName: 'game_instance',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    hostId: p.uuid(),
    clusterId: p.uuid().nullable(),
    name: p.text(),
    game: p.text().nullable(),
    state: p.enum(gameInstanceStates).default('offline'),
    stateAt: p.datetime().nullable(),
    stateBootId: p.uuid().nullable(),
    stateSeq: p.bigint('number').nullable(),
    /** When the event of its crash was published; null again once it runs or is stopped. */
    downSince: p.datetime().nullable(),
    /** When it last crashed, even if it restarted at once, and when that was published. */
    crashedAt: p.datetime().nullable(),
    crashToldAt: p.datetime().nullable(),
    uptimeSeconds: p.bigint('number').default(0),
    players: p.integer().nullable(),
    maxPlayers: p.integer().nullable(),
    queued: p.integer().nullable(),
    fps: p.float().nullable(),
    entities: p.integer().nullable(),
    map: p.text().nullable(),
    /** Known only from its agent's state reports and not from a heartbeat yet: it is not billed. */
    isUnconfirmed: p.boolean().default(false),
    /** What it supports according to its agent; null if the agent does not report it. */
    capabilities: p.array().$type<BusSchemas['InstanceCapability'][]>().nullable(),
    /** `platform` if it was created from a template; otherwise the rest of its definition is null. */
    managedBy: p.enum(['file', 'platform'] as const).default('file'),
    template: p.text().nullable(),
    templateParameters: p.json<Record<string, string>>().nullable(),
    definitionVersion: p.bigint('number').nullable(),
    /** Why its agent refuses to start it. */
    definitionProblem: p.text().nullable(),
    cpuPercent: p.float().nullable(),
    memoryBytes: p.bigint('number').nullable(),
    /** The agent's report that its backup list comes from. */
    backupsBootId: p.uuid().nullable(),
    backupsSeq: p.bigint('number').nullable(),
    /** When it was last asked for online players with pending store deliveries. */
    storeAskedAt: p.datetime().nullable(),
    lastSeenAt: p.datetime().defaultRaw('now()'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class GameInstance extends GameInstanceSchema.class {}
GameInstanceSchema.setClass(GameInstance);
