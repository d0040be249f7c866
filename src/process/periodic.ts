// Repeats work at an interval until it is stopped.
// A run that hangs is abandoned for a new one: if it continues later, it can neither commit nor reach any service.
import type { Logger } from 'pino';
import type { WorkMonitor } from './work-monitor.ts';

/** Infrequent work that has failed is retried after at most this long. */
const maxRetryMs = 60_000;

export interface PeriodicOptions {
  name: string;
  everyMs: number;
  /** Whether it starts at multiples of the interval since the start of the process, together with others. */
  isAligned?: boolean;
  work: () => Promise<unknown>;
  monitor: WorkMonitor;
  log: Logger;
}

/** Starts at once. The returned function stops it and waits for the current run. */
export function startPeriodic(options: PeriodicOptions): () => Promise<void> {
  const { name, everyMs, isAligned = false, work, monitor, log } = options;
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
      let pauseMs: number | undefined;
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
        timer = setTimeout(resolve, pauseMs ?? (isAligned ? untilMultiple(everyMs) : everyMs));
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

const untilMultiple = (everyMs: number) => everyMs - (performance.now() % everyMs);
