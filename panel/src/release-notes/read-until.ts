// Until when this browser has shown the release notes to the user.
import { useSyncExternalStore } from 'react';
import { useMe } from '../api/me.ts';
import { useRead } from '../api/reading.ts';

const listeners = new Set<() => void>();

const keyOf = (userId: string) => `gantry-release-notes-read-${userId}`;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab may show them, too.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** The time of the newest note that was shown; empty for none. */
export function useReadUntil(): string {
  const { id } = useMe();
  return useSyncExternalStore(subscribe, () => window.localStorage.getItem(keyOf(id)) ?? '');
}

export function markRead(userId: string, publishedAt: string): void {
  const key = keyOf(userId);
  if (publishedAt <= (window.localStorage.getItem(key) ?? '')) return;
  window.localStorage.setItem(key, publishedAt);
  for (const listener of listeners) listener();
}

/** Notes are rare. */
export const newsMs = 15 * 60_000;

/** Whether there is a note that this browser has not shown yet. */
export function useHasUnread(): boolean {
  const until = useReadUntil();
  const newest = useRead('/api/release-notes', { params: { query: { limit: 1 } } }, { every: newsMs }).data
    ?.data[0];
  return newest !== undefined && newest.published_at > until;
}
