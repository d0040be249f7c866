// Caches replies that are the same for every caller while they are fresh, by request URL.
import { LRUCache } from 'lru-cache';
import type { Operation } from './document.ts';
import { SharedReply } from '../results/results.ts';

/** Callers choose the URLs, so the number of entries must be bounded. */
const maxKept = { max: 1_000, maxSize: 16 * 1024 * 1024 };

export class SharedReplies {
  readonly #kept = new LRUCache<string, SharedReply<unknown>>({
    ...maxKept,
    sizeCalculation: ({ content }, url) => content.plain.length + url.length,
  });

  /** The cached reply for this URL (path and query), if it may be cached. */
  at(operation: Operation, url: string): SharedReply<unknown> | undefined {
    if (!isForEverybody(operation)) return undefined;
    const reply = this.#kept.get(url);
    return reply !== undefined && reply.freshUntil > Date.now() ? reply : undefined;
  }

  keep(operation: Operation, url: string, reply: unknown): void {
    if (reply instanceof SharedReply && isForEverybody(operation)) this.#kept.set(url, reply);
  }
}

const isForEverybody = ({ method, security }: Operation) => method === 'get' && security.length === 0;
