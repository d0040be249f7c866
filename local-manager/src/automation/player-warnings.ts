// Decides which warning players get before a scheduled restart or update.
import type { components } from '../../../generated/local-manager.d.ts';
import { nextRun, type Schedule } from './schedule-times.ts';

export type PlayerWarnings = components['schemas']['PlayerWarnings'];

/** The last warning before a run of a schedule. */
export interface Warned {
  /** The run that it was about. */
  run: string;
  minutes: number;
}

export interface DueWarning extends Warned {
  text: string;
}

const minuteMs = 60_000;

/** Undefined if none is due. After a pause of the host, only the one that fits the time that is left. */
export function dueWarning(
  { isEnabled, minutes, text }: PlayerWarnings,
  schedule: Schedule,
  now: Date,
  last: Warned | undefined,
): DueWarning | undefined {
  if (!isEnabled || !schedule.isEnabled || schedule.action === 'backup') return undefined;
  const run = nextRun(schedule, now);
  const left = (run.getTime() - now.getTime()) / minuteMs;
  const due = Math.min(...minutes.filter((candidate) => candidate >= left));
  if (!Number.isFinite(due)) return undefined;
  const name = run.toISOString();
  if (last?.run === name && last.minutes <= due) return undefined;
  return { run: name, minutes: due, text: text.replaceAll('{minutes}', String(Math.ceil(left))) };
}
