// Clusters in migration documents, identified by name; their instances are another part.
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { InstanceCluster } from '../../../entities/index.ts';
import { DomainError } from '../../../errors.ts';
import { clusterLimit, maxClusters } from '../../clusters.ts';
import type { ItemOf, MigrationPart } from '../part.ts';

type Item = ItemOf<'clusters'>;

export const clustersPart = (): MigrationPart<Item> => ({
  version: 1,
  max: maxClusters,
  permission: 'clusters.manage',

  async page(queries, last, count) {
    let clusters = queries
      .selectFrom('instance_cluster')
      .select(['name', 'description'])
      .orderBy(inOrder)
      .limit(count);
    if (last !== undefined) clusters = clusters.where(inOrder, '>', last.name);
    return clusters.execute();
  },

  labelOf: ({ name }) => name,

  limit: ({ em, ctx }) => clusterLimit(em, ctx.licenseId),

  async open({ em }, items) {
    const stored = await em.find(
      InstanceCluster,
      { name: { $in: items.map(({ name }) => name) } },
      { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
    );
    const byName = new Map(stored.map((cluster) => [cluster.name, cluster]));
    return {
      keyOf: ({ name }) => name,
      refusals: {
        instance_cluster_license_id_name_key: () =>
          new DomainError(
            'name_taken',
            'A cluster of this name was created during the import; start the import again.',
          ),
      },

      stored(item) {
        const cluster = byName.get(item.name);
        return cluster && { name: cluster.name, description: cluster.description ?? null };
      },

      check: () => undefined,

      async apply(pending) {
        for (const { item, isNew } of pending) {
          const cluster = byName.get(item.name);
          if (isNew || cluster === undefined) em.create(InstanceCluster, item);
          else em.assign(cluster, item);
        }
      },
    };
  },
});

const inOrder = sql<string>`name collate "C"`;
