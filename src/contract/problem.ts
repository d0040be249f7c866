// Turns whatever was thrown into application/problem+json.
import type { ServerResponse } from 'node:http';
import { error as validatorErrors } from 'express-openapi-validator';
import type { Logger } from 'pino';
import { DomainError, type Fault, type ProblemCode } from '../errors.ts';

const kinds: Record<ProblemCode, { status: number; title: string }> = {
  validation_failed: { status: 400, title: 'The request does not match the contract' },
  malformed_body: { status: 400, title: 'The body can not be read' },
  unauthorized: { status: 401, title: 'Not signed in' },
  invalid_credentials: { status: 401, title: 'Wrong e-mail address or password' },
  invalid_refresh_token: { status: 401, title: 'The refresh token is not valid' },
  invalid_setup_token: { status: 401, title: 'The setup token is not valid' },
  forbidden: { status: 403, title: 'Not allowed' },
  license_required: { status: 403, title: 'No license chosen' },
  license_revoked: { status: 403, title: 'The license is revoked' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  not_acceptable: { status: 406, title: 'Not acceptable' },
  conflict: { status: 409, title: 'Conflict' },
  already_set_up: { status: 409, title: 'The installation is set up already' },
  name_taken: { status: 409, title: 'The name is taken' },
  subdomain_taken: { status: 409, title: 'The subdomain is taken' },
  public_key_taken: { status: 409, title: 'The key is another host’s' },
  idempotency_in_flight: { status: 409, title: 'The first request with this key still runs' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  idempotency_key_reused: { status: 422, title: 'The key was used for another request' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
  agent_offline: { status: 503, title: 'The agent is offline' },
  agent_timeout: { status: 504, title: 'The agent did not answer in time' },
};

const codeOfStatus: Record<number, ProblemCode> = {
  400: 'validation_failed',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
};

const connectionTroubles = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08003',
  '08006',
]);

export interface ProblemOptions {
  requestId: string;
  path: string;
  log: Logger;
}

/** Answers the request with the problem that `thrown` amounts to. */
export function sendProblem(
  response: ServerResponse,
  thrown: unknown,
  { requestId, path, log }: ProblemOptions,
): void {
  const error = asDomainError(thrown);
  const { status, title } = kinds[error.code];
  if (status >= 500) log.error({ err: thrown, request_id: requestId }, 'request failed');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.statusCode = status;
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  response.setHeader('Content-Type', 'application/problem+json');
  response.setHeader('Cache-Control', 'no-store');
  response.end(
    JSON.stringify({
      type: `/problems/${error.code}`,
      title,
      status,
      detail: error.message,
      instance: asUriReference(path),
      code: error.code,
      request_id: requestId,
      ...(error.faults && { errors: error.faults }),
    }),
  );
}

/** The path as it was called, with what may not stand in a URI reference escaped. */
function asUriReference(path: string): string {
  return encodeURI(path.toWellFormed())
    .replaceAll('%25', '%')
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .replace(/[[\]^|]/g, encodeURIComponent);
}

function asDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  if (thrown instanceof validatorErrors.InternalServerError) return internal(thrown);
  if (isHttpError(thrown)) return fromHttpError(thrown);
  if (isConnectionTrouble(thrown)) {
    return new DomainError('unavailable', 'A part of the platform can not be reached; try again soon.', {
      cause: thrown,
    });
  }
  return internal(thrown);
}

const internal = (cause: unknown) =>
  new DomainError('internal', 'Something went wrong on our side.', { cause });

interface HttpError {
  status: number;
  message: string;
  type?: string;
  errors?: { path: string; message: string }[];
}

/** What the validator and the body parser throw. */
function isHttpError(thrown: unknown): thrown is HttpError {
  return Error.isError(thrown) && typeof (thrown as { status?: unknown }).status === 'number';
}

function fromHttpError(error: HttpError): DomainError {
  if (
    error.type === 'entity.parse.failed' ||
    error.type === 'encoding.unsupported' ||
    error.type === 'request.aborted'
  ) {
    return new DomainError('malformed_body', 'The body is not the JSON that it says it is.', {
      cause: error,
    });
  }
  const code = codeOfStatus[error.status];
  if (code === undefined) return internal(error);
  if (code !== 'validation_failed') return new DomainError(code, describe(code), { cause: error });
  const faults = (error.errors ?? []).map(faultOf);
  const [first] = faults;
  const detail = first === undefined ? error.message : `${first.in} ${first.pointer}: ${first.detail}`;
  return new DomainError(code, detail, { cause: error, ...(faults.length > 0 && { faults }) });
}

function describe(code: ProblemCode): string {
  return code === 'payload_too_large'
    ? 'The body is larger than this operation takes.'
    : `${kinds[code].title}.`;
}

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
    detail: message,
  };
}

function isConnectionTrouble(thrown: unknown): boolean {
  for (let error = thrown; Error.isError(error); error = error.cause) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined && connectionTroubles.has(code)) return true;
    if (
      /timeout exceeded when trying to connect|Connection terminated|the database system is/.test(
        error.message,
      )
    )
      return true;
  }
  return false;
}
