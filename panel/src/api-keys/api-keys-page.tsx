// The API keys of the license, with their last use.
import { Button, NativeSelect } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { KeyRound, Plus, SearchX } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import { PermissionCount } from '../permissions/permission-count.tsx';
import { sorted, type Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { FilterBar } from '../shared/filter-bar.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { KeyStatus, keyStatuses } from './key-status.tsx';

type ApiKey = Schemas['ApiKey'];

const route = getRouteApi('/frame/licensed/api-keys');

/** No event reports the use of a key. */
const usesMs = 30_000;

export function ApiKeysPage() {
  const t = useTexts('api-keys');
  const mayCreate = useMay('POST /api/api-keys');
  const keys = usePages('/api/api-keys', {}, { all: true, every: usesMs });
  const isEmpty = keys.items?.length === 0;
  const create = (
    <Button component={Link} to="/api-keys/new" leftSection={<Plus size={16} />}>
      {t('create')}
    </Button>
  );
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      {...(mayCreate && !keys.isPending && !isEmpty && { action: create })}
    >
      <Loaded
        asked={{ ...keys, data: keys.items }}
        waitingFor={t('title')}
        skeleton={<TableSkeleton rows={4} />}
      >
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={KeyRound} title={t('empty.title')} {...(mayCreate && { action: create })}>
              {t('empty.detail')}
            </EmptyState>
          ) : (
            <KeyTable keys={items} />
          )
        }
      </Loaded>
    </Page>
  );
}

function KeyTable({ keys }: { keys: readonly ApiKey[] }) {
  const t = useTexts('api-keys');
  const { search, status, sort } = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useKeyColumns();
  const wanted = search.trim().toLowerCase();
  const shown = sorted(
    keys.filter(
      (key) =>
        (status === 'any' || key.status === status) &&
        [key.name, key.created_by, key.identifier].some((text) => text.toLowerCase().includes(wanted)),
    ),
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
      >
        <NativeSelect
          aria-label={t('filter.status')}
          value={status}
          data={[
            { value: 'any', label: t('filter.any') },
            ...keyStatuses.map((value) => ({ value, label: t(`status.${value}`) })),
          ]}
          onChange={(event) => {
            const next = event.currentTarget.value as typeof status;
            void navigate({ search: (former) => ({ ...former, status: next }), replace: true });
          }}
        />
      </FilterBar>
      {shown.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title={t('noMatch.title')}
          action={
            <Button
              variant="default"
              onClick={() => void navigate({ search: { search: '', status: 'any', sort }, replace: true })}
            >
              {t('noMatch.showAll')}
            </Button>
          }
        >
          {t('noMatch.detail')}
        </EmptyState>
      ) : (
        <DataTable
          label={t('title')}
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

function useKeyColumns(): readonly Column<ApiKey>[] {
  const t = useTexts('api-keys');
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('columns.name'),
        width: 'minmax(160px, 2fr)',
        phone: 'title',
        sortBy: ({ name }) => name,
        cell: ({ id, name }) => (
          <Link to="/api-keys/$apiKeyId" params={{ apiKeyId: id }}>
            {name}
          </Link>
        ),
      },
      {
        key: 'status',
        header: t('columns.status'),
        width: '110px',
        phone: 'aside',
        sortBy: ({ status }) => keyStatuses.indexOf(status),
        cell: ({ status }) => <KeyStatus status={status} />,
      },
      {
        key: 'permissions',
        header: t('columns.permissions'),
        width: 'minmax(150px, 2fr)',
        phone: 'line',
        cell: ({ permissions }) => <PermissionCount permissions={permissions} />,
      },
      {
        key: 'used',
        header: t('columns.lastUsed'),
        width: '120px',
        phone: 'line',
        sortBy: ({ last_used_at }) => last_used_at,
        cell: ({ last_used_at }) =>
          last_used_at === null ? (
            <span className="dim">{t('never')}</span>
          ) : (
            <Time at={last_used_at} isFocusable={false} />
          ),
      },
      {
        key: 'expires',
        header: t('columns.expires'),
        width: '130px',
        phone: 'line',
        sortBy: ({ expires_at }) => expires_at,
        cell: ({ expires_at }) =>
          expires_at === null ? (
            <span className="dim">{t('never')}</span>
          ) : (
            <Time at={expires_at} isFocusable={false} />
          ),
      },
      {
        key: 'by',
        header: t('columns.by'),
        width: 'minmax(140px, 2fr)',
        phone: 'none',
        isWide: true,
        sortBy: ({ created_by }) => created_by,
        cell: ({ created_by }) => <span title={created_by}>{created_by}</span>,
      },
    ],
    [t],
  );
}
