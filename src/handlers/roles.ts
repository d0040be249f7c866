// Operations of the area `roles`.
import type { Schemas } from '../platform-contract/types.ts';
import { Versioned } from '../contract/replies.ts';
import { permissionsOfRole } from '../services/auth/role-permissions.ts';
import type { RoleRow } from '../services/roles.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const roles = {
  listRoles: async (ctx, { query }) => viewPage(await ctx.services.roles.list(ctx, query), viewRole),
  createRole: async (ctx, { body }) => viewVersioned(await ctx.services.roles.create(ctx, body)),
  getRole: async (ctx, { path }) => viewVersioned(await ctx.services.roles.get(ctx, path.role_id)),
  updateRole: async (ctx, { path, expectedVersions, body }) =>
    viewVersioned(await ctx.services.roles.update(ctx, path.role_id, expectedVersions, body)),
  deleteRole: async (ctx, { path, expectedVersions }) =>
    ctx.services.roles.delete(ctx, path.role_id, expectedVersions),
  duplicateRole: async (ctx, { path, body }) =>
    viewVersioned(await ctx.services.roles.duplicate(ctx, path.role_id, body)),
} satisfies Partial<Handlers>;

const viewVersioned = (role: RoleRow) => new Versioned(viewRole(role), role.version);

function viewRole(role: RoleRow): Schemas['Role'] {
  return {
    id: role.id,
    name: role.name,
    is_system: role.is_system,
    permissions: { ...permissionsOfRole(role) },
    member_count: role.member_count ?? 0,
    version: role.version,
    created_at: role.created_at,
  };
}
