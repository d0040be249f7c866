// Removes a member, after naming what ends with the membership.
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { useMay } from '../api/may.ts';
import { usePages } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { useInvitations, type Member } from './use-team.ts';

export function RemoveDialog({ member: { id, email }, onClose }: { member: Member; onClose: () => void }) {
  const t = useTexts('team');
  const [isOpen, setIsOpen] = useState(true);
  const mayListKeys = useMay('GET /api/api-keys');
  const { items: keys } = usePages(
    '/api/api-keys',
    { params: { query: { status: 'active' } } },
    { all: true, enabled: mayListKeys },
  );
  const { items: invitations = [] } = useInvitations();
  const ownKeys = keys?.filter(({ created_by }) => created_by === email);
  const sent = invitations.filter(({ invited_by }) => invited_by === email);
  const close = () => {
    setIsOpen(false);
    onClose();
  };
  const remove = useWrite('DELETE /api/team/members/{member_id}', {
    refreshes: ['/api/team/members', '/api/team/invitations', '/api/roles', '/api/api-keys', '/auth/me'],
    onDone: close,
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('remove.title', { email })}
      action={t('remove.submit')}
      isDangerous
      // Revoked keys do not come back when the member does.
      {...(ownKeys?.length !== 0 && { typed: email })}
      isPending={remove.isPending}
      problem={<ProblemAlert error={remove.error} />}
      onConfirm={() => remove.mutate({ params: { path: { member_id: id } } })}
      onClose={close}
    >
      <p>{t('remove.detail')}</p>
      {ownKeys === undefined && <p>{t('remove.unknownKeys')}</p>}
      {ownKeys?.length === 0 && <p>{t('remove.noKeys')}</p>}
      {ownKeys !== undefined && ownKeys.length > 0 && (
        <p>{t('remove.keys', { count: ownKeys.length, names: namesOf(ownKeys.map(({ name }) => name)) })}</p>
      )}
      {sent.length > 0 && (
        <p>
          {t('remove.invitations', {
            count: sent.length,
            names: namesOf(sent.map((invitation) => invitation.email)),
          })}
        </p>
      )}
    </ConfirmDialog>
  );
}

const namesOf = (names: readonly string[]): string => names.join(', ');
