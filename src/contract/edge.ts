// What every request passes first: its id, the headers that harden a browser, the access log and the clock.
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';

const acceptableId = /^[A-Za-z0-9._-]{8,64}$/;

/** Gives the request its id: the caller's own if it looks like one, otherwise a new one. */
export const requestId: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && acceptableId.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', id);
  next();
};

/** Does what a middleware of helmet does with what that has done once: it looks at its options and at no request. */
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

/** Pages of ours may do nothing unless they say so themselves; see the page's own policy. */
export const hardening = constantHeaders(
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'same-site' },
  }),
);

/** What is noted instead of a status when the caller left before the answer; no caller ever sees it. */
const callerLeft = 499;

/** Our own secrets, and long tokens: both cases of letters are in every random one, and in no id, hash or subdomain. */
const secretSegment = /gantry_[a-z]+_|^(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])[A-Za-z0-9_.~+/=-]{32,}$/;

/** The path without segments that could be secrets, whether or not there is anything at such a path. */
export function pathForLog(path: string): string {
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

/** Logs each answer and tells `observe` how long it took. Query strings stay out, and so do secrets in paths. */
export function accessLog(
  log: Logger,
  observe: (method: string, status: number, seconds: number) => void,
): RequestHandler {
  // It has nothing in it that could be a secret, and looking for some costs more than the line itself.
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
