// What one page hands to the next: dropped files to the page that imports them, and what an import has not read.
import { useSyncExternalStore } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { draftKey, readTabDraft, writeTabDraft } from '../../shared/draft-storage.ts';
import type { DroppedFile } from './plugin-files.ts';

let files: readonly DroppedFile[] = [];

export function handOverFiles(dropped: readonly DroppedFile[]): void {
  files = dropped;
}

/** The files, which are handed over once. */
export function takeFiles(): readonly DroppedFile[] {
  const taken = files;
  files = [];
  return taken;
}

export type Imported = Pick<Schemas['PluginConfigImported'], 'not_read' | 'not_read_count'>;

const storageKey = () => draftKey('plugin-config-import');
const listeners = new Set<() => void>();

/** Kept until it is closed, so that a reload does not lose it. */
export function setImported(configId: string, imported: Imported | null): void {
  writeTabDraft(storageKey(), imported === null ? null : JSON.stringify({ configId, ...imported }));
  for (const listener of listeners) listener();
}

export function useImported(configId: string): Imported | null {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => readTabDraft(storageKey()),
  );
  if (text === null) return null;
  const imported = JSON.parse(text) as Imported & { configId: string };
  return imported.configId === configId ? imported : null;
}
