// The agent hosts and game instances of a license.
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { AgentRelease, Release } from '../agent-release/agent-release.ts';
import type { Ctx } from '../context.ts';
import type { Query, Schemas } from '../platform-contract/types.ts';
import { refusing } from '../database/faults.ts';
import type { Queries } from '../database/reader.ts';
import { AgentHost, GameInstance } from '../entities/index.ts';
import { DomainError, notFound } from '../errors.ts';
import { refuseKeyStorm, revokeKeys } from './agents/index.ts';
import { availableVersion, latestUpdates } from './agents/updates.ts';
import { byId, byTime, pageFrom, pageOf } from '../lists/page.ts';
import type { StatsPoint } from '../packed-stats/codec.ts';
import { newestPoints } from '../packed-stats/points.ts';

const hostColumns = [
  'id',
  'hostname',
  'status',
  'agent_version',
  'platform',
  'cpu_percent',
  'memory_used_bytes',
  'memory_total_bytes',
  'disk_used_bytes',
  'disk_total_bytes',
  'clock_offset_ms',
  'last_heartbeat_at',
  'key_reset_expires_at',
  'created_at',
] as const;

const instanceColumns = [
  'id',
  'host_id',
  'name',
  'game',
  'capabilities',
  'state',
  'uptime_seconds',
  'players',
  'max_players',
  'queued',
  'fps',
  'entities',
  'map',
  'cpu_percent',
  'memory_bytes',
  'cluster_id',
  'managed_by',
  'last_seen_at',
  'created_at',
] as const;

/** The hostname of the instance's host; every instance has one. */
const hostnameOf =
  sql<string>`(select hostname from agent_host where agent_host.id = game_instance.host_id)`.as('hostname');

const dayMs = 24 * 60 * 60_000;

/** How long after a reset an agent can bind the host to a new key. */
const keyResetMs = 60 * 60_000;

const storedHosts = (queries: Queries) => queries.selectFrom('agent_host').select(hostColumns);

type StoredHost = Awaited<ReturnType<ReturnType<typeof storedHosts>['execute']>>[number];

export type HostRow = Awaited<ReturnType<typeof withUpdates>>[number];
export type InstanceRow = Awaited<ReturnType<typeof instanceOf>>;
export type StatsRow = Awaited<ReturnType<Fleet['listStats']>>['rows'][number];

export class Fleet {
  readonly #agentRelease: AgentRelease;

  constructor(agentRelease: AgentRelease) {
    this.#agentRelease = agentRelease;
  }

  async listHosts(ctx: Ctx, query: Query<'listHosts'>) {
    const release = await this.#agentRelease.find();
    return ctx.read(async (queries) => {
      let hosts = storedHosts(queries);
      if (query.status !== undefined) hosts = hosts.where('status', '=', query.status);
      if (query.is_outdated !== undefined) {
        const outdated = await outdatedBuilds(queries, release);
        hosts = hosts.where((where) => {
          const isOutdated = where.or(outdated.map((build) => where.and(build)));
          return query.is_outdated === true ? isOutdated : where.not(isOutdated);
        });
      }
      const { rows, nextCursor } = await pageOf(hosts, query, byId('id', 'asc'));
      return { rows: await withUpdates(queries, release, rows), nextCursor };
    });
  }

  async getHost(ctx: Ctx, id: string): Promise<HostRow> {
    const release = await this.#agentRelease.find();
    return ctx.read((queries) => hostOf(queries, release, id));
  }

  async listInstances(ctx: Ctx, query: Query<'listInstances'>) {
    return ctx.read((queries) => {
      let instances = queries.selectFrom('game_instance').select(instanceColumns).select(hostnameOf);
      if (query.host_id !== undefined) instances = instances.where('host_id', '=', query.host_id);
      if (query.cluster_id !== undefined) instances = instances.where('cluster_id', '=', query.cluster_id);
      if (query.state !== undefined) instances = instances.where('state', '=', query.state);
      return pageOf(instances, query, byId('id', 'asc'));
    });
  }

  async getInstance(ctx: Ctx, id: string): Promise<InstanceRow> {
    return ctx.read((queries) => instanceOf(queries, id));
  }

  /** Statistics from heartbeats of the instance, newest first; the default range is the last 24 hours. */
  async listStats(ctx: Ctx, id: string, { from, to, ...page }: Query<'listInstanceMetrics'>) {
    return ctx.read(async (queries) => {
      await instanceOf(queries, id);
      const order = byTime<StatsPoint>('recorded_at', 'desc', ({ recorded_at: recordedAt }) => recordedAt);
      return pageFrom(page, order, (key, count) =>
        newestPoints(queries, {
          licenseId: ctx.licenseId,
          instanceId: id,
          from: new Date(from ?? Date.now() - dayMs).toISOString(),
          before: [to, key].filter((time) => time !== undefined),
          count,
        }),
      );
    });
  }

  /** Changes the given fields. */
  async updateInstance(ctx: Ctx, id: string, { cluster_id }: Schemas['GameInstanceUpdate']) {
    return ctx.transact(async (em, queries) => {
      const instance = await em.findOne(GameInstance, id);
      if (instance === null) throw notFound('instance');
      if (cluster_id !== undefined) instance.clusterId = cluster_id;
      await refusing({ game_instance_license_id_cluster_id_fkey: () => notFound('cluster') }, () =>
        em.flush(),
      );
      return instanceOf(queries, id);
    });
  }

  /** Voids the host's key at once. For one hour, the next agent with its name can bind the host to a new key. */
  async resetHostKey(ctx: Ctx, id: string): Promise<HostRow> {
    const release = await this.#agentRelease.find();
    return ctx.transact(async (em, queries) => {
      const host = await em.findOne(AgentHost, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (host === null) throw notFound('host');
      await refuseKeyStorm(em, ctx.licenseId);
      await revokeKeys(em, ctx.licenseId, [host.busPublicKey]);
      host.keyResetExpiresAt = new Date(Date.now() + keyResetMs);
      await em.flush();
      return hostOf(queries, release, id);
    });
  }

  /** Deletes an offline host with all its data, and revokes its agent's credentials. */
  async deleteHost(ctx: Ctx, id: string): Promise<void> {
    await ctx.transact(async (em) => {
      const host = await em.findOne(AgentHost, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (host === null) throw notFound('host');
      if (host.status === 'online') throw stillOnline('host');
      await revokeKeys(em, ctx.licenseId, [host.busPublicKey]);
      em.remove(host);
    });
  }

  /** Deletes an offline instance. Its statistics become unreachable, and are dropped with their monthly partition. */
  async deleteInstance(ctx: Ctx, id: string): Promise<void> {
    await ctx.transact(async (em) => {
      const instance = await em.findOne(GameInstance, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (instance === null) throw notFound('instance');
      if (instance.state !== 'offline') throw stillOnline('instance');
      em.remove(instance);
    });
  }
}

const stillOnline = (what: string) =>
  new DomainError('still_online', `The ${what} is online; only one that is offline can be deleted.`);

async function hostOf(queries: Queries, release: Release | undefined, id: string): Promise<HostRow> {
  const rows = await storedHosts(queries).where('id', '=', id).execute();
  const [host] = await withUpdates(queries, release, rows);
  if (host === undefined) throw notFound('host');
  return host;
}

interface Build {
  platform: string;
  agent_version: string;
}

/** What the outdated hosts of the license run. SQL does not order versions. */
async function outdatedBuilds(queries: Queries, release: Release | undefined): Promise<Build[]> {
  const builds = await queries
    .selectFrom('agent_host')
    .select(['platform', 'agent_version'])
    .distinct()
    .execute();
  return builds.filter((build) => availableVersion(release, build) !== null);
}

async function withUpdates(queries: Queries, release: Release | undefined, rows: readonly StoredHost[]) {
  const updates = await latestUpdates(
    queries,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...row,
    availableVersion: availableVersion(release, row),
    update: updates.get(row.id) ?? null,
  }));
}

async function instanceOf(queries: Queries, id: string) {
  const instance = await queries
    .selectFrom('game_instance')
    .select(instanceColumns)
    .select(hostnameOf)
    .where('id', '=', id)
    .executeTakeFirst();
  if (instance === undefined) throw notFound('instance');
  return instance;
}
