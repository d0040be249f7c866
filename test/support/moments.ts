// Moments at which a test has a program killed.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Moment {
  call: 'open' | 'readFile' | 'rename' | 'send' | 'write';
  /**
   * A pattern for the argument: a path with the content of a record, a line to a game server, or bytes on the
   * wire.
   */
  about: string;
  /** Which of the matching calls; the first by default. */
  nth?: number;
  /** Whether to kill after the call instead of before it. */
  isAfter?: boolean;
}

export const killedProgram = fileURLToPath(new URL('killed-program.ts', import.meta.url));

export class Moments {
  readonly #file: string;

  constructor(directory: string) {
    this.#file = join(directory, 'moment.json');
  }

  /** The environment in which the program of that file is to be killed. */
  environmentOf(main: string): Record<string, string> {
    const file = fileURLToPath(new URL(`../../${main}`, import.meta.url));
    return { GANTRY_TEST_MAIN: file, GANTRY_TEST_MOMENT: this.#file };
  }

  /** The program dies at the next such moment. */
  arm(moment: Moment): void {
    writeFileSync(`${this.#file}.new`, JSON.stringify(moment));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
