// Tables as CSV files (RFC 4180), which spreadsheet programs open.
import { saveText } from '../save-text.ts';

export type Cell = string | number | null;

/** A spreadsheet would take a name that begins so for a formula. */
const formula = /^[=+\-@\t\r]/;

function cellOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

export const saveCsv = (name: string, rows: readonly (readonly Cell[])[]): void =>
  saveText(name, csvOf(rows), 'text/csv');
