// Reads a JSON body within limits of bytes, entries and depth, and parses no body beyond them.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../errors.ts';
import { countFields, isStorable, maxDepth } from './storable-values.ts';

/** Bodies up to this size are validated on the main thread, which costs less than sending them to the worker thread. */
export const largeBytes = 128 * 1024;

/** The entry limit follows from the byte limit: legitimate bodies have more than this many bytes per entry. */
const minBytesPerEntry = 16;
const minEntriesAllowed = 4_096;

export interface ReadLimits {
  maxBytes: number;
  /** Bodies with more bytes than this are read into memory that another thread can share. */
  sharedAbove: number;
}

/** The raw bytes of the body; undefined if there is none. */
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

/** Copies once, straight into shared memory: each copy of eight megabytes takes milliseconds. */
function joinedInShared(chunks: readonly Buffer[], size: number): Buffer {
  const bytes = Buffer.from(new SharedArrayBuffer(size));
  let offset = 0;
  for (const chunk of chunks) offset += chunk.copy(bytes, offset);
  return bytes;
}

const tooLarge = () => new DomainError('payload_too_large', 'The body is larger than this operation takes.');

/** The value of JSON text. Text that is too deep or has too many entries is refused without parsing it. */
export function parseBytes(bytes: Buffer, maxBytes: number): unknown {
  if (!isUtf8(bytes)) throw new DomainError('malformed_body', 'The body is not UTF-8.');
  const fieldCount = countedFields(bytes, Math.max(minEntriesAllowed, maxBytes / minBytesPerEntry));
  const value = parse(bytes);
  // Parsers disagree on which duplicate field counts, so a check in one parser could be bypassed in another.
  if (countFields(value) !== fieldCount)
    throw new DomainError('malformed_body', 'An object of the body has the same field twice.');
  return value;
}

/** Parses JSON text that was already validated. */
export function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, '')) as unknown;
  } catch (error) {
    throw new DomainError('malformed_body', 'The body is not valid JSON.', { cause: error });
  }
}

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts the fields of all objects in JSON text, without checking that the text is valid JSON. */
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

/** Refuses values that PostgreSQL cannot store. */
export function refuseUnstorable(value: unknown): void {
  if (isStorable(value)) return;
  throw new DomainError(
    'validation_failed',
    'The request has a value that cannot be stored: a NUL character, an unpaired surrogate, a number without limit or too many nested levels.',
  );
}
