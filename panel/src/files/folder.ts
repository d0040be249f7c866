// The folder that is shown, and the server that it belongs to.
import { getRouteApi } from '@tanstack/react-router';
import { queries } from '../api/queries.ts';
import type { ReadPath, Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import { useInstance } from '../instance/use-instance.ts';

export type InstanceFile = Schemas['InstanceFile'];

export const listPath = '/api/instances/{instance_id}/files' satisfies ReadPath;

const route = getRouteApi('/frame/licensed/servers/$instanceId');

/** The game server writes files without an event; long lists are read less often. */
const everyMs = 10_000;
const perPage = 100;

export function useFolder(path: string) {
  const { instanceId } = route.useParams();
  return usePages(
    '/api/instances/{instance_id}/files',
    { params: { path: { instance_id: instanceId }, query: path === '' ? {} : { path } } },
    { all: true, everyFor: ({ length: count }) => everyMs * Math.ceil((count + 1) / perPage) },
  );
}

/** The server that the shown files belong to. */
export function usePlace(): { instanceId: string; name: string } {
  const { instanceId } = route.useParams();
  const { data } = useInstance();
  return { instanceId, name: data?.name ?? instanceId };
}

export type Place = ReturnType<typeof usePlace>;

export const refreshFolders = (): void => void queries.invalidateQueries({ queryKey: [listPath] });
