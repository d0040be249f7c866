// Caches that grow with their entries: `LRUCache` with `max` allocates all its places at once, 5 MB for 100,000.
import { LRUCache } from 'lru-cache';

interface GrowingCacheOptions {
  /** What was not used for longest is dropped beyond that. */
  maxEntries: number;
  /** Milliseconds. */
  ttl?: number;
}

export const growingCache = <Value extends NonNullable<unknown>>({
  maxEntries,
  ttl = 0,
}: GrowingCacheOptions) =>
  new LRUCache<string, Value>({ maxSize: maxEntries, sizeCalculation: () => 1, ttl });
