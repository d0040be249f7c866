// Jobs that failed their last retry: listed, retried and deleted by super admins. Stuck jobs are listed.
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import type { Query } from '../platform-contract/types.ts';
import { notFound } from '../errors.ts';
import { pageOf } from '../lists/page.ts';
import { isStuck } from './admin-health/queue-ages.ts';
import type { Administration } from './auth/administration.ts';

export interface DeadJobRow {
  id: string;
  task: string;
  payload: Record<string, unknown>;
  attempts: number;
  last_error: string | null;
  created_at: string;
  failed_at: string;
  held_since: string | null;
}

const isDead = 'attempts >= max_attempts and locked_at is null';

/** The payload of mail is encrypted, and useless to readers of the list. */
const jobsIn = (status: 'dead' | 'stuck') => sql<DeadJobRow>`(
  select job.id::text as id, task.identifier as task, job.payload::jsonb - 'sealed' as payload,
    job.attempts::integer as attempts, job.last_error, job.created_at, job.updated_at as failed_at,
    job.locked_at as held_since
  from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
  where ${status === 'dead' ? sql.raw(isDead) : isStuck}
)`;

export class AdminJobs {
  readonly #administration: Administration;

  constructor(administration: Administration) {
    this.#administration = administration;
  }

  list(ctx: Ctx, query: Query<'listDeadJobs'>) {
    return this.#administration.read(ctx, (queries) =>
      pageOf(queries.selectFrom(jobsIn(query.status ?? 'dead').as('job')).selectAll(), query, {
        column: 'id',
        direction: 'asc',
        keyOf: ({ id }) => id,
        isKey: (key) => /^\d{1,18}$/.test(key),
      }),
    );
  }

  async retry(ctx: Ctx, id: string): Promise<void> {
    await this.#change(
      ctx,
      id,
      'updated',
      `update graphile_worker._private_jobs set attempts = 0, run_at = now(), updated_at = now()
       where id = ?::bigint and ${isDead} returning id`,
    );
  }

  async delete(ctx: Ctx, id: string): Promise<void> {
    await this.#change(
      ctx,
      id,
      'deleted',
      `delete from graphile_worker._private_jobs where id = ?::bigint and ${isDead} returning id`,
    );
  }

  async #change(ctx: Ctx, id: string, action: 'updated' | 'deleted', statement: string): Promise<void> {
    await this.#administration.transact(ctx, async (em) => {
      await em.execute('select record_job_change(?::bigint, ?)', [id, action]);
      const changed = await em.execute<unknown[]>(statement, [id]);
      if (changed.length === 0) throw notFound('job');
    });
  }
}
