// Reads a multipart body: first its fields, then, as a stream, the file that the fields describe.
import { Readable } from 'node:stream';
import busboy, { type PartHeaderReader, type PartHeaders, type Parser } from 'busboy';
import utils from 'busboy/lib/utils.js';
import type { Request, Response } from 'express';
import { DomainError, invalidField } from '../errors.ts';
import { unreadableBody } from './problem.ts';
import type { Spool } from './spool.ts';

/** Name of the part that holds the file. */
export const fileField = 'file';

const limits = { files: 1, fields: 20, fieldSize: 16 * 1024, parts: 22 };

export interface Parts {
  fields: Record<string, unknown>;
  /** Undefined if the body has no file. */
  file: Readable | undefined;
}

export interface PartsExpected {
  /** Names of the fields besides the file. */
  fields: readonly string[];
  /** Maximum bytes of the file. */
  maxBytes: number;
  /** Buffers on disk a file that arrives before one of the fields. */
  spool: Spool;
  /** The caller whose share of the disk budget the file counts against. */
  holder: string;
}

/**
 * Resolves as soon as the file begins, or when the body has ended without a file. A file that follows all fields is
 * streamed and not stored: a slow reader slows the sender down. A file that precedes a field is first written to disk,
 * because it cannot be validated yet. In both cases the stream ends without an error only if the whole body was
 * well-formed and the file had at most `maxBytes`.
 */
export async function readParts(
  request: Request,
  response: Response,
  expected: PartsExpected,
): Promise<Parts> {
  const begun = Promise.withResolvers<Parts>();
  const ended = Promise.withResolvers<void>();
  ended.promise.catch(() => undefined); // the reader of the file gets the error
  const fields = new Map<string, string>();
  let part: Readable | undefined;
  const parser = parserOf(request);
  const fail = (error: unknown) => {
    const refusal = refusalOf(error);
    ended.reject(refusal);
    begun.reject(refusal);
    part?.destroy(refusal as Error);
    hold(request);
  };
  parser.on('field', (name, value, { valueTruncated }) => {
    if (name === undefined) fail(new Error('a part has no name'));
    else if (fields.has(name)) fail(fieldFault(name, 'must not come twice'));
    else if (!expected.fields.includes(name)) fail(fieldFault(name, 'is not a field of this body'));
    else if (valueTruncated) fail(tooLarge());
    else fields.set(name, value);
  });
  parser.on('file', (_name, stream) => {
    part = stream;
    stream.on('error', () => undefined); // its reader gets the error; a refused body has no reader
    const content = Readable.from(
      contentOf({ request, part: stream, maxBytes: expected.maxBytes, ended: ended.promise }),
      { objectMode: false },
    );
    const hasAllFields = expected.fields.every((name) => fields.has(name));
    if (hasAllFields) begun.resolve({ fields: Object.fromEntries(fields), file: content });
    else
      expected.spool
        .keep(content, { response, holder: expected.holder, abort: fail })
        .then((file) => begun.resolve({ fields: Object.fromEntries(fields), file }), fail);
  });
  parser.on('filesLimit', () =>
    fail(invalidField({ in: 'body', pointer: `/${fileField}`, detail: 'is one file too many' })),
  );
  parser.on('fieldsLimit', () => fail(tooLarge()));
  parser.on('partsLimit', () => fail(tooLarge()));
  parser.on('error', fail);
  parser.on('close', () => {
    ended.resolve();
    if (part === undefined) begun.resolve({ fields: Object.fromEntries(fields), file: undefined });
  });
  request.on('error', fail);
  request.on('close', () => {
    if (!request.readableEnded) fail(new Error('the body broke off'));
  });
  request.pipe(parser);
  return begun.promise;
}

function parserOf({ headers }: Request): Parser {
  try {
    const parser = busboy({ headers: { 'content-type': headers['content-type'] ?? '' }, limits });
    settleParts(parser);
    return parser;
  } catch (error) {
    throw unreadable(error);
  }
}

/**
 * Identifies the file part by its name alone: generated clients give it any content type, and some omit its filename or
 * give filenames to fields. busboy decides by content type and filename and has no setting for that, so each part's
 * headers are rewritten before busboy interprets them.
 */
function settleParts(parser: Parser): void {
  let reader: PartHeaderReader | null = null;
  let isSettled = false;
  Object.defineProperty(parser, '_hparser', {
    get: () => reader,
    set: (next: PartHeaderReader | null) => {
      reader = next;
      if (next === null || isSettled) return;
      isSettled = true;
      const read = next.cb;
      next.cb = (headers) => read(settled(headers));
    },
  });
}

function settled(headers: PartHeaders): PartHeaders {
  const [text = ''] = headers['content-disposition'] ?? [];
  const disposition = utils.parseDisposition(text, (raw) => raw);
  const name = disposition?.params.name;
  if (disposition?.type !== 'form-data' || name === undefined) return headers;
  const named: PartHeaders = {
    ...headers,
    'content-disposition': [`form-data; name="${name.replace(/["\\]/g, '\\$&')}"`],
  };
  if (name === fileField) return { ...named, 'content-type': ['application/octet-stream'] };
  if (headers['content-type']?.[0].toLowerCase().startsWith('application/octet-stream') === true)
    delete named['content-type'];
  return named;
}

interface Arriving {
  request: Request;
  part: Readable;
  maxBytes: number;
  /** Settles when the whole body has been read. */
  ended: Promise<void>;
}

async function* contentOf({ request, part, maxBytes, ended }: Arriving): AsyncGenerator<Buffer> {
  let size = 0;
  let isWhole = false;
  try {
    for await (const bytes of part as AsyncIterable<Buffer>) {
      size += bytes.byteLength;
      if (size > maxBytes) throw tooLarge();
      yield bytes;
    }
    isWhole = true;
  } catch (error) {
    throw refusalOf(error);
  } finally {
    if (!isWhole) hold(request);
  }
  await ended;
}

/** Stops reading the body, however much is left. */
function hold(request: Request): void {
  request.unpipe();
  request.pause();
}

const fieldFault = (name: string, detail: string) =>
  invalidField({ in: 'body', pointer: `/${name}`, detail });

function refusalOf(error: unknown): unknown {
  return error instanceof DomainError ? error : unreadable(error);
}

function tooLarge() {
  return new DomainError('payload_too_large', 'A part of the body is larger than this operation takes.');
}

const unreadable = (cause: unknown) =>
  unreadableBody(Object.assign(new Error('multipart', { cause }), { status: 400 }));
