// How often what is being sent is read again: often while its outcome is near, as no event reports it.

interface Sent {
  status: string;
  created_at: string;
  next_attempt_at: string | null;
}

/** Attempts take seconds; what is overdue for longer waits for something else. */
const soonMs = 10_000;
const overdueMs = 60_000;

/** Retries run for hours, so that pending alone says little. */
export function isOutcomeNear({ status, created_at, next_attempt_at }: Sent, nowMs: number): boolean {
  if (status !== 'pending') return false;
  const leftMs = Date.parse(next_attempt_at ?? created_at) - nowMs;
  return leftMs < soonMs && leftMs > -overdueMs;
}
