// Uploads files into a folder of a server, with progress for each.
import { uploadingClient } from '../api/uploading.ts';
import { write } from '../api/writing.ts';
import { startTransfer } from '../shared/transfers/transfers.ts';
import type { DroppedFile } from '../shared/dropped-files.ts';
import { refreshFolders, type Place } from './folder.ts';
import { folderOf, pathIn } from './paths.ts';

/** Uploads into a folder; folders of dropped folders are created first. */
export async function uploadInto(
  { instanceId, name: place }: Place,
  folder: string,
  files: readonly DroppedFile[],
): Promise<void> {
  const folders = new Set(files.map(({ path }) => folderOf(path)).filter((path) => path !== ''));
  for (const path of folders)
    await write('PUT /api/instances/{instance_id}/files/directories', {
      params: { path: { instance_id: instanceId }, query: { path: pathIn(folder, path) } },
    });
  if (folders.size > 0) refreshFolders();
  for (const { file, path } of files)
    startTransfer({
      direction: 'upload',
      name: path,
      place,
      totalBytes: file.size,
      run: async ({ onProgress, signal, replaces }) => {
        await upload(instanceId, pathIn(folder, path), file, { onProgress, signal, replaces });
        refreshFolders();
      },
    });
}

interface UploadOptions {
  onProgress?: (bytes: number) => void;
  signal?: AbortSignal;
  replaces?: boolean;
}

export async function upload(
  instanceId: string,
  path: string,
  content: Blob,
  { onProgress = () => undefined, signal, replaces = false }: UploadOptions = {},
): Promise<void> {
  const client = uploadingClient(content, onProgress);
  await client.PUT('/api/instances/{instance_id}/files/upload', {
    params: { path: { instance_id: instanceId }, query: { path, ...(replaces && { overwrite: true }) } },
    headers: { 'Content-Type': 'application/octet-stream' },
    body: content,
    ...(signal !== undefined && { signal }),
  });
}
