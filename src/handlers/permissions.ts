// Operations of the area `permissions`.
import type { Schemas } from '../platform-contract/types.ts';
import type { Decision } from '../services/auth/authorization.ts';
import type { Permission } from '../services/auth/role-permissions.ts';
import type { Handlers } from './handlers.ts';

export const permissions = {
  listPermissions: async (ctx) => ({ data: await ctx.services.permissions.list() }),
  explainAccess: async (ctx, { query }) =>
    viewExplanation(await ctx.services.permissions.explain(ctx, query)),
} satisfies Partial<Handlers>;

function viewExplanation(decision: Decision & { operation: string }): Schemas['AccessExplanation'] {
  return {
    operation: decision.operation,
    is_allowed: decision.isAllowed,
    reason: decision.reason,
    permissions: decision.permissions.map(({ permission, grantedBy }) => ({
      permission: permission as Permission,
      granted_by: grantedBy,
    })),
  };
}
