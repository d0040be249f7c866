// Asks for secrets without showing them; from a pipe, one line each.
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliError } from './failures.ts';

export class Prompts {
  readonly #input: NodeJS.ReadStream;
  readonly #output: NodeJS.WritableStream;
  #lines: AsyncIterator<string> | undefined;

  constructor(input: NodeJS.ReadStream = process.stdin, output: NodeJS.WritableStream = process.stderr) {
    this.#input = input;
    this.#output = output;
  }

  async secret(question: string): Promise<string> {
    const reply = this.#input.isTTY ? await this.#hidden(question) : await this.#line();
    if (reply === undefined || reply.trim() === '') throw new CliError(`${question} is missing.`);
    return reply.trim();
  }

  async #hidden(question: string): Promise<string> {
    this.#output.write(`${question}: `);
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const reader: Interface = createInterface({ input: this.#input, output: silent, terminal: true });
    try {
      return await reader.question('');
    } finally {
      reader.close();
      this.#output.write('\n');
    }
  }

  async #line(): Promise<string | undefined> {
    this.#lines ??= createInterface({ input: this.#input })[Symbol.asyncIterator]();
    const next = await this.#lines.next();
    return next.done === true ? undefined : next.value;
  }
}
