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

/** Logs each answer and tells `observe` how long it took. Query strings stay out: they may hold tickets. */
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
          path,
          status,
          ms: Math.round(ms * 10) / 10,
        },
        response.writableFinished ? 'request' : 'request aborted',
      );
    });
    next();
  };
}
