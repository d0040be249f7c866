// Turns whatever was thrown into application/problem+json.
import type { ServerResponse } from 'node:http';
import { HttpError } from 'express-openapi-validator/dist/framework/types.js';
import type { Logger } from 'pino';
import { DomainError, type Fault } from '../errors.ts';
import { asksForPermission, type Operation } from './document.ts';
import { faultWords } from './fault-words.ts';

export interface ProblemKind {
  status: number;
  title: string;
  /** Any operation may answer it, or any that asks for a permission: those do not list it as a code of their own. */
  isGeneral?: true | 'with-permission' | 'with-step-up';
  /** When it makes sense to try again. */
  retryAfterSeconds?: number;
}

/** The problems that one contract knows. */
export interface ProblemTable {
  kinds: Readonly<Record<string, ProblemKind>>;
  /** What its problem schema calls the id of the request. */
  requestIdField: string;
  /** A path of the contract, for examples. */
  exampleInstance: string;
}

/** Codes that this folder itself throws: every table must have them. */
const ownCodes = [
  'validation_failed',
  'malformed_body',
  'unauthorized',
  'not_found',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'not_acceptable',
  'unavailable',
  'internal',
];

const codeOfStatus: Record<
  number,
  'not_found' | 'method_not_allowed' | 'not_acceptable' | 'payload_too_large' | 'unsupported_media_type'
> = {
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
};

export interface ProblemOptions {
  requestId: string;
  path: string;
  log: Logger;
  /** The answer may have its codes beside the general ones; any, unless given. */
  operation?: Pick<Operation, 'problemCodes' | 'requiresStepUp' | 'security'>;
}

/** What may have been said of an answer that then was none. */
const ofAnswers = ['Accept-Ranges', 'Content-Disposition', 'Content-Length', 'ETag', 'Link'];

/** Answers requests with problems of one table. */
export class Problems {
  readonly #table: ProblemTable;

  constructor(table: ProblemTable) {
    const missing = ownCodes.filter((code) => table.kinds[code] === undefined);
    if (missing.length > 0) throw new Error(`the problem table lacks ${missing.join(', ')}`);
    this.#table = table;
  }

  /** Answers the request with the problem that `thrown` amounts to. */
  send(response: ServerResponse, thrown: unknown, { requestId, path, log, operation }: ProblemOptions): void {
    const error = this.#declared(asDomainError(thrown), operation);
    const { status, title, retryAfterSeconds } = this.#kindOf(error.code);
    if (status >= 500) log.error({ err: error.cause ?? thrown, request_id: requestId }, 'request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.statusCode = status;
    for (const header of ofAnswers) response.removeHeader(header);
    if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    if (retryAfterSeconds !== undefined && !response.hasHeader('Retry-After'))
      response.setHeader('Retry-After', retryAfterSeconds);
    response.setHeader('Content-Type', 'application/problem+json');
    response.setHeader('Cache-Control', 'no-store');
    const text = JSON.stringify({
      type: `/problems/${error.code}`,
      title,
      status,
      detail: error.message,
      instance: asUriReference(path),
      code: error.code,
      [this.#table.requestIdField]: requestId,
      ...(error.faults && { errors: error.faults }),
      ...error.members,
    });
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.end(text);
  }

  #kindOf(code: string): ProblemKind {
    const kind = this.#table.kinds[code];
    if (kind === undefined) throw new Error(`the problem table lacks ${code}`);
    return kind;
  }

  /** A code that the operation does not declare is a gap in the contract: callers could not know of it. */
  #declared(error: DomainError<string>, operation: ProblemOptions['operation']): DomainError<string> {
    if (operation === undefined || operation.problemCodes.includes(error.code)) return error;
    const { isGeneral } = this.#kindOf(error.code);
    if (isGeneral === true) return error;
    if (isGeneral === 'with-permission' && asksForPermission(operation)) return error;
    if (isGeneral === 'with-step-up' && operation.requiresStepUp) return error;
    return internal(new Error(`the operation does not declare ${error.code}`, { cause: error }));
  }
}

/** The path as it was called, with what may not stand in a URI reference escaped. */
function asUriReference(path: string): string {
  return encodeURI(path.toWellFormed())
    .replaceAll('%25', '%')
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .replace(/[[\]^|]/g, encodeURIComponent);
}

function asDomainError(thrown: unknown): DomainError<string> {
  if (thrown instanceof DomainError) return thrown as DomainError<string>;
  if (thrown instanceof HttpError) return fromValidator(thrown);
  return internal(thrown);
}

const internal = (cause: unknown) =>
  new DomainError('internal', 'Something went wrong on our side.', { cause });

/** What the validator throws. Its own faults are ours. */
function fromValidator(error: HttpError): DomainError {
  if (error.status === 400) return invalidRequest(error);
  const code = codeOfStatus[error.status];
  return code === undefined ? internal(error) : new DomainError(code, details[code], { cause: error });
}

/** Says only that a kind's own faults, which are listed too, are faults. */
const choiceFailed = 'if.openapi.validation';

function invalidRequest(error: HttpError): DomainError {
  const faults = (error.errors ?? []).filter(({ errorCode }) => errorCode !== choiceFailed).map(faultOf);
  const [first] = faults;
  const detail =
    first === undefined ? faultWords(error.message) : `${first.in} ${first.pointer}: ${first.detail}`;
  return new DomainError('validation_failed', detail, {
    cause: error,
    ...(faults.length > 0 && { faults }),
  });
}

/** What a body parser could not read. Its own words stay with us. */
export function unreadableBody(thrown: unknown): unknown {
  if (thrown instanceof DomainError) return thrown;
  const { status } = thrown as { status?: number };
  if (status === 400)
    return new DomainError('malformed_body', 'The body is not what its headers say it is.', {
      cause: thrown,
    });
  const code = codeOfStatus[status ?? 0];
  return code === undefined ? thrown : new DomainError(code, details[code], { cause: thrown });
}

const details = {
  not_found: 'No such path.',
  method_not_allowed: 'This path does not take that method.',
  not_acceptable: 'None of the media types asked for can be given.',
  payload_too_large: 'The body is larger than this operation takes.',
  unsupported_media_type: 'The body has a media type, charset or encoding that is not taken.',
};

const places: Record<string, Fault['in']> = {
  body: 'body',
  query: 'query',
  params: 'path',
  headers: 'headers',
};

/** The validator names faults as /body/a/b, /query/a and so on. */
function faultOf({ path, message }: { path: string; message: string }): Fault {
  const [, place = 'body', ...rest] = path.split('/');
  return {
    in: places[place] ?? 'body',
    pointer: rest.length === 0 ? '' : `/${rest.join('/')}`,
    detail: faultWords(message),
  };
}
