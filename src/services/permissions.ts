// What permission names and permission maps mean.
import type { components } from '../../generated/platform.d.ts';
import type { PermissionMap } from '../context.ts';

export type Permission = components['schemas']['Permission'];

/** Whether the map grants the permission: by its name, by `resource.*` or by `*`. */
export function grants(map: PermissionMap, permission: string): boolean {
  const resource = permission.slice(0, permission.indexOf('.'));
  return map['*'] === true || map[`${resource}.*`] === true || map[permission] === true;
}

/** Whether whoever holds the one map may do everything that the other grants. */
export function covers(held: PermissionMap, granted: PermissionMap): boolean {
  return Object.entries(granted).every(([name, isGranted]) => !isGranted || grants(held, name));
}

/** What both maps grant. */
export function intersection(one: PermissionMap, other: PermissionMap): PermissionMap {
  const within = (inner: PermissionMap, outer: PermissionMap) =>
    Object.entries(inner).filter(([name, isGranted]) => isGranted && grants(outer, name));
  return Object.fromEntries([...within(one, other), ...within(other, one)]);
}

/** The roles that every license has from the start. */
export const systemRoles: readonly { name: string; permissions: PermissionMap }[] = [
  { name: 'Owner', permissions: { '*': true } },
  {
    name: 'Head Admin',
    permissions: {
      'apikeys.*': true,
      'audit.*': true,
      'fleet.*': true,
      'clusters.*': true,
      'instances.*': true,
      'commands.*': true,
      'console.*': true,
    },
  },
  { name: 'Moderator', permissions: { 'fleet.view': true, 'commands.view': true, 'console.*': true } },
  { name: 'Viewer', permissions: { 'fleet.view': true, 'commands.view': true, 'console.view': true } },
];

export const ownerRole = 'Owner';

/** What a role of the database grants. Those of system roles are the code's, so that a release can change them. */
export function permissionsOfRole(role: {
  name: string;
  is_system: boolean | null;
  permissions: PermissionMap | null;
}): PermissionMap {
  if (role.is_system !== true) return role.permissions ?? {};
  return systemRoles.find(({ name }) => name === role.name)?.permissions ?? {};
}
