// The platform's own health: database, message bus, job queue, and table sizes.
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import { isStuck, queueAges } from './queue-ages.ts';
import type { Administration } from '../auth/administration.ts';

export interface PoolState {
  total: number;
  idle: number;
  waiting: number;
  max: number;
}

export interface BusState {
  isConnected: boolean;
  connectedSince: Date;
  isGuarded: boolean;
}

/** The state of this process's connections. */
export interface Vitals {
  pool: () => PoolState;
  bus: () => BusState;
  /** Without a mail server, messages become files. */
  mailTransport: 'smtp' | 'files';
}

export interface QueueRow {
  waiting: number;
  scheduled: number;
  running: number;
  stuck: number;
  failed: number;
}

export type PlatformVitals = Awaited<ReturnType<AdminHealth['get']>>;

export class AdminHealth {
  readonly #administration: Administration;
  readonly #vitals: Vitals;

  constructor(administration: Administration, vitals: Vitals) {
    this.#administration = administration;
    this.#vitals = vitals;
  }

  async get(ctx: Ctx) {
    const [pool, bus] = [this.#vitals.pool(), this.#vitals.bus()];
    const { mailTransport } = this.#vitals;
    return this.#administration.read(ctx, async (queries) => {
      const [database] = (await databaseOf.execute(queries)).rows;
      const [queue] = (await queueOf.execute(queries)).rows;
      const { rows: tables } = await tablesOf.execute(queries);
      if (database === undefined || queue === undefined) throw new Error('a count always has a row');
      return { pool, bus, database, queue, queues: await queueAges(queries), tables, mailTransport };
    });
  }
}

const databaseOf = sql<{ version: string; size_bytes: number }>`
  select current_setting('server_version') as version, pg_database_size(current_database()) as size_bytes`;

/** Completed jobs are deleted, so the queue is short enough to count. */
const queueOf = sql<QueueRow>`
  select count(*) filter (where locked_at is null and run_at <= now() and attempts < max_attempts) as waiting,
    count(*) filter (where locked_at is null and run_at > now() and attempts < max_attempts) as scheduled,
    count(*) filter (where locked_at is not null) as running,
    count(*) filter (where ${isStuck}) as stuck,
    count(*) filter (where locked_at is null and attempts >= max_attempts) as failed
  from graphile_worker.jobs`;

/** Row estimates from PostgreSQL's statistics, because counting reads every row; partitions are added up. */
const tablesOf = sql<{ name: string; rows: number | null }>`
  select name, sum(reltuples) filter (where reltuples >= 0)::bigint as rows
  from (
    select coalesce(parent.relname, own.relname) as name, own.reltuples
    from pg_class own
    left join pg_inherits on pg_inherits.inhrelid = own.oid
    left join pg_class parent on parent.oid = pg_inherits.inhparent
    where own.relnamespace = 'public'::regnamespace and own.relkind = 'r'
  ) as tables
  group by name order by name`;
