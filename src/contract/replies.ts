// The replies that handlers can return besides a plain body, and the cache of those that all callers share.
import type { Logger } from 'pino';
import { LRUCache } from 'lru-cache';
import type { Operation } from './document.ts';
import { SharedReply } from '../results/results.ts';

/** A body with the version of the resource it shows. A later change names that version; see `expectedVersions`. */
export class Versioned<Body> {
  readonly body: Body;
  /** A change counter, or a hash of the content. */
  readonly version: number | string;

  constructor(body: Body, version: number | string) {
    this.body = body;
    this.version = version;
  }
}

/** A cookie that scripts cannot read, and that only this site's own requests carry. */
export interface Cookie {
  name: string;
  /** The cookie is removed if `null`. */
  value: string | null;
  /** Sent back with requests to this path and those below it. */
  path: string;
  maxAgeSeconds: number;
}

/** A body with a cookie. */
export class WithCookie<Body> {
  readonly body: Body;
  readonly cookie: Cookie;

  constructor(body: Body, cookie: Cookie) {
    this.body = body;
    this.cookie = cookie;
  }
}

/** A reply that can still change: it settles after the transaction has ended, and the settled body is sent. */
export class Settling<Body> {
  readonly body: Body;
  readonly #settle: () => Promise<Body>;

  constructor(body: Body, settle: () => Promise<Body>) {
    this.body = body;
    this.#settle = settle;
  }

  /** The settled body. If settling fails, returns the original body, because the work itself was done. */
  async end(log: Logger): Promise<Body> {
    try {
      return await this.#settle();
    } catch (error) {
      log.warn({ err: error }, 'a reply could not be settled');
      return this.body;
    }
  }
}

/** The body, or what it settles to in this time if the caller waits. */
export function settlingWithin<Body>(
  seconds: number,
  body: Body,
  settle: () => Promise<Body>,
): Body | Settling<Body> {
  return seconds === 0 ? body : new Settling(body, settle);
}

/** A reply of a read-only operation: computed after the transaction, and again for each repetition of its key. */
export class Unkept<Body> {
  readonly find: () => Promise<Body>;

  constructor(find: () => Promise<Body>) {
    this.find = find;
  }
}

/** The body to send for a handler's reply. */
export async function endOf(reply: unknown, log: Logger): Promise<unknown> {
  if (reply instanceof Unkept) return reply.find() as Promise<unknown>;
  return reply instanceof Settling ? (reply.end(log) as Promise<unknown>) : reply;
}

/** Callers choose the URLs, so the number of entries must be bounded. */
const maxKept = { max: 1_000, maxSize: 16 * 1024 * 1024 };

/** Caches replies that are the same for every caller while they are fresh, by request URL. */
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
