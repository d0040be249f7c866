// Validates the map options of a wipe before its command is created.
import type { Schemas } from '../../platform-contract/types.ts';
import { invalidField } from '../../errors.ts';

type Wanted = Pick<Schemas['WipeRun'], 'kind' | 'seed' | 'world_size' | 'map_id'>;

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
      detail: 'has no meaning where the map stays',
    });
  if (map_id !== undefined && given?.[0] !== 'map_id')
    throw invalidField({
      in: 'body',
      pointer: `${pointer}/${given?.[0] ?? ''}`,
      detail: 'has no meaning for an uploaded map',
    });
}
