// What a table is given.
import type { ReactNode } from 'react';
import type { Column, Group, Sort } from './columns.ts';
import type { Selection } from './selection.ts';

export interface DataTableProps<Row> {
  /** The name of the table, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  /** Already sorted and filtered; one group without a name for a plain list. */
  groups: readonly Group<Row>[];
  keyOf: (row: Row) => string;
  sort?: Sort | undefined;
  onSort?: ((sort: Sort) => void) | undefined;
  selection?: Selection | undefined;
  /** The name of a row, for the label of its checkbox. */
  nameOf: (row: Row) => string;
  /** Beside the name of a group. */
  groupAside?: (group: Group<Row>) => ReactNode;
}
