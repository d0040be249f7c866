// Writes what a client must know of each operation at run time: which need no sign-in, which accept an
// idempotency key, and what a user must be permitted.
interface Operation {
  security: Readonly<Record<string, readonly string[]>>[];
  parameters?: { $ref?: string }[];
}

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;

/** A module of TypeScript, for a bundled contract whose parameters are references. */
export function operationTraits(bundle: Record<string, unknown>): string {
  const paths = bundle['paths'] as Record<string, Partial<Record<string, Operation>>>;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ name: `${method.toUpperCase()} ${path}`, operation }];
    }),
  );
  const named = (has: (operation: Operation) => boolean) =>
    operations.filter(({ operation }) => has(operation)).map(({ name }) => `  '${name}',\n`);
  const isPublic = ({ security }: Operation) => security.length === 0;
  const isForSuperAdmins = ({ security }: Operation) =>
    security.some(({ superAdmin }) => superAdmin !== undefined);
  const takesKey = ({ parameters = [] }: Operation) =>
    parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'));
  const permissions = ({ name, operation }: (typeof operations)[number]) => {
    const needed = operation.security.flatMap(({ bearerAuth }) =>
      bearerAuth === undefined ? [] : [bearerAuth],
    );
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
