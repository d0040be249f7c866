// Public content in the encodings that clients accept, each made once; only public content is compressed.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/**
 * Only content that is equal for all callers is compressed. The length of compressed text reveals what its parts have
 * in common, so a response with a secret beside attacker-chosen text would leak the secret bit by bit (BREACH).
 * Responses for one caller may contain both, now or after a later change; public ones contain no secret.
 */
export class PublicContent {
  readonly plain: Buffer;
  #tag: string | undefined;
  readonly #made = new Map<Encoding, Promise<Buffer>>();

  constructor(plain: Buffer | string) {
    this.plain = Buffer.from(plain);
  }

  /** Identifies the content: different content has a different tag. */
  get tag(): string {
    this.#tag ??= createHash('sha256').update(this.plain).digest('base64url');
    return this.#tag;
  }

  isKnownTo({ headers }: Request): boolean {
    return hasTag(headers['if-none-match'], this.tag);
  }

  /** Sends the content, or 304 if the client has it already. The caller sets the content type and cache lifetime. */
  async send(request: Request, response: Response): Promise<void> {
    const encoding = this.plain.byteLength < minBytes ? undefined : encodingFor(request);
    response.vary('Accept-Encoding');
    response.setHeader('ETag', encoding === undefined ? `"${this.tag}"` : `"${this.tag}-${encoding}"`);
    if (this.isKnownTo(request)) {
      response.status(304).end();
      return;
    }
    const bytes = encoding === undefined ? this.plain : await this.#in(encoding);
    if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
    response.setHeader('Content-Length', bytes.byteLength);
    response.end(bytes);
  }

  #in(encoding: Encoding): Promise<Buffer> {
    let bytes = this.#made.get(encoding);
    if (bytes === undefined) {
      bytes = compress[encoding](this.plain);
      this.#made.set(encoding, bytes);
    }
    return bytes;
  }
}

type Encoding = 'br' | 'gzip';

/** Smaller content fits one packet uncompressed. */
const minBytes = 1_024;

const compress: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        // Levels above 9 take thirty times as long for a tenth less.
        [constants.BROTLI_PARAM_QUALITY]: 9,
        // A window larger than the content only costs memory, which takes longer to allocate than to fill.
        [constants.BROTLI_PARAM_LGWIN]: windowBitsFor(bytes.byteLength),
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

/** The smallest window that the content fits in, of those with the usual size at most. */
const windowBitsFor = (byteLength: number) =>
  Math.min(
    Math.max(Math.ceil(Math.log2(byteLength + windowGap)), constants.BROTLI_MIN_WINDOW_BITS),
    constants.BROTLI_DEFAULT_WINDOW,
  );

/** Brotli's windows are this much smaller than their power of two. */
const windowGap = 16;

/** The encoding that the client accepts; the smaller result if it accepts both. */
function encodingFor(request: Request): Encoding | undefined {
  if (request.headers['accept-encoding'] === undefined) return undefined;
  return (['br', 'gzip'] as const).find((encoding) => request.acceptsEncodings(encoding) === encoding);
}

/** Whether the list of `If-None-Match` contains the tag, in any encoding. */
function hasTag(list: string | undefined, tag: string): boolean {
  return (list ?? '').split(',').some((item) => {
    const given = item.trim().replace(/^W\//, '');
    return given === '*' || given.replace(/(?:-br|-gzip)?"$/, '"') === `"${tag}"`;
  });
}
