// Captures what a game server prints for one console command: its reply, or the lines that follow.
import { stripVTControlCharacters } from 'node:util';
import type { Console } from '../console/console.ts';
import type { CommandResult } from '../messages.ts';

export type CommandOutput = NonNullable<CommandResult['output']>;

const maxBytes = 16 * 1024;
/** The output is complete after 300 ms without a new line. */
const quietMs = 300;
const maxMs = 2_000;

/** Tabs and line feeds are kept. */
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export function outputOf(text: string, source: CommandOutput['source']): CommandOutput {
  // Bounds the work: the rest could be kept only if nearly all of this part were control characters.
  const considered = text.slice(0, 8 * maxBytes);
  const plain = stripVTControlCharacters(considered)
    .replace(controlCharacters, '')
    .toWellFormed()
    .replace(/\n+$/, '');
  const bytes = Buffer.from(plain);
  const isTruncated = considered.length < text.length || bytes.byteLength > maxBytes;
  return { text: wholeText(bytes), is_truncated: isTruncated, source };
}

/** Keeps as many whole characters as fit. */
function wholeText(bytes: Buffer): string {
  let length = Math.min(bytes.byteLength, maxBytes);
  while (length < bytes.byteLength && ((bytes[length] ?? 0) & 0xc0) === 0x80) length -= 1;
  return bytes.toString('utf8', 0, length);
}

/** Collects the game server's output from construction on. */
export class PrintedLines {
  readonly #stopFollowing: () => void;
  readonly #over = Promise.withResolvers<void>();
  readonly #limit: NodeJS.Timeout;
  #quiet: NodeJS.Timeout | undefined;
  #text = '';
  /** Whether lines are missing already. */
  #isIncomplete = false;

  constructor(console: Console) {
    this.#limit = setTimeout(this.#over.resolve, maxMs);
    let lastSeq: number | undefined;
    this.#stopFollowing = console.follow(({ seq, stream, text }) => {
      // When the server prints faster than the agent reads, lines are skipped. Their numbers show the gap.
      if (lastSeq !== undefined && seq > lastSeq + 1) this.#isIncomplete = true;
      lastSeq = seq;
      if (stream !== 'stdout' && stream !== 'stderr') return;
      if (this.#text.length <= maxBytes) this.#text += `${text}\n`;
      else this.#isIncomplete = true;
      clearTimeout(this.#quiet);
      this.#quiet = setTimeout(this.#over.resolve, quietMs);
    });
  }

  /** Resolves with the output once the game server has been silent for 300 ms, or after 2 s. */
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
