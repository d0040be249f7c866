// A manager with a simulated world of its own, called over HTTP as its page does.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { components } from '../../../generated/local-manager.d.ts';
import { readConfig } from '../../../local-manager/src/config.ts';
import { startManager, type Manager } from '../../../local-manager/src/manager.ts';
import { StandInWorld, type WorldOptions } from '../../../local-manager/stand-ins/world.ts';
import { until } from '../../support/until.ts';

type Schemas = components['schemas'];
export type Operation = Schemas['Operation'];

/** Operations wait for several programs each, on a busy machine. */
const operationMs = 80_000;

/** The URL and the token of a manager. */
export interface ManagerAddress {
  url: string;
  token: string;
}

export interface ManagerResponse {
  status: number;
  headers: Headers;
  body: any; // oxlint-disable-line typescript/no-explicit-any
}

/** Calls a manager as its page and scripts do. */
export abstract class ManagerClient {
  protected abstract get address(): ManagerAddress;

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ManagerResponse> {
    const response = await fetch(`${this.address.url}${path}`, {
      method,
      headers: {
        'X-Manager-Token': this.address.token,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  get = (path: string) => this.call('GET', path);
  post = (path: string, body?: unknown) => this.call('POST', path, body);

  /** The operation once it has ended. */
  async end({ id }: { id: string }): Promise<Operation> {
    return until(
      async () => {
        const { body } = await this.get(`/api/operations/${id}`);
        return body.state === 'running' ? undefined : (body as Operation);
      },
      'the end of the operation',
      operationMs,
    );
  }

  /** Starts an operation, which must be accepted, and returns its result. */
  async done(path: string, body?: unknown): Promise<Operation> {
    const { status, body: operation } = await this.post(path, body);
    if (status !== 202) throw new Error(`${path} returned ${status}: ${JSON.stringify(operation)}`);
    return this.end(operation);
  }

  async linesOf({ id }: { id: string }): Promise<string> {
    const { body } = await this.get(`/api/operations/${id}/lines`);
    return (body.data as Schemas['OperationLine'][]).map(({ text }) => text).join('\n');
  }
}

export class ManagerWorld extends ManagerClient {
  readonly world: StandInWorld;
  readonly home: string;
  manager: Manager;

  private constructor(world: StandInWorld, home: string, manager: Manager) {
    super();
    this.world = world;
    this.home = home;
    this.manager = manager;
  }

  static async start(options: WorldOptions = {}): Promise<ManagerWorld> {
    return ManagerWorld.in(await StandInWorld.start(options));
  }

  static async in(world: StandInWorld): Promise<ManagerWorld> {
    const home = await mkdtemp(join(tmpdir(), 'gantry-local-manager-'));
    return new ManagerWorld(world, home, await startWith(world, home));
  }

  /** Ends the manager and starts it again with the same home; the world keeps running. */
  async restart(): Promise<void> {
    await this.manager.stop();
    this.manager = await startWith(this.world, this.home);
  }

  async stop(): Promise<void> {
    await this.manager.stop();
    await this.world.stop();
    await rm(this.home, { recursive: true, force: true });
  }

  protected override get address(): ManagerAddress {
    return this.manager;
  }

  async status(): Promise<Schemas['Status']> {
    this.manager.services.status.forget();
    return (await this.get('/api/status')).body;
  }
}

/** Samples are taken on request only. */
const quiet = { LOCAL_MANAGER_POLL_MS: '100', LOCAL_MANAGER_SAMPLE_SECONDS: '3600' };

async function startWith(world: StandInWorld, home: string): Promise<Manager> {
  return startManager(readConfig({ ...world.environment(home), ...quiet }), {
    log: pino({ level: 'silent' }),
    validateReplies: true,
  });
}
