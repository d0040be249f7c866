// Migrations take as long as they take; only a lock that another holds is not waited for without end.
import { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { pino } from 'pino';
import { migrate } from '../../src/database/migrate.ts';
import { migrations } from '../../src/entities/migrations/index.ts';
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

it('may run for longer than any statement of the program', async () => {
  const limits = { statementMs: 200, silenceMs: 300 };
  await migrate({ url: database.url, limits }, log, [...migrations, { name: '9998-slow', class: Slow }]);
  await expect(database.query('select from made_slowly')).resolves.toEqual([]);
  await database.query(`delete from migration where name = '9998-slow'`);
});

it('give up on a lock that others hold for too long', async () => {
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
