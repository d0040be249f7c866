// What a map of permissions grants, and whether another map covers it.
import { hasPermission } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';

export type PermissionMap = Schemas['PermissionMap'];

export type Permission = Schemas['Permission'];

/** The entry of the map that grants the permission: its name, `resource.*` or `*`; null if none does. */
export function grantingEntry(map: PermissionMap, permission: string): string | null {
  return [permission, wholeArea(areaOf(permission)), '*'].find((entry) => map[entry] === true) ?? null;
}

export const areaOf = (permission: string): string => permission.slice(0, permission.indexOf('.'));

/** The entry that grants everything in an area, including what is added later. */
export const wholeArea = (area: string): string => `${area}.*`;

export const grantedEntries = (map: PermissionMap): string[] =>
  Object.keys(map)
    .filter((entry) => map[entry] === true)
    .sort();

/** What the second map grants and the first does not: a caller cannot grant it. */
export const missingIn = (held: PermissionMap, granted: PermissionMap): string[] =>
  grantedEntries(granted).filter((entry) => !hasPermission(held, entry));

export const covers = (held: PermissionMap, granted: PermissionMap): boolean =>
  missingIn(held, granted).length === 0;
