// One role: what it allows, who has it, and what may be done with it.
import { Alert, Badge, Button, Group, Skeleton } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import { useMe } from '../api/me.ts';
import type { Schemas } from '../api/operations.ts';
import { useRead } from '../api/reading.ts';
import { useCatalog } from '../permissions/catalog.ts';
import { GrantedPermissions } from '../permissions/granted-permissions.tsx';
import { missingIn } from '../permissions/permission-map.ts';
import { BackLink } from '../shared/back-link.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { useMembers } from '../team/use-team.ts';
import { useTexts } from '../texts/texts.ts';
import { DeleteRoleDialog } from './delete-role-dialog.tsx';
import { DuplicateRoleDialog } from './duplicate-role-dialog.tsx';
import { RoleForm } from './role-form.tsx';

type Role = Schemas['Role'];

const route = getRouteApi('/frame/licensed/team/roles/$roleId');

export function RolePage() {
  const t = useTexts('roles');
  const { roleId } = route.useParams();
  const asked = useRead('/api/roles/{role_id}', { params: { path: { role_id: roleId } } });
  return (
    <Loaded isPage asked={asked} waitingFor={t('columns.name')} skeleton={<Skeleton height={320} />}>
      {(role) => <OneRole key={role.id} role={role} />}
    </Loaded>
  );
}

function OneRole({ role }: { role: Role }) {
  const t = useTexts('roles');
  const me = useMe();
  const mayUpdate = useMay('PATCH /api/roles/{role_id}');
  const mayDuplicate = useMay('POST /api/roles/{role_id}/duplicate');
  const mayDelete = useMay('DELETE /api/roles/{role_id}');
  const [dialog, setDialog] = useState<'duplicate' | 'delete' | null>(null);
  const beyond = missingIn(me.permissions, role.permissions);
  const isChangeable = !role.is_system && beyond.length === 0;
  const why = role.is_system
    ? mayUpdate && t('readOnly.system')
    : beyond.length > 0
      ? mayUpdate && t('readOnly.beyond', { list: beyond.join(', ') })
      : t('readOnly.noRight');
  return (
    <Page
      title={role.name}
      status={
        <Badge variant="light" color={role.is_system ? 'gray' : 'cobalt'}>
          {role.is_system ? t('builtIn') : t('custom')}
        </Badge>
      }
      above={<BackLink to="/team/roles">{t('back')}</BackLink>}
      action={
        <Group gap="xs">
          {mayDuplicate && beyond.length === 0 && (
            <Button variant={role.is_system ? 'filled' : 'default'} onClick={() => setDialog('duplicate')}>
              {t('duplicate')}
            </Button>
          )}
          {mayDelete && isChangeable && (
            <Button variant="default" onClick={() => setDialog('delete')}>
              {t('delete')}
            </Button>
          )}
        </Group>
      }
    >
      <MembersOf role={role} />
      {mayUpdate && isChangeable ? (
        <RoleForm role={role} />
      ) : (
        <>
          {why !== false && <Alert color="gray">{why}</Alert>}
          <Reading role={role} />
        </>
      )}
      <DuplicateRoleDialog role={role} isOpen={dialog === 'duplicate'} onClose={() => setDialog(null)} />
      <DeleteRoleDialog role={role} isOpen={dialog === 'delete'} onClose={() => setDialog(null)} />
    </Page>
  );
}

function MembersOf({ role }: { role: Role }) {
  const t = useTexts('roles');
  const { items } = useMembers();
  const maySee = useMay('GET /api/team/members');
  const members = (items ?? []).filter((member) => member.role.id === role.id);
  if (!maySee) return null;
  return (
    <Section
      title={t('membersTitle')}
      aside={
        members.length > 0 && (
          <Link to="/team" search={{ role: role.id }}>
            {t('toMembers')}
          </Link>
        )
      }
    >
      <p className="sentence">
        {members.length === 0 ? t('noMembers') : members.map(({ email }) => email).join(', ')}
      </p>
    </Section>
  );
}

function Reading({ role }: { role: Role }) {
  const t = useTexts('roles');
  const catalog = useCatalog();
  return (
    <Section title={t('permissions')}>
      <Loaded asked={catalog} waitingFor={t('permissions')}>
        {(groups) => <GrantedPermissions catalog={groups} permissions={role.permissions} />}
      </Loaded>
    </Section>
  );
}
