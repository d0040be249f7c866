// Reads continue while the tables they read change, and after PostgreSQL ended them in favour of others.
import { pino } from 'pino';
import { sql } from 'kysely';
import { connectDatabase, type DatabaseConnection } from '../../src/database/connection.ts';
import { Reader } from '../../src/database/reader.ts';
import { patientLimits, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let connection: DatabaseConnection;
let reader: Reader;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = await connectDatabase({
    url: database.url,
    limits: patientLimits,
    poolSize: 2,
    log: pino({ level: 'silent' }),
  });
  reader = new Reader(connection.pool);
  await database.query('create table first_table (id int)');
  await database.query('create table second_table (id int)');
});

afterAll(async () => {
  await connection.close();
  await database.drop();
});

const firstRows = () =>
  reader.read(null, async (queries) => (await sql`select * from first_table`.execute(queries)).rows);

it('return rows with the columns of a table that changed since', async () => {
  await database.query('insert into first_table values (1)');
  expect(await firstRows()).toEqual([{ id: 1 }]);
  await database.query(`alter table first_table add column name text default 'new'`);
  expect(await firstRows()).toEqual([{ id: 1, name: 'new' }]);
  expect(connection.pool.totalCount).toBe(1);
});

it('are repeated after a deadlock', async () => {
  const blocker = await connection.pool.connect();
  const deadlock = async (): Promise<'blocker' | 'reader'> => {
    await blocker.query('begin');
    await blocker.query('lock table second_table in access exclusive mode');
    const read = reader.read(null, async (queries) => {
      // It waits for the second table and holds the lock of the first one.
      const { rows } = await sql`select count(*)::int as count from first_table, second_table`.execute(
        queries,
      );
      return rows;
    });
    await until(async () => {
      const waiting = await database.query(`select from pg_locks where not granted`);
      return waiting.length > 0;
    });
    try {
      await blocker.query('lock table first_table in access exclusive mode');
      await blocker.query('commit');
      return 'reader';
    } catch (error) {
      expect((error as { code?: string }).code).toBe('40P01');
      await blocker.query('rollback');
      return 'blocker';
    } finally {
      expect(await read).toEqual([{ count: 0 }]);
    }
  };
  try {
    // PostgreSQL looks for deadlocks once for each wait, a second after its begin: on a busy machine the blocker may lose.
    await until(async () => (await deadlock()) === 'reader');
  } finally {
    blocker.release();
  }
});
