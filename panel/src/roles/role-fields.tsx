// The fields of a role: its name and its permissions.
import { Alert, TextInput } from '@mantine/core';
import { faultAt, hasCode, problemOf } from '../api/problem.ts';
import { useCatalog } from '../permissions/catalog.ts';
import type { PermissionMap } from '../permissions/permission-map.ts';
import { PermissionPicker } from '../permissions/permission-picker.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { useTexts } from '../texts/texts.ts';

export interface RoleValues {
  name: string;
  permissions: PermissionMap;
}

interface RoleFieldsProps {
  values: RoleValues;
  set: (change: Partial<RoleValues>) => void;
  error: Error | null;
}

/** JSON pointers of the fields, which show their own faults. */
export const roleFields = ['/name', '/permissions'];

/** Whether the platform's objection is about the name, which then shows it. */
export const isAboutName = (error: Error | null): boolean => hasCode(error, 'name_taken');

export function RoleFields({ values, set, error }: RoleFieldsProps) {
  const t = useTexts('roles');
  const catalog = useCatalog();
  const fault = faultAt(error, '/permissions');
  return (
    <>
      <TextInput
        label={t('name')}
        description={t('nameHint')}
        maxLength={60}
        maw={420}
        value={values.name}
        error={isAboutName(error) ? problemOf(error)?.detail : faultAt(error, '/name')}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Loaded asked={catalog} waitingFor={t('permissions')}>
        {(groups) => (
          <PermissionPicker
            catalog={groups}
            value={values.permissions}
            onChange={(permissions) => set({ permissions })}
          />
        )}
      </Loaded>
      {fault !== undefined && <Alert color="red">{fault}</Alert>}
    </>
  );
}
