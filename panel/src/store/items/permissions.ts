// Who may change items: their commands are typed at game servers, which is a permission of its own.
import { hasPermission, useMay } from '../../api/may.ts';
import { useMe } from '../../api/me.ts';

export const useMayType = (): boolean => hasPermission(useMe().permissions, 'console.input');

/** Every item has commands. */
export function useMayCreateItems(): boolean {
  const mayCreate = useMay('POST /api/webstore/items');
  const mayType = useMayType();
  return mayCreate && mayType;
}
