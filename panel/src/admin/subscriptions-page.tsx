// Subscriptions of all licenses, and the monthly revenue that they make.
import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { CreditCard } from 'lucide-react';
import { useMemo } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';
import { usePages, useRead } from '../api/reading.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { useFormats } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { PagedTable } from '../shared/paged-table.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { Figures } from '../shared/figures.tsx';
import { moneyWords } from './money-words.ts';
import classes from './admin.module.css';
import { everyMs } from './every-ms.ts';

type Subscription = Schemas['Subscription'];
type Status = Schemas['SubscriptionStatus'];
type Kind = Schemas['RevenueKind'];

const route = getRouteApi('/frame/platform/subscriptions');

const tones: Record<Status, Tone> = {
  trialing: 'busy',
  active: 'good',
  past_due: 'bad',
  cancelled: 'idle',
  expired: 'idle',
};

const kinds = ['module', 'webstore', 'reseller'] as const satisfies readonly Kind[];

export function SubscriptionsPage() {
  const t = useTexts('admin');
  const { kind, status } = route.useSearch();
  const navigate = route.useNavigate();
  const query = { ...(kind !== '' && { kind }), ...(status !== '' && { status }) };
  const subscriptions = usePages(
    '/api/admin/subscriptions',
    { params: { query } },
    { every: everyMs, keepsFormer: true },
  );
  const { data } = useRead(
    '/api/admin/subscriptions',
    { params: { query: { ...query, limit: 1 } } },
    { every: everyMs },
  );
  const columns = useSubscriptionColumns();
  return (
    <Page title={t('subscriptions.title')} lead={t('subscriptions.lead')}>
      <div className={classes.filters}>
        <NativeSelect
          aria-label={t('subscriptions.kind')}
          value={kind}
          data={[
            { value: '', label: t('subscriptions.anyKind') },
            ...kinds.map((value) => ({ value, label: t(`subscriptions.kinds.${value}`) })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ search: (former) => ({ ...former, kind: value as Kind | '' }), replace: true })
          }
        />
        <NativeSelect
          aria-label={t('licenses.status')}
          value={status}
          data={[
            { value: '', label: t('anyStatus') },
            ...(Object.keys(tones) as Status[]).map((value) => ({
              value,
              label: t(`subscriptions.statuses.${value}`),
            })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            void navigate({
              search: (former) => ({ ...former, status: value as Status | '' }),
              replace: true,
            })
          }
        />
      </div>
      {data !== undefined && <Revenue revenue={data.monthly_recurring_revenue} />}
      <PagedTable
        label={t('subscriptions.title')}
        pages={subscriptions}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ reference }) => reference}
        isFiltered={kind !== '' || status !== ''}
        empty={{
          icon: CreditCard,
          title: t('subscriptions.empty'),
          detail: t('subscriptions.emptyDetail'),
        }}
      />
    </Page>
  );
}

function Revenue({ revenue }: { revenue: Schemas['RecurringRevenue'] }) {
  const t = useTexts('admin');
  const formats = useFormats();
  const { total, by_kind, breakdown } = revenue;
  const of = (kind: Kind) => by_kind.filter((part) => part.kind === kind).map(({ monthly }) => monthly);
  return (
    <>
      <Figures
        label={t('overview.revenue')}
        figures={[
          { name: t('overview.revenue'), value: moneyWords(total, formats) },
          ...kinds.map((kind) => ({
            name: t(`subscriptions.kinds.${kind}`),
            value: moneyWords(of(kind), formats),
          })),
        ]}
      />
      {breakdown.length > 0 && (
        <Section title={t('subscriptions.breakdown')}>
          <ul className={classes.rows}>
            {breakdown.map(({ kind, reference, subscriptions, monthly }) => (
              <li key={`${kind} ${reference} ${monthly.currency}`} className={classes.rowItem}>
                <span>
                  {kind === 'webstore' ? (
                    t(`subscriptions.kinds.${kind}`)
                  ) : (
                    <>
                      {reference} <span className="dim">{t(`subscriptions.kinds.${kind}`)}</span>
                    </>
                  )}
                </span>
                <span className={classes.amount}>
                  <span className="dim">
                    {t(kind === 'reseller' ? 'subscriptions.licenses' : 'subscriptions.count', {
                      count: subscriptions,
                    })}
                  </span>{' '}
                  {formats.money(monthly)}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function useSubscriptionColumns(): readonly Column<Subscription>[] {
  const t = useTexts('admin');
  const formats = useFormats();
  return useMemo(
    () => [
      {
        key: 'license',
        header: t('hosts.license'),
        width: 'minmax(140px, 1.3fr)',
        phone: 'title',
        cell: ({ license_name }) => <b>{license_name}</b>,
      },
      {
        key: 'status',
        header: t('licenses.status'),
        width: '130px',
        phone: 'aside',
        cell: ({ status }) => (
          <StateText tone={tones[status]}>{t(`subscriptions.statuses.${status}`)}</StateText>
        ),
      },
      {
        key: 'product',
        header: t('subscriptions.product'),
        width: 'minmax(140px, 1.2fr)',
        phone: 'line',
        cell: ({ kind, reference }) => (
          <>
            {reference} <span className="dim">{t(`subscriptions.kinds.${kind}`)}</span>
          </>
        ),
      },
      {
        key: 'price',
        header: t('subscriptions.price'),
        width: '140px',
        align: 'end',
        phone: 'line',
        cell: ({ price, period }) => t(`subscriptions.per.${period}`, { price: formats.money(price) }),
      },
      {
        key: 'started',
        header: t('subscriptions.started'),
        width: '110px',
        phone: 'line',
        cell: ({ started_at }) => <Time at={started_at} isFocusable={false} />,
      },
      {
        key: 'ends',
        header: t('subscriptions.ends'),
        width: '110px',
        phone: 'line',
        cell: ({ ends_at }) => (ends_at === null ? '–' : <Time at={ends_at} isFocusable={false} />),
      },
    ],
    [t, formats],
  );
}
