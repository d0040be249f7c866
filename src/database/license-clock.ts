// Reads the time of a license, which is real time except in a sandbox whose clock was moved.
// It is for what users plan and see; leases, retries, sessions and lifetimes of commands use real time.
import { sql } from 'kysely';
import type { EntityManager } from './connection.ts';
import type { Queries } from './reader.ts';

const statement = 'select license_now() as now';

interface Row {
  now: string;
}

/** The time of the license of the transaction. */
export async function licenseNow(queries: Queries): Promise<Date> {
  const { rows } = await sql.raw<Row>(statement).execute(queries);
  return new Date(rows[0]?.now ?? NaN);
}

/** As `licenseNow`, where only the entity manager is at hand. */
export async function licenseNowIn(em: EntityManager): Promise<Date> {
  const [row] = await em.execute<Row[]>(statement);
  return new Date(row?.now ?? NaN);
}
