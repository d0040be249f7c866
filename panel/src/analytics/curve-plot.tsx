// Lines over named points, such as the retention after each wipe.
import '@mantine/charts/styles.layer.css';
import { LineChart } from '@mantine/charts';
import classes from './analytics.module.css';

export interface CurvePlotProps {
  data: Record<string, string | number | null>[];
  /** The key of the names below the points. */
  by: string;
  series: { name: string; label: string; color: string }[];
  format: (value: number) => string;
  summary: string;
}

export function CurvePlot({ data, by, series, format, summary }: CurvePlotProps) {
  return (
    <div className={classes.plot} role="img" aria-label={summary}>
      <LineChart
        h={280}
        data={data}
        dataKey={by}
        series={series}
        withLegend={false}
        curveType="linear"
        connectNulls={false}
        valueFormatter={format}
        gridColor="var(--page-border)"
        textColor="var(--mantine-color-dimmed)"
        tickLine="none"
        lineProps={{ isAnimationActive: false }}
        lineChartProps={{ accessibilityLayer: false }}
        yAxisProps={{ width: 52, domain: [0, 100] }}
        xAxisProps={{ padding: { left: 24, right: 24 } }}
      />
    </div>
  );
}
