// CSV files: read in the forms that spreadsheets write, and written for them.
import Papa from 'papaparse';

export type Cell = string | number | null;

/** Spreadsheets use semicolons where the comma is the decimal sign. */
const separators = [',', ';', '\t'];

/** The separator that the first line has most of. */
function separatorOf(text: string): string {
  const [first = ''] = text.split(/\r\n|\n|\r/, 1);
  const count = (separator: string) => first.split(separator).length;
  return separators.toSorted((one, other) => count(other) - count(one))[0] ?? ',';
}

/** The rows of a text, each as its fields, without empty lines. Throws a SyntaxError where a quote is misplaced. */
export function csvRows(text: string): string[][] {
  // Files of several programs have several kinds of line ends.
  const { data, errors } = Papa.parse<string[]>(text.replace(/\r\n?/g, '\n'), {
    delimiter: separatorOf(text),
    newline: '\n',
    skipEmptyLines: 'greedy',
  });
  const [error] = errors;
  if (error !== undefined) throw new SyntaxError(`line ${(error.row ?? 0) + 1} is not CSV: ${error.message}`);
  return data;
}

/** The rows as records by the names in the first line. */
export function csvRecords(text: string): Record<string, string>[] {
  const [names = [], ...rows] = csvRows(text);
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])));
}

/** A spreadsheet would calculate text that begins like a formula, so that such text is quoted. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  rows.length === 0 ? '' : `${Papa.unparse(rows as Cell[][], { newline: '\r\n', escapeFormulae: true })}\r\n`;
