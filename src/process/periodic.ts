// Repeats work at an interval until it is stopped.
// A run that hangs is abandoned for another: should it go on after all, it can commit nothing and reach nobody any more.
import type { Logger } from 'pino';
import type { WorkMonitor } from './work-monitor.ts';

/** Work that comes round seldom and has failed is tried again after this long. */
const maxRetryMs = 60_000;

export interface PeriodicOptions {
  name: string;
  everyMs: number;
  work: () => Promise<unknown>;
  monitor: WorkMonitor;
  log: Logger;
}

/** Starts at once. The function it returns ends it and waits for the run under way. */
export function startPeriodic({ name, everyMs, work, monitor, log }: PeriodicOptions): () => Promise<void> {
  const stopped = Promise.withResolvers<void>();
  const watch = monitor.watch(name, () => {
    running = repeat();
  });
  let isStopped = false;
  let run: symbol | undefined;
  let running = repeat();

  async function repeat(): Promise<void> {
    const own = Symbol(name);
    run = own;
    const shouldContinue = () => !isStopped && run === own;
    while (shouldContinue()) {
      let pauseMs = everyMs;
      watch.started();
      try {
        await watch.run(work);
        if (shouldContinue()) watch.succeeded();
      } catch (error) {
        log.error({ err: error, work: name }, 'periodic work failed');
        if (shouldContinue()) watch.failed();
        pauseMs = Math.min(everyMs, maxRetryMs);
      }
      if (!shouldContinue()) return;
      watch.ended();
      let timer: NodeJS.Timeout | undefined;
      const pause = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, pauseMs);
      });
      await Promise.race([pause, stopped.promise]);
      clearTimeout(timer);
    }
  }

  return async () => {
    isStopped = true;
    watch.stop();
    stopped.resolve();
    await running;
  };
}
