// Operations as in the contract, and the interface of a running one: its steps, its console, its cancellation.
import type { components } from '../../../generated/local-manager.d.ts';

export type Operation = components['schemas']['Operation'];
export type OperationLine = components['schemas']['OperationLine'];

type StepState = components['schemas']['OperationStep']['state'];
export type LineStream = components['schemas']['OperationLine']['stream'];

/** Thrown by waiting steps when the operation is cancelled. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

export interface StepOptions {
  /** Whether an interruption in the middle leaves nothing half done. */
  isCancellable?: boolean;
}

export interface StepRun {
  /** Sets a remark that is shown beside the step. */
  note: (detail: string) => void;
  /** Sets how much of the step is done. */
  percent: (percent: number) => void;
  signal: AbortSignal | undefined;
}

interface Reports {
  changed(): void;
  line(stream: LineStream, text: string): void;
}

export class OperationRun {
  readonly #operation: Operation;
  readonly #reports: Reports;
  readonly #abort = new AbortController();

  constructor(operation: Operation, reports: Reports) {
    this.#operation = operation;
    this.#reports = reports;
  }

  /** Runs a named step of the operation. */
  async step<T>(name: string, work: (step: StepRun) => Promise<T>, options: StepOptions = {}): Promise<T> {
    this.#refuseCancelled();
    const step = this.#begin(name);
    this.#operation.isCancellable = options.isCancellable === true;
    this.#reports.line('step', name);
    this.#reports.changed();
    try {
      const result = await work({
        note: (detail) => {
          step.detail = detail;
          this.#reports.changed();
        },
        percent: (percent) => {
          step.percent = percent;
          this.#reports.changed();
        },
        signal: options.isCancellable === true ? this.#abort.signal : undefined,
      });
      this.#end(step, 'succeeded');
      return result;
    } catch (error) {
      this.#end(step, 'failed');
      throw error;
    }
  }

  /** Records that a step was skipped, and why. */
  skip(name: string, reason: string): void {
    const step = this.#begin(name);
    step.detail = reason;
    this.#reports.line('step', `${name}: ${reason}`);
    this.#end(step, 'skipped');
  }

  line(stream: LineStream, text: string): void {
    this.#reports.line(stream, text);
  }

  /** For programs that print output as they run. */
  readonly print = (line: string): void => this.#reports.line('output', line);

  /** Waits; a cancellation ends the wait early if the step allows one. */
  async pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, ms);
      function done() {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      }
      signal?.addEventListener('abort', done, { once: true });
      if (signal?.aborted === true) done();
    });
    if (signal?.aborted === true) throw signal.reason;
  }

  /** Polls until the result is no longer undefined, or the time is up. */
  async poll<T>(
    find: () => Promise<T | undefined>,
    options: { everyMs: number; withinMs: number; signal: AbortSignal | undefined },
  ): Promise<T | undefined> {
    const until = Date.now() + options.withinMs;
    for (;;) {
      const found = await find();
      if (found !== undefined) return found;
      if (Date.now() >= until) return undefined;
      await this.pause(options.everyMs, options.signal);
    }
  }

  cancel(): void {
    this.#abort.abort(new Cancelled('The operation was cancelled.'));
  }

  get isCancelled(): boolean {
    return this.#abort.signal.aborted;
  }

  #refuseCancelled(): void {
    if (this.isCancelled) throw new Cancelled('The operation was cancelled.');
  }

  #begin(name: string): Operation['steps'][number] {
    const step: Operation['steps'][number] = {
      name,
      state: 'running',
      detail: null,
      startedAt: new Date().toISOString(),
      endedAt: null,
    };
    this.#operation.steps.push(step);
    return step;
  }

  #end(step: Operation['steps'][number], state: StepState): void {
    step.state = state;
    step.endedAt = new Date().toISOString();
    this.#operation.isCancellable = false;
    this.#reports.changed();
  }
}
