// Serves the WebSocket that reports the progress of operations to authorized clients.
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { WebSocketServer, type WebSocket } from 'ws';
import type { components } from '../../../generated/local-manager-events.d.ts';
import {
  isHandshake,
  serveUpgrades,
  type Upgrade,
  type UpgradeRefusal,
} from '../../../src/contract/upgrades.ts';
import type { AuditLog } from '../security/audit-log.ts';
import type { Gate } from '../security/gate.ts';
import type { Operations } from './operations.ts';

type Schemas = components['schemas'];
type Frame = Schemas['HelloFrame'] | Schemas['LinesFrame'] | Schemas['OperationFrame'];

const path = '/api/operations/socket';
/** A client with more unsent bytes than this does not read, and is disconnected. */
const maxWaiting = 4 * 1024 * 1024;
const pingMs = 30_000;

export interface SocketOptions {
  server: Server;
  gate: Gate;
  operations: Operations;
  audit: AuditLog;
  boot: string;
  log: Logger;
}

/** Returns the function that closes it. */
export function serveOperationsSocket({
  server,
  gate,
  operations,
  audit,
  boot,
  log,
}: SocketOptions): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 });
  const alive = new WeakSet<WebSocket>();

  const send = (socket: WebSocket, frame: Frame) => {
    if (socket.bufferedAmount > maxWaiting) socket.close(4408, 'the client is too slow');
    else socket.send(JSON.stringify(frame));
  };
  const broadcast = (frame: Frame) => {
    for (const socket of sockets.clients) if (socket.readyState === socket.OPEN) send(socket, frame);
  };

  operations.events.on('line', (line) => broadcast({ type: 'lines', lines: [line], isTruncated: false }));
  operations.events.on('operation', (operation) => broadcast({ type: 'operation', operation }));

  const open = (socket: WebSocket, after: number) => {
    alive.add(socket);
    socket.on('pong', () => alive.add(socket));
    socket.on('message', () => socket.close(1008, 'messages are not accepted'));
    socket.on('error', () => socket.terminate());
    send(socket, { type: 'hello', boot, operation: operations.list()[0] ?? null });
    send(socket, { type: 'lines', ...operations.linesAfter(after) });
  };

  async function take({ request, socket, head }: Upgrade): Promise<UpgradeRefusal | undefined> {
    const url = URL.parse(request.url ?? '/', 'http://localhost');
    const refused = gate.refusalOf(request) ?? (gate.knows(request) ? undefined : 401);
    if (refused !== undefined) {
      const { host, origin } = request.headers;
      audit.add({ event: 'refused', method: 'GET', path: url?.pathname ?? '/', host, origin });
      return { code: refused === 401 ? 'unauthorized' : 'forbidden' };
    }
    if (url?.pathname !== path) return { code: 'not_found' };
    if (!isHandshake(request)) return { code: 'invalid_handshake' };
    sockets.handleUpgrade(request, socket, head, (opened) =>
      open(opened, Number(/^\d{1,15}$/.exec(url.searchParams.get('after') ?? '')?.[0] ?? 0)),
    );
    return undefined;
  }
  const stopServing = serveUpgrades({ server, take, log });

  const pings = setInterval(() => {
    for (const socket of sockets.clients) {
      if (!alive.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, pingMs).unref();

  return () => {
    clearInterval(pings);
    stopServing();
    for (const socket of sockets.clients) socket.close(1001, 'the manager is stopping');
    sockets.close();
  };
}
