// Uploads a map file into the library.
import { uploadingClient } from '../api/uploading.ts';
import { startTransfer } from '../shared/transfers/transfers.ts';
import { refreshMaps } from './maps.ts';

export function uploadMap(file: File, name: string, place: string): void {
  const form = new FormData();
  // Before the file, so that a refused upload fails before all of it is sent.
  form.set('name', name);
  form.set('file', file);
  startTransfer({
    direction: 'upload',
    name,
    place,
    totalBytes: file.size,
    run: async ({ onProgress, signal }) => {
      const client = uploadingClient(form, onProgress);
      await client.POST('/api/maps', { body: form, signal });
      refreshMaps();
    },
  });
}
