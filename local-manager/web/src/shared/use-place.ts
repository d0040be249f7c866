// The place within the page: the URL fragment, so that a reload and the back button keep it.
import { useSyncExternalStore } from 'react';

function listen(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

/** The parts of the fragment: `#/characters/4711` is `['characters', '4711']`. */
export function usePlace(): string[] {
  const hash = useSyncExternalStore(listen, () => window.location.hash);
  return hash.replace(/^#\/?/, '').split('/').filter(Boolean);
}
