// Pages: every row once, in order, for any page size; and invalid cursors.
import fc from 'fast-check';
import { pino } from 'pino';
import { connectDatabase, type DatabaseConnection } from '../../src/database/connection.ts';
import { Reader, type Queries } from '../../src/database/reader.ts';
import {
  byId,
  byTime,
  everyRow,
  pageOf,
  type Order,
  type Page,
  type PageQuery,
} from '../../src/lists/page.ts';
import { patientLimits, createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let connection: DatabaseConnection;
let reader: Reader;
const count = 23;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = await connectDatabase({
    url: database.url,
    limits: patientLimits,
    log: pino({ level: 'silent' }),
  });
  reader = new Reader(connection.pool);
  await database.query(
    `insert into user_account (email, created_at)
     select 'user-' || n || '@example.com', '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second' / 7
     from generate_series(1, $1) as n`,
    [count],
  );
});

afterAll(async () => {
  await connection.close();
  await database.drop();
});

interface User {
  id: string;
  created_at: string;
}

const users = (queries: Queries) =>
  queries.selectFrom('user_account as user').select(['user.id', 'user.created_at']);

function page(order: Order<User>, limit: number, cursor?: string): Promise<Page<User>> {
  return reader.read(null, (queries) =>
    pageOf(users(queries), { limit, ...(cursor !== undefined && { cursor }) }, order),
  );
}

async function followed(order: Order<User>, limit: number): Promise<User[]> {
  const seen: User[] = [];
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await page(order, limit, cursor);
    expect(rows.length).toBeLessThanOrEqual(limit);
    seen.push(...rows);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return seen;
}

const orders: [string, Order<User>, (user: User) => string][] = (['asc', 'desc'] as const).flatMap(
  (direction): [string, Order<User>, (user: User) => string][] => [
    [`by id, ${direction}`, byId('user.id', direction), ({ id }) => id],
    [
      `by time, ${direction}`,
      byTime('user.created_at', direction, ({ created_at }) => created_at),
      ({ created_at }) => created_at,
    ],
  ],
);

it.each(orders)(
  'followed to the end, %s, they return every row once and in order',
  async (name, order, key) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: count + 2 }), async (limit) => {
        const seen = (await followed(order, limit)).map(key);
        expect(new Set(seen).size).toBe(count);
        expect(seen).toEqual(name.endsWith('desc') ? seen.toSorted().toReversed() : seen.toSorted());
      }),
      { numRuns: 12 },
    );
  },
);

it('a full page has no next one when there is none', async () => {
  expect((await page(byId('user.id', 'asc'), count)).nextCursor).toBeNull();
  expect((await page(byId('user.id', 'asc'), count - 1)).nextCursor).toEqual(
    expect.stringMatching(/^[\w-]+$/),
  );
});

it.each(orders)('a cursor of another list is rejected, %s', async (_, order) => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), async (bytes) => {
      const cursor = Buffer.from(bytes).toString('base64url');
      await expect(page(order, 5, cursor)).rejects.toMatchObject({
        code: 'validation_failed',
        faults: [{ pointer: '/cursor' }],
      });
    }),
    { numRuns: 30 },
  );
});

it.each(orders)('a cursor with more or other characters is rejected, %s', async (_, order) => {
  const { nextCursor } = await page(order, 1);
  for (const cursor of [`${nextCursor ?? ''}A`, `${nextCursor ?? ''}===`, ` ${nextCursor ?? ''}`])
    await expect(page(order, 5, cursor)).rejects.toMatchObject({ code: 'validation_failed' });
});

describe('everyRow', () => {
  /** A list of the numbers up to `total`, whose cursors count the numbers already returned. */
  const listOf = (total: number) => {
    const asked: number[] = [];
    const read = async ({ limit = 25, cursor = '0' }: PageQuery): Promise<Page<number>> => {
      asked.push(limit);
      const end = Math.min(total, Number(cursor) + limit);
      const rows = Array.from({ length: end - Number(cursor) }, (_, index) => Number(cursor) + index);
      return { rows, nextCursor: end < total ? String(end) : null };
    };
    return { asked, read };
  };

  it('returns every row once and in order, in pages of 1,000', async () => {
    for (const [total, max, start, first, count] of [
      [0, 10, undefined, undefined, 0],
      [2_500, 100_000, undefined, 0, 2_500],
      [2_000, 2_000, undefined, 0, 2_000],
      [2_500, 100_000, '2000', 2_000, 500],
    ] as const) {
      const { asked, read } = listOf(total);
      const rows = await Array.fromAsync(everyRow(read, start, max));
      expect([rows[0], rows.length, new Set(rows).size]).toEqual([first, count, count]);
      expect(Math.max(...asked)).toBeLessThanOrEqual(1_000);
    }
  });

  it('fails beyond the maximum instead of returning a partial list', async () => {
    for (const [total, max] of [
      [100_050, 100_000],
      [2_500, 1_500],
      [2_001, 2_000],
    ] as const) {
      const rows: number[] = [];
      const collect = async () => {
        for await (const row of everyRow(listOf(total).read, undefined, max)) rows.push(row);
      };
      await expect(collect()).rejects.toMatchObject({ code: 'export_too_large' });
      expect(rows).toHaveLength(max);
    }
  });

  it('reads nothing more once its reader stops', async () => {
    const { asked, read } = listOf(5_000);
    for await (const row of everyRow(read, undefined, 5_000)) if (row === 10) break;
    expect(asked).toEqual([1_000]);
  });
});
