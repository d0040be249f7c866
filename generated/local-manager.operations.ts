// Generated from the contract; edit the contract instead.

/** Operations without authentication. */
export const publicOperations: ReadonlySet<string> = new Set([
]);

/** Operations that do a thing once for each Idempotency-Key. */
export const idempotentOperations: ReadonlySet<string> = new Set([
]);

/** Operations for super admins of the platform. */
export const superAdminOperations: ReadonlySet<string> = new Set([
]);

/** The permissions that a signed-in user needs for an operation. */
export const permissionsOf: Readonly<Record<string, readonly string[]>> = {
};
