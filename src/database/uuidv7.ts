// Gives a PostgreSQL before 18 the function that generates ids.
import type pg from 'pg';

/**
 * The layout of PostgreSQL 18: milliseconds, 12 bits of the fraction of a millisecond, random bits. Like there, ids of one
 * session ascend: a call within the same microsecond counts as one microsecond later.
 */
export const ownUuidv7 = `
  create function public.uuidv7() returns uuid language plpgsql volatile as $$
  declare
    at bigint := greatest(
      (extract(epoch from clock_timestamp()) * 1000000)::bigint,
      coalesce(nullif(current_setting('gantry.uuidv7_at', true), ''), '0')::bigint + 1);
  begin
    perform set_config('gantry.uuidv7_at', at::text, false);
    return encode(
      substring(int8send(at / 1000) from 3)
        || int2send((28672 + (at % 1000) * 4096 / 1000)::int2)
        || substring(uuid_send(gen_random_uuid()) from 9), 'hex')::uuid;
  end $$`;

/**
 * Called before the first migration. The server's own function is found first wherever it exists: `pg_catalog` precedes
 * every schema of the search path.
 */
export async function provideUuidv7(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ hasOwn: boolean; hasOurs: boolean }>(
    `select to_regprocedure('pg_catalog.uuidv7()') is not null as "hasOwn",
       to_regprocedure('public.uuidv7()') is not null as "hasOurs"`,
  );
  if (rows[0]?.hasOwn === false && !rows[0].hasOurs) await client.query(ownUuidv7);
}
