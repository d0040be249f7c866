// Repeats work at an interval, never twice at once, until it is stopped.
import type { Logger } from 'pino';

export interface PeriodicOptions {
  name: string;
  everyMs: number;
  work: () => Promise<unknown>;
  log: Logger;
}

/** Starts at once. The function it answers ends it and waits for what is under way. */
export function startPeriodic({ name, everyMs, work, log }: PeriodicOptions): () => Promise<void> {
  const stopped = Promise.withResolvers<void>();
  let isStopped = false;

  async function repeat(): Promise<void> {
    while (!isStopped) {
      try {
        await work();
      } catch (error) {
        log.error({ err: error, work: name }, 'periodic work failed');
      }
      let timer: NodeJS.Timeout | undefined;
      const pause = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, everyMs);
      });
      await Promise.race([pause, stopped.promise]);
      clearTimeout(timer);
    }
  }

  const running = repeat();
  return async () => {
    isStopped = true;
    stopped.resolve();
    await running;
  };
}
