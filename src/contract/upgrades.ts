// Refuses requests for a WebSocket.
import type { Duplex } from 'node:stream';

const reasons: Record<number, string> = {
  401: 'Unauthorized',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

export function refuseUpgrade(socket: Duplex, status: number, retryAfterSeconds?: number): void {
  const retryAfter = retryAfterSeconds === undefined ? '' : `Retry-After: ${retryAfterSeconds}\r\n`;
  // A refused client has nothing more to say: its half of the connection is not waited for.
  socket.end(
    `HTTP/1.1 ${status} ${reasons[status] ?? 'Error'}\r\nConnection: close\r\n${retryAfter}Content-Length: 0\r\n\r\n`,
    () => socket.destroy(),
  );
}
