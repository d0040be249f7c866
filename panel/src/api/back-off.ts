// How long a failed reading waits before it is repeated.

/** After failures at most this many times the interval passes. */
const maxBackOff = 8;

/** The longer nothing could be read, the longer the next attempt waits. */
export const withBackOff =
  (every: number) =>
  ({ state: { status, dataUpdatedAt } }: { state: { status: string; dataUpdatedAt: number } }): number =>
    status === 'error' ? Math.min(Math.max(Date.now() - dataUpdatedAt, every), every * maxBackOff) : every;
