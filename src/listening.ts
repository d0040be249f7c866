// Begins and ends to listen for connections.
import type { Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';

/** How long requests may take to end when the platform stops. */
const drainMs = 10_000;

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

/** Takes no new requests and lets those under way end; what takes too long is cut off. */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const inTime = new AbortController();
  await Promise.race([
    closed,
    setTimeout(drainMs, undefined, { signal: inTime.signal, ref: false }).catch(() => undefined),
  ]);
  inTime.abort();
  server.closeAllConnections();
}
