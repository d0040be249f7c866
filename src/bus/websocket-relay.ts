// Carries the bus to agents over WebSockets on the platform's own port, so that hosts elsewhere need no other.
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { pipeline } from 'node:stream';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { refuseUpgrade } from '../contract/upgrades.ts';

/** Where agents connect, below the address of the platform. */
export const busPath = '/api/agent/bus';

/** Clients of NATS join waiting messages, each up to 1 MiB, into one frame. */
const maxFrameBytes = 16 * 1024 * 1024;
/** A license has at most a thousand hosts, which may share an address. */
const maxSocketsPerSource = 1_000;
const maxSockets = 5_000;
const connectTimeoutMs = 5_000;
/** How long an agent may take to reply to the end of its socket. */
const closeTimeoutMs = 2_000;
/** The code of WebSockets for a server that stops. */
const goingAway = 1001;

export interface RelayOptions {
  /** Servers of the bus, separated by commas. */
  url: string;
  log: Logger;
}

export class BusRelay {
  readonly #servers: URL[];
  readonly #log: Logger;
  readonly #webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
  });
  readonly #countBySource = new Map<string, number>();
  #next = 0;

  constructor({ url, log }: RelayOptions) {
    // A server of the scheme tls: would have to be spoken to in TLS from within its own protocol.
    this.#servers = url
      .split(',')
      .map((server) => new URL(server))
      .filter(({ protocol }) => protocol === 'nats:');
    this.#log = log;
  }

  /** Connects the socket to the bus, where its credentials are checked. */
  async take(request: IncomingMessage, socket: Duplex, head: Buffer, source: string): Promise<void> {
    socket.on('error', (error) => this.#log.debug({ err: error }, 'agent socket'));
    const ofSource = this.#countBySource.get(source) ?? 0;
    if (ofSource >= maxSocketsPerSource || this.#webSockets.clients.size >= maxSockets) {
      refuseUpgrade(socket, 429, 60);
      return;
    }
    this.#countBySource.set(source, ofSource + 1);
    socket.once('close', () => this.#forget(source));
    const server = await this.#dial();
    if (server === undefined || socket.destroyed) {
      server?.destroy();
      refuseUpgrade(socket, 503, 5);
      return;
    }
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      const agent = createWebSocketStream(webSocket);
      const end = () => {
        agent.destroy();
        server.destroy();
      };
      pipeline(agent, server, end);
      pipeline(server, agent, end);
    });
    if (socket.destroyed) server.destroy();
  }

  /** Tells the agents to connect again, which leads them to another process. */
  async close(): Promise<void> {
    for (const client of this.#webSockets.clients) client.close(goingAway, 'the server is going down');
    await new Promise<void>((resolve) => {
      const late = setTimeout(() => {
        for (const client of this.#webSockets.clients) client.terminate();
      }, closeTimeoutMs).unref();
      this.#webSockets.close(() => {
        clearTimeout(late);
        resolve();
      });
    });
  }

  #forget(source: string): void {
    const left = (this.#countBySource.get(source) ?? 1) - 1;
    if (left === 0) this.#countBySource.delete(source);
    else this.#countBySource.set(source, left);
  }

  /** A connection to one of the servers, beginning with another one each time. */
  async #dial(): Promise<Socket | undefined> {
    this.#next += 1;
    for (let offset = 0; offset < this.#servers.length; offset += 1) {
      const server = this.#servers[(this.#next + offset) % this.#servers.length];
      if (server === undefined) continue;
      const socket = connect({
        host: server.hostname.replace(/^\[|\]$/g, ''),
        port: Number(server.port || 4222),
      });
      socket.setNoDelay(true);
      try {
        await once(socket, 'connect', { signal: AbortSignal.timeout(connectTimeoutMs) });
        return socket;
      } catch (error) {
        socket.destroy();
        this.#log.warn({ err: error, server: server.host }, 'an agent could not be connected to the bus');
      }
    }
    return undefined;
  }
}
