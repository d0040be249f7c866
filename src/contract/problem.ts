// Converts thrown errors to application/problem+json responses.
import type { ServerResponse } from 'node:http';
import { HttpError, type ValidationErrorItem } from 'express-openapi-validator/dist/framework/types.js';
import type { Logger } from 'pino';
import { DomainError, type Fault } from '../errors.ts';
import { asksForPermission, type Operation } from './document.ts';
import { faultWords, reasonOf } from './fault-words.ts';
import { isForeignAccessCode } from './operation-problems.ts';

export interface ProblemKind {
  status: number;
  title: string;
  /** When an operation returns it, in one sentence; the title, if that says so. The reference has it at each operation. */
  condition?: string;
  /** The condition depends on the operation: each one that lists the code states it. */
  isStatedByOperations?: true;
  /** Members of its example in responses that operations share, where those of its first operation do not fit. */
  example?: Readonly<Record<string, unknown>>;
  /** Why an operation returns it, in Markdown; shown at `/problems/{code}`. */
  cause: string;
  /** What the caller does about it, in Markdown. */
  remedy: string;
  /**
   * Any operation may return it, or any that requires a permission or step-up; such operations do not list it as a
   * code.
   */
  isGeneral?: true | 'with-permission' | 'with-step-up';
  /** Seconds after which a retry makes sense. */
  retryAfterSeconds?: number;
}

/** The problems that one contract defines. */
export interface ProblemTable {
  kinds: Readonly<Record<string, ProblemKind>>;
  /** The name of the request id field in the problem schema. */
  requestIdField: string;
}

/** When operations return it, for those that do not state it themselves. */
export const conditionOf = ({ condition, title }: ProblemKind): string => condition ?? `${title}.`;

/** Codes that this folder throws itself: every table must have them. */
const ownCodes = [
  'validation_failed',
  'malformed_request',
  'malformed_body',
  'unauthorized',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'payload_too_large',
  'headers_too_large',
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
  /** Limits the codes to those of this operation and the general ones; without it, every code is allowed. */
  operation?: Pick<Operation, 'problemCodes' | 'requiresStepUp' | 'security'>;
}

/** Headers of the intended response that must not remain on a problem response. */
const ofAnswers = ['Accept-Ranges', 'Content-Disposition', 'Content-Length', 'ETag', 'Link'];

/** Sends problems of one table as responses. */
export class Problems {
  readonly #table: ProblemTable;

  constructor(table: ProblemTable) {
    const missing = ownCodes.filter((code) => table.kinds[code] === undefined);
    if (missing.length > 0) throw new Error(`the problem table lacks ${missing.join(', ')}`);
    this.#table = table;
  }

  /** Responds with the problem that corresponds to `thrown`. */
  send(response: ServerResponse, thrown: unknown, { requestId, path, log, operation }: ProblemOptions): void {
    const error = this.#declared(asDomainError(thrown), operation);
    const { status, text, retryAfterSeconds } = this.documentOf(error, { requestId, path });
    if (status >= 500) log.error({ err: error.cause ?? thrown, request_id: requestId }, 'request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.statusCode = status;
    const notices = deprecationLinks(response);
    for (const header of ofAnswers) response.removeHeader(header);
    if (notices.length > 0) response.setHeader('Link', notices);
    if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    if (retryAfterSeconds !== undefined && !response.hasHeader('Retry-After'))
      response.setHeader('Retry-After', retryAfterSeconds);
    response.setHeader('Content-Type', 'application/problem+json');
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.end(text);
  }

  /** The problem as it is sent. Without a path, `instance` refers to the request itself. */
  documentOf(
    error: DomainError<string>,
    { requestId, path }: Pick<ProblemOptions, 'requestId' | 'path'>,
  ): { status: number; text: string; retryAfterSeconds: number | undefined } {
    const { status, title, retryAfterSeconds } = this.#kindOf(error.code);
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
    return { status, text, retryAfterSeconds };
  }

  #kindOf(code: string): ProblemKind {
    const kind = this.#table.kinds[code];
    if (kind === undefined) throw new Error(`the problem table lacks ${code}`);
    return kind;
  }

  /** A code that the operation does not declare is a gap in the contract, because callers cannot know it. */
  #declared(error: DomainError<string>, operation: ProblemOptions['operation']): DomainError<string> {
    if (operation === undefined || operation.problemCodes.includes(error.code)) return error;
    const { isGeneral } = this.#kindOf(error.code);
    if (isGeneral === true && !isForeignAccessCode(error.code, operation)) return error;
    if (isGeneral === 'with-permission' && asksForPermission(operation)) return error;
    if (isGeneral === 'with-step-up' && operation.requiresStepUp) return error;
    return internal(new Error(`the operation does not declare ${error.code}`, { cause: error }));
  }
}

/** The requested path; characters that a URI reference does not allow are escaped. */
function asUriReference(path: string): string {
  return encodeURI(path.toWellFormed())
    .replaceAll('%25', '%')
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .replace(/[[\]^|]/g, encodeURIComponent);
}

/** What is thrown, as the caller sees it. */
export function asDomainError(thrown: unknown): DomainError<string> {
  if (thrown instanceof DomainError) return thrown as DomainError<string>;
  if (thrown instanceof HttpError) return fromValidator(thrown);
  return internal(thrown);
}

const internal = (cause: unknown) =>
  new DomainError('internal', 'Something went wrong on our side.', { cause });

/** Converts an error of the validator. The validator's internal failures count as server errors. */
function fromValidator(error: HttpError): DomainError {
  if (error.status === 400) return invalidRequest(error);
  const code = codeOfStatus[error.status];
  return code === undefined ? internal(error) : new DomainError(code, details[code], { cause: error });
}

/** This fault says only that a variant has faults; those are listed as well. */
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

/** Converts a body parser's error. The parser's own message is not passed on. */
export function unreadableBody(thrown: unknown): unknown {
  if (thrown instanceof DomainError) return thrown;
  const { status } = thrown as { status?: number };
  if (status === 400)
    return new DomainError(
      'malformed_body',
      'The body does not have the form that its `Content-Type` names.',
      {
        cause: thrown,
      },
    );
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
function faultOf({ path, message, errorCode }: ValidationErrorItem): Fault {
  const [, place = 'body', ...rest] = path.split('/');
  return {
    in: places[place] ?? 'body',
    pointer: rest.length === 0 ? '' : `/${rest.join('/')}`,
    ...reasonOf(message, errorCode?.split('.')[0]),
  };
}

/** A deprecation holds for refusals, too. */
const deprecationLinks = (response: ServerResponse): string[] =>
  [response.getHeader('Link') ?? []]
    .flat()
    .map(String)
    .filter((link) => /rel="(?:deprecation|successor-version)"/.test(link));
