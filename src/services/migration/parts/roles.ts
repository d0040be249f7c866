// Custom roles in migration documents, identified by name regardless of case.
import { sql } from 'kysely';
import { Role } from '../../../entities/index.ts';
import { DomainError } from '../../../errors.ts';
import type { AccessChanges } from '../../auth/access-changes.ts';
import { granted, maxRoles, refuseAlike, roleLimit } from '../../roles.ts';
import { refuseBeyondOwn } from '../../team/access.ts';
import type { ItemOf, MigrationPart } from '../part.ts';

type Item = ItemOf<'roles'>;

export const rolesPart = (changes: AccessChanges): MigrationPart<Item> => ({
  version: 1,
  max: maxRoles,
  permission: 'roles.manage',

  async page(queries, last, count) {
    let own = queries
      .selectFrom('role')
      .select(['name', 'permissions'])
      .where('is_system', '=', false)
      .orderBy(inOrder)
      .limit(count);
    if (last !== undefined) own = own.where(inOrder, '>', last.name);
    return (await own.execute()).map(({ name, permissions }) => ({ name, permissions: permissions ?? {} }));
  },

  labelOf: ({ name }) => name,

  normal: ({ name, permissions }) => ({ name, permissions: granted(permissions) }),

  limit: ({ em, ctx }) => roleLimit(em, ctx.licenseId),

  async open({ em, queries, held, ctx }, items) {
    const stored = await em.find(Role, {});
    // The database's index decides which names are equal, so the database computes the keys.
    const names = [...stored, ...items].map(({ name }) => name);
    const { rows } = await sql<{ name: string; key: string }>`
      select name, lower(name) as key from unnest(${names}::text[]) as name`.execute(queries);
    const keys = new Map(rows.map(({ name, key }) => [name, key]));
    const keyOf = ({ name }: { name: string }) => keys.get(name) ?? name;
    const byKey = new Map(stored.map((role) => [keyOf(role), role]));
    return {
      keyOf,
      refusals: {
        role_license_id_name_key: takenMeanwhile,
        role_license_id_lower_name_key: takenMeanwhile,
      },

      stored(item) {
        const role = byKey.get(keyOf(item));
        return role === undefined || role.isSystem
          ? undefined
          : { name: role.name, permissions: role.permissions };
      },

      check(item, before) {
        if (byKey.get(keyOf(item))?.isSystem === true)
          throw new DomainError('role_immutable', `${item.name} is a system role.`);
        const others = [...stored, ...items].filter((other) => keyOf(other) !== keyOf(item));
        if (byKey.get(keyOf(item))?.name !== item.name) refuseAlike(item.name, others);
        refuseBeyondOwn(held, item.permissions);
        if (before !== undefined) refuseBeyondOwn(held, before.permissions);
      },

      async apply(pending) {
        for (const { item, isNew } of pending) {
          const role = byKey.get(keyOf(item));
          if (isNew || role === undefined) em.create(Role, item);
          else em.assign(role, { ...item, version: role.version + 1 });
        }
        changes.announce({ license_id: ctx.licenseId });
      },
    };
  },
});

const inOrder = sql<string>`name collate "C"`;

const takenMeanwhile = () =>
  new DomainError('name_taken', 'A role of this name was created during the import; start the import again.');
