// Lines of a console as its viewers get them: the newest ones that fit, encoded once for all of them.
import type { components } from '../../generated/console.d.ts';
import type { BusSchemas } from '../platform-contract/bus-types.ts';

type Lines = BusSchemas['ConsoleBatch']['lines'];
type LinesFrame = components['schemas']['ConsoleLinesFrame'];

export interface Batch {
  boot: string;
  lines: Lines;
}

export class ConsoleLines implements Batch {
  readonly boot: string;
  readonly lines: Lines;
  #frame: Buffer | undefined;

  constructor(boot: string, lines: Lines) {
    this.boot = boot;
    this.lines = lines;
  }

  /** The frame with all of these lines. Viewers share its bytes, also while slow ones have not read them. */
  get frame(): Buffer {
    const frame: LinesFrame = { type: 'lines', boot: this.boot, lines: this.lines };
    this.#frame ??= Buffer.from(JSON.stringify(frame));
    return this.#frame;
  }
}

/**
 * The newest lines of the messages that fit into that many bytes, oldest first, a batch for each boot. Messages that do
 * not fit are not read. A line counts with its share of its message's bytes.
 */
export function newestLines(
  messages: readonly Uint8Array[],
  maxBytes: number,
  read: (message: Uint8Array) => Batch | undefined,
): { batches: Batch[]; bytes: number } {
  const batches: Batch[] = [];
  let bytes = 0;
  for (const message of messages.toReversed()) {
    if (bytes >= maxBytes) break;
    const batch = read(message);
    if (batch === undefined || batch.lines.length === 0) continue;
    const ofLine = message.byteLength / batch.lines.length;
    const fitting = Math.floor((maxBytes - bytes) / ofLine);
    if (fitting === 0) break;
    const lines = batch.lines.slice(-fitting);
    bytes += lines.length * ofLine;
    const newer = batches[0];
    if (newer?.boot === batch.boot) newer.lines = [...lines, ...newer.lines];
    else batches.unshift({ boot: batch.boot, lines });
    if (lines.length < batch.lines.length) break;
  }
  return { batches, bytes };
}
