// Drains an HTTP server before it stops: responses announce `Connection: close`, then listening ends.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

export class Draining {
  readonly #server: Server;
  readonly #responses = new Set<ServerResponse>();
  /** Connections that have not sent a request yet. Node counts them as busy. */
  readonly #unused = new Set<Socket>();
  #isLast = false;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#unused.add(socket);
      socket.once('close', () => this.#unused.delete(socket));
    });
    // Must be the first listener: the app may send its response within its own.
    server.prependListener('request', (request, response) => this.#follow(request, response));
  }

  /** From now on every response says `Connection: close`. New connections and requests are still accepted. */
  announce(): void {
    this.#isLast = true;
    for (const response of this.#responses) response.shouldKeepAlive = false;
  }

  /** Stops listening and closes idle connections at once; after `maxMs` also those with a running request. */
  async close(maxMs: number): Promise<void> {
    this.announce();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#unused) if (socket.bytesRead === 0) socket.destroy();
    this.#server.closeIdleConnections();
    const ended = new AbortController();
    await Promise.race([
      closed,
      setTimeout(maxMs, undefined, { signal: ended.signal, ref: false }).catch(() => undefined),
    ]);
    ended.abort();
    this.#server.closeAllConnections();
  }

  #follow({ socket }: IncomingMessage, response: ServerResponse): void {
    this.#unused.delete(socket);
    this.#responses.add(response);
    if (this.#isLast) response.shouldKeepAlive = false;
    response.once('close', () => {
      this.#responses.delete(response);
      // Response headers sent before the stop began may have promised to keep the connection.
      if (!this.#server.listening) this.#server.closeIdleConnections();
    });
  }
}
