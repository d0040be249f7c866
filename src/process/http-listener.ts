// Begins to listen for connections, and cuts off those that do not go on.
import type { IncomingMessage, Server } from 'node:http';

/**
 * A file may take hours to arrive, so a request as a whole has no end; its headers have, and its body must go on. Idle
 * connections stay for longer than proxies keep them, most of which do for a minute: one that ends while a request is on
 * its way to it costs somebody that request.
 */
export const timeLimits = { headersTimeout: 20_000, requestTimeout: 0, keepAliveTimeout: 75_000 } as const;

/** A body that brings less than this in that time, and not its end, brings nothing any more. */
const leastBytes = 32 * 1024;
const bodyPauseMs = 60_000;

export const addressOf = (host: string, port: number) =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

export function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Cuts off whoever has begun a body and does not go on with it. */
export function watchBodies(server: Server, everyMs = bodyPauseMs): void {
  server.on('request', (request: IncomingMessage) => {
    const { headers, socket } = request;
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
    let seen = socket.bytesRead;
    const timer = setInterval(() => {
      if (request.complete) clearInterval(timer);
      else if (socket.bytesRead - seen < leastBytes) socket.destroy();
      seen = socket.bytesRead;
    }, everyMs).unref();
    request.once('close', () => clearInterval(timer));
  });
}
