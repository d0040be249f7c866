// Operations of the area `admin-users`.
import type { Schemas } from '../platform-contract/types.ts';
import type { UserRow } from '../services/admin-users.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const adminUsers = {
  listUsers: async (ctx, { query }) => viewPage(await ctx.services.adminUsers.list(ctx, query), viewUser),
  updateUser: async (ctx, { body }) => viewUser(await ctx.services.adminUsers.update(ctx, body)),
} satisfies Partial<Handlers>;

function viewUser(user: UserRow): Schemas['User'] {
  return {
    id: user.id,
    email: user.email,
    is_super_admin: user.is_super_admin,
    is_disabled: user.is_disabled,
    license_count: user.license_count ?? 0,
    created_at: user.created_at,
  };
}
