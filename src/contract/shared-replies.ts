// Keeps what everybody gets alike while it is fresh, by the address that was asked for, so that it is not asked for again.
import { LRUCache } from 'lru-cache';
import type { Operation } from './document.ts';
import { SharedReply } from '../results/results.ts';

/** Addresses are the caller's choice, and so is how many there are. */
const maxKept = { max: 1_000, maxSize: 16 * 1024 * 1024 };

export class SharedReplies {
  readonly #kept = new LRUCache<string, SharedReply<unknown>>({
    ...maxKept,
    sizeCalculation: ({ content }, url) => content.plain.length + url.length,
  });

  /** What was answered at this address, path and query, if it may be answered again. */
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
