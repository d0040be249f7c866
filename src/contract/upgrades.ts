// Routes WebSocket upgrade requests to their handler and refuses the others.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';

const statusLines = {
  invalid_handshake: '400 Bad Request',
  unauthorized: '401 Unauthorized',
  forbidden: '403 Forbidden',
  not_found: '404 Not Found',
  misdirected: '421 Misdirected Request',
  rate_limited: '429 Too Many Requests',
  unavailable: '503 Service Unavailable',
} as const;

/** Why no WebSocket is opened. */
export interface UpgradeRefusal {
  code: keyof typeof statusLines;
  retryAfterSeconds?: number;
}

/** An upgrade request and its connection. */
export interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  /** Bytes that the client sent after its request. */
  head: Buffer;
}

/** Opens a WebSocket, or returns the refusal without having sent anything. */
export type TakeUpgrade = (upgrade: Upgrade) => Promise<UpgradeRefusal | undefined>;

export interface UpgradeOptions {
  server: Server;
  take: TakeUpgrade;
  log: Logger;
}

/** Whether a request asks for a WebSocket. Other upgrade requests are served as plain requests. */
export const asksForWebSocket = ({ headers }: Pick<IncomingMessage, 'headers'>) =>
  headers.upgrade?.toLowerCase() === 'websocket';

/** Serves upgrades until the returned function is called. */
export function serveUpgrades({ server, take, log }: UpgradeOptions): () => void {
  const serve = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Node has removed its own error listener: without one, a client reset would end the process.
    socket.on('error', (error) => log.debug({ err: error }, 'upgraded connection'));
    void decide({ request, socket, head });
  };

  async function decide(upgrade: Upgrade): Promise<void> {
    let refusal: UpgradeRefusal | undefined;
    try {
      refusal = await take(upgrade);
    } catch (error) {
      log.error({ err: error }, 'a WebSocket could not be opened');
      refusal = { code: 'unavailable' };
    }
    if (refusal !== undefined) refuse(upgrade.socket, refusal);
  }

  server.on('upgrade', serve);
  return () => server.off('upgrade', serve);
}

/** Whether the request is a valid WebSocket handshake. Check it before opening anything on its behalf. */
export function isHandshake({ method, headers }: IncomingMessage): boolean {
  const { 'sec-websocket-key': key, 'sec-websocket-version': version } = headers;
  return (
    method === 'GET' &&
    asksForWebSocket({ headers }) &&
    /^[+/0-9A-Za-z]{22}==$/.test(key ?? '') &&
    (version === '13' || version === '8')
  );
}

function refuse(socket: Duplex, { code, retryAfterSeconds }: UpgradeRefusal): void {
  const versions = code === 'invalid_handshake' ? 'Sec-WebSocket-Version: 13, 8\r\n' : '';
  const retryAfter = retryAfterSeconds === undefined ? '' : `Retry-After: ${retryAfterSeconds}\r\n`;
  // Closes without waiting for the refused client's half of the connection.
  socket.end(
    `HTTP/1.1 ${statusLines[code]}\r\nConnection: close\r\n${versions}${retryAfter}Content-Length: 0\r\n\r\n`,
    () => socket.destroy(),
  );
}
