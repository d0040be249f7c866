// How many frames and bytes of console lines one replica sends, and how its viewers share them.
import { performance } from 'node:perf_hooks';

/** Of all consoles together. With more viewers, the lines of several batches travel in one frame. */
const framesPerSecond = 20_000;
/** With few viewers each batch is sent at once: shorter pauses than this are left out. */
const minPauseMs = 20;
/** Lines are late by no more than this because the process is busy; there are fewer of them instead. */
const maxPauseMs = 1_000;
/** Half of it is divided equally among all viewers, the other half goes to those whose consoles print more. */
const bytesPerSecond = 64 * 1024 * 1024;
/** What a viewer of a quiet console can be sent at once; a line of any usual length fits. */
const minCreditBytes = 16 * 1024;

/** Busier than this, the process sends less, so that requests and events do not wait for console lines. */
const busy = 0.85;
const minScale = 0.05;
const measureMs = 250;

/** The share of the time since the last call in which the process had something to do, from 0 to 1. */
export type Load = () => number;

export function loadOfProcess(): Load {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}

/** What the viewers of one console may be sent, in bytes for each of them. */
export interface Credit {
  bytes: number;
  at: number;
}

export class ConsoleBudget {
  /** Of all consoles. */
  watchers = 0;
  readonly #load: Load;
  #spare = bytesPerSecond / 2;
  #spareAt = performance.now();
  /** Of frames and bytes, as long as the process is busy; 1 otherwise. */
  #scale = 1;
  #measuredAt = performance.now();

  constructor(load: Load = loadOfProcess()) {
    this.#load = load;
  }

  /** The shortest time between two frames of one console. */
  get pauseMs(): number {
    const pauseMs = (this.watchers / (framesPerSecond * this.#scale)) * 1_000;
    return pauseMs < minPauseMs ? 0 : Math.min(pauseMs, maxPauseMs);
  }

  /** Halves what is sent while the process is busy, and returns to all of it in steps. */
  #measure(now: number): void {
    if (now - this.#measuredAt < measureMs) return;
    this.#measuredAt = now;
    this.#scale = this.#load() > busy ? Math.max(this.#scale / 2, minScale) : Math.min(this.#scale * 1.25, 1);
  }

  newCredit(): Credit {
    return { bytes: minCreditBytes, at: performance.now() };
  }

  /** The size of the next frame at most, for a console with that many viewers. */
  allowed(credit: Credit, viewers: number, now = performance.now()): number {
    this.#measure(now);
    const half = (bytesPerSecond / 2) * this.#scale;
    const share = half / Math.max(this.watchers, 1);
    const maxBytes = Math.max(share, minCreditBytes);
    credit.bytes = Math.min(maxBytes, credit.bytes + (share * (now - credit.at)) / 1_000);
    credit.at = now;
    this.#spare = Math.min(half, this.#spare + (half * (now - this.#spareAt)) / 1_000);
    this.#spareAt = now;
    return credit.bytes + this.#spare / Math.max(viewers, 1);
  }

  take(credit: Credit, bytes: number, viewers: number): void {
    const own = Math.min(credit.bytes, bytes);
    credit.bytes -= own;
    this.#spare -= (bytes - own) * viewers;
  }
}
