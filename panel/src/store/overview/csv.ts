// Reads CSV as RFC 4180 has it: fields in quotes may contain commas, line breaks and doubled quotes.

/** The rows of a text, each as its fields; empty lines are left out. */
export function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  // One field, and what ends it.
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/gy;
  const source = text.replace(/^\uFEFF/, '');
  while (field.lastIndex < source.length) {
    const start = field.lastIndex;
    const match = field.exec(source);
    if (match === null)
      throw new SyntaxError(`line ${rows.length + 1} is not CSV (at character ${start + 1})`);
    const [, quoted, plain = '', end] = match;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ',') {
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
