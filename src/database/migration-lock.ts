// One replica migrates at a time: a waiting replica logs which one it waits for, and gives up if that one is silent.
import type pg from 'pg';
import type { Logger } from 'pino';
import { ConfigError } from '../process/environment.ts';

/** Must differ from every other advisory lock in the database. */
const migrationLock = 7_261_640_192;
const lockTimeout = '55P03';
/** Interval of the heartbeat queries on the session that holds the lock. */
const signMs = 5_000;

export interface MigrationLockOptions {
  /** How often a waiting replica logs the holder of the lock. */
  sayEveryMs?: number;
  /** Maximum time since the last heartbeat query of the holder. */
  maxSilenceSeconds?: number;
}

interface Holder {
  pid: number;
  address: string | null;
  silent_seconds: number;
}

/** Takes the lock, after waiting for another replica that migrates; throws if that replica is silent for too long. */
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

/** Runs `work` with heartbeat queries on the idle client, which show other replicas that the holder is alive. */
export async function withKeepalive<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  let sign: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // If the connection is lost, the next statement of the migration fails.
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

/** A session of another role may hide its state; it then counts as not silent. */
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
