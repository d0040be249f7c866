// Operations of the area `admin-jobs`.
import type { Schemas } from '../platform-contract/types.ts';
import type { DeadJobRow } from '../services/admin-jobs.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const adminJobs = {
  listDeadJobs: async (ctx, { query }) =>
    viewPage(await ctx.services.adminJobs.list(ctx, query), viewDeadJob),
  retryDeadJob: (ctx, { path }) => ctx.services.adminJobs.retry(ctx, path.job_id),
  deleteDeadJob: (ctx, { path }) => ctx.services.adminJobs.delete(ctx, path.job_id),
} satisfies Partial<Handlers>;

function viewDeadJob(job: DeadJobRow): Schemas['DeadJob'] {
  return {
    id: job.id,
    task: job.task,
    payload: job.payload,
    attempts: job.attempts,
    last_error: job.last_error,
    created_at: job.created_at,
    failed_at: job.failed_at,
    held_since: job.held_since,
  };
}
