// The log file of the manager: it is renamed when it is full, and the oldest one is deleted.
import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const maxBytes = 5 * 1024 * 1024;
const maxFiles = 5;

export class LogFile {
  readonly #file: string;
  readonly #maxBytes: number;
  #size: number;

  constructor(file: string, options: { maxBytes?: number } = {}) {
    this.#file = file;
    this.#maxBytes = options.maxBytes ?? maxBytes;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    this.#size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** The program never fails because its log cannot be written. */
  write(line: string): void {
    try {
      if (this.#size > this.#maxBytes) this.#rotate();
      appendFileSync(this.#file, line, { mode: 0o600 });
      this.#size += Buffer.byteLength(line);
    } catch {
      // A full drive or a held file: standard error still has the line.
    }
  }

  #rotate(): void {
    rmSync(`${this.#file}.${maxFiles - 1}`, { force: true });
    for (let number = maxFiles - 2; number >= 0; number -= 1) {
      const from = number === 0 ? this.#file : `${this.#file}.${number}`;
      if (statSync(from, { throwIfNoEntry: false }) !== undefined)
        renameSync(from, `${this.#file}.${number + 1}`);
    }
    this.#size = 0;
  }
}
