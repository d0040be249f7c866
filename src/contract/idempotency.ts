// What the contract asks of whoever keeps the answers of requests with an Idempotency-Key.
import type { Operation } from './document.ts';
import type { RequestOf } from './operation.ts';

export interface Idempotency<Principal> {
  /**
   * Runs `answer` and keeps its reply in the same transaction, or gives the reply that was kept when the same
   * principal sends the same request with the same key again. What it answers has settled.
   */
  answerOnce(
    operation: Operation,
    principal: Principal,
    request: RequestOf<unknown>,
    answer: () => Promise<unknown>,
  ): Promise<unknown>;
}
