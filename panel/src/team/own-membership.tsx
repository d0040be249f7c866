// The user's own membership: the role, and the way out of the team.
import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useMe } from '../api/me.ts';
import { useWrite } from '../api/writing.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { isLastOwner, useMembers, useRoles } from './use-team.ts';

export function OwnMembership() {
  const t = useTexts('team');
  const me = useMe();
  const { items: members = [] } = useMembers();
  const { items: roles = [] } = useRoles();
  const [isAsking, setIsAsking] = useState(false);
  const own = members.find(({ user_id }) => user_id === me.id);
  const isLast = own !== undefined && isLastOwner(own, members, roles);
  return (
    <Section title={t('own.title')}>
      <p className="sentence">
        {t('own.role', { role: me.role ?? '' })}{' '}
        <Link to="/team/access" search={{ member: me.id }}>
          {t('own.why')}
        </Link>
      </p>
      {isLast ? (
        <p className="hint">{t('own.lastOwner')}</p>
      ) : (
        <Group mt="sm">
          <Button variant="default" onClick={() => setIsAsking(true)}>
            {t('own.leave')}
          </Button>
        </Group>
      )}
      <LeaveDialog isOpen={isAsking} onClose={() => setIsAsking(false)} />
    </Section>
  );
}

function LeaveDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTexts('team');
  const me = useMe();
  const license = me.licenses.find(({ license_id }) => license_id === me.license_id)?.name ?? '';
  const leave = useWrite('DELETE /api/team/membership', {
    // The session of this page carries the license that was left; a new page begins without it.
    onDone: () => window.location.assign('/'),
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('own.leaveTitle', { license })}
      action={t('own.leave')}
      isDangerous
      typed={license}
      isPending={leave.isPending || leave.isSuccess}
      problem={<ProblemAlert error={leave.error} />}
      onConfirm={() => leave.mutate({})}
      onClose={onClose}
    >
      <p>{t('own.leaveDetail')}</p>
      <p>{t('own.leaveKeys')}</p>
    </ConfirmDialog>
  );
}
