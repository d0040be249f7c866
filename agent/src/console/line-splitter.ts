// Splits a stream of bytes into clean lines of bounded length, without splitting characters.

export const maxLineLength = 8192;

const newline = 0x0a;
const maxPendingBytes = maxLineLength * 4;

export class LineSplitter {
  #pending: Buffer = Buffer.alloc(0);
  #isCutting = false;
  #isRestOfFlushed = false;

  /** Number of bytes whose line has not been emitted yet; a restarted agent reads from before them. */
  get pendingBytes(): number {
    return this.#pending.length;
  }

  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      const rest = chunk.subarray(from, end);
      const isOnlyTheEnd = this.#isRestOfFlushed && this.#pending.length === 0 && rest.length === 0;
      if (this.#isCutting) this.#isCutting = false;
      else if (!isOnlyTheEnd)
        lines.push(
          clean((this.#pending.length === 0 ? rest : Buffer.concat([this.#pending, rest])).toString('utf8')),
        );
      this.#reset();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from), lines);
    return lines;
  }

  /** Returns the pending text without its newline as a line. An incomplete character stays pending. */
  flush(isEnd = false): string | null {
    const length = isEnd ? this.#pending.length : wholeCharacters(this.#pending);
    if (length === 0) return null;
    const text = clean(this.#pending.toString('utf8', 0, length));
    this.#pending = Buffer.from(this.#pending.subarray(length));
    this.#isRestOfFlushed = true;
    return text;
  }

  discard(): void {
    this.#reset();
    this.#isCutting = true;
  }

  #keep(rest: Buffer, lines: string[]): void {
    if (this.#isCutting || rest.length === 0) return;
    if (this.#pending.length + rest.length < maxPendingBytes) {
      this.#pending = Buffer.concat([this.#pending, rest]);
      return;
    }
    lines.push(clean(Buffer.concat([this.#pending, rest.subarray(0, maxPendingBytes)]).toString('utf8')));
    this.discard();
  }

  #reset(): void {
    this.#pending = Buffer.alloc(0);
    this.#isRestOfFlushed = false;
  }
}

/** Keeps tabs and the escape character of colour codes; removes every other control character. */
export function clean(text: string): string {
  const stripped = text.replace(/[\u0000-\u0008\u000a-\u001a\u001c-\u001f\u007f-\u009f]/g, '');
  if (stripped.length <= maxLineLength) return stripped;
  const isSplit = /[\ud800-\udbff]/.test(stripped.charAt(maxLineLength - 1));
  return stripped.slice(0, isSplit ? maxLineLength - 1 : maxLineLength);
}

/** Returns the length without an incomplete UTF-8 sequence at the end. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes.readUInt8(bytes.length - back);
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
