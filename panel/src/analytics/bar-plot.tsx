// Bars of one or several series.
import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import classes from './analytics.module.css';

export interface BarPlotProps {
  data: Record<string, string | number>[];
  /** The key of the names below the bars. */
  by: string;
  series: { name: string; label: string; color: string }[];
  isStacked?: boolean;
  format: (value: number) => string;
  summary: string;
}

export function BarPlot({ data, by, series, isStacked = false, format, summary }: BarPlotProps) {
  return (
    <div className={classes.plot} role="img" aria-label={summary}>
      <BarChart
        h={260}
        data={data}
        dataKey={by}
        series={series}
        type={isStacked ? 'stacked' : 'default'}
        withLegend={series.length > 1}
        valueFormatter={format}
        gridColor="var(--page-border)"
        textColor="var(--mantine-color-dimmed)"
        tickLine="none"
        barProps={{ isAnimationActive: false }}
        barChartProps={{ accessibilityLayer: false }}
        yAxisProps={{ width: 44, allowDecimals: false }}
      />
    </div>
  );
}
