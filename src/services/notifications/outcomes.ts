// Records the outcome of a delivery attempt: done, retried, or given up.
import type { Ctx } from '../../context.ts';
import type { Outcome } from './sending.ts';

/** Backoff in seconds after each failed attempt. */
export const retrySeconds = [10, 60, 300, 900, 1_800] as const;

interface Tried {
  id: string;
  event: 'raised' | 'recovered' | 'test';
  attempt_count: number;
  failure_count: number;
}

interface After {
  status: 'pending' | 'succeeded' | 'failed';
  delaySeconds: number | null;
  isFailure: boolean;
}

/**
 * Locks the channel before the notification, as disabling a channel does. An outcome that another process has recorded
 * meanwhile is kept.
 */
export async function recordOutcome(
  ctx: Ctx,
  channelId: string,
  tried: Tried,
  { at, outcome }: { at: Date; outcome: Outcome },
): Promise<void> {
  const { status, delaySeconds, isFailure } = after(tried, outcome);
  const detail = outcome.kind === 'accepted' ? null : outcome.detail;
  await ctx.transact(async (em) => {
    await em.execute(
      outcome.kind === 'accepted'
        ? 'update notification_channel set last_success_at = ? where id = ?'
        : 'update notification_channel set last_error_at = ?, last_error = ? where id = ?',
      outcome.kind === 'accepted' ? [at, channelId] : [at, detail, channelId],
    );
    await em.execute(
      `update notification set status = ?, attempt_count = attempt_count + 1,
         failure_count = failure_count + ?, last_attempt_at = ?, detail = ?,
         next_attempt_at = now() + make_interval(secs => ?),
         finished_at = case when ?::boolean then now() end
       where id = ? and status = 'pending' and attempt_count = ?`,
      [
        status,
        isFailure ? 1 : 0,
        at,
        detail,
        delaySeconds,
        status !== 'pending',
        tried.id,
        tried.attempt_count,
      ],
    );
  });
}

/** A `Retry-After` does not count as a failure; only the notification's age ends such retries. A test is tried once. */
function after({ event, failure_count: failures }: Tried, outcome: Outcome): After {
  if (outcome.kind === 'accepted') return { status: 'succeeded', delaySeconds: null, isFailure: false };
  if (event === 'test' || outcome.kind === 'refused')
    return { status: 'failed', delaySeconds: null, isFailure: true };
  if (outcome.kind === 'retry_later')
    return { status: 'pending', delaySeconds: outcome.seconds, isFailure: false };
  const delaySeconds = retrySeconds[failures] ?? null;
  return { status: delaySeconds === null ? 'failed' : 'pending', delaySeconds, isFailure: true };
}
