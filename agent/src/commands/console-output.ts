// What a game server prints for one console command, as its result has it: its reply, or the lines that followed.
import { stripVTControlCharacters } from 'node:util';
import type { Console } from '../console/console.ts';
import type { CommandResult } from '../messages.ts';

export type CommandOutput = NonNullable<CommandResult['output']>;

const maxBytes = 16 * 1024;
/** After a line without another one, the game server has said what it had to say. */
const quietMs = 300;
const maxMs = 2_000;

/** Tabs and line feeds stay. */
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export function outputOf(text: string, source: CommandOutput['source']): CommandOutput {
  // What is cut away beforehand could not have fitted, unless nearly all of it is control characters.
  const considered = text.slice(0, 8 * maxBytes);
  const plain = stripVTControlCharacters(considered)
    .replace(controlCharacters, '')
    .toWellFormed()
    .replace(/\n+$/, '');
  const bytes = Buffer.from(plain);
  const isTruncated = considered.length < text.length || bytes.byteLength > maxBytes;
  return { text: wholeText(bytes), is_truncated: isTruncated, source };
}

/** As many whole characters as fit. */
function wholeText(bytes: Buffer): string {
  let length = Math.min(bytes.byteLength, maxBytes);
  while (length < bytes.byteLength && ((bytes[length] ?? 0) & 0xc0) === 0x80) length -= 1;
  return bytes.toString('utf8', 0, length);
}

/** Collects what the game server prints from now on. */
export class PrintedLines {
  readonly #stopFollowing: () => void;
  readonly #over = Promise.withResolvers<void>();
  readonly #limit: NodeJS.Timeout;
  #quiet: NodeJS.Timeout | undefined;
  #text = '';
  /** Whether lines were left out already. */
  #isIncomplete = false;

  constructor(console: Console) {
    this.#limit = setTimeout(this.#over.resolve, maxMs);
    let lastSeq: number | undefined;
    this.#stopFollowing = console.follow(({ seq, stream, text }) => {
      // A server that prints faster than is read has lines left out, which the numbers show.
      if (lastSeq !== undefined && seq > lastSeq + 1) this.#isIncomplete = true;
      lastSeq = seq;
      if (stream !== 'stdout' && stream !== 'stderr') return;
      if (this.#text.length <= maxBytes) this.#text += `${text}\n`;
      else this.#isIncomplete = true;
      clearTimeout(this.#quiet);
      this.#quiet = setTimeout(this.#over.resolve, quietMs);
    });
  }

  /** What was printed until the game server fell silent, or for as long as it is waited for. */
  async untilQuiet(): Promise<CommandOutput> {
    await this.#over.promise;
    this.stop();
    const output = outputOf(this.#text, 'console');
    return { ...output, is_truncated: output.is_truncated || this.#isIncomplete };
  }

  stop(): void {
    this.#stopFollowing();
    clearTimeout(this.#limit);
    clearTimeout(this.#quiet);
  }
}
