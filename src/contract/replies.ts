// What a handler may return besides a plain body: one that may still change, one with a version, one found out for each request.
import type { Logger } from 'pino';

/** A body with the version of what it shows. Whoever changes that names the version they saw; see `expectedVersion`. */
export class Versioned<Body> {
  readonly body: Body;
  /** A number that counts changes, or a hash of what is shown. */
  readonly version: number | string;

  constructor(body: Body, version: number | string) {
    this.body = body;
    this.version = version;
  }
}

/** A reply that may still change: it settles after the transaction has ended, and what it has become is sent instead. */
export class Settling<Body> {
  readonly body: Body;
  readonly #settle: () => Promise<Body>;

  constructor(body: Body, settle: () => Promise<Body>) {
    this.body = body;
    this.#settle = settle;
  }

  /** The body as it has become; as it was where that can't be told: what was done is answered all the same. */
  async end(log: Logger): Promise<Body> {
    try {
      return await this.#settle();
    } catch (error) {
      log.warn({ err: error }, 'an answer could not be brought up to date');
      return this.body;
    }
  }
}

/** A reply of what changes nothing: found out after the transaction has ended, and anew for each request with its key. */
export class Unkept<Body> {
  readonly find: () => Promise<Body>;

  constructor(find: () => Promise<Body>) {
    this.find = find;
  }
}

/** What is sent of a handler's reply. */
export async function endOf(reply: unknown, log: Logger): Promise<unknown> {
  if (reply instanceof Unkept) return reply.find() as Promise<unknown>;
  return reply instanceof Settling ? (reply.end(log) as Promise<unknown>) : reply;
}
