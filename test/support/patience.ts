// Time limits of tests by how busy the machine is: a limit for an idle one would fail beside other work.
import { availableParallelism, loadavg } from 'node:os';

/** What is longer is no limit but a hang. */
const maxMs = 240_000;

/** How many processes want to run for each processor, over the last minute; 1 on an idle machine. */
const busyness = () => Math.max(1, (loadavg()[0] ?? 1) / availableParallelism());

/** The limit of an idle machine, as this one needs it now. The load of a minute lags behind, so there is a margin. */
export const patient = (ms: number): number => Math.max(ms, Math.min(maxMs, 2 * ms * busyness()));

/** The CPU time of this thread for the work, in milliseconds. It does not grow with the load of the machine. */
export function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
