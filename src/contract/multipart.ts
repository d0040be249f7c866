// Reads a body that comes in parts: first its fields, then, while it arrives, the file that they are about.
import { Readable, type Writable } from 'node:stream';
import type { Request, Response } from 'express';
import multer, { MulterError, type Options } from 'multer';
import { DomainError, invalidField } from '../errors.ts';
import { unreadableBody } from './problem.ts';

/** The part that is a file. */
const fileField = 'file';

const limits = { files: 1, fields: 20, fieldSize: 16 * 1024, fieldNestingDepth: 0, headerPairs: 20 };

export interface Parts {
  fields: Record<string, unknown>;
  /** Undefined when the body has no file. */
  file: Readable | undefined;
}

interface Arriving {
  request: Request;
  part: Readable;
  mostBytes: number;
  done: (error: null, info: { size: number }) => void;
  /** Settles with the whole body. */
  ended: Promise<void>;
}

/**
 * Answers as soon as the file begins, or once the body has ended without one. Nothing is kept of the file: whoever reads
 * it holds back the sender by being slow, and it ends well only if the whole body was well-formed and the file had at
 * most `mostBytes`.
 */
export async function readParts(request: Request, response: Response, mostBytes: number): Promise<Parts> {
  const begun = Promise.withResolvers<Parts>();
  const ended = Promise.withResolvers<void>();
  ended.promise.catch(() => undefined); // the reader of the file sees it
  let hasFileBegun = false;
  const options: Options & StreamHandling = {
    storage: {
      _handleFile: (_request, { stream }, done) => {
        hasFileBegun = true;
        const content = contentOf({ request, part: stream, mostBytes, done, ended: ended.promise });
        begun.resolve({ fields: fieldsOf(request), file: Readable.from(content, { objectMode: false }) });
      },
      // What became of its content is its reader's business.
      _removeFile: (_request, _file, done) => done(null),
    },
    limits: { ...limits, fileSize: mostBytes },
    streamHandler: (_request, parser) => {
      nameFiles(parser);
      parser.on('field', (name: string) => {
        // When the file was taken, nobody had looked at it.
        if (hasFileBegun) ended.reject(fieldFault(name, 'must come before the file'));
      });
      request.pipe(parser);
    },
  };
  void multer(options).single(fileField)(request, response, (error?: unknown) => {
    if (error !== undefined && error !== null) {
      ended.reject(refusalOf(error));
      begun.reject(refusalOf(error));
    } else {
      ended.resolve();
      begun.resolve({ fields: fieldsOf(request), file: undefined });
    }
  });
  return begun.promise;
}

/** What multer can be told, but does not say in its types. */
interface StreamHandling {
  streamHandler: (request: Request, parser: Writable) => void;
}

/** A part of bytes is a file, also where its sender gave it no name, as some generated clients do. */
function nameFiles(parser: Writable): void {
  const emit = parser.emit.bind(parser) as (event: string, ...values: unknown[]) => boolean;
  parser.emit = (event: string, ...values: unknown[]) => {
    const [field, stream, about] = values as [unknown, unknown, { filename?: string } | undefined];
    return event === 'file' && !about?.filename
      ? emit(event, field, stream, { ...about, filename: 'unnamed' })
      : emit(event, ...values);
  };
}

async function* contentOf({ request, part, mostBytes, done, ended }: Arriving): AsyncGenerator<Buffer> {
  let size = 0;
  let isWhole = false;
  try {
    for await (const bytes of part as AsyncIterable<Buffer>) {
      size += bytes.byteLength;
      if (size > mostBytes) throw tooLarge();
      yield bytes;
    }
    isWhole = true;
  } catch (error) {
    throw refusalOf(error);
  } finally {
    if (isWhole) done(null, { size });
    else hold(request);
  }
  await ended;
}

/** Takes no more of the body: otherwise multer would read on to its end, however far away that is. */
function hold(request: Request): void {
  request.unpipe();
  request.pause();
}

/** As they are so far, without the prototype that they don't have. */
const fieldsOf = ({ body }: Request): Record<string, unknown> => ({ ...(body as Record<string, unknown>) });

const fieldFault = (name: string, detail: string) =>
  invalidField({ in: 'body', pointer: `/${name}`, detail });

const problemOfCode: Partial<Record<MulterError['code'], () => DomainError>> = {
  LIMIT_FILE_SIZE: tooLarge,
  LIMIT_FIELD_VALUE: tooLarge,
  LIMIT_FIELD_COUNT: tooLarge,
};

function refusalOf(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  if (!(error instanceof MulterError)) return unreadable(error);
  if (error.code === 'LIMIT_UNEXPECTED_FILE' || error.code === 'LIMIT_FILE_COUNT')
    return invalidField({
      in: 'body',
      pointer: `/${error.field ?? fileField}`,
      detail: 'is one file too many',
    });
  return problemOfCode[error.code]?.() ?? unreadable(error);
}

function tooLarge() {
  return new DomainError('payload_too_large', 'A part of the body is larger than this operation takes.');
}

const unreadable = (cause: unknown) =>
  unreadableBody(Object.assign(new Error('multipart', { cause }), { status: 400 }));
