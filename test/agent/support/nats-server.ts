// A real nats-server that a test can take away and bring back at the same place.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { findNatsServer } from '../../../src/embedded/nats-binary.ts';
import { until } from '../../support/until.ts';

async function program(): Promise<string> {
  const { GANTRY_TEST_NATS_SERVER: found, NATS_SERVER_BIN: serverBin } = process.env;
  if (found !== undefined) return found;
  const log = pino({ level: 'error' });
  return findNatsServer({
    cacheDir: join(tmpdir(), 'gantry-nats'),
    log,
    ...(serverBin !== undefined && { serverBin }),
  });
}

export class NatsServer {
  readonly #directory: string;
  readonly #configuration: string;
  #port = -1;
  #child: ChildProcess | null = null;

  private constructor(directory: string, configuration: string) {
    this.#directory = directory;
    this.#configuration = configuration;
  }

  /** Without a configuration it lets everybody do everything. */
  static async start(directory: string, configuration = ''): Promise<NatsServer> {
    const server = new NatsServer(directory, configuration);
    await server.start();
    return server;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const file = join(this.#directory, 'nats.conf');
    const place = `host: "127.0.0.1"\nport: ${this.#port}\nports_file_dir: ${JSON.stringify(this.#directory)}\n`;
    await writeFile(file, place + this.#configuration);
    const child = spawn(await program(), ['-c', file], { stdio: 'ignore' });
    this.#child = child;
    const portsFile = await until(async () => {
      const names = await readdir(this.#directory);
      return names.find((name) => name.endsWith(`_${child.pid}.ports`));
    }, 'nats-server');
    const path = join(this.#directory, portsFile);
    const text = await until(async () => (await readFile(path, 'utf8')) || undefined, 'the ports file');
    const ports = JSON.parse(text) as { nats: string[] };
    this.#port = Number(new URL(ports.nats[0] ?? '').port);
    await rm(path);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}
