// Named groups of game instances.
import type { components, operations } from '../../generated/platform.d.ts';
import type { Ctx } from '../context.ts';
import type { EntityManager } from '../database/connection.ts';
import type { Queries } from '../database/reader.ts';
import { InstanceCluster } from '../entities/index.ts';
import { DomainError, notFound } from '../errors.ts';
import { pageOf } from './page.ts';

type ClusterWrite = components['schemas']['ClusterWrite'];
type ListQuery = NonNullable<operations['listClusters']['parameters']['query']>;
export type ClusterRow = Awaited<ReturnType<Clusters['get']>>;

export class Clusters {
  async list(ctx: Ctx, query: ListQuery) {
    return ctx.read((queries) => pageOf(clustersWithCount(queries), query, 'asc'));
  }

  async get(ctx: Ctx, id: string) {
    const cluster = await ctx.read((queries) =>
      clustersWithCount(queries).where('id', '=', id).executeTakeFirst(),
    );
    if (cluster === undefined) throw notFound('cluster');
    return cluster;
  }

  async create(ctx: Ctx, { name }: ClusterWrite): Promise<ClusterRow> {
    const id = await ctx.transact(async (em) => {
      await refuseTakenName(em, ctx.licenseId, name);
      const cluster = em.create(InstanceCluster, { name });
      await em.flush();
      return cluster.id;
    });
    return this.get(ctx, id);
  }

  async update(ctx: Ctx, id: string, { name }: ClusterWrite): Promise<ClusterRow> {
    await ctx.transact(async (em) => {
      const cluster = await em.findOne(InstanceCluster, id);
      if (cluster === null) throw notFound('cluster');
      if (cluster.name !== name) await refuseTakenName(em, ctx.licenseId, name);
      cluster.name = name;
    });
    return this.get(ctx, id);
  }

  async delete(ctx: Ctx, id: string): Promise<void> {
    await ctx.transact(async (em) => {
      if ((await em.nativeDelete(InstanceCluster, { id })) === 0) throw notFound('cluster');
    });
  }
}

function clustersWithCount(queries: Queries) {
  return queries
    .selectFrom('instance_cluster')
    .select((eb) => [
      'id',
      'name',
      'created_at',
      eb
        .selectFrom('game_instance')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('game_instance.cluster_id', '=', 'instance_cluster.id')
        .as('instance_count'),
    ]);
}

/** Holds the name until the transaction ends, so that two requests can't both find it free. */
async function refuseTakenName(em: EntityManager, licenseId: string, name: string): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`cluster ${licenseId} ${name}`]);
  if ((await em.count(InstanceCluster, { name })) > 0) {
    throw new DomainError('name_taken', `There is a cluster named ${name} already.`);
  }
}
