// How long a session lasted, or lasts until now.
import { serverNow } from '@gantry/ui/server-clock.ts';
import type { Schemas } from '../api/operations.ts';

/** Seconds; null if its start is unknown. */
export function lengthOf({
  duration_seconds,
  started_at,
  ended_at,
  is_start_known,
}: Schemas['PlayerSession']): number | null {
  if (duration_seconds !== null || ended_at !== null || !is_start_known) return duration_seconds;
  return Math.max(0, Math.round((serverNow() - Date.parse(started_at)) / 1_000));
}
