// Responds with problems to requests that Node itself would refuse without one: no handler sees them.
import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { DomainError } from '../errors.ts';
import { Problems, type ProblemKind, type ProblemTable } from './problem.ts';
import { lingerMs } from './unread-body.ts';

export interface UnparsedRequests {
  server: Server;
  problems: ProblemTable;
  log: Logger;
}

/** The problems of these requests, for the tables of servers. */
export const unparsedProblems = {
  malformed_request: {
    status: 400,
    title: 'The request is not valid HTTP',
    isGeneral: true,
    cause:
      'The request cannot be read as HTTP/1.1: its method is unknown, its headers or chunks have a wrong form, or it has no `Host`.',
    remedy:
      'Send requests with an HTTP library. If you already do, a proxy between you and the server may change them.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    isGeneral: true,
    cause: 'The headers of the request did not arrive in time.',
    remedy: 'Send the request again, in one go.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    isGeneral: true,
    cause: 'The request line and the headers have more than 16 KiB together.',
    remedy: 'Send fewer or shorter headers and cookies, and a shorter URL.',
  },
} as const satisfies Record<string, ProblemKind>;

/** By the code of the parser's error. */
const refusals: Readonly<Record<string, DomainError>> = {
  HPE_HEADER_OVERFLOW: new DomainError(
    'headers_too_large',
    'The request line and the headers may have 16 KiB together. Send less.',
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new DomainError(
    'payload_too_large',
    'The body has too many chunk extensions. Send it without any.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new DomainError(
    'request_timeout',
    'The headers did not arrive in time. Send the request again.',
  ),
};

const malformed = new DomainError('malformed_request', 'The request is not valid HTTP/1.1.');

const noTunnels = new DomainError('method_not_allowed', 'This server opens no tunnels.');

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

export function refuseUnparsed({ server, problems: table, log }: UnparsedRequests): void {
  const problems = new Problems(table);
  const latest = new WeakMap<Duplex, Exchange>();
  const refused = new WeakSet<Duplex>();

  function refuse(socket: Duplex, error: DomainError, headers = ''): void {
    refused.add(socket);
    const requestId = randomUUID();
    const { status, text } = problems.documentOf(error, { requestId, path: '' });
    log.info({ request_id: requestId, status, code: error.code }, 'a request could not be parsed');
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nDate: ${new Date().toUTCString()}\r\n${headers}` +
        `Content-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n` +
        'Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n' +
        `X-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${text}`,
    );
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once('close', () => clearTimeout(timer));
  }

  server.on('request', (request, response) => latest.set(request.socket, { request, response }));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // What else the client sends fails as well, and is discarded until it has read the response.
    if (refused.has(socket)) return;
    if (error.code !== 'ECONNRESET' && socket.writable && isTurnOfError(latest.get(socket)))
      refuse(socket, refusals[error.code ?? ''] ?? malformed);
    else socket.destroy();
  });
  server.on('connect', (_request, socket) => {
    // Node has removed its own error listener: without one, a client reset would end the process.
    socket.on('error', (error) => log.debug({ err: error }, 'refused connection'));
    socket.resume();
    refuse(socket, noTunnels, 'Allow:\r\n');
  });
  // Node would refuse unknown expectations; HTTP allows a server to ignore them.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Whether the client would take a response for that of the request with the error, and not of an earlier one. */
function isTurnOfError(exchange: Exchange | undefined): boolean {
  if (exchange === undefined || exchange.response.writableFinished) return true;
  const { request, response } = exchange;
  return !request.complete && response.socket !== null && !response.headersSent;
}
