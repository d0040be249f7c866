// Downloads a file of a server.
import { client } from '../api/client.ts';
import { startDownload } from '../shared/transfers/download.ts';
import type { InstanceFile, Place } from './folder.ts';

export const download = (
  { instanceId, name: place }: Place,
  { path, name, size }: Pick<InstanceFile, 'path' | 'name' | 'size'>,
): Promise<void> =>
  startDownload({
    name,
    place,
    bytes: size,
    fetch: (signal) =>
      client.GET('/api/instances/{instance_id}/files/download', {
        params: { path: { instance_id: instanceId }, query: { path } },
        parseAs: 'stream',
        signal,
      }),
  });
