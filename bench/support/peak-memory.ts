// Samples the memory of this process and of processes that it starts. Linux only.
import { readFile } from 'node:fs/promises';

/** The most memory of this process above that of its start, and of the processes that it starts. */
export class PeakMemory {
  readonly #program: string;
  readonly #startMb = process.memoryUsage.rss() / 1e6;
  readonly #timer = setInterval(() => void this.#look(), 100);
  #ownMb = 0;
  #childMb = 0;

  /** `program` is a part of the command of the processes to look at. */
  constructor(program: string) {
    this.#program = program;
  }

  end(): { ownMb: number; childMb: number } {
    clearInterval(this.#timer);
    return { ownMb: this.#ownMb, childMb: this.#childMb };
  }

  async #look(): Promise<void> {
    this.#ownMb = Math.max(this.#ownMb, process.memoryUsage.rss() / 1e6 - this.#startMb);
    const children = (await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')).trim();
    for (const pid of children.split(' ').filter((id) => id !== '')) {
      const [command, status] = await Promise.all([
        readFile(`/proc/${pid}/cmdline`, 'utf8'),
        readFile(`/proc/${pid}/status`, 'utf8'),
      ]).catch(() => ['', '']); // it has ended
      if (command?.includes(this.#program) !== true) continue;
      this.#childMb = Math.max(this.#childMb, Number(/VmHWM:\s+(\d+)/.exec(status ?? '')?.[1]) / 1_000);
    }
  }
}
