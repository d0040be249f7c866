// Backups of a database with rows in every table and of a data directory, restored elsewhere; and what is refused.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { backUp, configOf, restore, rowsOf } from '../support/backups.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { fillEveryTable } from '../support/every-table.ts';

let directory: string;
let source: TestDatabase;
let tables: string[];
let storedKey: string;
let file: string;
const databases: TestDatabase[] = [];

const place = (name: string) => join(directory, name);

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  databases.push(database);
  return database;
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-backups-'));
  source = await createTestDatabase();
  databases.push(source);
  const client = new pg.Client({ connectionString: source.url });
  await client.connect();
  tables = await fillEveryTable(client);
  await client.query(
    `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a dead worker'`,
  );
  await client.end();
  const [kept] = await source.query<{ key: string }>(
    `update stored_file set state = 'kept' returning 'maps/' || license_id || '/' || id as key`,
  );
  storedKey = kept?.key ?? '';
  const stored = place(`source/storage/${storedKey}`);
  await mkdir(dirname(stored), { recursive: true });
  await writeFile(stored, 'content of a map');
  await mkdir(place('source/mail'));
  await writeFile(place('source/mail/1.eml'), 'Subject: hello');
  await mkdir(place('source/logs'));
  await writeFile(place('source/logs/postgres.log'), 'not backed up');
  file = place('first.backup');
  await backUp(configOf(source.url, place('source')), file);
});

afterAll(async () => {
  for (const database of databases) await database.drop();
  await rm(directory, { recursive: true, force: true });
});

it('restores every row of every table, keys, mail and stored files', async () => {
  const target = await emptyDatabase();
  await restore(configOf(target.url, place('target')), file);
  const released = ['job_worker', 'graphile_worker._private_jobs', 'graphile_worker._private_job_queues'];
  // The next start marks the storage that the files were restored into.
  const same = tables.filter((table) => ![...released, 'storage_marker'].includes(table));
  const [expected, restored] = [await rowsOf(source.query, same), await rowsOf(target.query, same)];
  expect(restored).toEqual(expected);
  // A trigger moves what former programs write there.
  const empty = Object.entries(restored).filter(([, rows]) => rows.length === 0);
  expect(empty.map(([table]) => table)).toEqual(['domain_event']);
  expect(await target.query('select 1 from storage_marker')).toEqual([]);
  const jobs = await target.query('select locked_by from graphile_worker._private_jobs');
  expect(jobs.length).toBeGreaterThan(0);
  expect(jobs.filter((job) => job['locked_by'] !== null)).toEqual([]);
  expect(await readFile(place(`target/storage/${storedKey}`), 'utf8')).toBe('content of a map');
  expect((await readdir(place('target'))).toSorted()).toEqual(['mail', 'nats-keys.json', 'storage']);
  expect(await readFile(place('target/nats-keys.json'), 'utf8')).toBe(
    await readFile(place('source/nats-keys.json'), 'utf8'),
  );
});

it('continues sequences, triggers and constraints', async () => {
  const target = await emptyDatabase();
  await restore(configOf(target.url, place('continuing')), file);
  const [highest] = await target.query<{ id: string }>('select max(id) as id from session_change');
  const [next] = await target.query<{ id: string }>(
    `select nextval(pg_get_serial_sequence('session_change', 'id')) as id`,
  );
  expect(Number(next?.id)).toBeGreaterThan(Number(highest?.id));
  await expect(target.query('update audit_entry set target_id = target_id')).rejects.toThrow();
  const shape = `select tgrelid::regclass::text as on_table, tgname, tgenabled from pg_trigger where not tgisinternal
    order by 1, 2`;
  expect(await target.query(shape)).toEqual(await source.query(shape));
  const constraints = `select conrelid::regclass::text as on_table, conname, pg_get_constraintdef(oid), convalidated
    from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`;
  expect(await target.query(constraints)).toEqual(await source.query(constraints));
});

it('contains one moment of a database that changes meanwhile', async () => {
  const [changing, target] = [await createTestDatabase(), await emptyDatabase()];
  databases.push(changing);
  let [count, isOver] = [0, false];
  const writing = (async () => {
    while (!isOver) {
      count += 1;
      await changing.query(
        `with account as (insert into user_account (email) values ('pair${count}@example.com'))
         insert into early_access_signup (email, server_count) values ('pair${count}@example.com', 1)`,
      );
    }
  })();
  await backUp(configOf(changing.url, place('changing')), place('changing.backup'));
  isOver = true;
  await writing;
  await restore(configOf(target.url, place('moment')), place('changing.backup'));
  const emails = (table: string) => target.query(`select email from ${table} order by email`);
  const accounts = await emails('user_account');
  expect(await emails('early_access_signup')).toEqual(accounts);
  expect(accounts.length).toBeLessThan(count);
});

describe('is refused in one line, with nothing written', () => {
  const refused = async (path: string, message: RegExp, extra: Record<string, string> = {}) => {
    const target = await emptyDatabase();
    await expect(restore(configOf(target.url, place('refused'), extra), path)).rejects.toThrow(message);
    expect(await readdir(place('refused')).catch(() => [])).toEqual([]);
    const [known] = await target.query<{ users: unknown }>(`select to_regclass('user_account') as users`);
    if ((known?.users ?? null) !== null) expect(await target.query('select from user_account')).toEqual([]);
  };

  it('if the file was cut off', async () => {
    const whole = await readFile(file);
    await writeFile(place('cut.backup'), whole.subarray(0, -100));
    await refused(place('cut.backup'), /^\S+ is not a complete backup: [^\n]+$/);
  });

  it('if a byte of it was changed', async () => {
    const bytes = await readFile(file);
    const at = bytes.indexOf('content of a map');
    bytes.write('C', at);
    await writeFile(place('changed.backup'), bytes);
    await refused(place('changed.backup'), /^[^\n]+$/);
  });

  it('if another secret is set than the one with which values are encrypted', async () => {
    await refused(file, /^GANTRY_JWT_SECRET is not the secret with which this backup was made/, {
      GANTRY_JWT_SECRET: 'another secret of more than forty characters',
    });
  });

  it('if the database or the directory is not empty', async () => {
    await expect(restore(configOf(source.url, place('refused')), file)).rejects.toThrow(
      /^DATABASE_URL: the database is not empty/,
    );
    const target = await emptyDatabase();
    await expect(restore(configOf(target.url, place('source')), file)).rejects.toThrow(
      /^GANTRY_DATA_DIR: \S+ is not empty/,
    );
  });

  it('if there is nothing to back up', async () => {
    const empty = await emptyDatabase();
    await expect(backUp(configOf(empty.url, place('source')), place('empty.backup'))).rejects.toThrow(
      'The database has no tables of Gantry: there is nothing to back up',
    );
  });

  it('if the backup would replace a file', async () => {
    await expect(backUp(configOf(source.url, place('source')), file)).rejects.toThrow(/exists already/);
    expect((await readdir(directory)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
