// Middleware that every request passes first: request id, security headers, access log and timing.
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { DomainError } from '../errors.ts';

const acceptableId = /^[A-Za-z0-9._-]{8,64}$/;

/** Sets the request id: the caller's own if it is well-formed, otherwise a new one. */
export const requestId: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && acceptableId.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', id);
  next();
};

/** Refuses HTTP/1.1 requests without `Host`. Node would refuse them as well, but without a problem. */
export const requireHost: RequestHandler = (request, _response, next) => {
  const isMissing = request.httpVersion === '1.1' && request.headers.host === undefined;
  next(isMissing ? new DomainError('malformed_request', 'A request needs a Host header.') : undefined);
};

/** Runs a middleware of helmet once and reuses its headers: they depend on its options and not on the request. */
export function constantHeaders(middleware: RequestHandler): RequestHandler {
  const headers: [name: string, value: string][] = [];
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  middleware({} as never, recorder as never, (error: unknown) => {
    if (error !== undefined) throw new Error('the constant headers could not be made', { cause: error });
  });
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** Our pages may load nothing by default; a page that needs more sets its own policy. */
export const hardening = constantHeaders(
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'same-site' },
  }),
);

/** Logged instead of a status if the caller disconnected before the response. It is never sent. */
const callerLeft = 499;

/**
 * Matches our own secrets, and long tokens: random tokens mix upper and lower case; ids, hashes and subdomains do not.
 */
const secretSegment = /gantry_[a-z]+_|^(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])[A-Za-z0-9_.~+/=-]{32,}$/;

/** Without any of these, no segment can match, neither as it is nor decoded. */
const possiblySecret = /[A-Z%]|gantry_/;

/** The path without segments that could be secrets, whether or not the path exists. */
export function pathForLog(path: string): string {
  if (!possiblySecret.test(path)) return path;
  return path
    .split('/')
    .map((segment) => (secretSegment.test(decoded(segment)) ? '[redacted]' : segment))
    .join('/');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Logs each response and passes its duration to `observe`. Query strings and secrets in paths are left out. */
export function accessLog(
  log: Logger,
  observe: (method: string, status: number, seconds: number) => void,
): RequestHandler {
  // These lines contain no secret fields, and redaction would cost more than the line itself.
  const lines = log.child({}, { redact: [] });
  return (request, response, next) => {
    const started = performance.now();
    const { method, path } = request;
    response.on('close', () => {
      const ms = performance.now() - started;
      const status = response.writableFinished ? response.statusCode : callerLeft;
      observe(method, status, ms / 1000);
      lines.info(
        {
          request_id: response.getHeader('X-Request-Id'),
          method,
          path: pathForLog(path),
          status,
          ms: Math.round(ms * 10) / 10,
        },
        response.writableFinished ? 'request' : 'request aborted',
      );
    });
    next();
  };
}
