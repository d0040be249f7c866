// A chart with its summary in words, the same figures as a table, and as a CSV file.
import { ActionIcon, SegmentedControl } from '@mantine/core';
import { ChartLine, Download, Table2 } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { useTexts } from '../../texts/texts.ts';
import type { Column } from '../data-table/columns.ts';
import { DataTable } from '../data-table/data-table.tsx';
import classes from './charts.module.css';
import type { Cell } from '../csv.ts';
import { saveCsv } from '../save-csv.ts';

export interface ChartColumn<Row> {
  name: string;
  /** The exact value, for the file. */
  value: (row: Row) => Cell;
  /** The value in the form of the viewer's language. */
  text: (row: Row) => string;
}

interface ChartCardProps<Row> {
  title: string;
  /** What the chart shows, in a sentence. */
  summary: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The first one names the row. */
  columns: readonly ChartColumn<Row>[];
  /** The name of the CSV file, without its ending. */
  file: string;
  children: ReactNode;
}

export function ChartCard<Row>(props: ChartCardProps<Row>) {
  const { title, summary, rows, keyOf, columns, file, children } = props;
  const t = useTexts('common');
  const [view, setView] = useState('chart');
  const save = () =>
    saveCsv(`${file}.csv`, [
      columns.map(({ name }) => name),
      ...rows.map((row) => columns.map(({ value }) => value(row))),
    ]);
  return (
    <Section
      title={title}
      lead={summary}
      aside={
        <div className={classes.tools}>
          <SegmentedControl
            size="xs"
            aria-label={t('chart.view', { name: title })}
            value={view}
            data={[
              { value: 'chart', label: <Tool icon={<ChartLine size={15} />} words={t('chart.chart')} /> },
              { value: 'table', label: <Tool icon={<Table2 size={15} />} words={t('chart.table')} /> },
            ]}
            onChange={setView}
          />
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('chart.csv', { name: title })}
            title={t('chart.csv', { name: title })}
            onClick={save}
          >
            <Download size={15} aria-hidden="true" />
          </ActionIcon>
        </div>
      }
    >
      {view === 'chart' ? children : <ChartTable {...{ title, rows, keyOf, columns }} />}
    </Section>
  );
}

const Tool = ({ icon, words }: { icon: ReactNode; words: string }) => (
  <span className={classes.tool}>
    <span aria-hidden="true" className={classes.icon}>
      {icon}
    </span>
    {words}
  </span>
);

type ChartTableProps<Row> = Pick<ChartCardProps<Row>, 'title' | 'rows' | 'keyOf' | 'columns'>;

function ChartTable<Row>({ title, rows, keyOf, columns }: ChartTableProps<Row>) {
  const shown = useMemo(
    () =>
      columns.map(({ name, text }, index): Column<Row> => ({
        key: name,
        header: name,
        width: index === 0 ? 'minmax(130px, 1.4fr)' : 'minmax(70px, 1fr)',
        phone: index === 0 ? 'title' : 'line',
        ...(index > 0 && { align: 'end' }),
        cell: text,
      })),
    [columns],
  );
  return (
    <DataTable
      label={title}
      columns={shown}
      groups={[{ key: 'all', name: '', rows }]}
      keyOf={keyOf}
      nameOf={keyOf}
    />
  );
}
