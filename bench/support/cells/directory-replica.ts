// The whole directory in the memory of a router: a hash table of digests, and the cell of each license.
import { hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { Writable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { connectTo } from './client.ts';

const pollMs = 100;
const empty = 0xffffffff;

interface ChangeRow {
  seq: string;
  digest: string | null;
  number: number;
  cell: number;
  committed_ms: number;
}

export class DirectoryReplica {
  readonly #client: pg.Client;
  /** 64 bits of each digest; two identifiers that share them would be led to one cell, which then knows one of them only. */
  readonly #high: Uint32Array;
  readonly #low: Uint32Array;
  readonly #numbers: Uint32Array;
  readonly #cells: Uint16Array;
  readonly #slots: number;
  /** How long after its commit each change was seen. */
  readonly delaysMs: number[] = [];
  #seq = 0;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> = Promise.resolve();

  private constructor(client: pg.Client, maxLicenses: number, maxEntries: number) {
    this.#client = client;
    this.#slots = Math.ceil(maxEntries / 0.7);
    this.#high = new Uint32Array(this.#slots);
    this.#low = new Uint32Array(this.#slots);
    this.#numbers = new Uint32Array(this.#slots).fill(empty);
    this.#cells = new Uint16Array(maxLicenses);
  }

  /** Loads everything, and then follows the changes. */
  static async open(url: string, maxLicenses: number, maxEntries: number): Promise<DirectoryReplica> {
    const client = await connectTo(url);
    const replica = new DirectoryReplica(client, maxLicenses, maxEntries);
    await replica.#load();
    replica.#follow();
    return replica;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#polling;
    await this.#client.end();
  }

  cellOf(identifier: string): number | undefined {
    const digest = hash('sha256', identifier, 'buffer');
    const number = this.#numbers[this.#find(digest.readUInt32BE(0), digest.readUInt32BE(4))];
    return number === undefined || number === empty ? undefined : this.#cells[number];
  }

  /** The slot of the digest, or the free one where it would be. */
  #find(high: number, low: number): number {
    let slot = (high * 0x100000 + low) % this.#slots;
    while (this.#numbers[slot] !== empty && (this.#high[slot] !== high || this.#low[slot] !== low))
      slot = slot + 1 === this.#slots ? 0 : slot + 1;
    return slot;
  }

  #set(digest: Buffer, number: number): void {
    const [high, low] = [digest.readUInt32BE(0), digest.readUInt32BE(4)];
    const slot = this.#find(high, low);
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#numbers[slot] = number;
  }

  async #load(): Promise<void> {
    // One snapshot, so that the changes that follow are exactly those that it lacks.
    await this.#client.query('begin isolation level repeatable read read only');
    const { rows } = await this.#client.query<{ seq: string }>(
      'select coalesce(max(seq), 0) as seq from change',
    );
    this.#seq = Number(rows[0]?.seq);
    await this.#read('select number, cell::int from license_cell', (row) => {
      this.#cells[row.readUInt32BE(6)] = row.readUInt32BE(14);
    });
    await this.#read('select digest, number from entry', (row) => {
      this.#set(row.subarray(6, 22), row.readUInt32BE(26));
    });
    await this.#client.query('commit');
  }

  /** Calls `take` with each row of two columns without nulls, as the binary format of COPY has it. */
  async #read(query: string, take: (row: Buffer) => void): Promise<void> {
    let rest: Buffer = Buffer.alloc(0);
    let isBegun = false;
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        let data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        if (!isBegun && data.length >= 19) {
          data = data.subarray(19);
          isBegun = true;
        }
        while (isBegun && data.length >= 6 && data.readInt16BE(0) === 2) {
          const first = data.readUInt32BE(2);
          if (data.length < first + 10) break;
          const end = first + 10 + data.readUInt32BE(first + 6);
          if (data.length < end) break;
          take(data.subarray(0, end));
          data = data.subarray(end);
        }
        rest = data;
        done();
      },
    });
    await pipeline(this.#client.query(copyTo(`copy (${query}) to stdout (format binary)`)), sink);
  }

  #follow(): void {
    this.#timer = setTimeout(() => {
      this.#polling = this.#poll().then(() => {
        if (this.#timer !== undefined) this.#follow();
      });
    }, pollMs);
  }

  async #poll(): Promise<void> {
    const { rows } = await this.#client.query<ChangeRow>({
      name: 'changes',
      text: `select seq, digest, number, cell, extract(epoch from committed_at)::float8 * 1000 as committed_ms
             from change where seq > $1 order by seq limit 10000`,
      values: [this.#seq],
    });
    for (const { seq, digest, number, cell, committed_ms: committedMs } of rows) {
      this.#cells[number] = cell;
      if (digest !== null) this.#set(Buffer.from(digest.replaceAll('-', ''), 'hex'), number);
      this.#seq = Number(seq);
      this.delaysMs.push(performance.timeOrigin + performance.now() - committedMs);
    }
  }
}
