// Generated from the contract; edit the contract instead.

/** Operations without authentication. */
export const publicOperations: ReadonlySet<string> = new Set([
]);

/** Operations that do a thing once for each Idempotency-Key. */
export const idempotentOperations: ReadonlySet<string> = new Set([
]);
