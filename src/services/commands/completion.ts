// What follows from the end of commands, within the transaction that ends them.
import type { EntityManager } from '../../database/connection.ts';
import { settleManagedInstances } from '../managed-instances/outcomes.ts';
import { settlePlayerActions } from '../players/outcomes.ts';
import { settlePluginApplications } from '../plugin-applications/outcomes.ts';
import { settleDeliveries } from '../store/deliveries/outcomes.ts';
import { settleWipes } from '../wipes/outcomes.ts';

export interface EndedCommand {
  id: string;
  /** Whether plugins have loaded what it has written; left out of commands that write nothing for any. */
  is_loaded?: boolean;
}

/** Call it with the commands that have just got their end, or a later one. */
export async function followEnds(em: EntityManager, commands: readonly EndedCommand[]): Promise<void> {
  if (commands.length === 0) return;
  const ids = commands.map(({ id }) => id);
  await settlePlayerActions(em, ids);
  await settlePluginApplications(em, commands);
  await settleDeliveries(em, ids);
  await settleWipes(em, ids);
  await settleManagedInstances(em, ids);
}
