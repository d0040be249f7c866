// How many frames and bytes of console lines one replica sends, and how its viewers share them.

/** Of all consoles together. With more viewers, the lines of several batches travel in one frame. */
const framesPerSecond = 20_000;
/** With few viewers each batch is sent at once: shorter pauses than this are left out. */
const minPauseMs = 20;
/** Half of it is divided equally among all viewers, the other half goes to those whose consoles print more. */
const bytesPerSecond = 64 * 1024 * 1024;
/** What a viewer of a quiet console can be sent at once; a line of any usual length fits. */
const minCreditBytes = 16 * 1024;

/** What the viewers of one console may be sent, in bytes for each of them. */
export interface Credit {
  bytes: number;
  at: number;
}

export class ConsoleBudget {
  /** Of all consoles. */
  watchers = 0;
  #spare = bytesPerSecond / 2;
  #spareAt = performance.now();

  /** The shortest time between two frames of one console. */
  get pauseMs(): number {
    const pauseMs = (this.watchers / framesPerSecond) * 1_000;
    return pauseMs < minPauseMs ? 0 : pauseMs;
  }

  newCredit(): Credit {
    return { bytes: minCreditBytes, at: performance.now() };
  }

  /** The size of the next frame at most, for a console with that many viewers. */
  allowed(credit: Credit, viewers: number, now = performance.now()): number {
    const share = bytesPerSecond / 2 / Math.max(this.watchers, 1);
    const most = Math.max(share, minCreditBytes);
    credit.bytes = Math.min(most, credit.bytes + (share * (now - credit.at)) / 1_000);
    credit.at = now;
    this.#spare = Math.min(
      bytesPerSecond / 2,
      this.#spare + ((bytesPerSecond / 2) * (now - this.#spareAt)) / 1_000,
    );
    this.#spareAt = now;
    return credit.bytes + this.#spare / Math.max(viewers, 1);
  }

  take(credit: Credit, bytes: number, viewers: number): void {
    const own = Math.min(credit.bytes, bytes);
    credit.bytes -= own;
    this.#spare -= (bytes - own) * viewers;
  }
}
