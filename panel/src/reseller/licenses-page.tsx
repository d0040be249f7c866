// The licenses that the reseller has provisioned: found, suspended and resumed, and as CSV.
import { Button, NativeSelect } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { IdCard, Plus } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import type { Schemas } from '../api/operations.ts';
import { ButtonLink } from '../shared/button-link.tsx';
import type { Column } from '../shared/data-table/columns.ts';
import { useSelection } from '../shared/data-table/selection.ts';
import { DownloadButton } from '../shared/download-button.tsx';
import { FilterBar } from '../shared/filter-bar.tsx';
import { Page } from '../shared/page.tsx';
import { PagedTable } from '../shared/paged-table.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { LicenseState } from './license-state.tsx';
import { licensesAsCsv, useLicenses } from './reading.ts';
import { StatusBar } from './status-bar.tsx';
import { StatusDialog } from './status-dialog.tsx';

type License = Schemas['ResellerLicense'];

const route = getRouteApi('/reseller/');

export function LicensesPage() {
  const t = useTexts('reseller');
  const { q, status } = route.useSearch();
  const navigate = route.useNavigate();
  const [asking, setAsking] = useState<License | null>(null);
  const wanted = q.trim();
  const isFiltered = wanted !== '' || status !== '';
  const filter = { ...(wanted !== '' && { q: wanted }), ...(status !== '' && { status }) };
  const licenses = useLicenses(filter);
  const items = useMemo(() => licenses.items ?? [], [licenses.items]);
  const selection = useSelection(useMemo(() => items.map(({ id }) => id), [items]));
  const columns = useColumns(setAsking);
  const search = useCallback(
    (next: string) => void navigate({ search: (former) => ({ ...former, q: next }), replace: true }),
    [navigate],
  );
  return (
    <Page
      title={t('licenses.title')}
      lead={t('licenses.lead')}
      action={
        <ButtonLink to="/reseller/provision" leftSection={<Plus size={16} />}>
          {t('provision.action')}
        </ButtonLink>
      }
    >
      <FilterBar search={q} onSearch={search} placeholder={t('licenses.search')}>
        <NativeSelect
          aria-label={t('columns.status')}
          value={status}
          data={[
            { value: '', label: t('status.any') },
            ...(['active', 'suspended', 'revoked'] as const).map((value) => ({
              value,
              label: t(`status.${value}`),
            })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            void navigate({
              search: (former) => ({ ...former, status: value as typeof status }),
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
        nameOf={({ server_id }) => server_id}
        isFiltered={isFiltered}
        selection={selection}
        empty={{ icon: IdCard, title: t('licenses.empty'), detail: t('licenses.emptyDetail') }}
      />
      {items.length > 0 && (
        <DownloadButton file="licenses.csv" fetch={() => licensesAsCsv(filter)}>
          {isFiltered ? t('licenses.exportFiltered') : t('licenses.export')}
        </DownloadButton>
      )}
      <StatusBar licenses={items.filter(({ id }) => selection.has(id))} onClear={() => selection.set([])} />
      {asking !== null && (
        <StatusDialog
          licenses={[asking]}
          status={asking.status === 'active' ? 'suspended' : 'active'}
          onClose={() => setAsking(null)}
        />
      )}
    </Page>
  );
}

function useColumns(onAsk: (license: License) => void): readonly Column<License>[] {
  const t = useTexts('reseller');
  return useMemo(
    () => [
      {
        key: 'server',
        header: t('columns.server'),
        width: 'minmax(120px, 1fr)',
        phone: 'title',
        cell: ({ id, server_id }) => (
          <Link to="/reseller/licenses/$licenseId" params={{ licenseId: id }}>
            {server_id}
          </Link>
        ),
      },
      {
        key: 'hostname',
        header: t('columns.hostname'),
        width: 'minmax(140px, 1.3fr)',
        phone: 'line',
        cell: ({ hostname }) => hostname,
      },
      {
        key: 'customer',
        header: t('columns.customer'),
        width: 'minmax(140px, 1.3fr)',
        phone: 'line',
        cell: ({ customer_email }) => (
          <span className="cut" title={customer_email}>
            {customer_email}
          </span>
        ),
      },
      {
        key: 'status',
        header: t('columns.status'),
        width: '130px',
        phone: 'aside',
        cell: ({ status }) => <LicenseState status={status} />,
      },
      {
        key: 'created',
        header: t('columns.created'),
        width: '120px',
        phone: 'line',
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
      {
        key: 'action',
        header: t('columns.change'),
        width: '130px',
        phone: 'line',
        // The platform alone can activate what it has revoked.
        cell: (license) =>
          license.status !== 'revoked' && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t(license.status === 'active' ? 'suspend.one' : 'resume.one', {
                name: license.server_id,
              })}
              onClick={() => onAsk(license)}
            >
              {t(license.status === 'active' ? 'suspend.action' : 'resume.action')}
            </Button>
          ),
      },
    ],
    [t, onAsk],
  );
}
