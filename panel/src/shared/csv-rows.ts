// Reads CSV as RFC 4180 has it: fields in quotes may contain separators, line breaks and doubled quotes.

/** The separators that programs write; spreadsheets use semicolons where the comma is the decimal sign. */
export type Separator = ',' | ';' | '\t';

/** The rows of a text, each as its fields; empty lines are left out. */
export function csvRows(text: string, separator: Separator = ','): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  // One field, and what ends it.
  const field = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`,
    'gy',
  );
  const source = text.replace(/^\uFEFF/, '');
  while (field.lastIndex < source.length) {
    const start = field.lastIndex;
    const match = field.exec(source);
    if (match === null)
      throw new SyntaxError(`line ${rows.length + 1} is not CSV (at character ${start + 1})`);
    const [, quoted, plain = '', end] = match;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== separator) {
      if (row.some((each) => each !== '')) rows.push(row);
      row = [];
    } else if (field.lastIndex === source.length) row.push('');
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

/** The rows as records by the names in the first line. */
export function csvRecords(text: string): Record<string, string>[] {
  const [names = [], ...rows] = csvRows(text);
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])));
}

/** The separator that the first line has most of. */
export function separatorOf(text: string): Separator {
  const [first = ''] = text.split(/\r\n|\n|\r/, 1);
  const count = (separator: Separator) => first.split(separator).length;
  return ([',', ';', '\t'] as const).toSorted((one, other) => count(other) - count(one))[0] ?? ',';
}
