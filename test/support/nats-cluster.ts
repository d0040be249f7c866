// Three nats-servers with the configuration that docs/operations.md gives for a cluster, on ports of this machine.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBusKeys, serverConfiguration } from '../../src/bus/keys.ts';
import { createAuthority } from './certificates.ts';
import { root } from './contract.ts';
import { freePort } from './free-port.ts';
import type { TestNats } from './nats.ts';
import { until } from './until.ts';

const names = ['nats-1', 'nats-2', 'nats-3'] as const;

interface Ports {
  clients: number;
  cluster: number;
}

export class NatsCluster {
  /** For a world. */
  readonly bus: TestNats;
  readonly #directory: string;
  readonly #ports: readonly Ports[];
  readonly #running = new Map<number, ChildProcess>();

  private constructor(directory: string, ports: readonly Ports[], bus: Pick<TestNats, 'keys' | 'prefix'>) {
    this.#directory = directory;
    this.#ports = ports;
    this.bus = {
      ...bus,
      url: ports.map(({ clients }) => `nats://127.0.0.1:${clients}`).join(','),
      restart: () => Promise.reject(new Error('servers of a cluster are started one by one')),
      stop: () => this.stop(),
    };
  }

  static async start(): Promise<NatsCluster> {
    const directory = mkdtempSync(join(tmpdir(), 'gantry-cluster-'));
    const [keys, prefix] = [createBusKeys(), 'gantry'];
    const ports: Ports[] = [];
    for (const _ of names) ports.push({ clients: await freePort(), cluster: await freePort() });
    const { cert, key, file } = createAuthority(directory, 'Own authority');
    writeFileSync(join(directory, 'cert.pem'), cert);
    writeFileSync(join(directory, 'key.pem'), key);
    writeFileSync(join(directory, 'ca.pem'), readFileSync(file));
    for (const [index, name] of names.entries()) {
      const place = join(directory, name);
      mkdirSync(place);
      writeFileSync(join(place, 'nats.conf'), configurationOf(index, directory, ports));
      writeFileSync(
        join(place, 'nats-gantry.conf'),
        await serverConfiguration(keys, prefix, join(place, 'jwt')),
      );
    }
    const cluster = new NatsCluster(directory, ports, { keys, prefix });
    for (const index of names.keys()) await cluster.startServer(index);
    return cluster;
  }

  get size(): number {
    return names.length;
  }

  async startServer(index: number): Promise<void> {
    const program = process.env['GANTRY_TEST_NATS_SERVER'] ?? 'nats-server';
    const child = spawn(program, ['-c', join(this.#directory, names[index] ?? '', 'nats.conf')], {
      stdio: 'ignore',
    });
    this.#running.set(index, child);
    await until(async () => {
      if (child.exitCode !== null) throw new Error('nats-server has ended: it refuses the configuration');
      return isListening(this.#ports[index]?.clients ?? 0);
    }, `${names[index]} listening`);
  }

  /** As when its machine is lost. */
  async kill(index: number): Promise<void> {
    const child = this.#running.get(index);
    if (child === undefined) return;
    this.#running.delete(index);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    for (const index of [...this.#running.keys()]) await this.kill(index);
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** The guide's file of the first server, with the name, ports and certificates of this one. */
function configurationOf(index: number, directory: string, ports: readonly Ports[]): string {
  const guide = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  let text = /```\n(server_name: nats-1\n[\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const own = ports[index];
  const replacements: [string, string][] = [
    ['server_name: nats-1', `server_name: ${names[index]}`],
    ['"0.0.0.0:4222"', `"127.0.0.1:${own?.clients}"`],
    ['"0.0.0.0:6222"', `"127.0.0.1:${own?.cluster}"`],
    ...names.map((name, other): [string, string] => [`${name}:6222`, `127.0.0.1:${ports[other]?.cluster}`]),
    ...['cert.pem', 'key.pem', 'ca.pem'].map((file): [string, string] => [
      `/etc/nats/${file}`,
      join(directory, file),
    ]),
  ];
  for (const [found, here] of replacements) {
    if (!text.includes(found)) throw new Error(`the cluster of docs/operations.md has no ${found}`);
    text = text.replace(found, here);
  }
  return text;
}

function isListening(port: number): Promise<boolean> {
  const socket: Socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}
