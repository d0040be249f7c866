// Writes what a client must know of each operation at run time: which need no sign-in, which accept an
// idempotency key, and what a user must be permitted.
import { operationsIn, type FoundOperation, type OperationObject } from '../shared/openapi/document.ts';

type Traits = FoundOperation<OperationObject>['operation'];

/** A module of TypeScript, for a bundled contract. */
export function operationTraits(bundle: Record<string, unknown>): string {
  const operations = operationsIn(bundle).map(({ path, method, operation }) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation,
  }));
  const named = (has: (operation: Traits) => boolean) =>
    operations.filter(({ operation }) => has(operation)).map(({ name }) => `  '${name}',\n`);
  const isPublic = ({ security }: Traits) => security?.length === 0;
  const isForSuperAdmins = ({ security = [] }: Traits) =>
    security.some(({ superAdmin }) => superAdmin !== undefined);
  const takesKey = ({ parameters }: Traits) => parameters.some(({ name }) => name === 'Idempotency-Key');
  const { schemas } = bundle['components'] as { schemas: { Permission?: { enum: string[] } } };
  const known = schemas.Permission?.enum ?? [];
  const permissions = ({ name, operation: { security = [] } }: (typeof operations)[number]) => {
    const needed = security.flatMap(({ bearerAuth }) => (bearerAuth === undefined ? [] : [bearerAuth]));
    for (const permission of needed.flat())
      if (!known.includes(permission))
        throw new Error(`${name}: the permission ${permission} is not in openapi/schemas/permission.yaml`);
    return needed.map((list) => `  '${name}': ${JSON.stringify(list)},\n`);
  };
  return `// Generated from the contract; edit the contract instead.

/** Operations without authentication. */
export const publicOperations: ReadonlySet<string> = new Set([
${named(isPublic).join('')}]);

/** Operations that do a thing once for each Idempotency-Key. */
export const idempotentOperations: ReadonlySet<string> = new Set([
${named(takesKey).join('')}]);

/** Operations for super admins of the platform. */
export const superAdminOperations: ReadonlySet<string> = new Set([
${named(isForSuperAdmins).join('')}]);

/** The permissions that a signed-in user needs for an operation. */
export const permissionsOf: Readonly<Record<string, readonly string[]>> = {
${operations.flatMap(permissions).join('')}};
`;
}
