// Stores files in a bucket of Amazon S3 or of a compatible service.
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  NotFound,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { checkedKey, Source, storing } from './storage-fault.ts';
import type { Storage, StoredRange } from './storage.ts';

export interface S3Settings {
  /** Defaults to Amazon's endpoint for the region. */
  endpoint: string | undefined;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Whether the bucket is in the path of the URL rather than in the host. */
  forcePathStyle: boolean;
}

/** The minimum part size of the protocol. Multiplied by the parts in flight, it is the memory that an upload uses. */
const partBytes = 5 * 1024 * 1024;
const partsAtOnce = 2;
const connectMs = 5_000;
const silenceMs = 30_000;
const attempts = 4;
/** Timeout for requests without content, including their retries. */
const requestMs = 30_000;

export class S3Storage implements Storage {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #requestMs: number;

  constructor({ endpoint, bucket, region, forcePathStyle, ...credentials }: S3Settings, limitMs = requestMs) {
    this.#requestMs = limitMs;
    this.#bucket = bucket;
    this.#client = new S3Client({
      ...(endpoint !== undefined && { endpoint }),
      region,
      credentials,
      forcePathStyle,
      maxAttempts: attempts,
      // Not every compatible server supports the newer checksums. The database has the platform's own.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
    });
  }

  async put(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const source = new Source();
    const upload = new Upload({
      client: this.#client,
      params: { ...this.#object(key), Body: Readable.from(source.read(content), { objectMode: false }) },
      partSize: partBytes,
      queueSize: partsAtOnce,
    });
    try {
      await storing('an upload', () => upload.done());
    } catch (error) {
      await this.#abortUploads(key).catch(() => undefined); // the sweep tries again
      throw source.failure ?? error;
    }
  }

  async open(key: string, range?: StoredRange): Promise<Readable> {
    const object = this.#object(key);
    return storing('a download', async () => {
      const { Body: body } = await this.#inTime((limit) =>
        this.#client.send(
          new GetObjectCommand({
            ...object,
            ...(range !== undefined && { Range: `bytes=${range.first}-${range.last}` }),
          }),
          limit,
        ),
      );
      if (!(body instanceof Readable)) throw new Error('the response has no content');
      return body;
    });
  }

  async sizeOf(key: string): Promise<number | null> {
    const object = this.#object(key);
    return storing('a look at an object', async () => {
      try {
        const { ContentLength: size } = await this.#inTime((limit) =>
          this.#client.send(new HeadObjectCommand(object), limit),
        );
        return size ?? null;
      } catch (error) {
        if (error instanceof NotFound) return null;
        throw error;
      }
    });
  }

  async remove(key: string): Promise<void> {
    const object = this.#object(key);
    await storing('a removal', async () => {
      await this.#abortUploads(key);
      await this.#inTime((limit) => this.#client.send(new DeleteObjectCommand(object), limit));
    });
  }

  close(): void {
    this.#client.destroy();
  }

  /** Aborts abandoned uploads; their parts would be stored, and billed, indefinitely. */
  async #abortUploads(key: string): Promise<void> {
    const { Uploads: uploads = [] } = await this.#inTime((limit) =>
      this.#client.send(
        new ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix: checkedKey(key) }),
        limit,
      ),
    );
    for (const { Key, UploadId } of uploads) {
      if (Key === key)
        await this.#inTime((limit) =>
          this.#client.send(new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId }), limit),
        );
    }
  }

  /** Aborts a request and its retries after the timeout; streaming the content may take longer. */
  async #inTime<T>(send: (limit: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    const ending = new AbortController();
    const timer = setTimeout(
      () => ending.abort(new Error(`the storage did not respond within ${this.#requestMs} ms`)),
      this.#requestMs,
    );
    try {
      return await send({ abortSignal: ending.signal });
    } finally {
      clearTimeout(timer);
    }
  }

  #object(key: string) {
    return { Bucket: this.#bucket, Key: checkedKey(key) };
  }
}
