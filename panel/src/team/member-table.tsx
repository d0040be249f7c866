// The table of members, with what may be done to each.
import { ActionIcon, Badge, Menu, NativeSelect } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { MoreHorizontal, SearchX } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { StateText } from '@gantry/ui/state-text.tsx';
import { useMay } from '../api/may.ts';
import { useMe } from '../api/me.ts';
import { covers } from '../permissions/permission-map.ts';
import { sorted, type Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { FilterBar } from '../shared/filter-bar.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { ChangeRoleDialog } from './change-role-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { isLastOwner, useRoles, type Member, type Role } from './use-team.ts';
import classes from './team.module.css';

const route = getRouteApi('/frame/licensed/team');

interface Chosen {
  member: Member;
  action: 'change' | 'remove';
}

export function MemberTable({ members }: { members: readonly Member[] }) {
  const t = useTexts('team');
  const { search, role, sort } = route.useSearch();
  const navigate = route.useNavigate();
  const { items: roles = [] } = useRoles();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const columns = useMemberColumns(members, roles, setChosen);
  const set = useCallback(
    (change: { search?: string; role?: string; sort?: string }) =>
      void navigate({ search: (former) => ({ ...former, ...change }), replace: true }),
    [navigate],
  );
  const setSearch = useCallback((next: string) => set({ search: next }), [set]);
  const wanted = search.trim().toLowerCase();
  const shown = sorted(
    members.filter(
      (each) => each.email.toLowerCase().includes(wanted) && (role === '' || each.role.id === role),
    ),
    columns,
    sort,
  );
  const roleNames = new Map(members.map((each) => [each.role.id, each.role.name]));
  for (const { id, name } of roles) roleNames.set(id, name);
  const close = () => setChosen(null);
  return (
    <>
      <FilterBar
        search={search}
        onSearch={setSearch}
        placeholder={t('members.search')}
        count={
          shown.length === members.length
            ? t('members.count', { count: members.length })
            : t('members.countOf', { shown: shown.length, total: members.length })
        }
      >
        <NativeSelect
          aria-label={t('members.role')}
          value={role}
          data={[
            { value: '', label: t('members.anyRole') },
            ...[...roleNames].map(([value, label]) => ({ value, label })),
          ]}
          onChange={(event) => set({ role: event.currentTarget.value })}
        />
      </FilterBar>
      {shown.length === 0 ? (
        <EmptyState icon={SearchX} title={t('members.noMatch.title')}>
          {t('members.noMatch.detail')}
        </EmptyState>
      ) : (
        <DataTable
          label={t('members.title')}
          columns={columns}
          groups={[{ key: 'all', name: '', rows: shown }]}
          keyOf={({ id }) => id}
          nameOf={({ email }) => email}
          sort={sort}
          onSort={(next) => set({ sort: next })}
        />
      )}
      {chosen?.action === 'change' && (
        <ChangeRoleDialog key={chosen.member.id} member={chosen.member} roles={roles} onClose={close} />
      )}
      {chosen?.action === 'remove' && (
        <RemoveDialog key={chosen.member.id} member={chosen.member} onClose={close} />
      )}
    </>
  );
}

function useMemberColumns(
  members: readonly Member[],
  roles: readonly Role[],
  onChoose: (chosen: Chosen) => void,
): readonly Column<Member>[] {
  const t = useTexts('team');
  const me = useMe();
  const maySeeRoles = useMay('GET /api/roles');
  const mayChange = useMay('PATCH /api/team/members/{member_id}');
  return useMemo(
    () => [
      {
        key: 'email',
        header: t('members.columns.email'),
        width: 'minmax(200px, 3fr)',
        phone: 'title',
        sortBy: ({ email }) => email,
        cell: ({ user_id, email }) => (
          <span className={classes.member}>
            <span className="cut" title={email}>
              {email}
            </span>
            {user_id === me.id && (
              <Badge variant="light" className={classes.you ?? ''}>
                {t('members.you')}
              </Badge>
            )}
          </span>
        ),
      },
      {
        key: 'role',
        header: t('members.columns.role'),
        width: 'minmax(120px, 2fr)',
        phone: 'line',
        sortBy: ({ role }) => role.name,
        cell: ({ role }) =>
          maySeeRoles ? (
            <Link to="/team/roles/$roleId" params={{ roleId: role.id }}>
              {role.name}
            </Link>
          ) : (
            role.name
          ),
      },
      {
        key: 'status',
        header: t('members.columns.status'),
        width: '160px',
        phone: 'line',
        sortBy: ({ is_disabled }) => (is_disabled ? 1 : 0),
        cell: ({ is_disabled }) => (
          <StateText tone={is_disabled ? 'bad' : 'good'}>
            {is_disabled ? t('members.disabled') : t('members.active')}
          </StateText>
        ),
      },
      {
        key: 'joined',
        header: t('members.columns.joined'),
        width: '130px',
        phone: 'line',
        sortBy: ({ created_at }) => created_at,
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
      ...(mayChange
        ? [
            {
              key: 'actions',
              header: t('members.columns.actions'),
              width: '72px',
              align: 'end',
              phone: 'aside',
              cell: (member: Member) => (
                <MemberMenu
                  member={member}
                  hint={hintFor(member)}
                  mayChangeRole={maySeeRoles}
                  onChoose={(action) => onChoose({ member, action })}
                />
              ),
            } as const,
          ]
        : []),
    ],
    [t, me, maySeeRoles, mayChange, members, roles, onChoose],
  );

  /** Why nothing may be done to the member, if so. */
  function hintFor(member: Member): string | null {
    const role = roles.find(({ id }) => id === member.role.id);
    if (role !== undefined && !covers(me.permissions, role.permissions)) return t('members.beyond');
    return isLastOwner(member, members, roles) ? t('members.lastOwner') : null;
  }
}

interface MemberMenuProps {
  member: Member;
  hint: string | null;
  mayChangeRole: boolean;
  onChoose: (action: Chosen['action']) => void;
}

function MemberMenu({ member, hint, mayChangeRole, onChoose }: MemberMenuProps) {
  const t = useTexts('team');
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('members.actions', { email: member.email })}>
          <MoreHorizontal size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {hint !== null && <p className={classes.menuHint}>{hint}</p>}
        {mayChangeRole && (
          <Menu.Item disabled={hint !== null} onClick={() => onChoose('change')}>
            {t('members.changeRole')}
          </Menu.Item>
        )}
        <Menu.Item disabled={hint !== null} color="red" onClick={() => onChoose('remove')}>
          {t('members.remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
