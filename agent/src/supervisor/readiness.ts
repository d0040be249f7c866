// Decides when a starting process counts as running: after a configured time, or after its ready line.
import type { InstanceConfig } from '../config.ts';
import type { Console } from '../console/console.ts';

export class Readiness {
  readonly #ready = Promise.withResolvers<void>();
  readonly #console: Console;
  readonly #onReady: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(config: InstanceConfig, console: Console, startedAtMs: number, onReady: () => void) {
    this.#console = console;
    this.#onReady = onReady;
    const { readyPattern, readyAfterMs } = config;
    if (readyPattern !== undefined) console.listen((text) => text.includes(readyPattern) && this.#reach());
    const leftMs = Math.min(readyAfterMs, startedAtMs + readyAfterMs - Date.now());
    if (leftMs > 0) this.#timer = setTimeout(() => this.#reach(), leftMs);
    else queueMicrotask(() => this.#reach());
  }

  get reached(): Promise<void> {
    return this.#ready.promise;
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#console.listen(null);
  }

  #reach(): void {
    this.cancel();
    this.#onReady();
    this.#ready.resolve();
  }
}
