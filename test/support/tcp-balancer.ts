// A TCP load balancer as operators run it in front of replicas: it follows /readyz and ignores all other
// HTTP.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { until } from './until.ts';

const probeEveryMs = 100;

export class TcpBalancer {
  readonly #ready = new Map<string, boolean>();
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer({ allowHalfOpen: true }, (client) => this.#take(client));
  #probing: NodeJS.Timeout | undefined;
  #next = 0;

  static async start(): Promise<TcpBalancer> {
    const balancer = new TcpBalancer();
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    balancer.#probing = setInterval(() => void balancer.#probeAll(), probeEveryMs);
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Sends connections to the replica as soon as it is ready. */
  async add(replica: string): Promise<void> {
    this.#ready.set(replica, false);
    await until(() => this.#ready.get(replica), `${replica} being ready`, 60_000);
  }

  remove(replica: string): void {
    this.#ready.delete(replica);
  }

  /** Resolves once the replica gets no new connections. */
  async untilLeft(replica: string): Promise<void> {
    await until(() => this.#ready.get(replica) !== true, `${replica} leaving`, 60_000);
  }

  async stop(): Promise<void> {
    clearInterval(this.#probing);
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #probeAll(): Promise<void> {
    await Promise.all([...this.#ready.keys()].map((replica) => this.#probe(replica)));
  }

  async #probe(replica: string): Promise<void> {
    const isReady = await fetch(`${replica}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok;
      },
      () => false,
    );
    if (this.#ready.has(replica)) this.#ready.set(replica, isReady);
  }

  #take(client: Socket): void {
    const ready = [...this.#ready].filter(([, isReady]) => isReady).map(([replica]) => new URL(replica));
    this.#next += 1;
    const replica = ready[this.#next % ready.length];
    if (replica === undefined) {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ host: replica.hostname, port: Number(replica.port), allowHalfOpen: true });
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.pipe(to);
      // A reset of one side becomes a reset of the other, so clients see the same as without a balancer.
      from.on('error', () => to.resetAndDestroy());
      from.on('close', () => this.#sockets.delete(from));
    }
  }
}
