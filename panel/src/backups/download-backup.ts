// Downloads the archive of a backup.
import { client } from '../api/client.ts';
import { startDownload } from '../shared/transfers/download.ts';
import type { Backup } from './backups.ts';

export const downloadBackup = (
  { id, size, created_at }: Backup,
  instanceId: string,
  server: string,
): Promise<void> =>
  startDownload({
    name: `${server.replace(/[^\p{L}\p{N}]+/gu, '-')}-${created_at.slice(0, 16).replaceAll(':', '')}.zip`,
    place: server,
    bytes: size,
    fetch: (signal) =>
      client.GET('/api/instances/{instance_id}/backups/{backup_id}/download', {
        params: { path: { instance_id: instanceId, backup_id: id } },
        parseAs: 'stream',
        signal,
      }),
  });
