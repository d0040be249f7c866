// The invitations that can still be accepted, and their revocation.
import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { useWrite } from '../api/writing.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { useInvitations } from './use-team.ts';

type Invitation = Schemas['Invitation'];

export function Invitations() {
  const t = useTexts('team');
  const invitations = useInvitations();
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const columns = useInvitationColumns(setRevoked);
  return (
    <Section title={t('invitations.title')} lead={t('invitations.lead')}>
      <Loaded asked={{ ...invitations, data: invitations.items }} waitingFor={t('invitations.title')}>
        {(items) =>
          items.length === 0 ? (
            <p className="hint">{t('invitations.none')}</p>
          ) : (
            <DataTable
              label={t('invitations.title')}
              columns={columns}
              groups={[{ key: 'all', name: '', rows: items }]}
              keyOf={({ id }) => id}
              nameOf={({ email }) => email}
            />
          )
        }
      </Loaded>
      {revoked !== null && (
        <RevokeDialog key={revoked.id} invitation={revoked} onClose={() => setRevoked(null)} />
      )}
    </Section>
  );
}

function useInvitationColumns(onRevoke: (invitation: Invitation) => void): readonly Column<Invitation>[] {
  const t = useTexts('team');
  const mayRevoke = useMay('DELETE /api/team/invitations/{invitation_id}');
  return useMemo(
    () => [
      {
        key: 'email',
        header: t('invitations.columns.email'),
        width: 'minmax(170px, 2fr)',
        phone: 'title',
        cell: ({ email }) => <span title={email}>{email}</span>,
      },
      {
        key: 'role',
        header: t('invitations.columns.role'),
        width: 'minmax(90px, 1fr)',
        phone: 'line',
        cell: ({ role }) => role.name,
      },
      {
        key: 'by',
        header: t('invitations.columns.by'),
        width: 'minmax(130px, 2fr)',
        phone: 'none',
        cell: ({ invited_by }) => <span title={invited_by}>{invited_by}</span>,
      },
      {
        key: 'sent',
        header: t('invitations.columns.sent'),
        width: '110px',
        phone: 'line',
        isWide: true,
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
      {
        key: 'expires',
        header: t('invitations.columns.expires'),
        width: '110px',
        phone: 'line',
        cell: ({ expires_at }) => <Time at={expires_at} isFocusable={false} />,
      },
      ...(mayRevoke
        ? [
            {
              key: 'actions',
              header: t('invitations.columns.actions'),
              width: '104px',
              align: 'end',
              phone: 'aside',
              cell: (invitation: Invitation) => (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('invitations.revokeOf', { email: invitation.email })}
                  onClick={() => onRevoke(invitation)}
                >
                  {t('invitations.revoke')}
                </Button>
              ),
            } as const,
          ]
        : []),
    ],
    [t, mayRevoke, onRevoke],
  );
}

function RevokeDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const t = useTexts('team');
  const [isOpen, setIsOpen] = useState(true);
  const close = () => {
    setIsOpen(false);
    onClose();
  };
  const revoke = useWrite('DELETE /api/team/invitations/{invitation_id}', {
    refreshes: ['/api/team/invitations'],
    onDone: close,
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('invitations.revokeTitle', { email: invitation.email })}
      action={t('invitations.revoke')}
      isDangerous
      isPending={revoke.isPending}
      problem={<ProblemAlert error={revoke.error} />}
      onConfirm={() => revoke.mutate({ params: { path: { invitation_id: invitation.id } } })}
      onClose={close}
    >
      {t('invitations.revokeDetail')}
    </ConfirmDialog>
  );
}
