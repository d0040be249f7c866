// A chart of values over time in its card, with the same figures as a table.
import { SegmentedControl, Skeleton, Table } from '@mantine/core';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { summaryOf, type TimeChart } from '@gantry/ui/series.ts';
import { lazy, Suspense, useState } from 'react';

const Plot = lazy(() =>
  import('@gantry/ui/series-plot.tsx').then(({ SeriesPlot }) => ({ default: SeriesPlot })),
);

interface TimeChartCardProps {
  title: string;
  lead?: string;
  chart: TimeChart;
  /** Milliseconds. */
  from: number;
  to: number;
}

export function TimeChartCard({ title, lead, chart, from, to }: TimeChartCardProps) {
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const summary = wordsOf(chart);
  return (
    <Section
      title={title}
      lead={lead === undefined ? summary : `${lead} ${summary}`}
      aside={
        <SegmentedControl
          size="xs"
          aria-label={`View of ${title}`}
          value={view}
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
          onChange={(value) => setView(value === 'table' ? 'table' : 'chart')}
        />
      }
    >
      {view === 'table' ? (
        <Figures title={title} chart={chart} />
      ) : (
        <Suspense fallback={<Skeleton height={236} />}>
          <Plot
            chart={chart}
            summary={`${title}. ${summary}`}
            locale={undefined}
            cursor="monitoring"
            from={from}
            to={to}
          />
        </Suspense>
      )}
    </Section>
  );
}

/** More lines than these are not put into words; the table has all of them. */
const maxInWords = 3;

function wordsOf({ series, format }: TimeChart): string {
  const known = series.flatMap(({ name, values, isFaint = false }) => {
    const found = summaryOf(values);
    return found === null || isFaint ? [] : [{ name, ...found }];
  });
  if (known.length === 0) return 'Nothing is recorded in this period.';
  const sentences = known.slice(0, maxInWords).map(({ name, low, high, mean }) => {
    const [least, most] = [format(low), format(high)];
    const range = least === most ? least : `${least} to ${most}, ${format(mean)} on average`;
    return known.length === 1 ? `${range}.` : `${name}: ${range}.`;
  });
  const rest = known.length - maxInWords;
  return [...sentences, ...(rest > 0 ? [`And ${rest} more in the table.`] : [])].join(' ');
}

/** More rows than this are too many to read; the chart has all of them. */
const maxRows = 200;

/** Newest first; moments that only mark a gap are left out. */
function Figures({ title, chart: { times, series, format } }: { title: string; chart: TimeChart }) {
  const rows = times
    .map((at, index) => ({ at, values: series.map(({ values }) => values[index] ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null))
    .toReversed();
  return (
    <>
      <ScrollingTable label={title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Time</Table.Th>
            {series.map(({ key, name }) => (
              <Table.Th key={key} ta="right">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(0, maxRows).map(({ at, values }) => (
            <Table.Tr key={at}>
              <Table.Td className="number moment">{timeOf(at)}</Table.Td>
              {values.map((value, index) => (
                <Table.Td key={series[index]?.key ?? index} ta="right" className="number">
                  {value === null ? '–' : format(value)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollingTable>
      {rows.length > maxRows && (
        <p className="hint">
          These are the newest {maxRows} of {rows.length} points. Choose a shorter period to see others.
        </p>
      )}
    </>
  );
}

const time = new Intl.DateTimeFormat([], { dateStyle: 'medium', timeStyle: 'short' });

export const timeOf = (at: number | string): string => time.format(new Date(at));
