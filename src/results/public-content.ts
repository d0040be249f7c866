// Content in the encodings that a client may take, each made once, and the rule of what may be compressed at all.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/**
 * The rule: only what everybody gets alike is compressed. The length of compressed text tells what it has in common with
 * itself, so an answer that holds a secret beside text that somebody else chose would give the secret away bit by bit
 * (BREACH). What a caller gets as themselves may hold both, now or after the next change; what is public holds no secret.
 */
export class PublicContent {
  readonly plain: Buffer;
  /** Names the content: another content has another one. */
  readonly tag: string;
  readonly #made = new Map<Encoding, Promise<Buffer>>();

  constructor(plain: Buffer | string) {
    this.plain = Buffer.from(plain);
    this.tag = createHash('sha256').update(this.plain).digest('base64url');
  }

  isKnownTo({ headers }: Request): boolean {
    return hasTag(headers['if-none-match'], this.tag);
  }

  /** Sends it, or 304 to a client that has it. The caller has set its type and how long it may be kept. */
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

/** Smaller content fits one packet as it is. */
const minBytes = 1_024;

const compress: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  // Beyond 9 it takes thirty times as long for a tenth less.
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

/** What the client takes, the smaller one where it takes both. */
function encodingFor(request: Request): Encoding | undefined {
  if (request.headers['accept-encoding'] === undefined) return undefined;
  return (['br', 'gzip'] as const).find((encoding) => request.acceptsEncodings(encoding) === encoding);
}

/** Whether the list of `If-None-Match` has the tag, in whichever encoding it was sent. */
function hasTag(list: string | undefined, tag: string): boolean {
  return (list ?? '').split(',').some((item) => {
    const given = item.trim().replace(/^W\//, '');
    return given === '*' || given.replace(/(?:-br|-gzip)?"$/, '"') === `"${tag}"`;
  });
}
