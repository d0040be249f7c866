// The replies that handlers can return besides a plain body: versioned, settling, or computed per request.
import type { Logger } from 'pino';

/** A body with the version of the resource it shows. A later change names that version; see `expectedVersion`. */
export class Versioned<Body> {
  readonly body: Body;
  /** A change counter, or a hash of the content. */
  readonly version: number | string;

  constructor(body: Body, version: number | string) {
    this.body = body;
    this.version = version;
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
