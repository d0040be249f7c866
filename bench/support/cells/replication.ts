// Publishes the rows of one license, and subscribes another cell to them.
import type pg from 'pg';
import { inShortLocks, tablesOfLicenses } from './guard.ts';

/** Tickets of consoles live for seconds and name sessions, which stay where they are. */
const left = ['console_ticket'];

export async function publishedTables(client: pg.Client) {
  return (await tablesOfLicenses(client)).filter(({ name }) => !left.includes(name));
}

/**
 * A publication may filter updates and deletions by columns of the replica identity only; otherwise it would make those
 * statements fail, for every license. Returns how many tables had such a key, and got one.
 */
export async function identifyByLicense(client: pg.Client) {
  const { rows } = await client.query<{
    name: string;
    is_partitioned: boolean;
    primary_key: string | null;
    has_license: boolean;
    index: string | null;
    identity: string;
  }>(
    `select relname as name, relkind = 'p' as is_partitioned, relreplident::text as identity,
       (select string_agg(quote_ident(attname), ', ' order by nth)
        from pg_index cross join unnest(indkey::smallint[]) with ordinality as key (number, nth)
        join pg_attribute on attrelid = indrelid and attnum = number
        where indrelid = class.oid and indisprimary) as primary_key,
       exists (select from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
         where indrelid = class.oid and indisprimary and attname = 'license_id') as has_license,
       (select min(indexrelid::regclass::text) from pg_index
        where indrelid = class.oid and indisunique and indimmediate and indisvalid and indpred is null and indexprs is null
          and exists (select from pg_attribute where attrelid = indrelid and attnum = any(indkey) and attname = 'license_id')
          and not exists (select from pg_attribute where attrelid = indrelid and attnum = any(indkey) and not attnotnull)
       ) as index
     from pg_class as class
     where relnamespace = 'public'::regnamespace and relname = any($1) order by 1`,
    [(await publishedTables(client)).map(({ name }) => name).filter((name) => name !== 'license')],
  );
  const counts = { primaryKeys: 0, otherIndexes: 0, added: 0, whole: 0, appendOnly: 0 };
  for (const table of rows) {
    if (table.has_license) counts.primaryKeys += 1;
    else if (table.is_partitioned) counts.appendOnly += 1;
    else if (table.primary_key === null) {
      counts.whole += 1;
      if (table.identity !== 'f')
        await inShortLocks(client, [`alter table ${table.name} replica identity full`]);
    } else {
      counts[table.index === null ? 'added' : 'otherIndexes'] += 1;
      if (table.identity === 'i') continue;
      const index = table.index ?? `${table.name}_by_license`;
      if (table.index === null) {
        await client.query(`drop index concurrently if exists ${index}`);
        await client.query(
          `create unique index concurrently ${index} on ${table.name} (license_id, ${table.primary_key})`,
        );
      }
      await inShortLocks(client, [`alter table ${table.name} replica identity using index ${index}`]);
    }
  }
  return counts;
}

export function nameOfMove(licenseId: string): string {
  return `move_${licenseId.replaceAll('-', '')}`;
}

/** Rows of partitions are published as those of their table, so that its filter counts and each cell has its own partitions. */
export async function publish(client: pg.Client, licenseId: string): Promise<void> {
  const name = nameOfMove(licenseId);
  const { rowCount } = await client.query('select from pg_publication where pubname = $1', [name]);
  if (rowCount === 1) return;
  const tables = [...(await publishedTables(client)), { name: 'cells.marker', column: 'license_id' }];
  const filtered = tables.map(({ name: table, column }) => `${table} where (${column} = '${licenseId}')`);
  await client.query(
    `create publication ${name} for table ${filtered.join(', ')}
     with (publish = 'insert, update, delete', publish_via_partition_root = true)`,
  );
}

/** Creates the slot in the source too. A mover that was killed meanwhile may have left a slot without its subscription. */
export async function subscribe(
  source: pg.Client,
  target: pg.Client,
  sourceUrl: string,
  licenseId: string,
): Promise<void> {
  const name = nameOfMove(licenseId);
  if (await isSubscribed(target, licenseId)) return;
  await dropSlot(source, licenseId);
  const { hostname, port, username, password, pathname } = new URL(sourceUrl);
  const values = { host: hostname, port, user: username, password, dbname: pathname.slice(1) };
  const connection = Object.entries(values).map(([key, value]) => `${key}='${value}'`);
  await target.query(
    `create subscription ${name} connection ${target.escapeLiteral(connection.join(' '))} publication ${name}
     with (copy_data = true, disable_on_error = true)`,
  );
}

export async function isSubscribed(target: pg.Client, licenseId: string): Promise<boolean> {
  const { rowCount } = await target.query('select from pg_subscription where subname = $1', [
    nameOfMove(licenseId),
  ]);
  return rowCount === 1;
}

export async function tablesToCopy(target: pg.Client, licenseId: string): Promise<number> {
  const { rows } = await target.query<{ waiting: number; is_enabled: boolean }>(
    `select count(srrelid) filter (where srsubstate <> 'r')::int as waiting, subenabled as is_enabled
     from pg_subscription left join pg_subscription_rel on srsubid = pg_subscription.oid
     where subname = $1 group by subenabled`,
    [nameOfMove(licenseId)],
  );
  const [state] = rows;
  if (state?.is_enabled !== true) throw new Error('the subscription was disabled by an error, or is gone');
  return state.waiting;
}

/** Ends with no slot and no publication in the source. */
export async function unsubscribe(source: pg.Client, target: pg.Client, licenseId: string): Promise<void> {
  const name = nameOfMove(licenseId);
  if (await isSubscribed(target, licenseId)) {
    // Drops the slots in the source, also those of copies that are under way.
    await target.query(`drop subscription ${name}`);
  }
  await dropSlot(source, licenseId);
  await source.query(`drop publication if exists ${name}`);
}

/** A slot without its subscription would hold back the removal of WAL in the source. */
async function dropSlot(source: pg.Client, licenseId: string): Promise<void> {
  const name = nameOfMove(licenseId);
  for (let attempt = 1; ; attempt += 1) {
    const { rows } = await source.query<{ pid: number | null }>(
      'select active_pid as pid from pg_replication_slots where slot_name = $1',
      [name],
    );
    if (rows[0] === undefined) return;
    if (rows[0].pid === null) {
      await source.query('select pg_drop_replication_slot($1)', [name]);
      return;
    }
    if (attempt === 20) await source.query('select pg_terminate_backend($1)', [rows[0].pid]);
    if (attempt === 100) throw new Error(`the slot ${name} stays in use`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
