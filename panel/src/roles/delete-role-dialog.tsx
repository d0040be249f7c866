// Deletes a role that no member has; otherwise names the members and invitations that have it.
import { Button, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Dialog } from '@gantry/ui/dialog.tsx';
import type { Schemas } from '../api/operations.ts';
import { useWrite } from '../api/writing.ts';
import { tagOf } from '../shared/draft.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useInvitations, useMembers } from '../team/use-team.ts';
import { useTexts } from '../texts/texts.ts';

interface DeleteRoleDialogProps {
  role: Schemas['Role'];
  isOpen: boolean;
  onClose: () => void;
}

export function DeleteRoleDialog({ role, isOpen, onClose }: DeleteRoleDialogProps) {
  const t = useTexts('roles');
  const common = useTexts('common');
  const navigate = useNavigate();
  const members = (useMembers().items ?? []).filter((member) => member.role.id === role.id);
  const invitations = (useInvitations().items ?? []).filter((invitation) => invitation.role.id === role.id);
  const remove = useWrite('DELETE /api/roles/{role_id}', {
    refreshes: ['/api/roles'],
    onDone: () => void navigate({ to: '/team/roles', ignoreBlocker: true }),
  });
  const { name } = role;
  const emails = (entries: readonly { email: string }[]) => entries.map(({ email }) => email).join(', ');
  if (members.length > 0 || invitations.length > 0)
    return (
      <Dialog isOpen={isOpen} title={t('inUse', { name })} onClose={onClose}>
        <div className="dialogForm">
          <p className="sentence">{t('inUseDetail')}</p>
          {members.length > 0 && (
            <p className="sentence">{t('inUseMembers', { count: members.length, names: emails(members) })}</p>
          )}
          {invitations.length > 0 && (
            <p className="sentence">
              {t('inUseInvitations', { count: invitations.length, names: emails(invitations) })}
            </p>
          )}
          <Group justify="flex-end" gap="sm" mt="md">
            <Button variant="default" onClick={onClose}>
              {common('actions.close')}
            </Button>
            <Button
              onClick={() =>
                void navigate({ to: '/team', search: members.length > 0 ? { role: role.id } : {} })
              }
            >
              {t('toMembers')}
            </Button>
          </Group>
        </div>
      </Dialog>
    );
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('deleteTitle', { name })}
      action={t('delete')}
      isDangerous
      typed={name}
      isPending={remove.isPending}
      problem={<ProblemAlert error={remove.error} />}
      onConfirm={() =>
        remove.mutate({
          params: { path: { role_id: role.id }, header: { 'If-Match': tagOf(role.version) } },
        })
      }
      onClose={onClose}
    >
      {t('deleteDetail')}
    </ConfirmDialog>
  );
}
