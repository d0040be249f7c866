// The resellers with their rates, keys and licenses.
import { NativeSelect } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Building2 } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { usePages } from '../../api/reading.ts';
import type { Column } from '../../shared/data-table/columns.ts';
import { FilterBar } from '../../shared/filter-bar.tsx';
import { useFormats } from '../../shared/formats.ts';
import { PagedTable } from '../../shared/paged-table.tsx';
import { Time } from '../../shared/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { ResellerStatus, Terms } from './reseller-words.tsx';
import { everyMs } from '../every-ms.ts';

type Reseller = Schemas['Reseller'];

const route = getRouteApi('/frame/platform/resellers/');

export function ResellerList() {
  const t = useTexts('admin-resellers');
  const { q, status } = route.useSearch();
  const navigate = route.useNavigate();
  const wanted = q.trim();
  const query = { ...(wanted !== '' && { q: wanted }), ...(status !== '' && { status }) };
  const resellers = usePages(
    '/api/admin/resellers',
    { params: { query } },
    { every: everyMs, keepsFormer: true },
  );
  const columns = useColumns();
  const search = useCallback(
    (next: string) => void navigate({ search: (former) => ({ ...former, q: next }), replace: true }),
    [navigate],
  );
  return (
    <>
      <FilterBar search={q} onSearch={search} placeholder={t('search')}>
        <NativeSelect
          aria-label={t('columns.status')}
          value={status}
          data={[
            { value: '', label: t('status.any') },
            { value: 'active', label: t('status.active') },
            { value: 'disabled', label: t('status.disabled') },
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
        label={t('title')}
        pages={resellers}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        isFiltered={wanted !== '' || status !== ''}
        empty={{ icon: Building2, title: t('empty.title'), detail: t('empty.detail') }}
      />
    </>
  );
}

function useColumns(): readonly Column<Reseller>[] {
  const t = useTexts('admin-resellers');
  const formats = useFormats();
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('columns.name'),
        width: 'minmax(150px, 1.6fr)',
        phone: 'title',
        cell: ({ id, name }) => (
          <Link to="/platform/resellers/$resellerId" params={{ resellerId: id }}>
            {name}
          </Link>
        ),
      },
      {
        key: 'status',
        header: t('columns.status'),
        width: '110px',
        phone: 'aside',
        cell: ({ status }) => <ResellerStatus status={status} />,
      },
      {
        key: 'rate',
        header: t('columns.rate'),
        width: 'minmax(190px, 1.6fr)',
        phone: 'line',
        cell: (reseller) => <Terms reseller={reseller} />,
      },
      {
        key: 'licenses',
        header: t('columns.licenses'),
        width: '90px',
        align: 'end',
        phone: 'line',
        cell: ({ license_count }) => formats.number(license_count),
      },
      {
        key: 'key',
        header: t('columns.key'),
        width: 'minmax(160px, 1fr)',
        phone: 'line',
        isWide: true,
        cell: ({ key_identifier }) => <span className="mono">{key_identifier}</span>,
      },
      {
        key: 'bill',
        header: t('columns.bill'),
        width: '110px',
        phone: 'line',
        cell: ({ id, name }) => (
          <Link
            to="/platform/resellers/$resellerId/bill"
            params={{ resellerId: id }}
            aria-label={t('billOf', { name })}
          >
            {t('thisMonth')}
          </Link>
        ),
      },
      {
        key: 'created',
        header: t('columns.created'),
        width: '110px',
        phone: 'line',
        isWide: true,
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
    ],
    [t, formats],
  );
}
