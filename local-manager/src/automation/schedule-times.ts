// The times of schedules, in the time zone of the host.
import type { components } from '../../../generated/local-manager.d.ts';

export type Schedule = components['schemas']['Schedule'];

const maxDays = 8;

/** The first run after that moment. A time that a clock change leaves out is an hour later on that day. */
export function nextRun({ time, days }: Pick<Schedule, 'time' | 'days'>, after: Date): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  for (let ahead = 0; ahead <= maxDays; ahead += 1) {
    const run = new Date(after.getFullYear(), after.getMonth(), after.getDate() + ahead, hours, minutes);
    const day = new Date(after.getFullYear(), after.getMonth(), after.getDate() + ahead).getDay();
    if (days.includes(day) && run.getTime() > after.getTime()) return run;
  }
  throw new RangeError('a schedule without days');
}
