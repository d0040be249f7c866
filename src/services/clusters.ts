// Named groups of game instances.
import type { Ctx } from '../context.ts';
import type { Query, Schemas } from '../platform-contract/types.ts';
import { refusing } from '../database/faults.ts';
import type { EntityManager } from '../database/connection.ts';
import type { Queries } from '../database/reader.ts';
import { holdLock } from '../database/advisory-locks.ts';
import { InstanceCluster } from '../entities/index.ts';
import { DomainError, notFound } from '../errors.ts';
import { refuseBeyond, type Limit } from '../preconditions/limits.ts';
import { lookAlikeOf } from '../text/look-alikes.ts';
import { byId, pageOf } from '../lists/page.ts';

/** As many as a migration document holds. */
export const maxClusters = 2_000;
export const maxClustersOfSandbox = 100;

export type ClusterRow = Awaited<ReturnType<typeof clusterOf>>;

export class Clusters {
  async list(ctx: Ctx, query: Query<'listClusters'>) {
    return ctx.read((queries) => pageOf(clusters(queries), query, byId('id', 'asc')));
  }

  async get(ctx: Ctx, id: string): Promise<ClusterRow> {
    return ctx.read((queries) => clusterOf(queries, id));
  }

  async create(ctx: Ctx, input: Schemas['ClusterCreate']): Promise<ClusterRow> {
    return ctx.transact(async (em, queries) => {
      await refuseBeyond(em, clusterLimit(em, ctx.licenseId));
      await refuseLookAlike(ctx, em, input.name);
      const cluster = em.create(InstanceCluster, input);
      await flushNamed(em, cluster);
      return clusterOf(queries, cluster.id);
    });
  }

  async update(ctx: Ctx, id: string, changes: Schemas['ClusterUpdate']): Promise<ClusterRow> {
    return ctx.transact(async (em, queries) => {
      const cluster = await em.findOne(InstanceCluster, id);
      if (cluster === null) throw notFound('cluster');
      if (changes.name !== undefined) await refuseLookAlike(ctx, em, changes.name, id);
      em.assign(cluster, changes);
      await flushNamed(em, cluster);
      return clusterOf(queries, id);
    });
  }

  async delete(ctx: Ctx, id: string): Promise<void> {
    await ctx.transact(async (em) => {
      if ((await em.nativeDelete(InstanceCluster, { id })) === 0) throw notFound('cluster');
    });
  }
}

function clusters(queries: Queries) {
  return queries
    .selectFrom('instance_cluster')
    .select((eb) => [
      'id',
      'name',
      'description',
      'created_at',
      eb
        .selectFrom('game_instance')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('game_instance.cluster_id', '=', 'instance_cluster.id')
        .as('instance_count'),
    ]);
}

async function clusterOf(queries: Queries, id: string) {
  const cluster = await clusters(queries).where('id', '=', id).executeTakeFirst();
  if (cluster === undefined) throw notFound('cluster');
  return cluster;
}

export const clusterLimit = (em: EntityManager, licenseId: string): Limit => ({
  subject: `clusters ${licenseId}`,
  max: maxClusters,
  count: () => em.count(InstanceCluster),
  detail: `A license has at most ${maxClusters} clusters, and a sandbox ${maxClustersOfSandbox}.`,
  inSandbox: { licenseId, max: maxClustersOfSandbox },
});

function flushNamed(em: EntityManager, { name }: InstanceCluster): Promise<void> {
  return refusing(
    {
      instance_cluster_license_id_name_key: () =>
        new DomainError('name_taken', `A cluster named ${name} already exists.`),
    },
    () => em.flush(),
  );
}

/**
 * Refuses a name that looks like another one, since users could not distinguish them; case may differ. Serialised by an
 * advisory lock.
 */
async function refuseLookAlike(ctx: Ctx, em: EntityManager, name: string, ownId?: string): Promise<void> {
  await holdLock(em, `cluster names ${ctx.licenseId}`);
  const others = await em.find(InstanceCluster, ownId === undefined ? {} : { id: { $ne: ownId } });
  const alike = lookAlikeOf(
    name,
    others.map((other) => other.name).filter((other) => other.toLowerCase() !== name.toLowerCase()),
  );
  if (alike !== undefined)
    throw new DomainError('name_taken', `A cluster is named ${alike}, which looks like ${name}.`);
}
