// Provides the platform's time, independent of this host's clock and of changes to it.
import type { Logger } from 'pino';

const remarkableOffsetMs = 5_000;
/** Maximum drift between the host's clock and the monotonic clock between two sessions if the clock was not set. */
const driftMs = 2_000;

/** The host's wall clock, which may be wrong or set, and a monotonic clock that counts only while the host is awake. */
export interface HostClocks {
  wallMs: () => number;
  monotonicMs: () => number;
}

const hostClocks: HostClocks = { wallMs: () => Date.now(), monotonicMs: () => performance.now() };

export class PlatformClock {
  readonly #log: Logger;
  readonly #clocks: HostClocks;
  /** The last time received from the platform, with both host clocks at that moment. */
  #learned: { platformMs: number; wallMs: number; monotonicMs: number } | undefined;
  #warnedOffsetMs = 0;
  readonly #known = Promise.withResolvers<void>();

  constructor(log: Logger, clocks: HostClocks = hostClocks) {
    this.#log = log;
    this.#clocks = clocks;
  }

  get isKnown(): boolean {
    return this.#learned !== undefined;
  }

  /** Resolves once the platform's time is known. */
  get known(): Promise<void> {
    return this.#known.promise;
  }

  /** Returns the host's time until the platform's time is known. */
  nowMs(): number {
    return this.#learned === undefined
      ? this.#clocks.wallMs()
      : this.#learned.platformMs + this.#clocks.monotonicMs() - this.#learned.monotonicMs;
  }

  nowText(): string {
    return new Date(this.nowMs()).toISOString();
  }

  /** Converts a time of this host's clock. */
  textOf(localMs: number): string {
    return new Date(localMs - (this.offsetMs ?? 0)).toISOString();
  }

  /** By how much this host's clock is ahead of the platform's; negative when it is behind. */
  get offsetMs(): number | undefined {
    return this.#learned === undefined ? undefined : Math.round(this.#clocks.wallMs() - this.nowMs());
  }

  /**
   * False once the host's clock was set or the host has slept. The two cannot be distinguished here, so the time is
   * unknown until the platform sends it again.
   */
  get isSteady(): boolean {
    if (this.#learned === undefined) return true;
    const { wallMs, monotonicMs } = this.#learned;
    const passedMs = this.#clocks.monotonicMs() - monotonicMs;
    return Math.abs(this.#clocks.wallMs() - wallMs - passedMs) <= driftMs;
  }

  monotonicMs(): number {
    return this.#clocks.monotonicMs();
  }

  /**
   * Takes the platform's time from a reply to a request made at this monotonic time. Assumes that half of the round
   * trip is the way back.
   */
  learn(serverTime: string, askedAtMs: number): void {
    const serverMs = Date.parse(serverTime);
    if (Number.isNaN(serverMs)) return;
    const monotonicMs = this.#clocks.monotonicMs();
    const platformMs = serverMs + (monotonicMs - askedAtMs) / 2;
    this.#learned = { platformMs, wallMs: this.#clocks.wallMs(), monotonicMs };
    this.#known.resolve();
    const offsetMs = this.offsetMs ?? 0;
    const isRemarkable = Math.abs(offsetMs) > remarkableOffsetMs;
    if (isRemarkable && Math.abs(offsetMs - this.#warnedOffsetMs) > remarkableOffsetMs)
      this.#log.warn(
        { offset_ms: offsetMs },
        "this host's clock differs from the platform's; the platform's is used",
      );
    this.#warnedOffsetMs = isRemarkable ? offsetMs : 0;
  }
}

const pollMs = 1_000;
/** How long a reply to the last request may take. */
const replyTimeoutMs = 5_000;

/** Calls `renew`, which leads to `clock.learn`, until the time is known again. Stop it with `clearInterval`. */
export function watchClock(clock: PlatformClock, renew: () => void, log: Logger): NodeJS.Timeout {
  let askedAtMs = -Infinity;
  return setInterval(() => {
    if (clock.isSteady || clock.monotonicMs() - askedAtMs < replyTimeoutMs) return;
    askedAtMs = clock.monotonicMs();
    log.warn("this host's clock was set, or the host was suspended; the platform's time is requested");
    renew();
  }, pollMs);
}
