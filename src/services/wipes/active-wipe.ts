// Refuses commands that would interfere with an active wipe of the instance.
import type { CommandVerb } from '../../platform-contract/bus-types.ts';
import type { EntityManager } from '../../database/connection.ts';
import { WipeHistory } from '../../entities/index.ts';
import { DomainError } from '../../errors.ts';

/** Refused from the moment the server is being stopped. The agent refuses them too, in case one was already sent. */
const disturbing: ReadonlySet<CommandVerb> = new Set<CommandVerb>([
  'create_backup',
  'delete_instance',
  'restore_backup',
  'restart',
  'start',
  'stop',
]);

export const wipeUnderWay = () =>
  new DomainError('wipe_under_way', 'The instance is being wiped; wait for the end of that, or cancel it.');

export async function refuseWhileWiped(
  em: EntityManager,
  instanceId: string,
  verb: CommandVerb,
): Promise<void> {
  if (!disturbing.has(verb)) return;
  const begun = { instanceId, finishedAt: null, status: { $nin: ['planned', 'announcing'] } } as const;
  if ((await em.count(WipeHistory, begun)) > 0) throw wipeUnderWay();
}
