// Computes due times of cron expressions in a time zone; the contract describes the effect of daylight saving.
import { Cron } from 'croner';
import { LRUCache } from 'lru-cache';
import { invalidField, type Fault } from '../../errors.ts';

export interface Timing {
  cron: string;
  /** IANA name. */
  timeZone: string;
}

interface Known {
  afterMs: number;
  times: Date[];
}

/** Due times computed in one go: the first one is most of the cost. */
const atOnce = 6;

export class DueTimes {
  readonly #known = new LRUCache<string, Known>({ max: 5_000 });

  /**
   * Returns the first `count` due times after that moment; fewer when no more exist, none when the timing is invalid.
   */
  after(moment: Date, timing: Timing, count = 1): Date[] {
    const key = `${timing.cron} ${timing.timeZone}`;
    const known = this.#known.get(key);
    const isUsable = known !== undefined && known.afterMs <= moment.getTime();
    const left = isUsable ? known.times.filter((time) => time > moment) : [];
    if (left.length >= count) return left.slice(0, count);
    const times = dueTimes(moment, timing, Math.max(count, atOnce));
    this.#known.set(key, { afterMs: moment.getTime(), times });
    return times.slice(0, count);
  }

  /** Throws, naming the field of the request, unless the time zone exists and the expression is due at some time. */
  check(timing: Timing, part: Fault['in'], within = ''): void {
    if (!isTimeZone(timing.timeZone))
      throw invalidField({
        in: part,
        pointer: `${within}/time_zone`,
        detail: 'is not in the time zone database',
      });
    const fault = faultOf(timing);
    if (fault !== null) throw invalidField({ in: part, pointer: `${within}/cron`, detail: fault });
    if (this.after(new Date(), timing).length === 0)
      throw invalidField({ in: part, pointer: `${within}/cron`, detail: 'is never due' });
  }
}

function dueTimes(moment: Date, timing: Timing, count: number): Date[] {
  if (!isTimeZone(timing.timeZone) || faultOf(timing) !== null) return [];
  return cronOf(timing).nextRuns(count, moment);
}

/** The instance only computes times; it schedules nothing. */
function cronOf({ cron, timeZone }: Timing): Cron {
  return new Cron(cron, {
    mode: '5-part',
    fixedTimeRule: 'no-wildcard',
    timezone: timeZone,
    paused: true,
  });
}

/** Returns what is wrong with the expression, as text. */
function faultOf({ cron }: Timing): string | null {
  try {
    cronOf({ cron, timeZone: 'UTC' });
    return null;
  } catch (error) {
    return Error.isError(error) ? error.message.replace(/^CronPattern: /, '') : 'is not a cron expression';
  }
}

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
