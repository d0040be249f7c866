// Runs the command line as a user does: as a process, with files of its own for profiles and the cache.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Tenant, World } from './world.ts';

const main = resolve(import.meta.dirname, '../../cli/src/main.ts');

export interface CliRun {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** A server of the test, with its address. */
export async function listening(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export class Cli {
  readonly directory = mkdtempSync(join(tmpdir(), 'gantry-cli-'));
  readonly environment: Record<string, string>;

  constructor(server: string, extra: Record<string, string> = {}) {
    this.environment = {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      HOME: this.directory,
      XDG_CONFIG_HOME: join(this.directory, 'config'),
      XDG_CACHE_HOME: join(this.directory, 'cache'),
      ...(server === '' ? {} : { GANTRY_SERVER: server }),
      ...extra,
    };
  }

  get profilesFile(): string {
    return join(this.directory, 'config/gantry/profiles.json');
  }

  /** What `gantry` is for a shell or another program. */
  get command(): [string, ...string[]] {
    return [process.execPath, main];
  }

  run(
    args: string[],
    { input = '', environment = {} }: { input?: string; environment?: Record<string, string> } = {},
  ) {
    return new Promise<CliRun>((done, fail) => {
      const [program, ...first] = this.command;
      const child = spawn(program, [...first, ...args], {
        env: { ...this.environment, ...environment },
        cwd: this.directory,
      });
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      child.on('error', fail).on('close', (status) => done({ status, stdout, stderr }));
      child.stdin.on('error', () => undefined).end(input);
    });
  }

  /** Runs the command, which must succeed, and parses the JSON that it prints. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look at responses field by field
  async json(args: string[]): Promise<any> {
    const { status, stdout, stderr } = await this.run(args);
    if (status !== 0) throw new Error(`gantry ${args.join(' ')} ended with ${status}: ${stderr}`);
    return JSON.parse(stdout) as unknown;
  }

  close(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Creates an API key of the tenant's license; returns its text. */
export async function createCliKey(
  world: World,
  tenant: Tenant,
  permissions: Record<string, boolean>,
): Promise<string> {
  const { body } = await world
    .call('post', '/api/api-keys', tenant.owner)
    .send({ name: 'CLI', permissions })
    .expect(201);
  return (body as { key: string }).key;
}
