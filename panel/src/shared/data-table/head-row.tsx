// The head of a table: sorts by a column, and selects everything.
import { NativeSelect } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTexts } from '../../texts/texts.ts';
import { toggled, type Column } from './columns.ts';
import type { DataTableProps } from './props.ts';
import classes from './data-table.module.css';

export function HeadRow<Row>({ columns, groups, keyOf, sort, onSort, selection }: DataTableProps<Row>) {
  const t = useTexts('common');
  const keys = selection === undefined ? [] : groups.flatMap(({ rows }) => rows.map(keyOf));
  const chosen = keys.filter((key) => selection?.has(key) === true).length;
  const isSortable = onSort !== undefined && columns.some(({ sortBy }) => sortBy !== undefined);
  return (
    <div
      role="rowgroup"
      className={classes.head}
      data-bare={(selection === undefined && !isSortable) || undefined}
    >
      <div role="row" aria-rowindex={1} className={classes.row}>
        {selection !== undefined && (
          <div role="columnheader" className={classes.check}>
            <input
              type="checkbox"
              className={classes.box}
              aria-label={t('table.selectAll')}
              checked={chosen > 0 && chosen === keys.length}
              ref={(box) => {
                if (box !== null) box.indeterminate = chosen > 0 && chosen < keys.length;
              }}
              onChange={(event) => selection.set(event.currentTarget.checked ? keys : [])}
            />
          </div>
        )}
        {columns.map((column) => (
          <HeadCell key={column.key} column={column} sort={sort} onSort={onSort} />
        ))}
        {isSortable && <PhoneSort columns={columns} sort={sort ?? ''} onSort={onSort} />}
      </div>
    </div>
  );
}

interface PhoneSortProps<Row> {
  columns: readonly Column<Row>[];
  sort: string;
  onSort: (sort: string) => void;
}

/** Cards have no column heads to press. */
function PhoneSort<Row>({ columns, sort, onSort }: PhoneSortProps<Row>) {
  const t = useTexts('common');
  return (
    <div role="columnheader" className={classes.phoneSort}>
      <NativeSelect
        aria-label={t('table.sortBy')}
        value={sort}
        data={columns
          .filter(({ sortBy }) => sortBy !== undefined)
          .flatMap(({ key, header }) => [
            { value: key, label: t('table.ascending', { name: header }) },
            { value: `-${key}`, label: t('table.descending', { name: header }) },
          ])}
        onChange={(event) => onSort(event.currentTarget.value)}
      />
    </div>
  );
}

interface HeadCellProps<Row> {
  column: Column<Row>;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}

function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const { key, header, hidesHeader, align, isWide, sortBy } = column;
  const order = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : 'none';
  const isSortable = sortBy !== undefined && onSort !== undefined;
  return (
    <div
      role="columnheader"
      className={classes.cell}
      data-align={align}
      data-wide={isWide === true || undefined}
      {...(isSortable && { 'aria-sort': order })}
    >
      {isSortable ? (
        <button type="button" className={classes.sort} onClick={() => onSort(toggled(sort ?? '', key))}>
          {header}
          {order === 'ascending' && <ArrowUp size={13} aria-hidden="true" />}
          {order === 'descending' && <ArrowDown size={13} aria-hidden="true" />}
        </button>
      ) : (
        <span className={hidesHeader === true ? 'visuallyHidden' : ''}>{header}</span>
      )}
    </div>
  );
}
