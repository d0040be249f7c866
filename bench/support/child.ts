// A program of a benchmark in a separate process, so that it is not measured together with its load.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

export interface Child {
  pid: number;
  /** The program's first message. */
  ready: { url: string };
  /** Sends the program a request and waits for its reply. */
  ask<Reply>(question: unknown): Promise<Reply>;
  stop(): Promise<void>;
}

export async function startChild(program: string, settings: unknown): Promise<Child> {
  const child: ChildProcess = fork(resolve(import.meta.dirname, '..', program), [JSON.stringify(settings)], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [ready] = (await messageOf(child, program)) as [{ url: string }];
  return {
    pid: child.pid ?? 0,
    ready,
    ask: async <Reply>(question: unknown) => {
      const response = messageOf(child, program) as Promise<[Reply]>;
      child.send(question as object);
      return (await response)[0];
    },
    stop: async () => {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

/** The programs of one benchmark, which stops all of them at its end. */
export class Children {
  readonly #started: Child[] = [];

  async start(program: string, settings: unknown): Promise<Child> {
    const child = await startChild(program, settings);
    this.#started.push(child);
    return child;
  }

  async stop(): Promise<void> {
    for (const child of this.#started) await child.stop();
  }
}

/** The next message; rejects when the program ends instead. */
async function messageOf(child: ChildProcess, program: string): Promise<unknown[]> {
  const heard = new AbortController();
  const ended = once(child, 'exit', { signal: heard.signal }).then(([code]) => {
    throw new Error(`${program} has ended with code ${String(code)}`);
  });
  try {
    return (await Promise.race([once(child, 'message'), ended])) as unknown[];
  } finally {
    heard.abort();
    ended.catch(() => undefined);
  }
}

/** In the child: its settings. */
export function settingsOfChild<T>(): T {
  return JSON.parse(process.argv[2] ?? '{}') as T;
}

/** In the child: reports that it is ready, returns memory use in bytes, and ends with the parent. */
export function serveParent(ready: { url: string }): void {
  process.on('message', (question) => {
    if (question !== 'memory') return;
    globalThis.gc?.();
    process.send?.({ rss: process.memoryUsage.rss() });
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.(ready);
}
