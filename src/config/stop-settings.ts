// How the time that a stop may take is divided: noticing, requests under way, and everything else.
import { integer, text, type Environment } from '../process/environment.ts';

export interface StopSettings {
  /** How long the whole stop may take. */
  stopSeconds: number;
  /** How much of it new connections are still taken for, so that load balancers notice. */
  drainSeconds: number;
}

/** Enough for a balancer that looks every two seconds and believes the second failure. */
const usualDrainSeconds = 5;
/** What jobs under way, and connections to the database and the bus, take to end at most. */
const maxReserveMs = 10_000;

/** In production there is a load balancer, unless the setting says that there is none. */
export function stopSettings(env: Environment): StopSettings {
  const stopSeconds = integer(env, 'GANTRY_STOP_SECONDS', 1, 3600, 25);
  const longest = Math.floor(stopSeconds / 2);
  const isProduction = text(env, 'NODE_ENV') === 'production';
  const drainSeconds = integer(
    env,
    'GANTRY_DRAIN_SECONDS',
    0,
    longest,
    isProduction ? Math.min(usualDrainSeconds, Math.floor(stopSeconds / 5)) : 0,
  );
  return { stopSeconds, drainSeconds };
}

interface StopTimes {
  drainMs: number;
  requestsMs: number;
  jobsMs: number;
}

/** Requests have what the rest does not need; jobs have half of the rest. */
export function stopTimes({ stopSeconds, drainSeconds }: StopSettings): StopTimes {
  const leftMs = (stopSeconds - drainSeconds) * 1000;
  const reserveMs = Math.min(maxReserveMs, leftMs / 2);
  return { drainMs: drainSeconds * 1000, requestsMs: leftMs - reserveMs, jobsMs: reserveMs / 2 };
}
