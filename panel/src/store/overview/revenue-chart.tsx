// The revenue of each day or month as bars.
import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import { useLanguage, useTexts } from '../../texts/texts.ts';
import classes from './overview.module.css';
import { periodName } from './period-name.ts';
import type { Period } from './revenue.ts';

interface RevenueChartProps {
  periods: readonly Period[];
  days: number;
  /** Smallest units in one unit of the currency. */
  factor: number;
  money: (major: number) => string;
}

export default function RevenueChart({ periods, days, factor, money }: RevenueChartProps) {
  const t = useTexts('store');
  const language = useLanguage();
  const names = {
    net: { name: 'net', label: t('revenue.net'), color: 'var(--page-accent)' },
    refunded: { name: 'refunded', label: t('revenue.refunded'), color: 'var(--state-bad)' },
  };
  const hasRefunds = periods.some(({ refunded }) => refunded > 0);
  return (
    <figure className={classes.chart} role="img" aria-label={t('revenue.described')}>
      <BarChart
        h={240}
        type="stacked"
        dataKey="name"
        data={periods.map(({ start, net, refunded }) => ({
          name: periodName(start, days, language),
          net: net / factor,
          refunded: refunded / factor,
        }))}
        series={hasRefunds ? [names.net, names.refunded] : [names.net]}
        valueFormatter={money}
        withLegend={hasRefunds}
        gridAxis="x"
        tickLine="none"
        yAxisProps={{ width: 76 }}
        maxBarWidth={36}
        barChartProps={{ accessibilityLayer: false }}
        barProps={{ isAnimationActive: false }}
      />
    </figure>
  );
}
