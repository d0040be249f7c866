// Requests the platform's time again after the host's clock was set or the host has slept.
import type { Logger } from 'pino';
import type { PlatformClock } from './clock.ts';

const lookMs = 1_000;
/** How long a reply to the last request may take. */
const answerMs = 5_000;

/** Calls `renew`, which leads to `clock.learn`, until the time is known again. Stop it with `clearInterval`. */
export function watchClock(clock: PlatformClock, renew: () => void, log: Logger): NodeJS.Timeout {
  let askedAtMs = -Infinity;
  return setInterval(() => {
    if (clock.isSteady || clock.monotonicMs() - askedAtMs < answerMs) return;
    askedAtMs = clock.monotonicMs();
    log.warn("this host's clock was set, or the host has slept; the platform's time is asked for");
    renew();
  }, lookMs);
}
