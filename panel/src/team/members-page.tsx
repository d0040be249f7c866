// The members of the team, the invitations that are open, and the user's own membership.
import { Alert, Button } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../api/may.ts';
import { Loaded } from '../shared/loaded.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { useTexts } from '../texts/texts.ts';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MemberTable } from './member-table.tsx';
import { OwnMembership } from './own-membership.tsx';
import { TeamPage } from './team-page.tsx';
import { useMembers } from './use-team.ts';

export function MembersPage() {
  const t = useTexts('team');
  const common = useTexts('common');
  const mayList = useMay('GET /api/team/members');
  const maySeeRoles = useMay('GET /api/roles');
  const mayInvite = useMay('POST /api/team/invitations') && maySeeRoles;
  const members = useMembers();
  const [isInviting, setIsInviting] = useState(false);
  const [invited, setInvited] = useState<string | null>(null);
  return (
    <TeamPage
      action={
        mayInvite && (
          <Button leftSection={<Plus size={16} />} onClick={() => setIsInviting(true)}>
            {t('invite')}
          </Button>
        )
      }
    >
      {invited !== null && (
        <Alert
          color="green"
          role="status"
          withCloseButton
          closeButtonLabel={common('actions.close')}
          onClose={() => setInvited(null)}
        >
          {t('invitations.sent', { email: invited })}
        </Alert>
      )}
      {mayList && (
        <>
          <Loaded
            asked={{ ...members, data: members.items }}
            waitingFor={t('members.title')}
            skeleton={<TableSkeleton rows={3} />}
          >
            {(items) => <MemberTable members={items} />}
          </Loaded>
          <Invitations />
        </>
      )}
      <OwnMembership />
      <InviteDialog isOpen={isInviting} onInvited={setInvited} onClose={() => setIsInviting(false)} />
    </TeamPage>
  );
}
