// What the store earned: the sums, and a chart that is also a table.
import { Alert, Checkbox, NativeSelect, SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { client } from '../../api/client.ts';
import { keyOf } from '../../api/reading.ts';
import { seldom } from '../../api/seldom.ts';
import { useFormats } from '../../shared/formats.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { useTexts } from '../../texts/texts.ts';
import { decimalsOf } from '../currency.ts';
import type { RevenueSearch } from '../searches.ts';
import classes from './overview.module.css';
import { RevenueTable } from './revenue-table.tsx';
import { amountOf, periodsOf, salesOf, startOf, type Sale } from './revenue.ts';

const RevenueChart = lazy(() => import('./revenue-chart.tsx'));

const route = getRouteApi('/frame/licensed/webstore/');

/** Orders can be paid up to two days after they were placed. */
const maxUnpaidMs = 2 * 24 * 60 * 60_000;

/** Every order is downloaded, which may be megabytes, and events report each step of each order. */
const pauseMs = 60_000;

export function RevenueSection({ currency }: { currency: string }) {
  const t = useTexts('store');
  const { days, tests, view } = route.useSearch();
  const navigate = route.useNavigate();
  const set = (change: Partial<RevenueSearch>) =>
    void navigate({ search: (former) => ({ ...former, ...change }), replace: true });
  const now = new Date();
  const start = startOf(days, now);
  const query = {
    format: 'csv' as const,
    created_from: new Date(start.getTime() - maxUnpaidMs).toISOString(),
  };
  const asked = useQuery({
    queryKey: keyOf('/api/webstore/transactions', { params: { query } }),
    ...seldom(pauseMs, async (signal) => {
      const { data } = await client.GET('/api/webstore/transactions', {
        params: { query },
        parseAs: 'text',
        signal,
      });
      return data;
    }),
  });
  return (
    <Section
      title={t('revenue.title')}
      aside={
        <div className={classes.revenueHead}>
          <NativeSelect
            aria-label={t('revenue.range')}
            value={days}
            data={([7, 30, 90, 365] as const).map((value) => ({
              value: String(value),
              label: t(`revenue.ranges.${value}`),
            }))}
            onChange={(event) => set({ days: Number(event.currentTarget.value) as RevenueSearch['days'] })}
          />
          <SegmentedControl
            aria-label={t('revenue.view')}
            size="xs"
            value={view}
            data={[
              { value: 'chart', label: t('revenue.chart') },
              { value: 'table', label: t('revenue.table') },
            ]}
            onChange={(value) => set({ view: value })}
          />
        </div>
      }
    >
      <Loaded asked={asked} waitingFor={t('revenue.title')} skeleton={<Skeleton height={260} />}>
        {(csv) => (
          <Revenue
            csv={csv}
            currency={currency}
            search={{ days, tests, view }}
            start={start}
            onTests={(next) => set({ tests: next })}
          />
        )}
      </Loaded>
    </Section>
  );
}

interface RevenueProps {
  csv: string;
  currency: string;
  search: RevenueSearch;
  start: Date;
  onTests: (tests: boolean) => void;
}

function Revenue({ csv, currency, search, start, onTests }: RevenueProps) {
  const t = useTexts('store');
  const formats = useFormats();
  const { days, tests, view } = search;
  const startMs = start.getTime();
  const sales = useMemo(
    () => salesOf(csv, currency).filter(({ paidAt }) => paidAt.getTime() >= startMs),
    [csv, currency, startMs],
  );
  const hasTests = sales.some(({ isTest }) => isTest);
  const counted = tests ? sales : sales.filter(({ isTest }) => !isTest);
  const periods = periodsOf(counted, days, new Date());
  const decimals = decimalsOf(currency);
  const money = (minor: number) => formats.money({ amount: amountOf(minor, decimals), currency });
  const net = sumOf(counted, ({ total, refunded }) => total - refunded);
  return (
    <>
      {hasTests && (
        <Checkbox
          mb="md"
          label={t('revenue.tests')}
          checked={tests}
          onChange={(event) => onTests(event.currentTarget.checked)}
        />
      )}
      {tests && hasTests && (
        <Alert color="yellow" mb="md">
          {t('revenue.testsIncluded')}
        </Alert>
      )}
      <dl className={classes.figures}>
        <Figure name={t('revenue.net')} value={money(net)} />
        <Figure name={t('revenue.orders')} value={formats.number(counted.length)} />
        <Figure
          name={t('revenue.average')}
          value={counted.length === 0 ? '–' : money(Math.round(net / counted.length))}
        />
        <Figure name={t('revenue.refunded')} value={money(sumOf(counted, ({ refunded }) => refunded))} />
      </dl>
      {counted.length === 0 ? (
        <p className={classes.noSales}>{hasTests ? t('revenue.onlyTests') : t('revenue.none')}</p>
      ) : view === 'table' ? (
        <RevenueTable periods={periods} days={days} money={money} />
      ) : (
        <Suspense fallback={<Skeleton height={240} />}>
          <RevenueChart
            periods={periods}
            days={days}
            factor={10 ** decimals}
            money={(major) => formats.money({ amount: String(major), currency })}
          />
        </Suspense>
      )}
    </>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

const sumOf = (sales: readonly Sale[], value: (sale: Sale) => number): number =>
  sales.reduce((sum, sale) => sum + value(sale), 0);
