// Who may do what, and why: by member, by permission, and for one operation of the API.
import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import { useMe } from '../api/me.ts';
import { permissionsIn, useCatalog, type AreaGroup } from '../permissions/catalog.ts';
import { GrantedPermissions } from '../permissions/granted-permissions.tsx';
import { PermissionCount } from '../permissions/permission-count.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { useTexts } from '../texts/texts.ts';
import { Holders } from './holders.tsx';
import { OperationAccess } from './operation-access.tsx';
import { TeamPage } from './team-page.tsx';
import { useMembers, useRoles } from './use-team.ts';
import { Verdict } from './verdict.tsx';
import type { Person } from './person.ts';
import classes from './team.module.css';

const route = getRouteApi('/frame/licensed/team/access');

export function AccessPage() {
  const t = useTexts('team');
  const catalog = useCatalog();
  return (
    <TeamPage>
      <Section title={t('access.title')} lead={t('access.lead')}>
        <Loaded asked={catalog} waitingFor={t('access.title')}>
          {(groups) => <People catalog={groups} />}
        </Loaded>
      </Section>
      <OperationAccess />
    </TeamPage>
  );
}

function People({ catalog }: { catalog: readonly AreaGroup[] }) {
  const t = useTexts('team');
  const me = useMe();
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const { people, maySeeOthers } = usePeople();
  const listed = people.find(({ userId }) => userId === search.member);
  const person = maySeeOthers ? listed : people.find(({ userId }) => userId === me.id);
  const permission = permissionsIn(catalog).find((each) => each.permission === search.permission);
  const set = (change: { member?: string; permission?: string }) =>
    void navigate({ search: (former) => ({ ...former, ...change }), replace: true });
  return (
    <>
      <div className={classes.picks}>
        {maySeeOthers && (
          <NativeSelect
            label={t('access.member')}
            value={person?.userId ?? ''}
            data={[
              { value: '', label: t('access.everyone') },
              ...people.map(({ userId, email }) => ({ value: userId, label: email })),
            ]}
            onChange={(event) => set({ member: event.currentTarget.value })}
          />
        )}
        <NativeSelect
          label={t('access.permission')}
          description={permission?.description}
          inputWrapperOrder={['label', 'input', 'description']}
          value={permission?.permission ?? ''}
          data={[
            { value: '', label: t('access.choose') },
            ...catalog.flatMap(({ areas }) =>
              areas.map(({ name, permissions }) => ({
                group: name,
                items: permissions.map((each) => ({
                  value: each.permission,
                  label: `${name}: ${each.action}`,
                })),
              })),
            ),
          ]}
          onChange={(event) => set({ permission: event.currentTarget.value })}
        />
      </div>
      {!maySeeOthers && <p className="hint">{t('access.onlyYou')}</p>}
      {permission !== undefined && person !== undefined && (
        <Verdict person={person} permission={permission.permission} />
      )}
      {permission !== undefined && person === undefined && (
        <Holders people={people} permission={permission.permission} />
      )}
      {permission === undefined && person !== undefined && (
        <div className={classes.table}>
          <p className="sentence">
            {t('access.hasRole', { email: person.email, role: person.roleName })}{' '}
            <PermissionCount permissions={person.permissions} />
          </p>
          <GrantedPermissions catalog={catalog} permissions={person.permissions} />
        </div>
      )}
    </>
  );
}

/** Everyone in the license with the permissions of their role; only the user without the right to see others. */
function usePeople(): { people: readonly Person[]; maySeeOthers: boolean } {
  const me = useMe();
  const maySeeMembers = useMay('GET /api/team/members');
  const maySeeRoles = useMay('GET /api/roles');
  const { items: members } = useMembers();
  const { items: roles } = useRoles();
  const maySeeOthers = maySeeMembers && maySeeRoles;
  if (!maySeeOthers || members === undefined || roles === undefined) {
    const own: Person = {
      userId: me.id,
      email: me.email,
      isDisabled: false,
      roleName: me.role ?? '',
      roleId: null,
      permissions: me.permissions,
    };
    return { people: [own], maySeeOthers };
  }
  const people = members.map(({ user_id, email, is_disabled, role }) => ({
    userId: user_id,
    email,
    isDisabled: is_disabled,
    roleName: role.name,
    roleId: role.id,
    permissions: roles.find(({ id }) => id === role.id)?.permissions ?? {},
  }));
  return { people, maySeeOthers };
}
