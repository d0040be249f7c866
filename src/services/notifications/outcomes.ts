// Notes what came of telling something: whether it is done, when it is tried again, and when it is given up.
import type { Ctx } from '../../context.ts';
import type { Outcome } from './sending.ts';

/** After which each failed attempt is followed by another. */
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

/** The channel first, as whoever turns it off does. Nothing is noted that somebody else has noted meanwhile. */
export async function note(
  ctx: Ctx,
  channelId: string,
  tried: Tried,
  { at, outcome }: { at: Date; outcome: Outcome },
): Promise<void> {
  const { status, delaySeconds, isFailure } = after(tried, outcome);
  const detail = outcome.kind === 'taken' ? null : outcome.detail;
  await ctx.transact(async (em) => {
    await em.execute(
      outcome.kind === 'taken'
        ? 'update notification_channel set last_success_at = ? where id = ?'
        : 'update notification_channel set last_error_at = ?, last_error = ? where id = ?',
      outcome.kind === 'taken' ? [at, channelId] : [at, detail, channelId],
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

/** Being told to wait counts against nothing but the time for which a notification is of use; a test is tried once. */
function after({ event, failure_count: failures }: Tried, outcome: Outcome): After {
  if (outcome.kind === 'taken') return { status: 'succeeded', delaySeconds: null, isFailure: false };
  if (event === 'test' || outcome.kind === 'refused')
    return { status: 'failed', delaySeconds: null, isFailure: true };
  if (outcome.kind === 'told_to_wait')
    return { status: 'pending', delaySeconds: outcome.seconds, isFailure: false };
  const delaySeconds = retrySeconds[failures] ?? null;
  return { status: delaySeconds === null ? 'failed' : 'pending', delaySeconds, isFailure: true };
}
