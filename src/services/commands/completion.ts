// Applies the consequences of ended commands, within the transaction that ends them.
import type { EntityManager } from '../../database/connection.ts';
import { settleManagedInstances } from '../managed-instances/outcomes.ts';
import { settlePlayerActions } from '../players/outcomes.ts';
import { settlePluginApplications, type EndedCommand } from '../plugin-applications/outcomes.ts';
import { settleDeliveries } from '../store/deliveries/outcomes.ts';
import { settleWipes } from '../wipes/outcomes.ts';

/** Call it with the commands whose result was just recorded, or replaced by a later one. */
export async function followEnds(em: EntityManager, commands: readonly EndedCommand[]): Promise<void> {
  if (commands.length === 0) return;
  const ids = commands.map(({ id }) => id);
  await settlePlayerActions(em, ids);
  await settlePluginApplications(em, commands);
  await settleDeliveries(em, ids);
  await settleWipes(em, ids);
  await settleManagedInstances(em, ids);
}
