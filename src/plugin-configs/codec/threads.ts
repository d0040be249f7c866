// A pool of worker threads for large documents, so that they do not block other requests.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { JsonFault } from '../json-text.ts';
import type { WorkResult, WorkInput, WorkName } from './works.ts';

export interface WorkTask<Name extends WorkName = WorkName> {
  name: Name;
  kind: string;
  input: WorkInput<Name>;
}

export interface WorkOutcome {
  result?: WorkResult<WorkName>;
  /** Why a file is not JSON. */
  unreadable?: string;
  /** An internal failure, which no document caused. */
  failure?: string;
}

/** The task was not done; a retry may succeed. */
export class CodecBusy extends Error {
  override readonly name = 'CodecBusy';
}

const maxThreads = Math.max(1, Math.min(2, availableParallelism() - 1));
/** A thread may hold a document of 16 MB several times over. */
const maxMegabytes = 512;
const maxWaiting = 32;
/** The largest document takes a few seconds on a busy machine. */
const patienceMs = 60_000;
const idleMs = 60_000;

interface Waiting {
  task: WorkTask;
  resolve: (result: WorkResult<WorkName>) => void;
  reject: (error: Error) => void;
}

export class CodecThreads {
  /** Idle threads, each with the timer that ends it. */
  readonly #idle = new Map<Worker, NodeJS.Timeout>();
  readonly #all = new Set<Worker>();
  readonly #waiting: Waiting[] = [];

  run<Name extends WorkName>(task: WorkTask<Name>): Promise<WorkResult<Name>> {
    if (this.#waiting.length >= maxWaiting)
      return Promise.reject(new CodecBusy('Too many big documents are being worked on.'));
    return new Promise<WorkResult<WorkName>>((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject });
      this.#next();
    }) as Promise<WorkResult<Name>>;
  }

  async close(): Promise<void> {
    for (const { reject } of this.#waiting.splice(0)) reject(new CodecBusy('The platform is stopping.'));
    await Promise.all([...this.#all].map((thread) => thread.terminate()));
  }

  #next(): void {
    const hasRoom = this.#idle.size > 0 || this.#all.size < maxThreads;
    const waiting = hasRoom ? this.#waiting.shift() : undefined;
    if (waiting !== undefined) this.#work(this.#rested() ?? this.#begin(), waiting);
  }

  /** The most recently used idle thread, so that surplus threads reach their idle limit. */
  #rested(): Worker | undefined {
    const idle = [...this.#idle].at(-1);
    if (idle === undefined) return undefined;
    const [thread, dismissal] = idle;
    clearTimeout(dismissal);
    this.#idle.delete(thread);
    return thread;
  }

  #begin(): Worker {
    const thread = new Worker(new URL('./thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
    });
    this.#all.add(thread);
    // Between tasks there is no other listener; the thread then exits.
    thread.on('error', () => undefined);
    thread.once('exit', () => {
      this.#all.delete(thread);
      clearTimeout(this.#idle.get(thread));
      this.#idle.delete(thread);
      this.#next();
    });
    return thread;
  }

  #work(thread: Worker, { task, resolve, reject }: Waiting): void {
    const end = (settle: () => void) => {
      clearTimeout(patience);
      thread.removeAllListeners('message').removeListener('error', failed).removeListener('exit', lost);
      settle();
    };
    const lost = () => end(() => reject(new CodecBusy('The document takes more than there is for it.')));
    // The thread then ends by itself.
    const failed = (error: Error & { code?: string }) =>
      end(() => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') reject(new CodecBusy('The document is too large.'));
        else reject(error);
      });
    const patience = setTimeout(() => void thread.terminate(), patienceMs);
    thread.ref();
    thread.once('error', failed);
    thread.once('exit', lost);
    thread.once('message', ({ result, unreadable, failure }: WorkOutcome) =>
      end(() => {
        this.#rest(thread);
        if (unreadable !== undefined) reject(new JsonFault(unreadable));
        else if (failure !== undefined) reject(new Error(failure));
        else resolve(result as WorkResult<WorkName>);
        this.#next();
      }),
    );
    thread.postMessage(task);
  }

  /** Keeps the idle thread for a limited time. It never keeps the process alive. */
  #rest(thread: Worker): void {
    thread.unref();
    const dismiss = () => {
      this.#idle.delete(thread);
      void thread.terminate();
    };
    this.#idle.set(thread, setTimeout(dismiss, idleMs).unref());
  }
}
