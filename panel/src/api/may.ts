// Whether the signed-in user may call an operation, so that the panel offers nothing that the platform refuses.
import { permissionsOf, superAdminOperations } from '../../../generated/platform.operations.ts';
import type { Operation, Schemas } from './operations.ts';
import { useMe } from './me.ts';

type Me = Schemas['CurrentUser'];

/** Whether the permissions of a role include one; `*` and `resource.*` stand for several. */
export function hasPermission(permissions: Me['permissions'], permission: string): boolean {
  const [resource = ''] = permission.split('.');
  return [permission, `${resource}.*`, '*'].some((name) => permissions[name] === true);
}

export function mayCall(me: Me, operation: Operation): boolean {
  if (superAdminOperations.has(operation)) return me.is_super_admin;
  // An operation without an entry needs no permission.
  return (permissionsOf[operation] ?? []).every((name) => hasPermission(me.permissions, name));
}

export function useMay(operation: Operation): boolean {
  const me = useMe();
  return mayCall(me, operation);
}

/** The same for several operations that are offered together. */
export function useMayAny(...operations: Operation[]): boolean {
  const me = useMe();
  return operations.some((operation) => mayCall(me, operation));
}
