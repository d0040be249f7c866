// Divides the time limit of a stop between draining, running requests, and everything else.
import { integer, text, type Environment } from '../process/environment.ts';

export interface StopSettings {
  /** Time limit of the whole stop. */
  stopSeconds: number;
  /** How long new connections are still accepted, so that load balancers notice the stop. */
  drainSeconds: number;
}

/** Enough for a load balancer that probes every two seconds and acts on the second failure. */
const defaultDrainSeconds = 5;
/** Maximum time that running jobs, and connections to the database and the bus, take to end. */
const maxReserveMs = 10_000;

/** Production assumes a load balancer, unless the setting says that there is none. */
export function stopSettings(env: Environment): StopSettings {
  const stopSeconds = integer(env, 'GANTRY_STOP_SECONDS', 1, 3600, 25);
  const longest = Math.floor(stopSeconds / 2);
  const isProduction = text(env, 'NODE_ENV') === 'production';
  const drainSeconds = integer(
    env,
    'GANTRY_DRAIN_SECONDS',
    0,
    longest,
    isProduction ? Math.min(defaultDrainSeconds, Math.floor(stopSeconds / 5)) : 0,
  );
  return { stopSeconds, drainSeconds };
}

interface StopTimes {
  drainMs: number;
  requestsMs: number;
  jobsMs: number;
}

/** Requests get the time that the rest does not need; jobs get half of the rest. */
export function stopTimes({ stopSeconds, drainSeconds }: StopSettings): StopTimes {
  const leftMs = (stopSeconds - drainSeconds) * 1000;
  const reserveMs = Math.min(maxReserveMs, leftMs / 2);
  return { drainMs: drainSeconds * 1000, requestsMs: leftMs - reserveMs, jobsMs: reserveMs / 2 };
}
