// A separate machine for the network, which relays connections to a server's Unix socket. It can lose power.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const relayProgram = fileURLToPath(new URL('relay-program.ts', import.meta.url));
const port = 5432;

export class RelayHost {
  readonly #name: string;
  readonly #socketPath: string;
  readonly #number: number;
  #relay: ChildProcess | undefined;

  private constructor(number: number, socketPath: string) {
    this.#number = number;
    this.#name = `gantry${number}`;
    this.#socketPath = socketPath;
  }

  /** Needs root: it creates a network namespace with an interface that leads to it. */
  static async start(socketPath: string): Promise<RelayHost> {
    const host = new RelayHost(process.pid % 16_000, socketPath);
    ip('netns', 'add', host.#name);
    ip('link', 'add', host.#interface, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', host.#name);
    ip('addr', 'add', `${host.#addressOf(1)}/30`, 'dev', host.#interface);
    ip('link', 'set', host.#interface, 'up');
    ip('-n', host.#name, 'addr', 'add', `${host.address}/30`, 'dev', 'eth0');
    await host.powerOn();
    return host;
  }

  get address(): string {
    return this.#addressOf(2);
  }

  get port(): number {
    return port;
  }

  /** Drops every packet from it, then forgets its connections. */
  async losePower(): Promise<void> {
    ip('-n', this.#name, 'link', 'set', 'eth0', 'down');
    const relay = this.#relay;
    if (relay === undefined || relay.exitCode !== null) return;
    const gone = once(relay, 'exit');
    relay.kill('SIGKILL');
    await gone;
  }

  async powerOn(): Promise<void> {
    ip('-n', this.#name, 'link', 'set', 'eth0', 'up');
    const args = [
      'netns',
      'exec',
      this.#name,
      process.execPath,
      relayProgram,
      this.address,
      String(port),
      this.#socketPath,
    ];
    this.#relay = spawn('ip', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    if (this.#relay.stdout !== null) await once(this.#relay.stdout, 'data');
  }

  async stop(): Promise<void> {
    await this.losePower();
    ip('netns', 'del', this.#name);
  }

  get #interface(): string {
    return `gantry${this.#number}`;
  }

  /** Of 10.231.0.0/16, four addresses for each test process. */
  #addressOf(last: number): string {
    return `10.231.${this.#number >> 6}.${((this.#number & 63) << 2) + last}`;
  }
}

function ip(...args: string[]): void {
  const { status, stderr } = spawnSync('ip', args);
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${String(stderr)}`);
}
