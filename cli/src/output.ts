// Prints results as tables for people, and as JSON or CSV for programs.
import { stringify } from 'csv-stringify/sync';
import { plainText } from '../../shared/plain-text.ts';
import { CliError } from './failures.ts';

export const formats = ['table', 'json', 'csv'] as const;
export type Format = (typeof formats)[number];

export function formatOf(text: string | undefined, isTerminal: boolean): Format {
  if (text === undefined) return isTerminal ? 'table' : 'json';
  const format = formats.find((each) => each === text);
  if (format === undefined) throw new CliError(`--output is one of ${formats.join(', ')}.`);
  return format;
}

type Row = Record<string, unknown>;

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface PrintOptions {
  format: Format;
  columns?: string[];
  /** Width of the terminal. */
  width?: number;
}

/** The text of a result; a page prints its entries, anything else itself. */
export function textOf(value: unknown, { format, columns, width = 120 }: PrintOptions): string {
  if (value === undefined) return '';
  if (columns !== undefined) refuseUnknown(columns, value);
  if (format === 'json')
    return `${safe(JSON.stringify(columns === undefined ? value : picked(value, columns), null, 2), true)}\n`;
  const rows = rowsOf(value);
  const names = columns ?? columnsOf(rows);
  if (format === 'csv') return csvOf(rows, names);
  if (columns === undefined && !isPage(value) && isRow(value)) return detailsOf(value, width);
  return `${besideOf(value, columns, width)}${tableOf(rows, names, width)}`;
}

/** What a page has besides its entries, for people who choose no columns. */
function besideOf(value: unknown, columns: string[] | undefined, width: number): string {
  if (columns !== undefined || !isPage(value)) return '';
  const { data: _data, next_cursor: _cursor, ...beside } = value as Page & Row;
  const present = Object.fromEntries(Object.entries(beside).filter(([, each]) => !isEmpty(each)));
  return Object.keys(present).length === 0 ? '' : `${detailsOf(present, width)}\n`;
}

/** A misspelled column would look like one without values. */
export function refuseUnknown(columns: readonly string[], value: unknown): void {
  const { missing, present } = unknownColumns(columns, value);
  if (missing.length > 0) throw new CliError(noColumn(missing, present));
}

export interface UnknownColumns {
  missing: string[];
  present: string[];
}

export function unknownColumns(columns: readonly string[], value: unknown): UnknownColumns {
  const rows = rowsOf(value);
  return {
    missing: columns.filter((name) => rows.length > 0 && !rows.some((row) => hasAt(row, name))),
    present: columnsOf(rows),
  };
}

export const noColumn = (missing: readonly string[], present: readonly string[]): string =>
  `The result has no column ${missing.join(', ')}. It has ${present.join(', ')}; a.b names a field of an object.`;

function hasAt(row: unknown, name: string): boolean {
  // An empty list has no entry that would lack the field, and null is an object elsewhere.
  if (Array.isArray(row)) return row.length === 0 || row.some((entry) => hasAt(entry, name));
  if (row === null) return true;
  if (!isRow(row)) return false;
  if (Object.hasOwn(row, name)) return true;
  const [first = '', ...rest] = name.split('.');
  return rest.length > 0 && Object.hasOwn(row, first) && hasAt(row[first], rest.join('.'));
}

/** The chosen columns of each entry; a page stays a page. */
export function picked(value: unknown, columns: readonly string[]): unknown {
  const rows = rowsOf(value).map((row) =>
    Object.fromEntries(columns.map((name) => [name, at(row, name) ?? null])),
  );
  if (isPage(value)) return { ...value, data: rows };
  return Array.isArray(value) || (isRow(value) && soleList(value) !== undefined) ? rows : rows[0];
}

/** A page's hint about more entries, for people. */
export function moreOf(value: unknown): string | undefined {
  return isPage(value) && value.next_cursor !== null
    ? `More follow: add --all, or --cursor ${value.next_cursor}`
    : undefined;
}

interface Page {
  data: unknown[];
  next_cursor: string | null;
}

const isPage = (value: unknown): value is Page =>
  isRow(value) && Array.isArray(value['data']) && 'next_cursor' in value;

function rowsOf(value: unknown): Row[] {
  const list = isPage(value) ? value.data : isRow(value) && soleList(value) ? soleList(value) : value;
  return (Array.isArray(list) ? list : [list]).map((entry) =>
    isRow(entry) ? entry : { value: entry as unknown },
  );
}

/** The list of an object that holds nothing else. */
function soleList(value: Row): unknown[] | undefined {
  const values = Object.values(value);
  return values.length === 1 && Array.isArray(values[0]) ? (values[0] as unknown[]) : undefined;
}

function columnsOf(rows: Row[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** A value below, by a dotted name; below a list, the values of its entries. */
function at(node: unknown, name: string): unknown {
  if (Array.isArray(node)) return node.map((entry) => at(entry, name));
  if (!isRow(node)) return undefined;
  if (Object.hasOwn(node, name)) return node[name];
  const [first = '', ...rest] = name.split('.');
  return rest.length > 0 && Object.hasOwn(node, first) ? at(node[first], rest.join('.')) : undefined;
}

function csvOf(rows: Row[], names: string[]): string {
  const records = rows.map((row) => names.map((name) => cellOf(at(row, name))));
  // A spreadsheet would run a player's name that begins with an equals sign.
  return stringify([names, ...records], { escape_formulas: true });
}

function cellOf(value: unknown): string {
  return value === null || value === undefined ? '' : plainText(value);
}

const minColumnWidth = 8;
const gap = '  ';

/** Columns that hold nothing, or only nested objects, are left out; the rest shares the width. */
function tableOf(rows: Row[], names: string[], width: number): string {
  if (rows.length === 0) return 'No entries.\n';
  const shown = names.filter((name) => rows.some((row) => !isEmpty(at(row, name))));
  const simple = shown.filter(
    (name) => !rows.some((row) => typeof at(row, name) === 'object' && at(row, name) !== null),
  );
  const kept = simple.length > 0 ? simple : shown;
  const cells = rows.map((row) => kept.map((name) => safe(cellOf(at(row, name)), false)));
  const natural = kept.map((name, index) =>
    Math.max(name.length, ...cells.map((row) => lengthOf(row[index] ?? ''))),
  );
  const fitting = fit(natural, width);
  const headings = kept.slice(0, fitting.length).map((name) => name.toUpperCase());
  const line = (texts: string[]) =>
    texts
      .slice(0, fitting.length)
      .map((text, index) => padded(text, fitting[index] ?? 0))
      .join(gap)
      .trimEnd();
  const left = kept.slice(fitting.length);
  const note = left.length === 0 ? '' : `(also: ${left.join(', ')}; choose with --columns)\n`;
  return `${[headings, ...cells].map(line).join('\n')}\n${note}`;
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

/** Widths of as many columns as have room; identifiers keep their whole length. */
function fit(natural: number[], width: number): number[] {
  const widths: number[] = [];
  let room = width;
  for (const length of natural) {
    const wanted = Math.min(length, 44);
    if (widths.length > 0 && room < Math.min(wanted, minColumnWidth)) break;
    const granted = widths.length === 0 ? wanted : Math.min(wanted, room);
    widths.push(granted);
    room -= granted + gap.length;
  }
  return widths;
}

const lengthOf = (text: string): number => [...text].length;

function padded(text: string, width: number): string {
  const letters = [...text];
  return letters.length > width
    ? `${letters.slice(0, Math.max(1, width - 1)).join('')}…`
    : text + ' '.repeat(width - letters.length);
}

function detailsOf(value: Row, width: number): string {
  const names = Object.keys(value);
  const longest = Math.max(0, ...names.map((name) => name.length));
  const room = Math.max(20, width - longest - gap.length);
  const line = (name: string) => {
    const text = safe(cellOf(value[name]), false);
    return `${name.padEnd(longest)}${gap}${text.length > room * 8 ? `${text.slice(0, room * 8)}…` : text}`;
  };
  return `${names.map(line).join('\n')}\n`;
}

/**
 * Names and chat lines come from players: control characters could move the cursor or hide text, and marks of writing
 * direction could reorder it.
 */
export function safe(text: string, isJson: boolean): string {
  const isKept = (letter: string) => isJson && (letter === '\n' || letter === '\t');
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu,
    (letter) => (isKept(letter) ? letter : escaped(letter)),
  );
}

const escaped = (letter: string): string =>
  Array.from(
    { length: letter.length },
    (_, index) => `\\u${letter.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
