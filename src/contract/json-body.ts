// Reads a JSON body within limits of bytes, entries and depth, and parses none that is beyond them.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../errors.ts';
import { countFields, isStorable, maxDepth } from './storable-values.ts';

/** Bodies up to this size are judged where requests are served: that takes less than handing them over. */
export const largeBytes = 128 * 1024;

/** A limit of entries follows from the limit of bytes: what people mean has more than this for each entry. */
const minBytesPerEntry = 16;
const minEntriesAllowed = 4_096;

export interface ReadLimits {
  maxBytes: number;
  /** Bodies with more bytes are put into memory that another thread can see. */
  sharedAbove: number;
}

/** The body's bytes as they came; undefined where there are none. */
export async function readBytes(
  request: IncomingMessage,
  { maxBytes, sharedAbove }: ReadLimits,
): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError('malformed_body', 'The body broke off.', { cause: error });
  }
  if (size === 0) return undefined;
  return size > sharedAbove ? joinedInShared(chunks, size) : Buffer.concat(chunks, size);
}

/** Each copy of eight megabytes takes milliseconds. */
function joinedInShared(chunks: readonly Buffer[], size: number): Buffer {
  const bytes = Buffer.from(new SharedArrayBuffer(size));
  let offset = 0;
  for (const chunk of chunks) offset += chunk.copy(bytes, offset);
  return bytes;
}

const tooLarge = () => new DomainError('payload_too_large', 'The body is larger than this operation takes.');

/** The value of JSON text, or a refusal: text that is too deep or has too many entries is not parsed at all. */
export function parseBytes(bytes: Buffer, maxBytes: number): unknown {
  if (!isUtf8(bytes)) throw new DomainError('malformed_body', 'The body is not UTF-8.');
  const fieldCount = countedFields(bytes, Math.max(minEntriesAllowed, maxBytes / minBytesPerEntry));
  const value = parse(bytes);
  // Parsers disagree on which of the two counts, and checks with them.
  if (countFields(value) !== fieldCount)
    throw new DomainError('malformed_body', 'A field stands twice in one object of the body.');
  return value;
}

/** The value of JSON text that was judged before. */
export function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, '')) as unknown;
  } catch (error) {
    throw new DomainError('malformed_body', 'The body is not what its headers say it is.', { cause: error });
  }
}

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** How many fields the objects of JSON text have; whether it is JSON is not looked at. */
function countedFields(bytes: Buffer, maxEntries: number): number {
  let depth = 0;
  let entryCount = 0;
  let fieldCount = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === quote) {
      index += 1;
      while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
    } else if (byte === comma) entryCount += 1;
    else if (byte === colon) fieldCount += 1;
    else if (byte === openBracket || byte === openBrace) {
      depth += 1;
      entryCount += 1;
      if (depth > maxDepth) throw refusal('is nested too deeply');
    } else if (byte === closeBracket || byte === closeBrace) depth -= 1;
    if (entryCount > maxEntries) throw refusal('has too many entries');
  }
  return fieldCount;
}

const refusal = (detail: string) =>
  new DomainError('validation_failed', `body: ${detail}`, {
    faults: [{ in: 'body', pointer: '', detail }],
  });

/** Refuses what PostgreSQL could not store. */
export function refuseUnstorable(value: unknown): void {
  if (isStorable(value)) return;
  throw new DomainError(
    'validation_failed',
    'The request has what can not be stored: NUL, half a character, an endless number or endless nesting.',
  );
}
