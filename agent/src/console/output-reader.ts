// Reads both output files of one run into the instance's console.
import type { Logger } from 'pino';
import type { Console, Offsets } from './console.ts';
import { FileTail } from './file-tail.ts';
import { FlowBudget } from './flow-budget.ts';

export interface OutputFiles {
  stdout: string;
  stderr: string;
}

export class OutputReader {
  readonly #stdout: FileTail;
  readonly #stderr: FileTail;
  #lastErrorLine: string | null = null;

  constructor(files: OutputFiles, offsets: Offsets, console: Console, limitBytes: number, log: Logger) {
    const budget = new FlowBudget();
    const tail = (stream: keyof OutputFiles) =>
      new FileTail({
        path: files[stream],
        offset: offsets[stream],
        limitBytes,
        budget,
        sink: {
          onLines: (lines) => {
            if (stream === 'stderr')
              this.#lastErrorLine = lines.findLast((line) => line.trim() !== '') ?? this.#lastErrorLine;
            console.add(stream, lines);
          },
          onSkipped: (lines, isExact) => console.skip(lines, isExact),
        },
        log,
      });
    this.#stdout = tail('stdout');
    this.#stderr = tail('stderr');
    console.readFrom(() => ({ stdout: this.#stdout.consumedOffset, stderr: this.#stderr.consumedOffset }));
  }

  get lastErrorLine(): string | null {
    return this.#lastErrorLine;
  }

  async start(): Promise<void> {
    await Promise.all([this.#stdout.start(), this.#stderr.start()]);
  }

  /** Called after the process has ended: reads the rest. */
  async finish(): Promise<void> {
    await this.#stdout.finish();
    await this.#stderr.finish();
  }

  /** Called when the agent shuts down; the process keeps running. */
  async stop(): Promise<void> {
    await Promise.all([this.#stdout.close(), this.#stderr.close()]);
  }
}
