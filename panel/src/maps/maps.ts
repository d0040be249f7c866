// The maps of the license, and how a file becomes one of them.
import type { Tone } from '@gantry/ui/state-text.tsx';
import { queries } from '../api/queries.ts';
import type { ReadPath, Schemas } from '../api/operations.ts';
import { client } from '../api/client.ts';
import { startDownload } from '../shared/transfers/download.ts';

export type GameMap = Schemas['GameMap'];
export type Deployment = Schemas['MapDeployment'];

export const mapPaths: readonly ReadPath[] = ['/api/maps', '/api/maps/{map_id}'];

export const deploymentPaths: readonly ReadPath[] = [
  '/api/instances/{instance_id}/map-deployments',
  '/api/instances/{instance_id}/map-deployments/{map_deployment_id}',
  '/api/commands',
];

export const deploymentTones: Record<Deployment['status'], Tone> = {
  pending: 'busy',
  downloading: 'busy',
  deployed: 'good',
  failed: 'bad',
  removing: 'busy',
  removed: 'idle',
};

export const refreshMaps = (): void => {
  for (const path of mapPaths) void queries.invalidateQueries({ queryKey: [path] });
};

export const maxNameLength = 100;

/** What a map is called unless its owner says otherwise. */
export const nameFor = (fileName: string): string =>
  fileName
    .replace(/\.map$/i, '')
    .replace(/[_]+/g, ' ')
    .trim()
    .slice(0, maxNameLength);

export const downloadMap = ({ id, name, bytes }: GameMap, place: string): Promise<void> =>
  startDownload({
    name: `${name.replace(/[^\p{L}\p{N}]+/gu, '-')}.map`,
    place,
    bytes,
    fetch: (signal) =>
      client.GET('/api/maps/{map_id}/download', {
        params: { path: { map_id: id } },
        parseAs: 'stream',
        signal,
      }),
  });

export type Asking =
  | { kind: 'upload'; file: File }
  | { kind: 'rename'; map: GameMap }
  | { kind: 'publish'; map: GameMap }
  | { kind: 'deploy'; map: GameMap }
  | { kind: 'delete'; map: GameMap };
