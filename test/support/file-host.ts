// A license with a real agent and real files, and transfers that a test drives at its own pace.
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

/** Credentials of a request. */
export type Credentials = Record<string, string>;

export const bearing = (token: string): Credentials => ({ authorization: `Bearer ${token}` });

export class FileHost {
  readonly world: World;
  readonly tenant: Tenant;
  readonly agent: AgentProcess;
  /** The directory of the instance's files. */
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

  /** The agent's data connections lead to that address. */
  startAgent(url = this.world.url): void {
    const { companion_token: token } = this.tenant.license;
    this.agent.start({ GANTRY_URL: url, GANTRY_COMPANION_TOKEN: token });
  }

  async killAgent(): Promise<void> {
    await this.agent.end('SIGKILL');
  }

  /** Restarts the agent and waits until it responds. */
  async restartAgent(url?: string): Promise<void> {
    this.startAgent(url);
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

  /** Temporary files that the agent has not removed. */
  leftovers(folder = this.root): string[] {
    return readdirSync(folder).filter((name) => name.startsWith('.gantry-'));
  }

  untilTidy(): Promise<boolean> {
    return until(() => this.leftovers().length === 0, 'the removal of unfinished files');
  }

  /** An upload whose body the test writes, to the replica at that address. */
  beginUpload(
    path: string,
    credentials = bearing(this.tenant.owner.token),
    url = this.world.url,
  ): ClientRequest {
    const headers = { ...credentials, 'content-type': 'application/octet-stream' };
    return this.#request('PUT', `upload?path=${path}`, headers, url);
  }

  /** The response to a download with any status, whose body the test reads. */
  async beginDownload(
    path: string,
    credentials = bearing(this.tenant.owner.token),
    url = this.world.url,
  ): Promise<IncomingMessage> {
    const request = this.#request('GET', `download?path=${path}`, credentials, url).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => undefined); // the awaiting caller sees the error too
    return response;
  }

  #request(method: string, rest: string, headers: Credentials, url: string): ClientRequest {
    const path = `/api/instances/${this.instanceId}/files/${rest}`;
    const { port } = new URL(url);
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      // As most clients declare: then the response to a refused body can be read.
      headers: { ...headers, connection: 'keep-alive' },
      agent: false,
    });
    request.on('error', () => undefined); // the caller that awaits the response sees the error too
    return request;
  }

  #greetedInstance(): Promise<string> {
    return until(async () => {
      const { body } = await this.world.call('get', '/api/fleet/instances', this.tenant.owner);
      return (body as Schemas['GameInstancePage']).data.find(({ state }) => state !== 'offline')?.id;
    }, 'the instance');
  }
}

export interface FileResponse {
  status: number | undefined;
  body: unknown;
}

const piece = Buffer.alloc(256 * 1024, 'x');

/** Keeps sending until there is a response. */
export async function sendUntilResponse(upload: ClientRequest): Promise<FileResponse> {
  const timer = setInterval(() => upload.writableNeedDrain || upload.write(piece), 10);
  try {
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    return { status: response.statusCode, body: await json(response) };
  } finally {
    clearInterval(timer);
    upload.destroy();
  }
}

/** Reads slowly until the end; returns whether everything arrived. */
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
