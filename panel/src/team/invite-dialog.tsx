// Invites a member by e-mail, with the role that they will have.
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { faultAt, hasCode } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { PermissionCount } from '../permissions/permission-count.tsx';
import { Form } from '../shared/form.tsx';
import { UnsavedGuard } from '../shared/unsaved-guard.tsx';
import { useTexts } from '../texts/texts.ts';
import { RoleSelect } from './role-select.tsx';
import { useRoles } from './use-team.ts';

interface InviteDialogProps {
  isOpen: boolean;
  onInvited: (email: string) => void;
  onClose: () => void;
}

export function InviteDialog({ isOpen, onInvited, onClose }: InviteDialogProps) {
  const t = useTexts('team');
  return (
    <Dialog isOpen={isOpen} title={t('inviteDialog.title')} onClose={onClose}>
      <InviteForm onInvited={onInvited} onClose={onClose} />
    </Dialog>
  );
}

function InviteForm({ onInvited, onClose }: Omit<InviteDialogProps, 'isOpen'>) {
  const t = useTexts('team');
  const common = useTexts('common');
  const { items: roles = [] } = useRoles();
  const [email, setEmail] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  // The role with the least access, until another one is chosen.
  const roleId = chosen ?? roles.find(({ name, is_system }) => is_system && name === 'Viewer')?.id ?? '';
  const role = roles.find(({ id }) => id === roleId);
  const invite = useWrite('POST /api/team/invitations', {
    refreshes: ['/api/team/invitations'],
    onDone: (invitation) => {
      onInvited(invitation.email);
      onClose();
    },
  });
  const isKnown = hasCode(invite.error, 'already_member', 'already_invited');
  return (
    <div className="dialogForm">
      <UnsavedGuard isUnsaved={email !== '' && !invite.isSuccess} />
      <Form
        submit={t('inviteDialog.submit')}
        isPending={invite.isPending}
        isDisabled={email.trim() === '' || roleId === ''}
        error={isKnown ? null : invite.error}
        fields={['/email', '/role_id']}
        others={
          <Button variant="default" onClick={onClose}>
            {common('actions.cancel')}
          </Button>
        }
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate({ body: { email: email.trim(), role_id: roleId } });
        }}
      >
        <TextInput
          type="email"
          label={t('inviteDialog.email')}
          description={t('inviteDialog.emailHint')}
          data-autofocus
          autoComplete="off"
          value={email}
          error={faultAt(invite.error, '/email', 'already_member', 'already_invited')}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <RoleSelect
          label={t('inviteDialog.role')}
          roles={roles}
          value={roleId}
          error={faultAt(invite.error, '/role_id')}
          description={role !== undefined && <PermissionCount permissions={role.permissions} />}
          onChange={setChosen}
        />
      </Form>
    </div>
  );
}
