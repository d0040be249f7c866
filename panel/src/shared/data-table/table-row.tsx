// One row of a table; a card on phones.
import { memo, type Ref } from 'react';
import type { Column } from './columns.ts';
import classes from './data-table.module.css';
import type { Selection } from './selection.ts';

interface TableRowProps<Row> {
  row: Row;
  rowKey: string;
  name: string;
  columns: readonly Column<Row>[];
  selection: Selection | undefined;
  index: number;
  /** The name of the box that selects the row. */
  selectLabel: (name: string) => string;
  /** Measures rows of long tables; the same function for every row. */
  measure: Ref<HTMLDivElement> | undefined;
}

function PlainRow<Row>(props: TableRowProps<Row>) {
  const { row, rowKey, name, columns, selection, index, selectLabel, measure } = props;
  const isSelected = selection?.has(rowKey) === true;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      {...(selection !== undefined && { 'aria-selected': isSelected })}
      className={classes.row}
      data-has-selection={selection !== undefined || undefined}
      ref={measure}
      data-index={index}
    >
      {selection !== undefined && (
        <div role="cell" className={classes.check}>
          <input
            type="checkbox"
            className={classes.box}
            aria-label={selectLabel(name)}
            checked={isSelected}
            onChange={(event) =>
              selection.toggle(rowKey, (event.nativeEvent as MouseEvent).shiftKey === true)
            }
          />
        </div>
      )}
      {columns.map(({ key, header, cell, align, phone, isWide, wraps }) => (
        <div
          key={key}
          role="cell"
          className={classes.cell}
          data-align={align}
          data-phone={phone}
          data-wide={isWide === true || undefined}
          data-wraps={wraps === true || undefined}
        >
          {phone === 'line' && (
            <span className={classes.name} aria-hidden="true">
              {header}
            </span>
          )}
          {cell(row)}
        </div>
      ))}
    </div>
  );
}

export const TableRow = memo(PlainRow) as typeof PlainRow;
