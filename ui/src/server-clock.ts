// The time by the clock of the server whose times are shown. That of this machine may be wrong, and what has just happened
// would lie in the future.
let aheadMs = 0;

/** Replies tell whole seconds and take some time, so that smaller differences mean nothing. */
const toleranceMs = 3_000;

/** `date` is the header of that name of a reply. */
export function noteServerTime(date: string | null): void {
  const time = Date.parse(date ?? '');
  if (Number.isNaN(time)) return;
  const difference = time - Date.now();
  aheadMs = Math.abs(difference) < toleranceMs ? 0 : difference;
}

/** In milliseconds of Unix time. */
export const serverNow = (): number => Date.now() + aheadMs;
