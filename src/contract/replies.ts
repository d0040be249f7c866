// What a handler may answer besides a plain body: one that may still change, one with a version, one for everybody, a table, a stream.
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { PublicContent } from './compressed.ts';

/** A body with the version of what it shows. Whoever changes that names the version they saw; see `expectedVersion`. */
export class Versioned<Body> {
  readonly body: Body;
  /** A number that counts changes, or a hash of what is shown. */
  readonly version: number | string;

  constructor(body: Body, version: number | string) {
    this.body = body;
    this.version = version;
  }
}

/** A reply that may still change: it settles after the transaction has ended, and what it has become is sent instead. */
export class Settling<Body> {
  readonly body: Body;
  readonly #settle: () => Promise<Body>;

  constructor(body: Body, settle: () => Promise<Body>) {
    this.body = body;
    this.#settle = settle;
  }

  /** The body as it has become; as it was where that can't be told: what was done is answered all the same. */
  async end(log: Logger): Promise<Body> {
    try {
      return await this.#settle();
    } catch (error) {
      log.warn({ err: error }, 'an answer could not be brought up to date');
      return this.body;
    }
  }
}

/** A reply of what changes nothing: found out after the transaction has ended, and anew for each request with its key. */
export class Unkept<Body> {
  readonly find: () => Promise<Body>;

  constructor(find: () => Promise<Body>) {
    this.find = find;
  }
}

/** A body that everybody gets alike for some time: written out once, however often it is sent. */
export class SharedReply<Body> {
  readonly body: Body;
  readonly content: PublicContent;
  /** How long caches may keep it for everybody. */
  readonly publicSeconds: number;
  /** In milliseconds since 1970. */
  readonly freshUntil: number;
  #link: { url: string; text: string | undefined } | undefined;

  constructor(body: Body, publicSeconds: number) {
    this.body = body;
    this.content = new PublicContent(JSON.stringify(body));
    this.publicSeconds = publicSeconds;
    this.freshUntil = Date.now() + publicSeconds * 1000;
  }

  /** The link that goes with it at that address, worked out once while the same one is asked for. */
  link(url: string, work: () => string | undefined): string | undefined {
    if (this.#link?.url !== url) this.#link = { url, text: work() };
    return this.#link.text;
  }
}

export type Cell = string | number | boolean | null;

/** Names of columns, each with its cell of a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/** Rows to be sent as CSV while they are read. */
export class Table<Row = unknown> {
  readonly fileName: string;
  /** Names of the columns. */
  readonly names: readonly string[];
  /** The cells of each row, in the order of the names. */
  readonly records: () => AsyncGenerator<Cell[]>;

  constructor(fileName: string, columns: Columns<Row>, rows: AsyncIterable<Row> | Iterable<Row>) {
    this.fileName = fileName;
    this.names = Object.keys(columns);
    const cells = Object.values(columns);
    this.records = async function* () {
      for await (const row of rows) yield cells.map((cellOf) => cellOf(row));
    };
  }
}

/** Bytes to be sent as they come. */
export class Download {
  readonly stream: Readable;
  readonly mediaType: string;
  readonly fileName: string;
  /** In bytes, if it is known. */
  readonly size: number | undefined;

  constructor(stream: Readable, options: { mediaType: string; fileName: string; size?: number }) {
    this.stream = stream;
    this.mediaType = options.mediaType;
    this.fileName = options.fileName;
    this.size = options.size;
  }
}

/** Part of a file, both ends included. */
export interface ByteRange {
  first: number;
  last: number;
}

interface StoredContentOptions {
  mediaType: string;
  fileName: string;
  size: number;
  /** Names the content: another content has another one. */
  tag: string;
  /** Whether caches may keep it for everybody, if they ask each time whether they still may; otherwise nobody keeps it. */
  isPublic?: boolean;
  open: (range: ByteRange | undefined) => Promise<Readable>;
}

/** A file that never changes, to be sent whole or in part. */
export class StoredContent {
  readonly options: StoredContentOptions;

  constructor(options: StoredContentOptions) {
    this.options = options;
  }
}

/** What is sent of a handler's reply. */
export async function endOf(reply: unknown, log: Logger): Promise<unknown> {
  if (reply instanceof Unkept) return reply.find() as Promise<unknown>;
  return reply instanceof Settling ? (reply.end(log) as Promise<unknown>) : reply;
}
