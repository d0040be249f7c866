// Caches that grow with their entries: `LRUCache` with `max` allocates all its places at once, 5 MB for 100,000.
import { LRUCache } from 'lru-cache';

interface GrowingCacheOptions {
  /** Beyond it, the least recently used entry is evicted. */
  maxEntries: number;
  /** Milliseconds. */
  ttl?: number;
}

export const growingCache = <Value extends NonNullable<unknown>>({
  maxEntries,
  ttl = 0,
}: GrowingCacheOptions) =>
  new LRUCache<string, Value>({ maxSize: maxEntries, sizeCalculation: () => 1, ttl });
