// Servers in a CSV file: which column is which, and what is wrong with each row.
import { csvRows } from '../../shared/csv.ts';
import type { Server } from './provision-once.ts';

export type Field = keyof Server;

export const fields = ['server_id', 'hostname', 'customer_email'] as const satisfies readonly Field[];

/** The position of each field's column; null where none is chosen. */
export type Mapping = Record<Field, number | null>;

export interface ServersFile {
  name: string;
  rows: readonly (readonly string[])[];
  hasHeader: boolean;
  mapping: Mapping;
}

export type Fault = Field | 'duplicate';

export interface FileRow {
  /** As spreadsheets count; empty lines are not counted. */
  line: number;
  server: Server;
  faults: readonly Fault[];
}

/** More would not fit in the tab's storage, which the run survives a reload with. */
export const maxRows = 5_000;

/** Names that exports of other programs have for the columns. */
const names: Record<Field, RegExp> = {
  server_id: /^(server|service|server[ _-]?(id|name|nr)|service[ _-]?id|id)$/i,
  hostname: /^(host|host[ _-]?name|fqdn|machine|node|rechner)$/i,
  customer_email:
    /^(customer|kunde|e-?mail|((customer|owner|kunden)[ _-]?)?e-?mail([ _-]?(address|adresse))?)$/i,
};

/** The platform checks them again; see ResellerServerId, CustomerHostname and Email in the contract. */
const forms: Record<Field, RegExp> = {
  server_id: /^[\x21-\x7e]{1,100}$/,
  hostname: /^(?=.{1,100}$)[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/,
  customer_email: /^[^\s@]+@[^\s@]+$/,
};

export function readServers(name: string, text: string): ServersFile {
  const rows = csvRows(text);
  const first = (rows[0] ?? []).map((each) => each.trim());
  const named: Mapping = { server_id: null, hostname: null, customer_email: null };
  for (const field of fields) {
    const index = first.findIndex((each) => names[field].test(each));
    named[field] = index === -1 ? null : index;
  }
  const hasHeader = fields.some((field) => named[field] !== null);
  const inOrder = (index: number) => (index < first.length ? index : null);
  return {
    name,
    rows,
    hasHeader,
    mapping: hasHeader ? named : { server_id: inOrder(0), hostname: inOrder(1), customer_email: inOrder(2) },
  };
}

/** The names of the columns, from the first line if it has them. */
export function columnsOf({ rows, hasHeader }: ServersFile, nameOf: (number: number) => string): string[] {
  const width = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: width }, (_, index) => {
    const name = hasHeader ? (rows[0]?.[index]?.trim() ?? '') : '';
    return name === '' ? nameOf(index + 1) : name;
  });
}

export const isMapped = ({ mapping }: ServersFile): boolean =>
  fields.every((field) => mapping[field] !== null);

export function rowsOf({ rows, hasHeader, mapping }: ServersFile): FileRow[] {
  const seen = new Set<string>();
  return rows.slice(hasHeader ? 1 : 0).map((row, index) => {
    const at = (field: Field) => (mapping[field] === null ? '' : (row[mapping[field]] ?? '').trim());
    const server = {
      server_id: at('server_id'),
      hostname: at('hostname'),
      customer_email: at('customer_email'),
    };
    const faults: Fault[] = faultsOf(server);
    if (server.server_id !== '' && seen.has(server.server_id)) faults.push('duplicate');
    seen.add(server.server_id);
    return { line: index + (hasHeader ? 2 : 1), server, faults };
  });
}

export const faultsOf = (server: Server): Field[] =>
  fields.filter((field) => !forms[field].test(server[field]));
