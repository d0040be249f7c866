// The catalogue of permissions, and why a caller may or may not call an operation.
import type { Ctx } from '../context.ts';
import { notFound } from '../errors.ts';
import { decide, type Decision } from './auth/authorization.ts';
import type { Query } from '../platform-contract/types.ts';
import type {
  GuardedOperation,
  PermissionEntry,
  PermissionsOfContract,
} from '../platform-contract/permissions.ts';

/** Security schemes whose credentials a signed-in user has. */
const schemesOfUsers = ['bearerAuth', 'superAdmin'];

export class PermissionCatalog {
  readonly #entries: readonly PermissionEntry[];
  readonly #operations: ReadonlyMap<string, GuardedOperation>;

  constructor({ permissions, operations }: PermissionsOfContract) {
    this.#entries = permissions;
    this.#operations = operations;
  }

  async list(): Promise<PermissionEntry[]> {
    return [...this.#entries];
  }

  /** Returns the decision that the operation's access check would make for the caller. */
  async explain(
    { principal }: Ctx,
    { operation: id, kind }: Query<'explainAccess'>,
  ): Promise<Decision & { operation: string }> {
    const known = this.#operations.get(id);
    const operation = known?.variants?.byValue.get(kind ?? '') ?? known;
    if (operation === undefined) throw notFound('operation');
    if (operation.security.length === 0)
      return { operation: id, isAllowed: true, reason: 'public', permissions: [] };
    const decisions = operation.security
      .flatMap((requirement) => Object.entries(requirement))
      .filter(([scheme]) => schemesOfUsers.includes(scheme))
      .map(([scheme, permissions]) => decide(principal, scheme, permissions, operation));
    const decision = decisions.find(({ isAllowed }) => isAllowed) ??
      decisions[0] ?? { isAllowed: false, reason: 'not_for_users' as const, permissions: [] };
    return { operation: id, ...decision };
  }
}
