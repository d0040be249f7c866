// Results of services that are more than a record: a body shared by all callers, a table, a stream.
import type { Readable } from 'node:stream';
import { PublicContent } from './public-content.ts';

/** A body that all callers share for some time; it is serialised once, however often it is sent. */
export class SharedReply<Body> {
  readonly body: Body;
  readonly content: PublicContent;
  /** How long shared caches may store it. */
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

  /** The link for that URL, computed once while consecutive requests have the same URL. */
  link(url: string, work: () => string | undefined): string | undefined {
    if (this.#link?.url !== url) this.#link = { url, text: work() };
    return this.#link.text;
  }
}

export type Cell = string | number | boolean | null;

/** Column names, each with the function that returns its cell of a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/** Rows to be streamed as CSV. */
export class Table<Row = unknown> {
  readonly fileName: string;
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

/** Bytes to be streamed. */
export class Download {
  readonly stream: Readable;
  readonly mediaType: string;
  readonly fileName: string;
  /** In bytes, if known. */
  readonly size: number | undefined;

  constructor(stream: Readable, options: { mediaType: string; fileName: string; size?: number }) {
    this.stream = stream;
    this.mediaType = options.mediaType;
    this.fileName = options.fileName;
    this.size = options.size;
  }
}

/** A byte range of a file, both ends inclusive. */
export interface ByteRange {
  first: number;
  last: number;
}

interface StoredContentOptions {
  mediaType: string;
  fileName: string;
  size: number;
  /** Identifies the content: different content has a different tag. */
  tag: string;
  /** Whether shared caches may store it, provided that they revalidate each time; otherwise no cache may. */
  isPublic?: boolean;
  open: (range: ByteRange | undefined) => Promise<Readable>;
}

/** An immutable file, to be sent whole or as a range. */
export class StoredContent {
  readonly options: StoredContentOptions;

  constructor(options: StoredContentOptions) {
    this.options = options;
  }
}

/** Server-sent events, until the client leaves or the chunks end. */
export class EventStream {
  /** The signal is aborted when the client has left. */
  readonly chunks: (signal: AbortSignal) => AsyncIterable<string>;

  constructor(chunks: EventStream['chunks']) {
    this.chunks = chunks;
  }
}
