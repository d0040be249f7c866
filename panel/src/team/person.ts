// A person in the license with everything that decides about their access.
import { grantingEntry, type Permission, type PermissionMap } from '../permissions/permission-map.ts';

export interface Person {
  userId: string;
  email: string;
  isDisabled: boolean;
  roleName: string;
  /** Null if the user may not see roles. */
  roleId: string | null;
  permissions: PermissionMap;
}

export type Source = { kind: 'exact' | 'area' | 'everything'; entry: string } | { kind: 'none' };

/** The entry of the role that grants the permission, as the platform decides it. */
export function sourceOf({ permissions }: Pick<Person, 'permissions'>, permission: Permission): Source {
  const entry = grantingEntry(permissions, permission);
  if (entry === null) return { kind: 'none' };
  if (entry === '*') return { kind: 'everything', entry };
  return { kind: entry === permission ? 'exact' : 'area', entry };
}
