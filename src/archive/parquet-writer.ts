// Writes Parquet files in a process of its own, which starts with the first file of a run and ends with the run.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ParquetOutcome, ParquetTask } from './parquet-program.ts';

/** A month of a license that takes longer is given up; the next run tries again. */
const maxTaskMs = 10 * 60_000;

export class ParquetWriter {
  #child: ChildProcess | undefined;

  /** Returns the number of rows in the file. */
  async write(task: ParquetTask): Promise<number> {
    const child = (this.#child ??= this.#begin());
    const ended = new AbortController();
    const timer = setTimeout(() => child.kill('SIGKILL'), maxTaskMs);
    try {
      const outcome = Promise.race([
        once(child, 'message', { signal: ended.signal }) as Promise<[ParquetOutcome]>,
        once(child, 'exit', { signal: ended.signal }).then(([code, signal]) => {
          throw new Error(`the writer of Parquet files has ended: ${String(code ?? signal)}`);
        }),
      ]);
      child.send(task);
      const [result] = await outcome;
      if ('failure' in result) throw new Error(result.failure);
      return result.rows;
    } catch (error) {
      this.close();
      throw error;
    } finally {
      ended.abort();
      clearTimeout(timer);
    }
  }

  #begin(): ChildProcess {
    const child = start();
    // Between files there is no other listener.
    child.on('error', () => undefined);
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    return child;
  }

  /** A later file starts another process. */
  close(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}

/** It gets no setting, and so no secret, of this process. Windows starts no program without its folder. */
function start(): ChildProcess {
  const program = fileURLToPath(new URL('./parquet-program.ts', import.meta.url));
  const { PATH, SystemRoot } = process.env;
  return fork(program, {
    env: { PATH, SystemRoot },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}
