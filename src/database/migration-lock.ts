// One replica migrates at a time: a waiting replica logs which one it waits for, and gives up on one without heartbeats.
import type pg from 'pg';
import type { Logger } from 'pino';
import { ConfigError } from '../process/environment.ts';

/** Any number that nothing else in the database uses as an advisory lock. */
const migrationLock = 7_261_640_192;
const lockTimeout = '55P03';
/** How often the session that holds the lock asks for something, however long a migration takes. */
const signMs = 5_000;

export interface MigrationLockOptions {
  /** How often it says whom it waits for. */
  sayEveryMs?: number;
  /** How long the session that holds the lock may be silent. */
  maxSilenceSeconds?: number;
}

interface Holder {
  pid: number;
  address: string | null;
  silent_seconds: number;
}

/** Waits for as long as another replica migrates. */
export async function takeMigrationLock(
  client: pg.Client,
  log: Logger,
  { sayEveryMs = 10_000, maxSilenceSeconds = 60 }: MigrationLockOptions = {},
): Promise<void> {
  await client.query(`set lock_timeout = ${sayEveryMs}`);
  while (!(await isTaken(client))) {
    const holder = await findHolder(client);
    if (holder === undefined) continue;
    log.warn({ holder }, 'another session migrates the database; this one waits for it');
    if (holder.silent_seconds > maxSilenceSeconds) throw new ConfigError(wordsOf(holder));
  }
  await client.query('set lock_timeout = 0');
}

/** Runs long work while other replicas can see that the lock's holder is alive. The client must be idle. */
export async function givingSigns<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  let sign: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // Once the connection is lost, the next statement of the migration says so.
    sign = sign.then(() => client.query('select 1')).catch(() => undefined);
  }, signMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await sign;
  }
}

async function isTaken(client: pg.Client): Promise<boolean> {
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === lockTimeout) return false;
    throw error;
  }
}

/** Sessions of other roles may hide how long they have been silent. */
async function findHolder(client: pg.Client): Promise<Holder | undefined> {
  const { rows } = await client.query<Holder>(
    `select pid, client_addr::text as address,
       extract(epoch from now() - coalesce(session.state_change, now()))::integer as silent_seconds
     from pg_locks join pg_stat_activity as session using (pid)
     where locktype = 'advisory' and granted and objsubid = 1
       and classid = ($1::bigint >> 32)::oid and objid = ($1::bigint & 4294967295)::oid
       and pg_locks.database = (select oid from pg_database where datname = current_database())`,
    [migrationLock],
  );
  return rows[0];
}

function wordsOf({ pid, address, silent_seconds: seconds }: Holder): string {
  return (
    `DATABASE_URL: session ${pid} of ${address ?? 'this machine'} holds the lock of migrations and has been silent for ` +
    `${seconds} seconds: the process that migrates hangs or is lost. End that process, or the session with ` +
    `"select pg_terminate_backend(${pid})"`
  );
}
