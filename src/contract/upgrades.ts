// Leads requests for WebSockets to what serves them, and refuses the others.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';

const answers = {
  invalid_handshake: '400 Bad Request',
  unauthorized: '401 Unauthorized',
  forbidden: '403 Forbidden',
  not_found: '404 Not Found',
  rate_limited: '429 Too Many Requests',
  unavailable: '503 Service Unavailable',
} as const;

/** Why no WebSocket is opened. */
export interface UpgradeRefusal {
  code: keyof typeof answers;
  retryAfterSeconds?: number;
}

/** A request for a WebSocket, and the connection that it came on. */
export interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  /** What the client has sent after its request. */
  head: Buffer;
}

/** Opens a WebSocket, or returns why not; then nothing was sent. */
export type TakeUpgrade = (upgrade: Upgrade) => Promise<UpgradeRefusal | undefined>;

export interface UpgradeOptions {
  server: Server;
  take: TakeUpgrade;
  log: Logger;
}

/** Whether a request asks for a WebSocket; one that asks for anything else is answered as if it had not. */
export const asksForWebSocket = ({ headers }: Pick<IncomingMessage, 'headers'>) =>
  headers.upgrade?.toLowerCase() === 'websocket';

/** Serves upgrades until the function that it returns is called. */
export function serveUpgrades({ server, take, log }: UpgradeOptions): () => void {
  const serve = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Node has taken its own listener off: without one, a client that resets the connection ends the process.
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

/** Whether a WebSocket can be opened for the request: to be asked before anything is opened on its behalf. */
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
  // A refused client has nothing more to say: its half of the connection is not waited for.
  socket.end(
    `HTTP/1.1 ${answers[code]}\r\nConnection: close\r\n${versions}${retryAfter}Content-Length: 0\r\n\r\n`,
    () => socket.destroy(),
  );
}
