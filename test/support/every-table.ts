// Puts at least one row into every table of a migrated database, for tests that copy or upgrade all of them.
import type pg from 'pg';

interface Column {
  table: string;
  name: string;
  type: string;
  is_required: boolean;
}

interface ForeignKey {
  table: string;
  columns: string[];
  parent: string;
  parent_columns: string[];
}

type Row = Record<string, unknown>;

const now = '2026-11-27T10:00:00.000Z';
const inAMonth = '2026-12-27T10:00:00.000Z';

/** Values that the types of columns and the simple checks do not determine. */
const chosen: Readonly<Record<string, Row>> = {
  archived_month: { month: '2026-10-01', sha256: 'a'.repeat(64) },
  map: { sha256: 'a'.repeat(64) },
  module: { plugin_sha256: 'a'.repeat(64), plugin_url: 'https://example.com/plugin.cs', currency: 'EUR' },
  module_purchase: { currency: 'EUR', period_start: now, period_end: inAMonth },
  subscription: {
    currency: 'EUR',
    subscribed_by: 'x',
    anchor_at: now,
    period_number: 0,
    period_start: now,
    period_end: inAMonth,
  },
  notification_channel: { destination: 'x', target: Buffer.from('target') },
  notification: { next_attempt_at: now },
  webhook_delivery: { next_attempt_at: now },
  store_delivery: { next_attempt_at: now },
  storage_marker: { is_only_row: true },
  reseller_bill: { currency: 'EUR', month: '2026-11' },
  reseller_rate: { currency: 'EUR', from_month: '2026-11' },
};

/** Columns that name a row without a foreign key. */
const keys: Readonly<Record<string, (rows: ReadonlyMap<string, Row>) => unknown>> = {
  license_id: (rows) => rows.get('license')?.['id'],
  instance_id: (rows) => rows.get('game_instance')?.['id'],
};

const types: Readonly<Record<string, unknown>> = {
  uuid: '01a21af9-ddd2-78e5-a922-2ee32b0b734c',
  text: 'x',
  jsonb: '{}',
  json: '{}',
  boolean: false,
  bytea: Buffer.from('bytes'),
  date: '2026-11-27',
  inet: '192.0.2.1',
  cidr: '192.0.2.0/24',
  'text[]': [],
  'uuid[]': [],
  interval: '1 day',
};

/** Returns the names of all tables, the queue's included. */
export async function fillEveryTable(client: pg.ClientBase): Promise<string[]> {
  await client.query(
    `select graphile_worker.add_job('filled', json_build_object('n', 1), queue_name => 'filled')`,
  );
  const columns = await readColumns(client);
  const foreignKeys = await readForeignKeys(client);
  const enums = await readEnums(client);
  const tables = [...new Set(columns.map(({ table }) => table))];
  const rows = new Map<string, Row>();
  for (const table of inOrder(tables, foreignKeys)) {
    const [present] = (await client.query<Row>(`select * from ${table} limit 1`)).rows;
    if (present !== undefined) {
      rows.set(table, present);
      continue;
    }
    const values: Row = {};
    for (const key of foreignKeys.filter((each) => each.table === table && each.parent !== table))
      for (const [index, column] of key.columns.entries())
        values[column] ??= rows.get(key.parent)?.[key.parent_columns[index] ?? ''] ?? null;
    for (const { name, type, is_required } of columns.filter((column) => column.table === table))
      if ((is_required || name === 'license_id') && (values[name] ?? null) === null)
        values[name] = enums.get(`${table}.${name}`) ?? keys[name]?.(rows) ?? valueOf(name, type);
    Object.assign(values, chosen[table]);
    const names = Object.keys(values);
    const { rows: inserted } = await client.query<Row>(
      `insert into ${table} (${names.join(', ')}) values (${names.map((_name, index) => `$${index + 1}`).join(', ')})
       returning *`,
      Object.values(values),
    );
    rows.set(table, inserted[0] ?? values);
  }
  return [...tables, 'graphile_worker._private_jobs', 'graphile_worker._private_job_queues'];
}

function valueOf(name: string, type: string): unknown {
  if (/steam_id$/.test(name)) return '76561198000000001';
  if (/^timestamp/.test(type))
    return /(^|_)(ended|until|expires|to|period_end)(_|$)/.test(name) ? inAMonth : now;
  if (/^(bit|varbit)/.test(type)) return '0'.repeat(288);
  return types[type] ?? 1;
}

function inOrder(tables: readonly string[], foreignKeys: readonly ForeignKey[]): string[] {
  const ordered: string[] = [];
  const visit = (table: string) => {
    if (ordered.includes(table)) return;
    for (const { parent } of foreignKeys.filter((key) => key.table === table && key.parent !== table))
      visit(parent);
    ordered.push(table);
  };
  for (const table of ['license', 'game_instance', ...tables]) visit(table);
  return ordered;
}

async function readColumns(client: pg.ClientBase): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select relname as table, quote_ident(attname) as name, format_type(atttypid, null) as type,
       attnotnull and not atthasdef and attidentity = '' as is_required
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relpersistence = 'p' and relname <> 'migration' and attnum > 0 and not attisdropped and attgenerated = ''
     order by 1, attnum`,
  );
  return rows;
}

async function readForeignKeys(client: pg.ClientBase): Promise<ForeignKey[]> {
  const names = (relation: string, keys: string) => `(
    select array_agg(attname::text order by nth) from unnest(${keys}) with ordinality as key(number, nth)
    join pg_attribute on attrelid = ${relation} and attnum = key.number)`;
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, ${names('conrelid', 'conkey')} as columns,
       confrelid::regclass::text as parent, ${names('confrelid', 'confkey')} as parent_columns
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
     order by 1, cardinality(conkey), conname`,
  );
  return rows;
}

/** The first permitted value of columns with a list of them. */
async function readEnums(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows } = await client.query<{ table: string; definition: string }>(
    `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'c' and coninhcount = 0 and connamespace = 'public'::regnamespace`,
  );
  return new Map(
    rows.flatMap(({ table, definition }) => {
      const found = /^CHECK \(\((\w+) = (?:ANY \(ARRAY\[)?'([^']+)'::text/.exec(definition);
      return found === null ? [] : [[`${table}.${found[1]}`, found[2] ?? ''] as const];
    }),
  );
}
