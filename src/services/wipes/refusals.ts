// Refuses commands that would disturb an active wipe, and wipes whose map options contradict each other.
import type { CommandVerb } from '../../platform-contract/bus-types.ts';
import type { EntityManager } from '../../database/connection.ts';
import { WipeHistory } from '../../entities/index.ts';
import { DomainError, invalidField } from '../../errors.ts';
import type { Schemas } from '../../platform-contract/types.ts';

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
  new DomainError(
    'wipe_under_way',
    'A wipe of the instance is in progress; cancel it or wait until it has finished.',
  );

export async function refuseWhileWiped(
  em: EntityManager,
  instanceId: string,
  verb: CommandVerb,
): Promise<void> {
  if (!disturbing.has(verb)) return;
  const begun = { instanceId, finishedAt: null, status: { $nin: ['planned', 'announcing'] } } as const;
  if ((await em.count(WipeHistory, begun)) > 0) throw wipeUnderWay();
}

type Wanted = Pick<Schemas['WipeRequest'], 'kind' | 'seed' | 'world_size' | 'map_id'>;

/**
 * A wipe that keeps the save keeps its map, and an uploaded map has no seed or size. `pointer` is the JSON pointer of
 * the wipe in the body.
 */
export function refuseMixedMaps({ kind, seed, world_size, map_id }: Wanted, pointer = ''): void {
  const given = Object.entries({ seed, world_size, map_id }).find(([, value]) => value !== undefined);
  if (kind === 'blueprints' && given !== undefined)
    throw invalidField({
      in: 'body',
      pointer: `${pointer}/${given[0]}`,
      detail: 'must be omitted for a wipe that keeps the map',
    });
  if (map_id !== undefined && given?.[0] !== 'map_id')
    throw invalidField({
      in: 'body',
      pointer: `${pointer}/${given?.[0] ?? ''}`,
      detail: 'must be omitted for an uploaded map',
    });
}
