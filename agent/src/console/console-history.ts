// Console lines of one instance on disk, over runs and restarts of the agent. Two files bound their size.
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { hasCode } from '../errors.ts';
import type { ConsoleLine } from '../messages.ts';

export interface HistoryPosition {
  boot: string;
  seq: number;
}

export interface HistoryPage {
  /** The run of all lines; null if there are none. */
  boot: string | null;
  lines: ConsoleLine[];
  hasEarlier: boolean;
}

/** A part of the records with lines of one run. */
interface Segment {
  boot: string;
  /** Indices of its first record, and of the record after its last one. */
  from: number;
  to: number;
}

/** At least this much is kept, and at most twice as much. */
const fileBytes = 4 * 1024 * 1024;
const maxPageBytes = 512 * 1024;
const noPage: HistoryPage = { boot: null, lines: [], hasEarlier: false };

const bootRecord = /^\{"boot":"([^"]+)"\}$/;
/** Numbers are read without parsing the records. */
const lineRecord = /^\{"seq":(\d+),/;

export class ConsoleHistory {
  readonly #path: string;
  readonly #log: Logger;
  /** The run that the last record belongs to; null before the first record of this agent. */
  #boot: string | null = null;
  #bytes: number | null = null;
  #isFailing = false;

  constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
  }

  /** Adds lines, which are JSON texts of `ConsoleLine`. A full disk loses them. */
  append(boot: string, lines: readonly string[]): void {
    try {
      if (this.#sizeNow() > fileBytes) this.#rotate();
      const head = this.#boot === boot ? '' : `\n{"boot":${JSON.stringify(boot)}}\n`;
      const text = `${head}${lines.join('\n')}\n`;
      appendFileSync(this.#path, text, { mode: 0o600 });
      this.#boot = boot;
      this.#bytes = this.#sizeNow() + Buffer.byteLength(text);
      this.#isFailing = false;
    } catch (error) {
      // The next record has to name its run, because this one may be torn.
      this.#boot = null;
      if (this.#isFailing) return; // logged once per failure
      this.#isFailing = true;
      this.#log.warn({ file: this.#path, err: error }, 'console lines cannot be kept');
    }
  }

  /** Returns the lines before a position, or the newest ones. */
  async before(position: HistoryPosition | undefined, limit: number): Promise<HistoryPage> {
    const records = [...(await recordsOf(`${this.#path}.1`)), ...(await recordsOf(this.#path))];
    const segments = segmentsOf(records);
    const last = position === undefined ? -1 : segments.findLastIndex(({ boot }) => boot === position.boot);
    if (position !== undefined && last === -1) return noPage;
    for (const { boot, from, to } of (last === -1 ? segments : segments.slice(0, last + 1)).toReversed()) {
      const end = boot === position?.boot ? from + countBefore(records.slice(from, to), position.seq) : to;
      const lines = newest(records.slice(from, end), limit);
      const [first] = lines;
      if (first === undefined) continue;
      return { boot, lines, hasEarlier: hasLineBefore(records, segments, { boot, seq: first.seq }) };
    }
    return noPage;
  }

  #sizeNow(): number {
    this.#bytes ??= statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    return this.#bytes;
  }

  #rotate(): void {
    renameSync(this.#path, `${this.#path}.1`);
    this.#boot = null;
    this.#bytes = 0;
  }
}

async function recordsOf(path: string): Promise<string[]> {
  try {
    return (await readFile(path, 'utf8')).split('\n');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

function segmentsOf(records: readonly string[]): Segment[] {
  const segments: Segment[] = [];
  for (const [index, record] of records.entries()) {
    const boot = record.startsWith('{"boot"') ? bootRecord.exec(record)?.[1] : undefined;
    const current = segments.at(-1);
    if (boot !== undefined && boot !== current?.boot) segments.push({ boot, from: index, to: index + 1 });
    else if (current !== undefined) current.to = index + 1;
  }
  return segments;
}

const seqOf = (record: string): number | null => {
  const seq = lineRecord.exec(record)?.[1];
  return seq === undefined ? null : Number(seq);
};

/** How many records precede the first line with this number or a higher one. */
function countBefore(records: readonly string[], seq: number): number {
  const found = records.findIndex((record) => (seqOf(record) ?? 0) >= seq);
  return found === -1 ? records.length : found;
}

/** The newest complete lines that fit into one page. */
function newest(records: readonly string[], limit: number): ConsoleLine[] {
  const lines: ConsoleLine[] = [];
  let bytes = 0;
  for (let index = records.length - 1; index >= 0 && lines.length < limit; index -= 1) {
    const record = records[index] ?? '';
    const line = seqOf(record) === null ? undefined : lineOf(record);
    if (line === undefined) continue;
    bytes += Buffer.byteLength(record);
    if (bytes > maxPageBytes) break;
    lines.push(line);
  }
  return lines.reverse();
}

/** Undefined for a record that a full disk or a crash has torn. */
function lineOf(record: string): ConsoleLine | undefined {
  try {
    return JSON.parse(record) as ConsoleLine;
  } catch {
    return undefined;
  }
}

function hasLineBefore(
  records: readonly string[],
  segments: readonly Segment[],
  { boot, seq }: HistoryPosition,
): boolean {
  const [oldest] = segments;
  if (oldest === undefined) return false;
  const first = records.slice(oldest.from, oldest.to).find((record) => seqOf(record) !== null);
  return first !== undefined && (oldest.boot !== boot || (seqOf(first) ?? seq) < seq);
}
