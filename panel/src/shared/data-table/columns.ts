// What a table shows: its columns, and how rows are sorted and grouped.
import type { ReactNode } from 'react';

export interface Column<Row> {
  /** Names the column in the address and in styles. */
  key: string;
  header: string;
  /** Whether the header is for screen readers only, such as above buttons. */
  hidesHeader?: boolean;
  cell: (row: Row) => ReactNode;
  /** A track of the grid, for example `minmax(160px, 2fr)`. */
  width: string;
  align?: 'end';
  /** The value to sort by; unknown values are last. */
  sortBy?: (row: Row) => string | number | null;
  /** Where the cell is on a phone: in the first line, beside it, below with its header, or nowhere. */
  phone: 'title' | 'aside' | 'line' | 'none';
  /** Whether long words take several lines, where the cut-off end makes the difference. */
  wraps?: boolean;
  /** Leaves the column out on windows narrower than a wide desk. */
  isWide?: boolean;
}

/** A key of a column; with "-" before it, descending. */
export type Sort = string;

/** One for all comparisons: `localeCompare` would make one for each. */
const words = new Intl.Collator(undefined, { numeric: true });

export function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: Sort): Row[] {
  const isDescending = sort.startsWith('-');
  const value = columns.find(({ key }) => key === sort.replace(/^-/, ''))?.sortBy;
  if (value === undefined) return [...rows];
  return rows.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    const order =
      typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(String(a), String(b));
    return isDescending ? -order : order;
  });
}

/** The rows as they stood before, so that sorting them again compares only neighbours. */
export function inFormerOrder<Row>(
  rows: readonly Row[],
  former: ReadonlyMap<string, number>,
  keyOf: (row: Row) => string,
): readonly Row[] {
  if (former.size === 0) return rows;
  return rows
    .map((row) => ({ row, rank: former.get(keyOf(row)) ?? former.size }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ row }) => row);
}

/** The next sort when a header is pressed: ascending, descending, ascending … */
export const toggled = (sort: Sort, key: string): Sort => (sort === key ? `-${key}` : key);

export interface Group<Row> {
  key: string;
  name: string;
  rows: readonly Row[];
}

/** Rows under their group names, groups by name; rows without a group are last. */
export function grouped<Row>(
  rows: readonly Row[],
  groupOf: (row: Row) => { key: string; name: string } | null,
  nameOfRest: string,
): Group<Row>[] {
  const groups = new Map<string, { name: string; rows: Row[] }>();
  const rest: Row[] = [];
  for (const row of rows) {
    const group = groupOf(row);
    if (group === null) rest.push(row);
    else {
      const found = groups.get(group.key) ?? { name: group.name, rows: [] };
      groups.set(group.key, found);
      found.rows.push(row);
    }
  }
  const named = [...groups]
    .map(([key, group]) => ({ key, ...group }))
    .sort((one, other) => words.compare(one.name, other.name));
  return rest.length === 0 ? named : [...named, { key: '', name: nameOfRest, rows: rest }];
}
