// How much a map of permissions grants, in words.
import { useRead } from '../api/reading.ts';
import { useTexts } from '../texts/texts.ts';
import { grantingEntry, type PermissionMap } from './permission-map.ts';

export function PermissionCount({ permissions }: { permissions: PermissionMap }) {
  const t = useTexts('permissions');
  const { data } = useRead('/api/permissions');
  if (permissions['*'] === true) return t('all');
  if (data === undefined) return '…';
  const granted = data.data.filter(({ permission }) => grantingEntry(permissions, permission) !== null);
  if (granted.length === 0) return t('noneGranted');
  return t('count', { granted: granted.length, total: data.data.length });
}
