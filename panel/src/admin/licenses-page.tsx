// All licenses: found by name, key or owner; revoked and activated.
import { Badge, Button, NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { IdCard } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { FilterBar } from '../shared/filter-bar.tsx';
import { Page } from '../shared/page.tsx';
import { PagedTable } from '../shared/paged-table.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { everyMs } from './every-ms.ts';

type License = Schemas['License'];

const route = getRouteApi('/frame/platform/licenses');

export function LicensesPage() {
  const t = useTexts('admin');
  const { q, status } = route.useSearch();
  const navigate = route.useNavigate();
  const [asking, setAsking] = useState<License | null>(null);
  const wanted = q.trim();
  const query = { ...(wanted !== '' && { q: wanted }), ...(status !== '' && { status }) };
  const licenses = usePages(
    '/api/admin/licenses',
    { params: { query } },
    { every: everyMs, keepsFormer: true },
  );
  const search = useCallback(
    (next: string) => void navigate({ search: (former) => ({ ...former, q: next }), replace: true }),
    [navigate],
  );
  const columns = useLicenseColumns(setAsking);
  return (
    <Page title={t('licenses.title')} lead={t('licenses.lead')}>
      <FilterBar search={q} onSearch={search} placeholder={t('licenses.search')}>
        <NativeSelect
          aria-label={t('licenses.status')}
          value={status}
          data={[
            { value: '', label: t('anyStatus') },
            { value: 'active', label: t('licenses.active') },
            { value: 'revoked', label: t('licenses.revoked') },
          ]}
          onChange={({ currentTarget: { value } }) =>
            void navigate({
              search: (former) => ({ ...former, status: value as '' | 'active' | 'revoked' }),
              replace: true,
            })
          }
        />
      </FilterBar>
      <PagedTable
        label={t('licenses.title')}
        pages={licenses}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        isFiltered={wanted !== '' || status !== ''}
        empty={{ icon: IdCard, title: t('licenses.empty'), detail: t('licenses.emptyDetail') }}
      />
      {asking !== null && <StatusDialog license={asking} onClose={() => setAsking(null)} />}
    </Page>
  );
}

function useLicenseColumns(onAsk: (license: License) => void): readonly Column<License>[] {
  const t = useTexts('admin');
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('licenses.name'),
        width: 'minmax(150px, 1.4fr)',
        phone: 'title',
        cell: ({ name, is_sandbox }) => (
          <>
            <b>{name}</b> {is_sandbox && <Badge variant="light">{t('licenses.sandbox')}</Badge>}
          </>
        ),
      },
      {
        key: 'status',
        header: t('licenses.status'),
        width: '110px',
        phone: 'aside',
        cell: ({ status }) => (
          <StateText tone={status === 'active' ? 'good' : 'bad'}>
            {status === 'active' ? t('licenses.active') : t('licenses.revoked')}
          </StateText>
        ),
      },
      {
        key: 'owner',
        header: t('licenses.owner'),
        width: 'minmax(150px, 1.4fr)',
        phone: 'line',
        cell: ({ owner_email }) => owner_email ?? '–',
      },
      {
        key: 'subdomain',
        header: t('licenses.subdomain'),
        width: 'minmax(100px, 1fr)',
        phone: 'line',
        isWide: true,
        cell: ({ subdomain }) => subdomain,
      },
      {
        key: 'created',
        header: t('created'),
        width: '110px',
        phone: 'line',
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
      {
        key: 'action',
        header: t('actions'),
        width: '120px',
        phone: 'line',
        cell: (license) => (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t(license.status === 'active' ? 'licenses.revokeOne' : 'licenses.activateOne', {
              name: license.name,
            })}
            onClick={() => onAsk(license)}
          >
            {license.status === 'active' ? t('licenses.revoke') : t('licenses.activate')}
          </Button>
        ),
      },
    ],
    [t, onAsk],
  );
}

function StatusDialog({ license, onClose }: { license: License; onClose: () => void }) {
  const t = useTexts('admin');
  const isActive = license.status === 'active';
  const change = useWrite('PATCH /api/admin/licenses/{license_id}', {
    refreshes: ['/api/admin/licenses', '/api/admin/stats'],
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      title={t(isActive ? 'licenses.revokeTitle' : 'licenses.activateTitle', { name: license.name })}
      action={isActive ? t('licenses.revoke') : t('licenses.activate')}
      isDangerous={isActive}
      isPending={change.isPending}
      problem={<ProblemAlert error={change.error} />}
      onConfirm={() =>
        change.mutate({
          params: { path: { license_id: license.id } },
          body: { status: isActive ? 'revoked' : 'active' },
        })
      }
      onClose={onClose}
    >
      {isActive ? t('licenses.revokeDetail') : t('licenses.activateDetail')}
    </ConfirmDialog>
  );
}
