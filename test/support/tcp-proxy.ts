// A proxy on loopback between the platform and a server, for network faults: silence, drops and half-open
// connections.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net';

interface Pair {
  client: Socket;
  server: Socket;
}

export class TcpProxy {
  readonly #target: NetConnectOpts;
  readonly #pairs = new Set<Pair>();
  /** Connections whose other end has disappeared without closing. */
  readonly #orphans = new Set<Socket>();
  readonly #server = createServer({ allowHalfOpen: true }, (client) => this.#accept(client));
  #isStalled = false;

  private constructor(target: NetConnectOpts) {
    this.#target = target;
  }

  static async start(target: NetConnectOpts): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Open client connections that still reach the server. */
  get connections(): number {
    return this.#pairs.size;
  }

  /** Blocks all traffic in both directions; new connections are accepted and stay silent. */
  stall(): void {
    this.#isStalled = true;
    for (const { client, server } of this.#pairs) {
      client.pause();
      server.pause();
    }
  }

  /** Blocks open connections, which also stay open at the server. New connections work. */
  mute(): void {
    this.stall();
    this.#isStalled = false;
  }

  /** Releases what was held back by `stall` or `mute`. */
  resume(): void {
    this.#isStalled = false;
    for (const pair of this.#pairs) this.#join(pair);
  }

  /** Drops the server end of every open connection without notifying the clients. New connections work. */
  forget(): void {
    this.#isStalled = false;
    for (const { client, server } of this.#pairs) {
      server
        .removeAllListeners()
        .on('error', () => undefined)
        .destroy();
      client
        .removeAllListeners()
        .on('error', () => undefined)
        .resume();
      client.on('data', () => undefined);
      this.#orphans.add(client);
    }
    this.#pairs.clear();
  }

  /** Resets every open connection. */
  reset(): void {
    for (const { client, server } of this.#pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
  }

  /** Closes the server's end of every open connection; what clients still send gets no reply. */
  halfClose(): void {
    for (const { client, server } of this.#pairs) {
      server
        .removeAllListeners()
        .on('error', () => undefined)
        .destroy();
      client
        .removeAllListeners()
        .on('error', () => undefined)
        .end();
      client.resume();
      this.#orphans.add(client);
    }
    this.#pairs.clear();
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const { client, server } of this.#pairs) {
      client.destroy();
      server.destroy();
    }
    for (const socket of this.#orphans) socket.destroy();
    await closed;
  }

  #accept(client: Socket): void {
    const pair = { client, server: connect({ ...this.#target, allowHalfOpen: true } as NetConnectOpts) };
    this.#pairs.add(pair);
    const drop = () => {
      this.#pairs.delete(pair);
      pair.client.destroy();
      pair.server.destroy();
    };
    for (const socket of [pair.client, pair.server]) {
      socket.on('error', drop);
      socket.on('close', drop);
    }
    this.#relay(pair.client, pair.server);
    this.#relay(pair.server, pair.client);
    if (this.#isStalled) {
      client.pause();
      pair.server.pause();
    }
  }

  #join({ client, server }: Pair): void {
    client.resume();
    server.resume();
  }

  #relay(from: Socket, to: Socket): void {
    from.on('data', (chunk: Buffer) => {
      if (!to.write(chunk)) from.pause();
    });
    to.on('drain', () => {
      if (!this.#isStalled) from.resume();
    });
    from.on('end', () => to.end());
  }
}
