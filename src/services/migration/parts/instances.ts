// The cluster of each instance in migration documents; only agents create instances.
import { sql } from 'kysely';
import { GameInstance, InstanceCluster } from '../../../entities/index.ts';
import { notFound } from '../../../errors.ts';
import type { ItemOf, MigrationPart } from '../part.ts';

type Item = ItemOf<'instances'>;

export const instancesPart = (): MigrationPart<Item> => ({
  version: 1,
  after: ['clusters'],
  max: 10_000,
  permission: 'fleet.manage',

  async page(queries, last, count) {
    let grouped = queries
      .selectFrom('game_instance')
      .innerJoin('agent_host', 'agent_host.id', 'game_instance.host_id')
      .innerJoin('instance_cluster', 'instance_cluster.id', 'game_instance.cluster_id')
      .select([
        'agent_host.hostname as host',
        'game_instance.name as instance',
        'instance_cluster.name as cluster',
      ])
      .orderBy(sql`agent_host.hostname collate "C"`)
      .orderBy(sql`game_instance.name collate "C"`)
      .limit(count);
    if (last !== undefined)
      grouped = grouped.where(
        sql<boolean>`(agent_host.hostname collate "C", game_instance.name collate "C") > (${last.host}, ${last.instance})`,
      );
    return grouped.execute();
  },

  labelOf: ({ host, instance }) => `${instance} on ${host}`,

  async open({ em, queries, instances, planned }, items) {
    const clusters = await em.find(InstanceCluster, {});
    const nameOf = new Map(clusters.map(({ id, name }) => [id, name]));
    const known = new Set([...nameOf.values(), ...(planned.get('clusters') ?? [])]);
    const ids = items.flatMap((item) => instances.idOf(item) ?? []);
    const rows =
      ids.length === 0
        ? []
        : await queries
            .selectFrom('game_instance')
            .select(['id', 'cluster_id'])
            .where('id', 'in', ids)
            .execute();
    const clusterOf = new Map(rows.map(({ id, cluster_id: cluster }) => [id, nameOf.get(cluster ?? '')]));
    return {
      keyOf: ({ host, instance }) => instances.idOf({ host, instance }) ?? `${host}/${instance}`,
      refusals: { game_instance_license_id_cluster_id_fkey: () => notFound('cluster') },

      reasonToSkip: (item) =>
        instances.reasonToSkip(item) ??
        (known.has(item.cluster) ? null : `The license has no cluster ${item.cluster}.`),

      stored(item) {
        const cluster = clusterOf.get(instances.idOf(item) ?? '');
        return cluster === undefined ? undefined : { ...item, cluster };
      },

      check: () => undefined,

      async apply(pending) {
        await em.flush();
        const names = [...new Set(pending.map(({ item }) => item.cluster))];
        for (const cluster of await em.find(InstanceCluster, { name: { $in: names } })) {
          const moved = pending.filter(({ item }) => item.cluster === cluster.name);
          const into = moved.flatMap(({ item }) => instances.idOf(item) ?? []);
          await em.nativeUpdate(GameInstance, { id: { $in: into } }, { clusterId: cluster.id });
        }
      },
    };
  },
});
