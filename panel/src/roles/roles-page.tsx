// The roles of the license: the built-in ones and its own.
import { Badge, Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, SearchX } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { useRead } from '../api/reading.ts';
import { PermissionCount } from '../permissions/permission-count.tsx';
import { grantingEntry, type PermissionMap } from '../permissions/permission-map.ts';
import { sorted, type Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { FilterBar } from '../shared/filter-bar.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { Time } from '../shared/time.tsx';
import { TeamPage } from '../team/team-page.tsx';
import { useRoles } from '../team/use-team.ts';
import { useTexts } from '../texts/texts.ts';

type Role = Schemas['Role'];

const route = getRouteApi('/frame/licensed/team/roles');

export function RolesPage() {
  const t = useTexts('roles');
  const team = useTexts('team');
  const mayCreate = useMay('POST /api/roles');
  const roles = useRoles();
  return (
    <TeamPage
      action={
        mayCreate && (
          <Button component={Link} to="/team/roles/new" leftSection={<Plus size={16} />}>
            {t('create')}
          </Button>
        )
      }
    >
      <Loaded
        asked={{ ...roles, data: roles.items }}
        waitingFor={team('tabs.roles')}
        skeleton={<TableSkeleton rows={4} />}
      >
        {(items) => <RoleTable roles={items} />}
      </Loaded>
    </TeamPage>
  );
}

function RoleTable({ roles }: { roles: readonly Role[] }) {
  const t = useTexts('roles');
  const team = useTexts('team');
  const { search, sort } = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useRoleColumns();
  const wanted = search.trim().toLowerCase();
  const shown = sorted(
    roles.filter(({ name }) => name.toLowerCase().includes(wanted)),
    columns,
    sort,
  );
  const setSearch = useCallback(
    (next: string) => void navigate({ search: (former) => ({ ...former, search: next }), replace: true }),
    [navigate],
  );
  return (
    <>
      <FilterBar
        search={search}
        onSearch={setSearch}
        placeholder={t('search')}
        count={t('count', { count: shown.length })}
      />
      {shown.length === 0 ? (
        <EmptyState icon={SearchX} title={t('noMatch.title')}>
          {t('noMatch.detail', { search })}
        </EmptyState>
      ) : (
        <DataTable
          label={team('tabs.roles')}
          columns={columns}
          groups={[{ key: 'all', name: '', rows: shown }]}
          keyOf={({ id }) => id}
          nameOf={({ name }) => name}
          sort={sort}
          onSort={(next) => void navigate({ search: (former) => ({ ...former, sort: next }), replace: true })}
        />
      )}
    </>
  );
}

function useRoleColumns(): readonly Column<Role>[] {
  const t = useTexts('roles');
  const formats = useFormats();
  const { data: catalog } = useRead('/api/permissions');
  return useMemo(() => {
    const granted = (permissions: PermissionMap) =>
      (catalog?.data ?? []).filter(({ permission }) => grantingEntry(permissions, permission) !== null)
        .length;
    return [
      {
        key: 'name',
        header: t('columns.name'),
        width: 'minmax(160px, 2fr)',
        phone: 'title',
        sortBy: ({ name }) => name,
        cell: ({ id, name }) => (
          <Link to="/team/roles/$roleId" params={{ roleId: id }}>
            {name}
          </Link>
        ),
      },
      {
        key: 'kind',
        header: t('columns.kind'),
        width: '110px',
        phone: 'aside',
        sortBy: ({ is_system }) => (is_system ? 0 : 1),
        cell: ({ is_system }) => (
          <Badge variant="light" color={is_system ? 'gray' : 'cobalt'}>
            {is_system ? t('builtIn') : t('custom')}
          </Badge>
        ),
      },
      {
        key: 'permissions',
        header: t('columns.permissions'),
        width: 'minmax(170px, 2fr)',
        phone: 'line',
        sortBy: ({ permissions }) => granted(permissions),
        cell: ({ permissions }) => <PermissionCount permissions={permissions} />,
      },
      {
        key: 'members',
        header: t('columns.members'),
        width: '100px',
        align: 'end',
        phone: 'line',
        sortBy: ({ member_count }) => member_count,
        cell: ({ member_count }) => formats.number(member_count),
      },
      {
        key: 'created',
        header: t('columns.created'),
        width: '130px',
        phone: 'none',
        sortBy: ({ created_at }) => created_at,
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
    ];
  }, [t, formats, catalog]);
}
