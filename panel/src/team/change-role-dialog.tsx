// Gives a member another role, after showing what they gain and lose.
import { Alert } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { useMe } from '../api/me.ts';
import { faultAt } from '../api/problem.ts';
import { useRead } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { grantingEntry } from '../permissions/permission-map.ts';
import { permissionName } from '../permissions/permission-name.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { RoleSelect } from './role-select.tsx';
import type { Member, Role } from './use-team.ts';

interface ChangeRoleDialogProps {
  member: Member;
  roles: readonly Role[];
  onClose: () => void;
}

export function ChangeRoleDialog({ member, roles, onClose }: ChangeRoleDialogProps) {
  const t = useTexts('team');
  const me = useMe();
  const [roleId, setRoleId] = useState(member.role.id);
  const [isOpen, setIsOpen] = useState(true);
  const close = () => {
    setIsOpen(false);
    onClose();
  };
  const change = useWrite('PATCH /api/team/members/{member_id}', {
    refreshes: ['/api/team/members', '/api/roles', '/auth/me'],
    onDone: close,
  });
  const [former, next] = [member.role.id, roleId].map((id) => roles.find((role) => role.id === id));
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('change.title', { email: member.email })}
      action={t('change.submit')}
      isPending={change.isPending}
      problem={<ProblemAlert error={change.error} fields={['/role_id']} />}
      onConfirm={() => {
        if (roleId === member.role.id) close();
        else change.mutate({ params: { path: { member_id: member.id } }, body: { role_id: roleId } });
      }}
      onClose={close}
    >
      <div className="stack">
        <RoleSelect
          label={t('change.role')}
          roles={roles}
          value={roleId}
          error={faultAt(change.error, '/role_id')}
          description={t('change.detail')}
          onChange={setRoleId}
        />
        {former !== undefined && next !== undefined && former !== next && (
          <RoleDifference former={former} next={next} />
        )}
        {member.user_id === me.id && <Alert color="yellow">{t('change.own')}</Alert>}
      </div>
    </ConfirmDialog>
  );
}

function RoleDifference({ former, next }: { former: Role; next: Role }) {
  const t = useTexts('team');
  const { data } = useRead('/api/permissions');
  if (data === undefined) return null;
  const has = ({ permissions }: Role, permission: string) => grantingEntry(permissions, permission) !== null;
  const all = data.data.map(({ permission }) => permission);
  const gains = all.filter((permission) => has(next, permission) && !has(former, permission));
  const loses = all.filter((permission) => has(former, permission) && !has(next, permission));
  if (gains.length === 0 && loses.length === 0) return <p className="hint">{t('change.same')}</p>;
  const inWords = (permissions: readonly string[]) => permissions.map(permissionName).join(' · ');
  return (
    <div>
      {gains.length > 0 && <p className="sentence">{t('change.gains', { list: inWords(gains) })}</p>}
      {loses.length > 0 && <p className="sentence">{t('change.loses', { list: inWords(loses) })}</p>}
    </div>
  );
}
