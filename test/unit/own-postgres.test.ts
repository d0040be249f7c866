// Older PostgreSQL servers: the function that generates ids where the server has none, and the oldest version.
import { pino } from 'pino';
import { migrate } from '../../src/database/migrate.ts';
import { ownUuidv7 } from '../../src/database/uuidv7.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';

const log = pino({ level: 'silent' });

let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
});

afterAll(() => database.drop());

describe('the function for servers without uuidv7', () => {
  beforeAll(async () => {
    await database.query(ownUuidv7);
  });

  it('returns ids of version 7 with the present time', async () => {
    const [row] = await database.query<{ id: string; ms: string }>(
      'select id, extract(epoch from clock_timestamp()) * 1000 as ms from public.uuidv7() as id',
    );
    expect(row?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const ms = Number.parseInt(row?.id.replaceAll('-', '').slice(0, 12) ?? '', 16);
    expect(Math.abs(ms - Number(row?.ms))).toBeLessThan(1_000);
  });

  it('returns ids that ascend within a session, also in one statement', async () => {
    const [row] = await database.query<{ ids: number; falling: number }>(
      `select count(distinct id)::integer as ids, count(*) filter (where id <= former)::integer as falling from (
         select id, lag(id) over (order by nth) as former
         from (select nth, public.uuidv7() as id from generate_series(1, 20000) as nth offset 0) as made
       ) as made`,
    );
    expect(row).toEqual({ ids: 20_000, falling: 0 });
  });
});

it('refuses a server older than 15 in one line', async () => {
  await database.query('create schema fourteen');
  await database.query(
    `create function fourteen.current_setting(name text) returns text language sql as $$ select '14.20' $$`,
  );
  const url = new URL(database.url);
  url.searchParams.set('options', '-c search_path=fourteen,pg_catalog');
  await expect(migrate({ url: url.href }, log)).rejects.toThrow(
    /^DATABASE_URL: PostgreSQL 15 or newer is needed, this is 14\.20$/,
  );
});
