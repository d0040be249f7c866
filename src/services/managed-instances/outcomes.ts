// Applies the outcomes of commands that create and delete instances.
import type { EntityManager } from '../../database/connection.ts';

interface Settled {
  id: string;
  license_id: string;
  host_id: string;
  instance_id: string | null;
  instance_name: string | null;
}

/** A created instance gets a row, and its command refers to it; the row of a deleted instance is removed. */
export async function settleManagedInstances(em: EntityManager, commandIds: string[]): Promise<void> {
  const settled = await em.execute<(Settled & { kind: string })[]>(
    `select id, license_id, host_id, instance_id, instance_name, kind from command
     where id = any(?::uuid[]) and kind in ('create_instance', 'delete_instance') and status = 'succeeded'`,
    [`{${commandIds.join(',')}}`],
  );
  for (const command of settled)
    await (command.kind === 'create_instance' ? settleCreation(em, command) : settleDeletion(em, command));
}

/** The agent's report usually arrives before the result. */
async function settleCreation(em: EntityManager, { id, license_id, host_id, instance_name }: Settled) {
  await em.execute(
    `insert into game_instance (license_id, host_id, name) values (?, ?, ?) on conflict (host_id, name) do nothing`,
    [license_id, host_id, instance_name],
  );
  await em.execute(
    `update command set instance_id = instance.id, instance_name = null from game_instance as instance
     where command.id = ? and instance.host_id = ? and instance.name = ?`,
    [id, host_id, instance_name],
  );
}

/** Deleting the instance deletes its other commands; this one stays for callers that wait for it. */
async function settleDeletion(em: EntityManager, { id, instance_id }: Settled) {
  await em.execute(
    `update command set instance_name = instance.name, instance_id = null from game_instance as instance
     where command.id = ? and instance.id = ?`,
    [id, instance_id],
  );
  await em.execute('delete from game_instance where id = ?', [instance_id]);
}
