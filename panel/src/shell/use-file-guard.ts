// Keeps the browser from opening a file that is dropped beside the place for it, in place of the panel.
import { useEffect } from 'react';
import { hasFiles } from '../shared/dropped-files.ts';

function refuse(event: DragEvent): void {
  if (event.defaultPrevented || !hasFiles(event)) return;
  event.preventDefault();
  if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none';
}

export function useFileGuard(): void {
  useEffect(() => {
    const until = new AbortController();
    for (const type of ['dragover', 'drop'] as const)
      window.addEventListener(type, refuse, { signal: until.signal });
    return () => until.abort();
  }, []);
}
