// The permissions of team roles, and which entry of a role grants a permission.
import type { components } from '../../../generated/platform.d.ts';
import type { PermissionMap } from '../../context.ts';

export type Permission = components['schemas']['Permission'];

/** The entry of the map that grants the permission: its name, `resource.*` or `*`; `null` when none does. */
export function grantingEntry(map: PermissionMap, permission: string): string | null {
  const resource = permission.slice(0, permission.indexOf('.'));
  return [permission, `${resource}.*`, '*'].find((entry) => map[entry] === true) ?? null;
}

export function grants(map: PermissionMap, permission: string): boolean {
  return grantingEntry(map, permission) !== null;
}

/**
 * Whether the first map grants everything that the second grants, including permissions that wildcards will match in
 * future: `fleet.*` is covered by itself and by `*`, not by every action that exists on `fleet` today.
 */
export function covers(held: PermissionMap, granted: PermissionMap): boolean {
  return Object.entries(granted).every(([entry, isGranted]) => !isGranted || grants(held, entry));
}

/** The permissions that both maps grant. */
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
      'alerts.*': true,
      'analytics.*': true,
      'apikeys.*': true,
      'audit.*': true,
      'backups.*': true,
      'events.*': true,
      'files.*': true,
      'fleet.*': true,
      'clusters.*': true,
      'instances.*': true,
      'commands.*': true,
      'console.*': true,
      'license.view': true,
      'migration.*': true,
      'maps.*': true,
      'modules.install': true,
      'modules.view': true,
      'notifications.*': true,
      'players.*': true,
      'pluginconfigs.*': true,
      'plugins.*': true,
      'roles.*': true,
      'schedules.*': true,
      'siteconfig.*': true,
      'team.*': true,
      'webhooks.*': true,
      'webstore.*': true,
      'wipes.*': true,
    },
  },
  {
    name: 'Moderator',
    permissions: {
      'alerts.view': true,
      'analytics.view': true,
      'backups.view': true,
      'events.view': true,
      'fleet.view': true,
      'commands.view': true,
      'console.*': true,
      'license.view': true,
      'maps.view': true,
      'modules.view': true,
      'players.*': true,
      'pluginconfigs.view': true,
      'plugins.view': true,
      'roles.view': true,
      'schedules.view': true,
      'siteconfig.view': true,
      'team.view': true,
      'wipes.view': true,
    },
  },
  {
    name: 'Viewer',
    permissions: {
      'alerts.view': true,
      'analytics.view': true,
      'backups.view': true,
      'events.view': true,
      'fleet.view': true,
      'commands.view': true,
      'console.view': true,
      'license.view': true,
      'maps.view': true,
      'modules.view': true,
      'players.view': true,
      'pluginconfigs.view': true,
      'plugins.view': true,
      'schedules.view': true,
      'siteconfig.view': true,
      'wipes.view': true,
    },
  },
];

export const ownerRole = 'Owner';

/** The permissions of a stored role. Those of system roles come from the code, so that a release can change them. */
export function permissionsOfRole(role: {
  name: string;
  is_system: boolean | null;
  permissions: PermissionMap | null;
}): PermissionMap {
  if (role.is_system !== true) return role.permissions ?? {};
  return systemRoles.find(({ name }) => name === role.name)?.permissions ?? {};
}
