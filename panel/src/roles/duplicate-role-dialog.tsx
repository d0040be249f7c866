// Copies a role under another name.
import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import type { Schemas } from '../api/operations.ts';
import { faultAt, problemOf } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { isAboutName } from './role-fields.tsx';

interface DuplicateRoleDialogProps {
  role: Schemas['Role'];
  isOpen: boolean;
  onClose: () => void;
}

export function DuplicateRoleDialog({ role, isOpen, onClose }: DuplicateRoleDialogProps) {
  const t = useTexts('roles');
  const navigate = useNavigate();
  const [name, setName] = useState(() => t('copyName', { name: role.name }).slice(0, 60));
  const duplicate = useWrite('POST /api/roles/{role_id}/duplicate', {
    refreshes: ['/api/roles'],
    onDone: ({ id }) => {
      onClose();
      void navigate({ to: '/team/roles/$roleId', params: { roleId: id } });
    },
  });
  const { error } = duplicate;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('duplicateTitle', { name: role.name })}
      action={t('duplicate')}
      isPending={duplicate.isPending}
      problem={<ProblemAlert error={isAboutName(error) ? null : error} fields={['/name']} />}
      onConfirm={() =>
        duplicate.mutate({ params: { path: { role_id: role.id } }, body: { name: name.trim() } })
      }
      onClose={onClose}
    >
      <p>{t('duplicateDetail')}</p>
      <TextInput
        label={t('duplicateName')}
        data-autofocus
        maxLength={60}
        value={name}
        error={isAboutName(error) ? problemOf(error)?.detail : faultAt(error, '/name')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
