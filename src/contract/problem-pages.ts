// Serves the pages behind the `type` of a problem: what a code means, as HTML and as JSON.
import type { Request, RequestHandler, Response } from 'express';
import type { ProblemTable } from './problem.ts';

/** Serves `/problems/{code}`; passes codes that are not in the table to the next handler. */
export function createProblemPages({ kinds }: ProblemTable): RequestHandler {
  return (request: Request, response: Response, next) => {
    const code = String(request.params['code']);
    const kind = Object.hasOwn(kinds, code) ? kinds[code] : undefined;
    if (kind === undefined) {
      next();
      return;
    }
    const { status, title, retryAfterSeconds } = kind;
    const retry =
      retryAfterSeconds === undefined
        ? 'Sending the same request again ends the same way, unless something was changed meanwhile.'
        : `Try again after the seconds that Retry-After gives, usually ${retryAfterSeconds}.`;
    response.setHeader('Cache-Control', 'public, max-age=3600').vary('Accept');
    if (request.accepts(['html', 'json']) === 'json') {
      response.json({
        type: `/problems/${code}`,
        code,
        title,
        status,
        retry_after_seconds: retryAfterSeconds ?? null,
      });
      return;
    }
    // Titles and codes come from the contract, never from a request, so they need no escaping.
    response.type('html').send(
      `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${code}</title><link rel="icon" href="data:,"></head>
<body>
<h1>${title}</h1>
<p>Code <code>${code}</code>, HTTP status ${status}.</p>
<p>The <code>detail</code> of the response says what is wrong with the request, and its <code>errors</code> list the fields. ${retry}</p>
<p><a href="/api/docs">The API reference</a> lists the operations that return this code.</p>
</body>
</html>
`,
    );
  };
}
