// Keeps the queue metrics current in every role, so that one without jobs shows when no process runs them.
import { startPeriodic } from '../process/periodic.ts';
import type { Closers, PlatformOptions } from './options.ts';
import { QueueWatch } from '../services/admin-health/queue-ages.ts';
import type { Parts } from './parts.ts';

const everyMs = 15_000;

export function keepQueueMetrics(
  { metrics, monitor, platform }: Parts,
  { log }: PlatformOptions,
  closers: Closers,
) {
  const watch = new QueueWatch(platform);
  const work = async () => {
    const { ages, deadJobs, stuckJobs } = await watch.read();
    for (const { name, oldestSeconds } of ages) metrics.queueOldest.set({ queue: name }, oldestSeconds ?? 0);
    metrics.deadJobs.set(deadJobs);
    metrics.stuckJobs.set(stuckJobs);
  };
  closers.push(startPeriodic({ name: 'measure queues', everyMs, work, monitor, log }));
}
