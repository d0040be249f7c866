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
  leaves: number;
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
    for (const _ of names)
      ports.push({ clients: await freePort(), cluster: await freePort(), leaves: await freePort() });
    const { cert, key, file } = createAuthority(directory, 'Own authority');
    writeFileSync(join(directory, 'cert.pem'), cert);
    writeFileSync(join(directory, 'key.pem'), key);
    writeFileSync(join(directory, 'ca.pem'), readFileSync(file));
    for (const [index, name] of names.entries()) {
      const place = join(directory, name);
      mkdirSync(place);
      const text = configurationOf(index, directory, ports) + leavesOf(index, directory, ports);
      writeFileSync(join(place, 'nats.conf'), text);
      writeFileSync(
        join(place, 'nats-gantry.conf'),
        await serverConfiguration(keys, prefix, join(place, 'jwt')),
      );
    }
    const cluster = new NatsCluster(directory, ports, { keys, prefix });
    for (const index of names.keys()) await cluster.startServer(index);
    return cluster;
  }

  /** Where its servers take leaf nodes. */
  get leafUrls(): string[] {
    return this.#ports.map(({ leaves }) => `tls://localhost:${leaves}`);
  }

  /** Certificate of the authority that its servers are certified by. */
  get authorityFile(): string {
    return join(this.#directory, 'ca.pem');
  }

  get size(): number {
    return names.length;
  }

  async startServer(index: number): Promise<void> {
    const file = join(this.#directory, names[index] ?? '', 'nats.conf');
    this.#running.set(index, await startNatsServer(file, this.#ports[index]?.clients ?? 0));
  }

  /** As when its machine is lost. */
  async kill(index: number): Promise<void> {
    const child = this.#running.get(index);
    if (child === undefined) return;
    this.#running.delete(index);
    await killed(child);
  }

  async stop(): Promise<void> {
    for (const index of [...this.#running.keys()]) await this.kill(index);
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Resolves once it listens. */
export async function startNatsServer(
  file: string,
  port: number,
  environment: Record<string, string> = {},
): Promise<ChildProcess> {
  const program = process.env['GANTRY_TEST_NATS_SERVER'] ?? 'nats-server';
  const child = spawn(program, ['-c', file], { stdio: 'ignore', env: environment });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`nats-server refuses ${file}`);
    return isListening(port);
  }, 'nats-server listening');
  return child;
}

export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** The guide's file of the first server, with the name, ports and certificates of this one. */
function configurationOf(index: number, directory: string, ports: readonly Ports[]): string {
  const own = ports[index];
  return fromGuide('server_name: nats-1\n', [
    ['server_name: nats-1', `server_name: ${names[index]}`],
    ['"0.0.0.0:4222"', `"127.0.0.1:${own?.clients}"`],
    ['"0.0.0.0:6222"', `"127.0.0.1:${own?.cluster}"`],
    ...names.map((name, other): [string, string] => [`${name}:6222`, `127.0.0.1:${ports[other]?.cluster}`]),
    ...inDirectory(directory, ['cert.pem', 'key.pem', 'ca.pem']),
  ]);
}

/** The guide's lines with which it takes leaf nodes. */
const leavesOf = (index: number, directory: string, ports: readonly Ports[]) =>
  fromGuide('leafnodes {\n', [
    ['"0.0.0.0:7422"', `"127.0.0.1:${ports[index]?.leaves}"`],
    ...inDirectory(directory, ['cert.pem', 'key.pem']),
  ]);

const inDirectory = (directory: string, files: readonly string[]) =>
  files.map((file): [string, string] => [`/etc/nats/${file}`, join(directory, file)]);

/** The block of docs/operations.md that begins so, with what this machine has in place of the guide's. */
export function fromGuide(beginning: string, replacements: readonly [string, string][]): string {
  const guide = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const [, rest = ''] = guide.split(`\`\`\`\n${beginning}`);
  let text = beginning + rest.slice(0, rest.indexOf('```'));
  for (const [found, here] of replacements) {
    if (!text.includes(found)) throw new Error(`"${beginning}" of docs/operations.md has no ${found}`);
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
