// The platform behind PgBouncer, as Debian has it.
import { connectDatabase } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { pino } from 'pino';
import { createTestDatabase } from '../support/database.ts';
import { findProgram } from '../support/needs.ts';
import { startPgBouncer, type Pooler } from '../support/pooler.ts';
import { World } from '../support/world.ts';

// Without it the suite is left out (needs.ts).
const program = findProgram('pgbouncer') ?? 'pgbouncer';
const log = pino({ level: 'silent' });

describe('behind PgBouncer in session mode', () => {
  let world: World;
  let pooler: Pooler;
  beforeAll(async () => {
    world = await World.create({
      poolerTo: async (url) => {
        pooler = await startPgBouncer(program, url, 'session');
        return pooler.url;
      },
    });
  });
  afterAll(async () => {
    await world.close();
    await pooler.stop();
  });

  it('starts with all roles, is ready, and runs its jobs', async () => {
    const { body } = await world.call('get', '/readyz').expect(200);
    expect(body).toMatchObject({ status: 'ready' });
    const email = await world.createUser();
    await world.call('post', '/auth/forgot-password').send({ email }).expect(202);
    expect((await world.mailTo(email)).text).toContain(world.url);
  });

  it.each(['pool', 'orm'] as const)('gives every session of the %s its limits', async (which) => {
    const database = await connectDatabase({ url: pooler.url, limits: { statementMs: 12_345 }, log });
    try {
      const sql = `select current_setting('statement_timeout') as limit, current_setting('timezone') as zone`;
      const rows: unknown[] =
        which === 'pool'
          ? (await database.pool.query(sql)).rows
          : await database.orm.em.getConnection().execute(sql);
      expect(rows).toEqual([{ limit: '12345ms', zone: 'UTC' }]);
    } finally {
      await database.close();
    }
  });
});

it('in transaction mode it is rejected in one line', async () => {
  const own = await createTestDatabase();
  const pooler = await startPgBouncer(program, own.url, 'transaction');
  try {
    await expect(migrate({ url: pooler.url }, log)).rejects.toThrow(
      /^DATABASE_URL: the pooler [^\n]+ session mode [^\n]+$/,
    );
  } finally {
    await pooler.stop();
    await own.drop();
  }
});
