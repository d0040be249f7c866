// Which runs are skipped because they would start too late.
import type { Schedule } from '../../entities/index.ts';

/** A due time that is handled later than this counts as missed. */
const lateMs = 5 * 60_000;

export const isMissed = (policy: Schedule['missedRuns'], dueAt: Date, now: Date): boolean =>
  policy === 'skip' && now.getTime() - dueAt.getTime() > lateMs;

export const missedRun = {
  status: 'skipped',
  detail: 'The platform was unavailable when the run was due.',
} as const;
