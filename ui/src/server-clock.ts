// The time of the server whose times are shown.
// The clock of this machine may be wrong, and what has just happened would lie in the future.
let aheadMs = 0;

/** The times of replies are whole seconds, and replies take some time, so that smaller differences mean nothing. */
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
