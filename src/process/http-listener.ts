// Starts to listen for connections, and cuts off stalled request bodies.
import type { IncomingMessage, Server } from 'node:http';

/**
 * A file may take hours to arrive, so a request as a whole has no time limit; its headers have one, and its body must
 * make progress. Idle connections stay open longer than proxies keep them, usually a minute: otherwise a connection
 * could close while a request is on its way, and the request would be lost.
 */
export const timeLimits = { headersTimeout: 20_000, requestTimeout: 0, keepAliveTimeout: 75_000 } as const;

/** A body that brings fewer bytes than this per interval, and does not end, counts as stalled. */
const minBytes = 32 * 1024;
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

/** Cuts off clients whose request body has stalled. */
export function watchBodies(server: Server, everyMs = bodyPauseMs): void {
  server.on('request', (request: IncomingMessage) => {
    const { headers, socket } = request;
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
    let seen = socket.bytesRead;
    const timer = setInterval(() => {
      if (request.complete) clearInterval(timer);
      else if (socket.bytesRead - seen < minBytes) socket.destroy();
      seen = socket.bytesRead;
    }, everyMs).unref();
    request.once('close', () => clearInterval(timer));
  });
}
