// Serves the WebSocket that tells how operations go, to those whom the gate lets in.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { components } from '../../../generated/local-manager-events.d.ts';
import type { AuditLog } from '../security/audit-log.ts';
import type { Gate } from '../security/gate.ts';
import type { Operations } from './operations.ts';

type Schemas = components['schemas'];
type Frame = Schemas['HelloFrame'] | Schemas['LinesFrame'] | Schemas['OperationFrame'];

const path = '/api/operations/socket';
/** Whoever has more than this waiting does not read. */
const mostWaiting = 4 * 1024 * 1024;
const pingMs = 30_000;

export interface SocketOptions {
  server: Server;
  gate: Gate;
  operations: Operations;
  audit: AuditLog;
  boot: string;
}

/** Answers the way to close it. */
export function serveOperationsSocket({ server, gate, operations, audit, boot }: SocketOptions): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 });
  const alive = new WeakSet<WebSocket>();

  const send = (socket: WebSocket, frame: Frame) => {
    if (socket.bufferedAmount > mostWaiting) socket.close(4408, 'the reader is too slow');
    else socket.send(JSON.stringify(frame));
  };
  const tellAll = (frame: Frame) => {
    for (const socket of sockets.clients) if (socket.readyState === socket.OPEN) send(socket, frame);
  };

  operations.events.on('line', (line) => tellAll({ type: 'lines', lines: [line], isTruncated: false }));
  operations.events.on('operation', (operation) => tellAll({ type: 'operation', operation }));

  const open = (socket: WebSocket, after: number) => {
    alive.add(socket);
    socket.on('pong', () => alive.add(socket));
    socket.on('message', () => socket.close(1008, 'nothing is taken here'));
    socket.on('error', () => socket.terminate());
    send(socket, { type: 'hello', boot, operation: operations.list()[0] ?? null });
    send(socket, { type: 'lines', ...operations.linesAfter(after) });
  };

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const url = URL.parse(request.url ?? '/', 'http://localhost');
    const refused = gate.refusalOf(request) ?? (gate.knows(request) ? undefined : 401);
    if (refused !== undefined) {
      const { host, origin } = request.headers;
      audit.add({ event: 'refused', method: 'GET', path: url?.pathname ?? '/', host, origin });
    }
    if (refused !== undefined) refuse(socket, refused === 401 ? '401 Unauthorized' : '403 Forbidden');
    else if (url?.pathname !== path) refuse(socket, '404 Not Found');
    else
      sockets.handleUpgrade(request, socket, head, (opened) =>
        open(opened, Number(/^\d{1,15}$/.exec(url.searchParams.get('after') ?? '')?.[0] ?? 0)),
      );
  };
  server.on('upgrade', upgrade);

  const pings = setInterval(() => {
    for (const socket of sockets.clients) {
      if (!alive.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, pingMs).unref();

  return () => {
    clearInterval(pings);
    server.off('upgrade', upgrade);
    for (const socket of sockets.clients) socket.close(1001, 'the manager ends');
    sockets.close();
  };
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
