// The interface that the router needs to store and replay responses of requests with an Idempotency-Key.
import type { Operation } from './document.ts';
import type { RequestOf } from './operation.ts';

export interface Idempotency<Principal> {
  /**
   * Runs `handle` and stores its reply in the same transaction. If the same principal repeats the request with the same
   * key, returns the stored reply instead. The returned reply is settled.
   */
  handleOnce(
    operation: Operation,
    principal: Principal,
    request: RequestOf<unknown>,
    handle: () => Promise<unknown>,
  ): Promise<unknown>;
}
