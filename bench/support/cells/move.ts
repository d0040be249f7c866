// Moves a license to another cell while it is in use. Each step can be repeated, so a mover that was killed is started again.
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { connectTo } from './client.ts';
import { compareRows, type Comparison } from './compare.ts';
import type { Directory } from './directory.ts';
import { createGuard, dropGuard, moveLock, moveUnlock, stateOf } from './guard.ts';
import {
  identifyByLicense,
  isSubscribed,
  publish,
  publishedTables,
  subscribe,
  tablesToCopy,
  unsubscribe,
} from './replication.ts';
import { holdOutgoing, releaseOutgoing } from './outgoing.ts';
import { copySharedRows } from './shared-rows.ts';

export const steps = [
  'examined',
  'guarded',
  'published',
  'subscribed',
  'copied',
  'caught up',
  'quiet',
  'refusing',
  'drained',
  'prepared',
  'moved',
  'opened',
  'switched',
  'cleaned',
] as const;
export type Step = (typeof steps)[number];

export interface MoveOptions {
  licenseId: string;
  /** By TCP, with a password. */
  sourceUrl: string;
  targetUrl: string;
  directory: Directory;
  targetCell: number;
  /** Between the switch and the removal of the rows from the source. */
  graceMs?: number;
  /** Compares every row of both cells while writes are refused. */
  compares?: boolean;
  /** Called after each step. */
  onStep?: (step: Step) => Promise<void> | void;
}

export interface MoveReport {
  /** From the first refused write to the first that the target takes. */
  refusedMs: number;
  /** From the beginning until every row was copied. */
  copyMs: number;
  /** When each step was done, since the beginning. */
  doneMs: Partial<Record<Step, number>>;
  comparison: Comparison | undefined;
}

/** A transaction of the license that is older than this makes the switch give up, and the source continues. */
const lockMs = 1_000;
const drainMs = 1_500;
const attempts = 10;
/** A router that has not heard from the directory for this long stops; until then the former cell refuses its writes. */
const staleMs = 2_000;

export async function moveLicense(options: MoveOptions): Promise<MoveReport> {
  const source = await connectTo(options.sourceUrl);
  const target = await connectTo(options.targetUrl);
  try {
    return await new Move(source, target, options).run();
  } finally {
    await source.end();
    await target.end();
  }
}

/** Before the license has moved: the source continues, and nothing of it stays in the target. */
export async function abortMove(options: MoveOptions): Promise<void> {
  const source = await connectTo(options.sourceUrl);
  const target = await connectTo(options.targetUrl);
  try {
    if ((await stateOf(source, options.licenseId)) === 'moved')
      throw new Error('the license has moved: continue the move instead');
    await unsubscribe(source, target, options.licenseId);
    if ((await stateOf(target, options.licenseId)) !== undefined) {
      await removeRows(target, options.licenseId);
      await dropGuard(target, options.licenseId);
    }
    await releaseOutgoing(source, options.licenseId);
    if ((await stateOf(source, options.licenseId)) !== undefined) await dropGuard(source, options.licenseId);
  } finally {
    await source.end();
    await target.end();
  }
}

/** Deletes a license's rows without events, audit entries, jobs or cascades: the other cell has them now. */
export async function removeRows(client: pg.Client, licenseId: string): Promise<void> {
  await client.query(`begin; set local session_replication_role = 'replica'`);
  for (const { name, column } of await publishedTables(client))
    await client.query(`delete from ${name} where ${column} = $1`, [licenseId]);
  await client.query('delete from cells.marker where license_id = $1', [licenseId]);
  await client.query('commit');
}

class Move {
  readonly #source: pg.Client;
  readonly #target: pg.Client;
  readonly #options: MoveOptions;
  readonly #begun = performance.now();
  readonly #doneMs: Partial<Record<Step, number>> = {};
  #comparison: Comparison | undefined;
  #refusingSince = 0;

  constructor(source: pg.Client, target: pg.Client, options: MoveOptions) {
    this.#source = source;
    this.#target = target;
    this.#options = options;
  }

  async run(): Promise<MoveReport> {
    if ((await stateOf(this.#source, this.#options.licenseId)) !== 'moved') {
      await this.#replicate();
      await this.#switch();
    }
    const refusedMs = await this.#open();
    await unsubscribe(this.#source, this.#target, this.#options.licenseId);
    await this.#moveJobs();
    await pause(this.#options.graceMs ?? staleMs);
    await removeRows(this.#source, this.#options.licenseId);
    await this.#done('cleaned');
    return {
      refusedMs,
      copyMs: this.#doneMs.copied ?? 0,
      doneMs: this.#doneMs,
      comparison: this.#comparison,
    };
  }

  async #replicate(): Promise<void> {
    const { licenseId, sourceUrl } = this.#options;
    await this.#examine();
    await this.#done('examined');
    await createGuard(this.#target, licenseId, 'arriving');
    await createGuard(this.#source, licenseId, 'here');
    await this.#done('guarded');
    // The target looks rows up by its own identity, so both cells need the same.
    await identifyByLicense(this.#target);
    await identifyByLicense(this.#source);
    await publish(this.#source, licenseId);
    await this.#copyPartitions();
    await copySharedRows(this.#source, this.#target, licenseId);
    await this.#done('published');
    await subscribe(this.#source, this.#target, sourceUrl, licenseId);
    await this.#done('subscribed');
    while ((await tablesToCopy(this.#target, licenseId)) > 0) await pause(100);
    await this.#done('copied');
    await this.#awaitChanges(60_000);
    await this.#done('caught up');
    await pause(await holdOutgoing(this.#source, licenseId));
    await this.#done('quiet');
  }

  async #examine(): Promise<void> {
    const schemaOf = async (client: pg.Client) => {
      const { rows } = await client.query('select name from migration order by name');
      return JSON.stringify(rows);
    };
    if ((await schemaOf(this.#source)) !== (await schemaOf(this.#target)))
      throw new Error('the cells have different migrations');
    const { rows: settings } = await this.#source.query<{ level: string }>(
      `select current_setting('wal_level') as level`,
    );
    if (settings[0]?.level !== 'logical') throw new Error('the source needs wal_level = logical');
    const { rows: licenses } = await this.#source.query<{ is_sandbox: boolean }>(
      'select is_sandbox from license where id = $1',
      [this.#options.licenseId],
    );
    if (licenses[0]?.is_sandbox !== false) throw new Error('the license is unknown, or a sandbox');
    const { rows } = await this.#target.query<{ is_known: boolean }>(
      'select exists (select from license where id = $1) as is_known',
      [this.#options.licenseId],
    );
    if (rows[0]?.is_known === true && !(await isSubscribed(this.#target, this.#options.licenseId)))
      throw new Error('the target has rows of that license');
  }

  /** Rows of a month or day that the target has no partition for would stop the subscription. */
  async #copyPartitions(): Promise<void> {
    const { rows } = await this.#source.query<{ parent: string; suffix: string }>(
      `select inhparent::regclass::text as parent, substring(relname from '_(\\d{4}_\\d\\d(?:_\\d\\d)?)$') as suffix
       from pg_inherits join pg_class on oid = inhrelid where relispartition and relkind = 'r'
         and relnamespace = 'public'::regnamespace`,
    );
    for (const { parent, suffix } of rows) {
      const isDay = suffix.length > 7;
      const first = `${suffix}${isDay ? '' : '_01'}`.replaceAll('_', '-');
      await this.#target.query(
        `select ${isDay ? 'create_day_partitions' : 'create_month_partitions'}($1, $2::date, 1)`,
        [parent, first],
      );
    }
  }

  /** Changes are applied in the order of their commits, so with the marker everything before it has arrived. */
  async #awaitChanges(maxMs: number): Promise<void> {
    const token = randomUUID();
    const { licenseId } = this.#options;
    await this.#source.query('insert into cells.marker values ($1, $2)', [licenseId, token]);
    const deadline = performance.now() + maxMs;
    for (;;) {
      const { rowCount } = await this.#target.query('select from cells.marker where token = $1', [token]);
      if (rowCount === 1) return;
      if (performance.now() > deadline) throw new Error(`the target is more than ${maxMs} ms behind`);
      await pause(2);
    }
  }

  async #switch(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#switchOnce();
        return;
      } catch (error) {
        await this.#source.query('rollback');
        await this.#source.query(`select ${moveUnlock}`, [this.#options.licenseId]);
        if (attempt === attempts) throw error;
        await pause(1_000);
      }
    }
  }

  /** A failure before the commit leaves the source unchanged: the refusal ends with the lock. */
  async #switchOnce(): Promise<void> {
    const { licenseId, compares = false } = this.#options;
    await this.#source.query(`set lock_timeout = ${lockMs}`);
    this.#refusingSince = performance.now();
    await this.#source.query(`select ${moveLock}`, [licenseId]);
    await this.#source.query('reset lock_timeout');
    await this.#done('refusing');
    await this.#awaitChanges(drainMs);
    await this.#done('drained');
    if (compares) this.#comparison = await compareRows(this.#source, this.#target, licenseId);
    await this.#copySequences();
    await this.#done('prepared');
    await this.#source.query('begin');
    await this.#takeJobs();
    await this.#source.query(`update cells.move set state = 'moved' where license_id = $1`, [licenseId]);
    await this.#source.query('commit');
    await this.#done('moved');
  }

  async #open(): Promise<number> {
    const { licenseId, directory, targetCell } = this.#options;
    await this.#moveJobs();
    await this.#target.query(`update cells.move set state = 'here' where license_id = $1`, [licenseId]);
    const refusedMs = performance.now() - this.#refusingSince;
    await releaseOutgoing(this.#target, licenseId);
    await this.#done('opened');
    await directory.move(licenseId, targetCell);
    await this.#source.query(`select ${moveUnlock}`, [licenseId]);
    await this.#done('switched');
    return refusedMs;
  }

  /** Identities of the license's rows, which new rows in the target must not meet. */
  async #copySequences(): Promise<void> {
    const { rows } = await this.#source.query<{ name: string; last: string }>(
      `select sequencename as name, last_value::text as last from pg_sequences
       where schemaname = 'public' and last_value is not null and sequencename <> 'migration_id_seq'`,
    );
    for (const { name, last } of rows)
      await this.#target.query(
        `select setval($1::text::regclass, greatest((select last_value from pg_sequences where sequencename = $1::text), $2::bigint))`,
        [name, last],
      );
  }

  /** Jobs of the license leave the queue in the transaction that ends its time in the source. */
  async #takeJobs(): Promise<void> {
    await this.#source.query(
      `with gone as (
         delete from graphile_worker._private_jobs as job using graphile_worker._private_tasks as task
         where task.id = job.task_id and job.locked_at is null and (
           job.payload ->> 'license_id' = $1
           or job.payload ->> 'host_id' in (select id::text from agent_host where license_id = $1::uuid)
         )
         returning jsonb_build_object('task', task.identifier, 'payload', job.payload, 'run_at', job.run_at,
           'max_attempts', job.max_attempts, 'key', job.key) as job
       )
       insert into cells.moved_job (license_id, job) select $1::uuid, job from gone`,
      [this.#options.licenseId],
    );
  }

  /** Jobs with their own ID are added once, however often this runs. */
  async #moveJobs(): Promise<void> {
    await this.#takeJobs();
    const { rows } = await this.#source.query<{ id: string; job: Job }>(
      'select id, job from cells.moved_job where license_id = $1 order by id',
      [this.#options.licenseId],
    );
    for (const { id, job } of rows) {
      await this.#target.query('begin');
      const { rowCount } = await this.#target.query(
        'insert into cells.moved_job (id, license_id, job) values ($1, $2, $3) on conflict do nothing',
        [id, this.#options.licenseId, job],
      );
      if (rowCount === 1)
        await this.#target.query('select enqueue_job($1, $2::json, $3, $4::timestamptz, $5)', [
          ...[job.task, JSON.stringify(job.payload), job.key, job.run_at, this.#options.licenseId],
        ]);
      await this.#target.query('commit');
    }
  }

  async #done(step: Step): Promise<void> {
    this.#doneMs[step] = performance.now() - this.#begun;
    await this.#options.onStep?.(step);
  }
}

interface Job {
  task: string;
  payload: object;
  run_at: string;
  key: string | null;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
