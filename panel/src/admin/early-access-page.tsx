// People who signed up for early access.
import { getRouteApi } from '@tanstack/react-router';
import { MailPlus } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { StateText } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { FilterBar } from '../shared/filter-bar.tsx';
import { useFormats } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { PagedTable } from '../shared/paged-table.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { everyMs } from './every-ms.ts';

type Signup = Schemas['EarlyAccessSignup'];

const route = getRouteApi('/frame/platform/early-access');

export function EarlyAccessPage() {
  const t = useTexts('admin');
  const formats = useFormats();
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const wanted = q.trim();
  const query = wanted === '' ? {} : { q: wanted };
  const signups = usePages(
    '/api/admin/early-access',
    { params: { query } },
    { every: everyMs, keepsFormer: true },
  );
  const search = useCallback(
    (next: string) => void navigate({ search: { q: next }, replace: true }),
    [navigate],
  );
  const columns = useMemo<readonly Column<Signup>[]>(
    () => [
      {
        key: 'email',
        header: t('users.email'),
        width: 'minmax(180px, 2fr)',
        phone: 'title',
        cell: ({ email }) => <b>{email}</b>,
      },
      {
        key: 'confirmed',
        header: t('licenses.status'),
        width: '170px',
        phone: 'aside',
        cell: ({ confirmed_at }) => (
          <StateText tone={confirmed_at === null ? 'idle' : 'good'}>
            {confirmed_at === null ? t('earlyAccess.unconfirmed') : t('earlyAccess.confirmed')}
          </StateText>
        ),
      },
      {
        key: 'servers',
        header: t('earlyAccess.servers'),
        width: '90px',
        align: 'end',
        phone: 'line',
        cell: ({ server_count }) => formats.number(server_count),
      },
      {
        key: 'founding',
        header: t('earlyAccess.founding'),
        width: '150px',
        phone: 'line',
        cell: ({ founding_place_at }) =>
          founding_place_at === null ? '–' : <Time at={founding_place_at} isFocusable={false} />,
      },
      {
        key: 'created',
        header: t('earlyAccess.signedUp'),
        width: '120px',
        phone: 'line',
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
    ],
    [t, formats],
  );
  return (
    <Page title={t('earlyAccess.title')} lead={t('earlyAccess.lead')}>
      <FilterBar search={q} onSearch={search} placeholder={t('users.search')} />
      <PagedTable
        label={t('earlyAccess.title')}
        pages={signups}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ email }) => email}
        isFiltered={wanted !== ''}
        empty={{ icon: MailPlus, title: t('earlyAccess.empty'), detail: t('earlyAccess.emptyDetail') }}
      />
    </Page>
  );
}
