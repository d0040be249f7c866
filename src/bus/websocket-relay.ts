// Carries the bus to agents over WebSockets on the platform's own port, so that hosts elsewhere need no other.
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { pipeline } from 'node:stream';
import type { Logger } from 'pino';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { isHandshake, type Upgrade, type UpgradeRefusal } from '../contract/upgrades.ts';
import { ConnectionPlaces } from './connection-places.ts';
import { watchUnaccepted } from './unaccepted-client.ts';

/** The path on the platform's address that agents connect to. */
export const busPath = '/api/agent/bus';

/** A message has up to 1 MiB, and NATS clients combine up to two of that size in one frame. */
const maxFrameBytes = 4 * 1024 * 1024;
/** A license has at most 1,000 hosts, and all of them may share an address. */
const maxSockets = { ofSource: 1_000, inAll: 5_000 };
/** Sockets that the bus has not accepted yet; an agent's is accepted after a few round trips. */
const maxUnauthenticated = { ofSource: 250, inAll: 1_000 };
/** A place for an unauthenticated connection is likely to be free after this time. */
const unauthenticatedRetryAfterSeconds = 2;
const connectTimeoutMs = 5_000;
/** How long an agent may take to complete the closing handshake. */
const closeTimeoutMs = 2_000;
/** The WebSocket close code of a server that stops. */
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
  /** All agents' connections, accepted by the bus or not. */
  readonly #sockets = new ConnectionPlaces(maxSockets);
  /** The connections that the bus has not accepted yet. */
  readonly #unauthenticated = new ConnectionPlaces(maxUnauthenticated);
  #next = 0;

  constructor({ url, log }: RelayOptions) {
    // Servers with the scheme tls: start TLS within the NATS protocol, which a relay of raw bytes cannot do.
    this.#servers = url
      .split(',')
      .map((server) => new URL(server))
      .filter(({ protocol }) => protocol === 'nats:');
    this.#log = log;
  }

  /**
   * Connects the socket to the bus, which checks its credentials, or returns the refusal. Calls `onAccepted` once the
   * bus has accepted the credentials.
   */
  async take(
    { request, socket, head }: Upgrade,
    source: string,
    onAccepted: () => void,
  ): Promise<UpgradeRefusal | undefined> {
    if (!isHandshake(request)) return { code: 'invalid_handshake' };
    if (socket.destroyed) return undefined;
    const leave = this.#sockets.take(source);
    if (leave === undefined) return { code: 'rate_limited', retryAfterSeconds: 60 };
    socket.once('close', leave);
    const becomeKnown = this.#unauthenticated.take(source);
    if (becomeKnown === undefined)
      return { code: 'rate_limited', retryAfterSeconds: unauthenticatedRetryAfterSeconds };
    socket.once('close', becomeKnown);
    const server = await this.#dial();
    if (server === undefined) return { code: 'unavailable', retryAfterSeconds: 5 };
    socket.once('close', () => server.destroy());
    let isOpen = false;
    if (!socket.destroyed)
      this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        isOpen = true;
        const agent = createWebSocketStream(webSocket);
        watchUnaccepted({
          client: socket,
          server,
          onAccepted: () => {
            becomeKnown();
            onAccepted();
          },
        });
        const end = () => {
          agent.destroy();
          server.destroy();
        };
        pipeline(agent, server, end);
        pipeline(server, agent, end);
      });
    if (!isOpen) server.destroy();
    return undefined;
  }

  /** Asks the agents to reconnect, which connects them to another process. */
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

  /** Connects to one of the servers, round-robin; undefined if none can be reached. */
  async #dial(): Promise<Socket | undefined> {
    this.#next += 1;
    for (let offset = 0; offset < this.#servers.length; offset += 1) {
      const server = this.#servers[(this.#next + offset) % this.#servers.length];
      if (server === undefined) continue;
      const socket = connect({
        host: server.hostname.replace(/^\[|\]$/g, ''),
        port: Number(server.port || 4222),
      });
      // The pipeline is attached later; until then, an error without a listener would end the process.
      socket.on('error', (error) => this.#log.debug({ err: error }, 'connection of an agent to the bus'));
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
