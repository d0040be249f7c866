// Saves rows as a CSV file of the user's machine.
import { csvOf, type Cell } from './csv.ts';
import { saveText } from './save-text.ts';

export const saveCsv = (name: string, rows: readonly (readonly Cell[])[]): void =>
  saveText(name, csvOf(rows), 'text/csv');
