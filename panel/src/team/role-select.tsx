// Chooses a role to hand out; roles with more permissions than the user has cannot be chosen.
import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMe } from '../api/me.ts';
import { covers } from '../permissions/permission-map.ts';
import { useTexts } from '../texts/texts.ts';
import type { Role } from './use-team.ts';

interface RoleSelectProps {
  label: string;
  roles: readonly Role[];
  value: string;
  error?: string | undefined;
  description?: ReactNode;
  onChange: (roleId: string) => void;
}

export function RoleSelect({ label, roles, value, error, description, onChange }: RoleSelectProps) {
  const t = useTexts('team');
  const me = useMe();
  return (
    <NativeSelect
      label={label}
      description={description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value}
      error={error}
      data={[
        { value: '', label: t('roleSelect.choose'), disabled: true },
        ...roles.map(({ id, name, permissions }) => {
          const isOffered = covers(me.permissions, permissions);
          return {
            value: id,
            label: isOffered ? name : t('roleSelect.beyond', { name }),
            disabled: !isOffered,
          };
        }),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
