// A license with a real agent beside real files, and transfers that a test drives at its own pace.
import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { mkdirSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { Test } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { AgentProcess } from '../agent/support/agent.ts';
import { until } from './until.ts';
import { World, type Method, type Tenant } from './world.ts';

type Schemas = components['schemas'];

/** What a request has to say who sends it. */
export type Credentials = Record<string, string>;

export const bearing = (token: string): Credentials => ({ authorization: `Bearer ${token}` });

export class FileHost {
  readonly world: World;
  readonly tenant: Tenant;
  readonly agent: AgentProcess;
  /** Where the files of the instance are. */
  readonly root: string;
  instanceId = '';

  private constructor(world: World, tenant: Tenant, agent: AgentProcess) {
    this.world = world;
    this.tenant = tenant;
    this.agent = agent;
    this.root = join(agent.directory, 'root');
  }

  static async open(): Promise<FileHost> {
    const world = await World.create({ heartbeatIntervalSeconds: 2 });
    const agent = new AgentProcess(await mkdtemp(join(tmpdir(), 'gantry-files-')));
    const host = new FileHost(world, await world.createTenant(), agent);
    mkdirSync(host.root);
    agent.configure([{ root: host.root }]);
    host.startAgent();
    host.instanceId = await host.#greetedInstance();
    return host;
  }

  startAgent(): void {
    const { companion_token: token } = this.tenant.license;
    this.agent.start({ GANTRY_URL: this.world.url, GANTRY_COMPANION_TOKEN: token });
  }

  async killAgent(): Promise<void> {
    await this.agent.end('SIGKILL');
  }

  /** Starts the agent anew and waits until it answers. */
  async restartAgent(): Promise<void> {
    this.startAgent();
    await until(async () => (await this.call('get')).status === 200, 'the agent');
  }

  async close(): Promise<void> {
    await this.agent.end('SIGKILL');
    await this.world.close();
    await rm(this.agent.directory, { recursive: true, force: true });
  }

  call(method: Method, rest = '', query: object = {}): Test {
    return this.world
      .call(method, `/api/instances/${this.instanceId}/files${rest}`, this.tenant.owner)
      .query(query);
  }

  /** Whatever the agent has not put away. */
  leftovers(folder = this.root): string[] {
    return readdirSync(folder).filter((name) => name.startsWith('.gantry-'));
  }

  untilTidy(): Promise<boolean> {
    return until(() => this.leftovers().length === 0, 'the removal of what is unfinished');
  }

  /** An upload whose body is the test's to write. */
  beginUpload(path: string, credentials = bearing(this.tenant.owner.token)): ClientRequest {
    return this.#request('PUT', `upload?path=${path}`, {
      ...credentials,
      'content-type': 'application/octet-stream',
    });
  }

  /** The answer to a download, whatever it is, whose body is the test's to read. */
  async beginDownload(
    path: string,
    credentials = bearing(this.tenant.owner.token),
  ): Promise<IncomingMessage> {
    const request = this.#request('GET', `download?path=${path}`, credentials).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => undefined); // whoever waits for it sees it too
    return response;
  }

  #request(method: string, rest: string, headers: Credentials): ClientRequest {
    const path = `/api/instances/${this.instanceId}/files/${rest}`;
    const { port } = new URL(this.world.url);
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      // As most clients say: then the answer to a body that was refused is there to be read.
      headers: { ...headers, connection: 'keep-alive' },
      agent: false,
    });
    request.on('error', () => undefined); // whoever waits for the answer sees it too
    return request;
  }

  #greetedInstance(): Promise<string> {
    return until(async () => {
      const { body } = await this.world.call('get', '/api/fleet/instances', this.tenant.owner);
      return (body as Schemas['GameInstancePage']).data.find(({ state }) => state !== 'offline')?.id;
    }, 'the instance');
  }
}

export interface Answered {
  status: number | undefined;
  body: unknown;
}

const piece = Buffer.alloc(256 * 1024, 'x');

/** Goes on sending until there is an answer. */
export async function sendUntilAnswered(upload: ClientRequest): Promise<Answered> {
  const timer = setInterval(() => upload.writableNeedDrain || upload.write(piece), 10);
  try {
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    return { status: response.statusCode, body: await json(response) };
  } finally {
    clearInterval(timer);
    upload.destroy();
  }
}

/** Reads slowly what comes until no more does; whether it was all. */
export async function readSlowly(response: IncomingMessage): Promise<{ isWhole: boolean; bytes: number }> {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    response.pause();
    setTimeout(() => response.resume(), 3);
  });
  const isWhole = await once(response, 'end').then(
    () => true,
    () => false,
  );
  return { isWhole, bytes };
}
