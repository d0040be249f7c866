// How long a failed reading waits before it is repeated.
import { isUnreachable } from './unreachable.ts';

/** After failures at most this many times the interval passes. */
const maxBackOff = 8;

/** The longer nothing could be read, the longer the next attempt waits. */
export const withBackOff =
  (every: number) =>
  ({ state: { status, dataUpdatedAt } }: { state: { status: string; dataUpdatedAt: number } }): number =>
    status === 'error' ? Math.min(Math.max(Date.now() - dataUpdatedAt, every), every * maxBackOff) : every;

const firstRetryMs = 2_000;
const maxRetryMs = 15_000;

/** A reading without an interval is repeated only for as long as the platform cannot be reached. */
export function whileUnreachable({ state }: { state: QueryState }): number | false {
  if (state.status !== 'error' || !isUnreachable(state.error)) return false;
  return Math.min(firstRetryMs * 2 ** Math.min(state.errorUpdateCount - 1, maxBackOff), maxRetryMs);
}

interface QueryState {
  status: string;
  error: unknown;
  errorUpdateCount: number;
}
