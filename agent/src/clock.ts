// Tells the time as the platform's clock has it, so that a host with a wrong clock is still understood.
import type { Logger } from 'pino';

const remarkableOffsetMs = 5_000;

export class PlatformClock {
  readonly #log: Logger;
  #offsetMs = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  nowMs(): number {
    return Date.now() + this.#offsetMs;
  }

  nowText(): string {
    return new Date(this.nowMs()).toISOString();
  }

  /** A time of this host's clock. */
  textOf(localMs: number): string {
    return new Date(localMs + this.#offsetMs).toISOString();
  }

  /** Takes the platform's time from an answer; half of the round trip is taken as the way back. */
  learn(serverTime: string, askedAtMs: number, answeredAtMs: number): void {
    const serverMs = Date.parse(serverTime);
    if (Number.isNaN(serverMs)) return;
    const offsetMs = Math.round(serverMs - (askedAtMs + answeredAtMs) / 2);
    const isRemarkable = Math.abs(offsetMs) > remarkableOffsetMs;
    if (isRemarkable && Math.abs(offsetMs - this.#offsetMs) > remarkableOffsetMs) {
      this.#log.warn(
        { offset_ms: offsetMs },
        "this host's clock differs from the platform's; times are corrected",
      );
    }
    this.#offsetMs = isRemarkable ? offsetMs : 0;
  }
}
