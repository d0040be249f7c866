// Validates large bodies in a worker thread, so that one large body does not block other requests.
import { Worker } from 'node:worker_threads';
import { DomainError, type Fault, type ProblemCode } from '../errors.ts';
import type { Document, Operation } from './document.ts';
import { pointerOf } from './operation-schema.ts';
import { SharedBudget } from './shared-budget.ts';

const mebibyte = 1024 ** 2;

/** Limits: bytes of all bodies that are queued or in work, bytes per holder, and thread time for one body. */
const defaultLimits = { max: 128 * mebibyte, maxShare: 32 * mebibyte, maxMs: 15_000 };
/** Every body counts as at least this many bytes, because each one occupies the thread. */
export const minCountedBytes = 64 * 1024;
const maxMegabytes = 512;
const idleMs = 30_000;

export interface BodyTask {
  id: number;
  /** JSON pointer of the schema within the document. */
  pointer: string;
  /** Shared with the thread, not copied. */
  bytes: Uint8Array;
  maxBytes: number;
  /** The body field that carries a checksum of its own content. */
  checksummedField: string | undefined;
}

export interface Verdict {
  id: number;
  refusal?: { code: ProblemCode; detail: string; faults: Fault[] | undefined };
  /** Why the body could not be validated. */
  failure?: string;
}

/** The message that the thread sends once it can take tasks. */
export const ready = 'ready';

interface Waiting {
  task: BodyTask;
  resolve: (verdict: Verdict) => void;
  reject: (error: Error) => void;
}

export interface LargeBody {
  /** Must be in memory that threads share. */
  bytes: Buffer;
  maxBytes: number;
  /** The caller whose share of the memory budget the body counts against. */
  holder: string;
}

export class BodyValidator {
  readonly #document: Document;
  readonly #budget: SharedBudget;
  readonly #maxMs: number;
  /** Queues by holder, served round-robin: a holder that sends many bodies delays only its own. */
  readonly #queues = new Map<string, Waiting[]>();
  #current: Waiting | undefined;
  #thread: Worker | undefined;
  #isReady = false;
  #timer: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(document: Document, { maxMs, ...budget } = defaultLimits) {
    this.#document = document;
    this.#budget = new SharedBudget(budget);
    this.#maxMs = maxMs;
  }

  /** Throws if the body is not JSON, exceeds its limits or does not match the contract. */
  async check(operation: Operation, { bytes, maxBytes, holder }: LargeBody): Promise<void> {
    const countedBytes = Math.max(bytes.byteLength, minCountedBytes);
    if (!this.#budget.take(holder, countedBytes)) throw busy();
    const task = {
      id: (this.#lastId += 1),
      pointer: pointerOf(this.#document, operation),
      bytes: new Uint8Array(bytes.buffer),
      maxBytes,
      checksummedField: operation.checksummedField,
    };
    try {
      const { refusal, failure } = await this.#verdictOn(task, holder);
      if (failure !== undefined) throw new Error(`a body could not be validated: ${failure}`);
      if (refusal === undefined) return;
      const { code, detail, faults } = refusal;
      throw new DomainError(code, detail, faults === undefined ? {} : { faults });
    } finally {
      this.#budget.release(holder, countedBytes);
    }
  }

  #verdictOn(task: BodyTask, holder: string): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(holder) ?? [];
      queue.push({ task, resolve, reject });
      this.#queues.set(holder, queue);
      this.#proceed();
    });
  }

  /** Sends the next body to the thread if the thread is idle. */
  #proceed(): void {
    if (this.#current !== undefined) return;
    if (this.#queues.size === 0) {
      this.#rest();
      return;
    }
    const thread = this.#begun();
    if (!this.#isReady) return;
    this.#current = this.#takeNext();
    this.#timer = setTimeout(() => this.#lose(thread, late()), this.#maxMs);
    thread.postMessage(this.#current?.task);
  }

  /** Takes the next body of the first holder in the round-robin order and moves that holder to the end. */
  #takeNext(): Waiting | undefined {
    for (const [holder, queue] of this.#queues) {
      const next = queue.shift();
      this.#queues.delete(holder);
      if (queue.length > 0) this.#queues.set(holder, queue);
      return next;
    }
    return undefined;
  }

  #begun(): Worker {
    if (this.#thread !== undefined) {
      clearTimeout(this.#timer);
      this.#thread.ref();
      return this.#thread;
    }
    const thread = new Worker(new URL('./body-validator-thread.ts', import.meta.url), {
      workerData: this.#document,
      resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
    });
    this.#thread = thread;
    thread.on('message', (message: Verdict | typeof ready) => {
      if (thread !== this.#thread) return;
      if (message === ready) this.#isReady = true;
      else this.#settle((waiting) => waiting.resolve(message));
      this.#proceed();
    });
    thread.once('error', (error) => this.#lose(thread, busy(error)));
    thread.once('exit', () => this.#lose(thread, busy()));
    return thread;
  }

  /**
   * Continues in a new thread. If the thread never became ready, all queued bodies fail: a new thread would fail, too.
   */
  #lose(thread: Worker, error: Error): void {
    if (thread !== this.#thread) return;
    const wasReady = this.#isReady;
    this.#thread = undefined;
    this.#isReady = false;
    void thread.terminate();
    this.#settle((waiting) => waiting.reject(error));
    if (!wasReady) {
      for (const waiting of [...this.#queues.values()].flat()) waiting.reject(error);
      this.#queues.clear();
    }
    this.#proceed();
  }

  #settle(settle: (waiting: Waiting) => void): void {
    clearTimeout(this.#timer);
    const waiting = this.#current;
    this.#current = undefined;
    if (waiting !== undefined) settle(waiting);
  }

  /** Keeps the idle thread for the next large body for a limited time. The thread never keeps the process alive. */
  #rest(): void {
    const thread = this.#thread;
    if (thread === undefined) return;
    thread.unref();
    this.#timer = setTimeout(() => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      this.#isReady = false;
      void thread.terminate();
    }, idleMs).unref();
  }
}

const busy = (cause?: unknown) =>
  new DomainError('unavailable', 'Too many large bodies at once; try again.', { cause });

const late = () => new DomainError('unavailable', 'The body takes too long to check; send less at once.');
