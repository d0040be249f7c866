// A list of which pages are read: its table, its states, and more of it.
import { SearchX, type LucideIcon } from 'lucide-react';
import type { Column } from './data-table/columns.ts';
import { DataTable } from './data-table/data-table.tsx';
import type { Selection } from './data-table/selection.ts';
import { EmptyState } from './empty-state.tsx';
import { LoadMore } from './load-more.tsx';
import { Loaded } from './loaded.tsx';
import { TableSkeleton } from './table-skeleton.tsx';
import { useTexts } from '../texts/texts.ts';

interface PagedTableProps<Row> {
  label: string;
  pages: {
    items: Row[] | undefined;
    error: Error | null;
    isFetching: boolean;
    refetch: () => unknown;
    hasNextPage: boolean;
    isReadingMore: boolean;
    fetchNextPage: () => unknown;
  };
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  isFiltered: boolean;
  selection?: Selection;
  empty: { icon: LucideIcon; title: string; detail: string };
}

export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { label, pages, columns, keyOf, nameOf, isFiltered, selection, empty } = props;
  const t = useTexts('common');
  return (
    <>
      <Loaded asked={{ ...pages, data: pages.items }} waitingFor={label} skeleton={<TableSkeleton />}>
        {(rows) =>
          rows.length > 0 ? (
            <DataTable
              label={label}
              columns={columns}
              groups={[{ key: 'all', name: '', rows }]}
              keyOf={keyOf}
              nameOf={nameOf}
              {...(selection !== undefined && { selection })}
            />
          ) : isFiltered ? (
            <EmptyState icon={SearchX} title={t('noMatch.title')}>
              {t('noMatch.detail')}
            </EmptyState>
          ) : (
            <EmptyState icon={empty.icon} title={empty.title}>
              {empty.detail}
            </EmptyState>
          )
        }
      </Loaded>
      <LoadMore pages={pages} />
    </>
  );
}
