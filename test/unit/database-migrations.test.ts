// Migrations take as long as needed; only waiting for a lock is limited.
import { readdir } from 'node:fs/promises';
import { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { pino } from 'pino';
import { migrate } from '../../src/database/migrate.ts';
import { formerNames, migrations } from '../../src/database/migrations/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const log = pino({ level: 'silent' });

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

class Slow extends Migration {
  override up(): void {
    this.addSql('select pg_sleep(1)');
    this.addSql('create table made_slowly (id integer)');
  }
}

class Locking extends Migration {
  override up(): void {
    this.addSql('alter table license add column never text');
  }
}

it('may run longer than any statement of the program', async () => {
  const limits = { statementMs: 200, silenceMs: 300 };
  await migrate({ url: database.url, limits }, log, [...migrations, { name: '9998-slow', class: Slow }]);
  await expect(database.query('select from made_slowly')).resolves.toEqual([]);
  await database.query(`delete from migration where name = '9998-slow'`);
});

it('give up waiting for a lock after too long', async () => {
  const list = [...migrations, { name: '9999-locking', class: Locking }];
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  try {
    await other.query('begin; lock table license in access share mode');
    await expect(migrate({ url: database.url, limits: { migrationLockMs: 400 } }, log, list)).rejects.toThrow(
      'lock timeout',
    );
  } finally {
    await other.end();
  }
});

it('have unique, rising numbers, and match the files', async () => {
  const names = migrations.map(({ name }) => name);
  expect(names.map((name) => name.replace(/-.*/, ''))).toEqual(
    [...new Set(names.map((name) => name.replace(/-.*/, '')))].toSorted(),
  );
  const files = await readdir(new URL('../../src/database/migrations/', import.meta.url));
  expect(files.filter((file) => /^\d/.test(file)).toSorted()).toEqual(names.map((name) => `${name}.ts`));
});

it('are not applied again under another number', async () => {
  const list = () => database.query('select name from migration order by name');
  const before = await list();
  for (const [former, name] of formerNames)
    await database.query('update migration set name = $1 where name = $2', [former, name]);
  await migrate({ url: database.url }, log);
  expect(await list()).toEqual(before);
});
