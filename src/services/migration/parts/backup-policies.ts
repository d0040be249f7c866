// Backup retention of each instance in migration documents; instances without their own policy are left out.
import { sql } from 'kysely';
import { BackupPolicy } from '../../../entities/index.ts';
import { notFound } from '../../../errors.ts';
import { enqueueRotation } from '../../../queue/enqueue.ts';
import type { ItemOf, MigrationPart } from '../part.ts';

type Item = ItemOf<'backup_policies'>;

export const backupPoliciesPart = (): MigrationPart<Item> => ({
  version: 1,
  max: 10_000,
  permission: 'backups.manage',

  async page(queries, last, count) {
    let policies = queries
      .selectFrom('backup_policy')
      .innerJoin('game_instance', 'game_instance.id', 'backup_policy.instance_id')
      .innerJoin('agent_host', 'agent_host.id', 'game_instance.host_id')
      .select(['agent_host.hostname as host', 'game_instance.name as instance', 'backup_policy.keep'])
      .orderBy(sql`agent_host.hostname collate "C"`)
      .orderBy(sql`game_instance.name collate "C"`)
      .limit(count);
    if (last !== undefined)
      policies = policies.where(
        sql<boolean>`(agent_host.hostname collate "C", game_instance.name collate "C") > (${last.host}, ${last.instance})`,
      );
    return policies.execute();
  },

  labelOf: ({ host, instance }) => `${instance} on ${host}`,

  async open({ ctx, em, instances }, items) {
    const ids = items.flatMap((item) => instances.idOf(item) ?? []);
    const stored = await em.find(BackupPolicy, { instanceId: { $in: ids } });
    const byInstance = new Map(stored.map((policy) => [policy.instanceId, policy]));
    const policyOf = (item: Item) => byInstance.get(instances.idOf(item) ?? '');
    return {
      keyOf: ({ host, instance }) => instances.idOf({ host, instance }) ?? `${host}/${instance}`,
      refusals: { backup_policy_license_id_instance_id_fkey: () => notFound('instance') },

      reasonToSkip: (item) => instances.reasonToSkip(item),

      stored(item) {
        const policy = policyOf(item);
        return policy && { ...item, keep: policy.keep };
      },

      check: () => undefined,

      async apply(pending) {
        for (const { item } of pending) {
          const instanceId = instances.idOf(item);
          if (instanceId === undefined) continue;
          const policy = policyOf(item);
          if (policy === undefined) em.create(BackupPolicy, { instanceId, keep: item.keep });
          else policy.keep = item.keep;
          await enqueueRotation(em, ctx.licenseId, instanceId);
        }
      },
    };
  },
});
