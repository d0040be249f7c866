// A database with a full disk is not ready from the first refused write until a write of its own succeeds.
import type pg from 'pg';
import { SessionGenerations } from '../../src/database/session-generations.ts';
import { WriteCheck } from '../../src/database/write-check.ts';
import { patientLimits, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { connectDatabase, type DatabaseConnection } from '../../src/database/connection.ts';
import { pino } from 'pino';

const noSpace = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' });

let database: TestDatabase;
let connection: DatabaseConnection;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = await connectDatabase({
    url: database.url,
    limits: patientLimits,
    poolSize: 1,
    log: pino({ level: 'silent' }),
  });
});

afterAll(async () => {
  await connection.close();
  await database.drop();
});

/** The tests' database, whose tables cannot grow while `isFull`. */
function disk() {
  const state = { isFull: false, probes: 0 };
  const pool = {
    query: (text: string) => connection.pool.query(text),
    connect: async () => {
      const client = await connection.pool.connect();
      return {
        query: (text: string) => {
          if (!text.includes('insert')) return client.query(text);
          state.probes += 1;
          return state.isFull ? Promise.reject(noSpace) : client.query(text);
        },
        release: (isBroken?: boolean) => client.release(isBroken),
      };
    },
  };
  return { state, writes: new WriteCheck(pool as unknown as pg.Pool, new SessionGenerations()) };
}

it('writes nothing itself while no write was refused', async () => {
  const { state, writes } = disk();
  await writes.check();
  writes.recordFailure(Object.assign(new Error('taken'), { code: '23505' }));
  await writes.check();
  expect(state.probes).toBe(0);
});

it('throws after a refused write until there is room, for any wrapping of the refusal', async () => {
  const { state, writes } = disk();
  state.isFull = true;
  writes.recordFailure(new Error('the insert failed', { cause: noSpace }));
  for (let probe = 1; probe <= 3; probe += 1) {
    await expect(writes.check()).rejects.toThrow('the disk of the database is full');
    expect(state.probes).toBe(probe);
  }
  state.isFull = false;
  await writes.check();
  await writes.check();
  expect(state.probes).toBe(4);
});

it('leaves nothing of its own write', async () => {
  const { writes } = disk();
  writes.recordFailure(noSpace);
  await writes.check();
  const { rows } = await connection.pool.query(`select from pg_class where relname = 'write_probe'`);
  expect(rows).toEqual([]);
});
