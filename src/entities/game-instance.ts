// A game server on an agent host, as it was last reported; the unit that is billed.
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
    /** When it was told as an event that it is crashed; until it runs again or is stopped. */
    downSince: p.datetime().nullable(),
    /** When it last crashed, however soon it ran again, and when that was told. */
    crashedAt: p.datetime().nullable(),
    crashToldAt: p.datetime().nullable(),
    uptimeSeconds: p.bigint('number').default(0),
    players: p.integer().nullable(),
    maxPlayers: p.integer().nullable(),
    queued: p.integer().nullable(),
    fps: p.float().nullable(),
    entities: p.integer().nullable(),
    map: p.text().nullable(),
    /** Only its agent's reports of states have named it so far, and no heartbeat: nobody is billed for it. */
    isUnconfirmed: p.boolean().default(false),
    /** What its agent says can be asked of it; null for agents that do not say. */
    capabilities: p.array().$type<BusSchemas['InstanceCapability'][]>().nullable(),
    /** `platform` where it was made from a template; the rest of its definition is null otherwise. */
    managedBy: p.enum(['file', 'platform'] as const).default('file'),
    template: p.text().nullable(),
    templateParameters: p.json<Record<string, string>>().nullable(),
    definitionVersion: p.bigint('number').nullable(),
    /** Why its agent refuses to start it. */
    definitionProblem: p.text().nullable(),
    cpuPercent: p.float().nullable(),
    memoryBytes: p.bigint('number').nullable(),
    /** Which report of its agent its backups are from. */
    backupsBootId: p.uuid().nullable(),
    backupsSeq: p.bigint('number').nullable(),
    /** When it was last asked whether players are there for whom something was bought. */
    storeAskedAt: p.datetime().nullable(),
    lastSeenAt: p.datetime().defaultRaw('now()'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class GameInstance extends GameInstanceSchema.class {}
GameInstanceSchema.setClass(GameInstance);
