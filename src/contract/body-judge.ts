// Judges large bodies in a thread of its own, so that a body that is refused holds nobody else up.
import { Worker } from 'node:worker_threads';
import { DomainError, type Fault, type ProblemCode } from '../errors.ts';
import type { Document, Operation } from './document.ts';

const maxWaiting = 16;
const maxMegabytes = 512;
const idleMs = 30_000;

export interface BodyTask {
  id: number;
  /** Of the schema, in the document. */
  pointer: string;
  /** Shared with the thread, not copied. */
  bytes: Uint8Array;
  maxBytes: number;
}

export interface Verdict {
  id: number;
  refusal?: { code: ProblemCode; detail: string; faults: Fault[] | undefined };
  /** Why it could not be judged. */
  failure?: string;
}

interface Waiting {
  resolve: (verdict: Verdict) => void;
  reject: (error: Error) => void;
}

export class BodyJudge {
  readonly #document: Document;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #dismissal: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(document: Document) {
    this.#document = document;
  }

  /**
   * Throws the refusal of a body that is no JSON, beyond its limits, or not what the contract says. Its bytes fill memory
   * that threads share.
   */
  async check({ path, method }: Operation, bytes: Buffer, maxBytes: number): Promise<void> {
    if (this.#waiting.size >= maxWaiting) throw busy();
    const keys = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
    const pointer = keys
      .map((key) => encodeURIComponent(key.replace(/~/g, '~0').replace(/\//g, '~1')))
      .join('/');
    const id = (this.#lastId += 1);
    const { refusal, failure } = await new Promise<Verdict>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#begun().postMessage({
        id,
        pointer,
        bytes: new Uint8Array(bytes.buffer),
        maxBytes,
      } satisfies BodyTask);
    });
    if (failure !== undefined) throw new Error(`a body could not be judged: ${failure}`);
    if (refusal === undefined) return;
    const { code, detail, faults } = refusal;
    throw new DomainError(code, detail, faults === undefined ? {} : { faults });
  }

  #begun(): Worker {
    clearTimeout(this.#dismissal);
    if (this.#thread !== undefined) {
      this.#thread.ref();
      return this.#thread;
    }
    const thread = new Worker(new URL('./body-judge-thread.ts', import.meta.url), {
      workerData: this.#document,
      resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
    });
    this.#thread = thread;
    thread.on('message', (verdict: Verdict) => {
      this.#waiting.get(verdict.id)?.resolve(verdict);
      this.#waiting.delete(verdict.id);
      if (this.#waiting.size === 0) this.#rest(thread);
    });
    const lose = (cause?: unknown) => {
      if (this.#thread === thread) this.#thread = undefined;
      for (const { reject } of this.#waiting.values()) reject(busy(cause));
      this.#waiting.clear();
    };
    thread.once('error', lose);
    thread.once('exit', () => {
      if (this.#thread === thread) lose();
    });
    return thread;
  }

  /** Kept for the next large body for a while, and never a reason not to end. */
  #rest(thread: Worker): void {
    thread.unref();
    this.#dismissal = setTimeout(() => {
      if (this.#thread === thread) this.#thread = undefined;
      void thread.terminate();
    }, idleMs).unref();
  }
}

const busy = (cause?: unknown) =>
  new DomainError('unavailable', 'Too many large bodies at once; try again.', { cause });
