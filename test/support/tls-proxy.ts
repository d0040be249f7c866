// A reverse proxy as operators run it before the platform: it ends TLS, names the client, and passes
// WebSocket upgrades.
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Authority } from './certificates.ts';

export class TlsProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  /** Paths whose WebSocket upgrades went through. */
  readonly upgraded: string[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(
    { key, cert }: Pick<Authority, 'key' | 'cert'>,
    portOf: () => number,
  ): Promise<TlsProxy> {
    const server = createServer({ key, cert });
    const proxy = new TlsProxy(server);
    const forward = (incoming: IncomingMessage) =>
      request({
        port: portOf(),
        method: incoming.method,
        path: incoming.url,
        headers: { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress },
      });
    server.on('connection', (socket: Duplex) => proxy.#keep(socket));
    server.on('request', (incoming, outgoing) => {
      const forwarded = forward(incoming);
      forwarded.on('response', (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(outgoing);
      });
      forwarded.on('error', () => outgoing.destroy());
      incoming.pipe(forwarded);
    });
    server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
      const forwarded = forward(incoming);
      forwarded.on('upgrade', (reply, upstream, first) => {
        proxy.#keep(upstream);
        proxy.upgraded.push(incoming.url ?? '');
        const fields = Object.entries(reply.headers).map(([name, value]) => `${name}: ${String(value)}`);
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${fields.join('\r\n')}\r\n\r\n`);
        socket.write(first);
        upstream.write(head);
        socket.pipe(upstream).pipe(socket);
        for (const [one, other] of [
          [socket, upstream],
          [upstream, socket],
        ] as const) {
          one.on('error', () => other.destroy());
          one.on('close', () => other.destroy());
        }
      });
      forwarded.on('response', () => socket.destroy());
      forwarded.on('error', () => socket.destroy());
      forwarded.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get authority(): string {
    return `localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
