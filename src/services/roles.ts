// The roles of a license: immutable system roles, and custom roles.
import type { Ctx, PermissionMap } from '../context.ts';
import type { Query, Schemas } from '../platform-contract/types.ts';
import type { EntityManager } from '../database/connection.ts';
import { refusing } from '../database/faults.ts';
import type { Queries } from '../database/reader.ts';
import { Invitation, Role } from '../entities/index.ts';
import { DomainError, notFound } from '../errors.ts';
import type { AccessChanges } from './auth/access-changes.ts';
import { impostorOf } from '../text/impostors.ts';
import { refuseBeyond, type Limit } from '../preconditions/limits.ts';
import { lookAlikeOf } from '../text/look-alikes.ts';
import { byId, pageOf } from '../lists/page.ts';
import { permissionsOfRole, systemRoles } from './auth/role-permissions.ts';
import { refuseStale } from '../preconditions/version.ts';
import { isOpen, refuseBeyondOwn, lockAccessOf } from './team/access.ts';

export const maxRoles = 100;

export type RoleRow = Awaited<ReturnType<typeof roleOf>>;

export class Roles {
  readonly #changes: AccessChanges;

  constructor(changes: AccessChanges) {
    this.#changes = changes;
  }

  async list(ctx: Ctx, query: Query<'listRoles'>) {
    return ctx.read((queries) => pageOf(roles(queries), query, byId('id', 'asc')));
  }

  async get(ctx: Ctx, id: string): Promise<RoleRow> {
    return ctx.read((queries) => roleOf(queries, id));
  }

  async create(ctx: Ctx, { name, permissions }: Schemas['RoleCreate']): Promise<RoleRow> {
    return ctx.transact(async (em, queries) => {
      const held = await lockAccessOf(ctx, em, queries);
      return add(ctx, em, queries, { name, permissions, held });
    });
  }

  async duplicate(ctx: Ctx, id: string, { name }: Schemas['RoleDuplicate']): Promise<RoleRow> {
    return ctx.transact(async (em, queries) => {
      const held = await lockAccessOf(ctx, em, queries);
      const permissions = permissionsOfRole(await roleOf(queries, id));
      return add(ctx, em, queries, { name, permissions, held });
    });
  }

  async update(
    ctx: Ctx,
    id: string,
    expectedVersions: readonly number[] | null,
    { name, permissions }: Schemas['RoleUpdate'],
  ): Promise<RoleRow> {
    return ctx.transact(async (em, queries) => {
      const held = await lockAccessOf(ctx, em, queries);
      const role = await changeable(em, id, { held, expectedVersions });
      if (permissions !== undefined) {
        refuseBeyondOwn(held, permissions);
        role.permissions = granted(permissions);
      }
      if (name !== undefined && name !== role.name) await refuseLookAlike(em, name, id);
      role.name = name ?? role.name;
      role.version += 1;
      await flushNamed(em, role);
      this.#changes.announce({ license_id: ctx.licenseId });
      return roleOf(queries, id);
    });
  }

  async delete(ctx: Ctx, id: string, expectedVersions: readonly number[] | null): Promise<void> {
    await ctx.transact(async (em, queries) => {
      const held = await lockAccessOf(ctx, em, queries);
      const role = await changeable(em, id, { held, expectedVersions });
      const invited = await em.count(Invitation, { roleId: id, ...isOpen() });
      if (invited > 0) throw roleInUse(role);
      await em.nativeUpdate(Invitation, { roleId: id, endedAt: null }, { endedAt: new Date() });
      await refusing({ membership_license_id_role_id_fkey: () => roleInUse(role) }, () =>
        em.nativeDelete(Role, { id }),
      );
    });
  }
}

function roles(queries: Queries) {
  return queries
    .selectFrom('role')
    .select((eb) => [
      'id',
      'name',
      'is_system',
      'permissions',
      'version',
      'created_at',
      eb
        .selectFrom('membership')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('membership.role_id', '=', 'role.id')
        .as('member_count'),
    ]);
}

async function roleOf(queries: Queries, id: string) {
  const role = await roles(queries).where('id', '=', id).executeTakeFirst();
  if (role === undefined) throw notFound('role');
  return role;
}

interface NewRole {
  name: string;
  permissions: PermissionMap;
  /** The permissions of the user who creates the role. */
  held: PermissionMap;
}

async function add(
  ctx: Ctx,
  em: EntityManager,
  queries: Queries,
  { name, permissions, held }: NewRole,
): Promise<RoleRow> {
  refuseBeyondOwn(held, permissions);
  await refuseBeyond(em, roleLimit(em, ctx.licenseId));
  await refuseLookAlike(em, name);
  const role = em.create(Role, { name, permissions: granted(permissions) });
  await flushNamed(em, role);
  return roleOf(queries, role.id);
}

/** Returns the role, unless the caller may not change it. */
async function changeable(
  em: EntityManager,
  id: string,
  { held, expectedVersions }: { held: PermissionMap; expectedVersions: readonly number[] | null },
): Promise<Role> {
  const role = await em.findOne(Role, id);
  if (role === null) throw notFound('role');
  if (role.isSystem)
    throw new DomainError(
      'role_immutable',
      `${role.name} is a system role; duplicate it and change the copy.`,
    );
  refuseBeyondOwn(held, role.permissions);
  refuseStale(role, expectedVersions, 'The role');
  return role;
}

/**
 * Members choose roles by name, so names must not look alike. Role changes are serialised, so no other name appears
 * meanwhile.
 */
async function refuseLookAlike(em: EntityManager, name: string, ownId?: string): Promise<void> {
  const others = (await em.find(Role, {})).filter(({ id }) => id !== ownId);
  refuseAlike(name, others);
}

/** Names of custom roles may resemble each other more than they may resemble a system role's name. */
export function refuseAlike(name: string, others: readonly { name: string }[]): void {
  const names = others.map((other) => other.name);
  const alike = lookAlikeOf(name, names) ?? impostorOf(name, systemNames);
  if (alike !== undefined) throw roleNameTaken(name, alike);
}

const systemNames = systemRoles.map(({ name }) => name);

const roleNameTaken = (name: string, alike: string) =>
  new DomainError(
    'name_taken',
    name === alike
      ? `A role named ${name} already exists.`
      : `A role is named ${alike}, which looks like ${name}.`,
  );

/** The maximum number of roles of a license. */
export const roleLimit = (em: EntityManager, licenseId: string): Limit => ({
  subject: `roles ${licenseId}`,
  max: maxRoles,
  count: () => em.count(Role),
  detail: `A license has at most ${maxRoles} roles.`,
});

/** The granted permissions of the map; entries with `false` are dropped. */
export function granted(permissions: PermissionMap): Record<string, boolean> {
  return Object.fromEntries(Object.entries(permissions).filter(([, isGranted]) => isGranted));
}

function flushNamed(em: EntityManager, { name }: Role): Promise<void> {
  const taken = () => new DomainError('name_taken', `A role named ${name} already exists.`);
  return refusing({ role_license_id_name_key: taken, role_license_id_lower_name_key: taken }, () =>
    em.flush(),
  );
}

const roleInUse = ({ name }: Role) =>
  new DomainError(
    'role_in_use',
    `Members or invitations have the role ${name}; give them another role first.`,
  );
