// A license with a real agent and a simulated Rust server, whose plugins and files the test controls.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { components } from '../../generated/platform.d.ts';
import { AgentProcess } from '../agent/support/agent.ts';
import { rustInstance, withFramework } from '../agent/support/rust-instance.ts';
import { until } from './until.ts';
import { World, type Tenant, type WorldOptions } from './world.ts';

type Schemas = components['schemas'];
export type Application = Schemas['PluginConfigApplication'];

type Framework = 'oxide' | 'carbon';

export interface PluginHostOptions extends WorldOptions {
  /** For each game server beside the agent; one with Oxide by default. */
  frameworks?: Framework[];
  /** Prepares files before the agent starts. */
  prepare?: (host: PluginHost) => Promise<void>;
}

/** What the simulated server does with a plugin's files. */
export interface PluginHabits {
  /** Data that it reads when loaded. */
  reads?: string[];
  /** Data that it saves when unloaded. */
  saves?: string[];
  /** How it rewrites its configuration while it loads. */
  rewrites?: string;
  /** It cannot load a file with this text. */
  refuses?: string;
}

/** The source of a plugin that loads. */
export function pluginSource(name: string, { reads = [], saves = [], rewrites, refuses }: PluginHabits = {}) {
  const lines = [
    ...reads.map((data) => `    void Read() => ReadObject<Data>("${data}");`),
    ...saves.map((data) => `    void Unload() => SaveOnUnload("${data}");`),
    ...(rewrites === undefined ? [] : [`    void Init() => WriteConfigOnLoad(${JSON.stringify(rewrites)});`]),
    ...(refuses === undefined ? [] : [`    void Loaded() => ThrowOn(${JSON.stringify(refuses)});`]),
  ];
  return `namespace Oxide.Plugins {
  [Info("${name}", "An author", "1.0.0")]
  class ${name} : RustPlugin {
${lines.join('\n')}
  }
}
`;
}

/** A game server and its plugins' files. */
export class PluginServer {
  readonly framework: Framework;
  readonly directory: string;
  instanceId = '';

  constructor(framework: Framework, directory: string) {
    this.framework = framework;
    this.directory = directory;
  }

  pathOf(file: string): string {
    const place = this.framework === 'carbon' ? file.replace(/^config\//, 'configs/') : file;
    return join(this.directory, this.framework, place);
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(this.pathOf(file)), { recursive: true });
    writeFileSync(this.pathOf(file), text);
  }

  read(file: string): string {
    return readFileSync(this.pathOf(file), 'utf8');
  }

  remove(file: string): void {
    rmSync(this.pathOf(file), { force: true });
  }
}

export class PluginHost {
  readonly world: World;
  readonly tenant: Tenant;
  readonly agent: AgentProcess;
  readonly servers: readonly PluginServer[];

  private constructor(world: World, tenant: Tenant, agent: AgentProcess, servers: PluginServer[]) {
    this.world = world;
    this.tenant = tenant;
    this.agent = agent;
    this.servers = servers;
  }

  static async open({
    frameworks = ['oxide'],
    prepare,
    ...options
  }: PluginHostOptions = {}): Promise<PluginHost> {
    const world = await World.create({ heartbeatIntervalSeconds: 2, ...options });
    const agent = new AgentProcess(await mkdtemp(join(tmpdir(), 'gantry-plugins-')));
    const servers = frameworks.map(
      (framework) => new PluginServer(framework, join(agent.directory, framework)),
    );
    const host = new PluginHost(world, await world.createTenant(), agent, servers);
    const instances = servers.map(async ({ framework, directory: cwd }) => {
      mkdirSync(cwd);
      return rustInstance(agent, withFramework(framework), { name: framework, cwd });
    });
    agent.configure(await Promise.all(instances));
    await prepare?.(host);
    host.startAgent();
    for (const server of servers) server.instanceId = await host.#greetedInstance(server.framework);
    return host;
  }

  /** The first game server. */
  get server(): PluginServer {
    const [server] = this.servers;
    if (server === undefined) throw new Error('there is no server');
    return server;
  }

  get instanceId(): string {
    return this.server.instanceId;
  }

  startAgent(program?: string, environment: Record<string, string> = {}): void {
    const { companion_token: token } = this.tenant.license;
    this.agent.start(
      { GANTRY_URL: this.world.url, GANTRY_COMPANION_TOKEN: token, ...environment },
      { ...(program !== undefined && { program }) },
    );
  }

  async close(): Promise<void> {
    await this.agent.end('SIGKILL');
    for (const pid of this.agent.allStarts()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        continue; // it has ended by itself
      }
    }
    await this.world.close();
    await rm(this.agent.directory, { recursive: true, force: true });
  }

  /** Starts the game server and waits until it responds. */
  async startServer({ instanceId } = this.server): Promise<void> {
    await this.world
      .call('post', `/api/instances/${instanceId}/start`, this.tenant.owner)
      .set('Prefer', 'wait=10')
      .expect(202);
    await until(async () => {
      const path = `/api/instances/${instanceId}/plugins`;
      return (await this.world.call('get', path, this.tenant.owner)).status === 200;
    }, 'the plugins of the server');
  }

  write(file: string, text: string): void {
    this.server.write(file, text);
  }

  read(file: string): string {
    return this.server.read(file);
  }

  remove(file: string): void {
    this.server.remove(file);
  }

  /** Bodies with settings get the kind of the path unless they name one. */
  call(method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object) {
    const test = this.world.call(method, `/api/plugin-configs/${path}`, this.tenant.owner);
    const [kind, action] = path.split('/');
    const namesKind = method === 'patch' || action === undefined || action === 'validate';
    return body === undefined ? test : test.send(namesKind ? { kind, ...body } : body);
  }

  /** A configuration of that kind. */
  async create(
    kind: string,
    config_data: object,
    name = `Config ${Math.random()}`,
  ): Promise<{ id: string; version: number }> {
    const { body } = await this.call('post', kind, { name, config_data }).expect(201);
    return body as { id: string; version: number };
  }

  /** Requests its application. */
  async beginToApply(kind: string, id: string, { instanceId } = this.server): Promise<string> {
    const { body } = await this.call('post', `${kind}/${id}/apply`, { instance_id: instanceId }).expect(202);
    return (body as Application).id;
  }

  /** Applies it and waits for the end. */
  async apply(kind: string, id: string, server = this.server): Promise<Application> {
    return this.endOf(await this.beginToApply(kind, id, server));
  }

  async application(id: string): Promise<Application> {
    const { body } = await this.world
      .call('get', `/api/plugin-applications/${id}`, this.tenant.owner)
      .expect(200);
    return body as Application;
  }

  endOf(id: string, ms?: number): Promise<Application> {
    const look = async () => {
      const application = await this.application(id);
      return application.finished_at === null ? undefined : application;
    };
    return until(look, 'the end of the application', ms);
  }

  #greetedInstance(name: string): Promise<string> {
    return until(async () => {
      const { body } = await this.world.call('get', '/api/fleet/instances', this.tenant.owner);
      const { data } = body as Schemas['GameInstancePage'];
      return data.find((instance) => instance.name === name && instance.state !== 'offline')?.id;
    }, 'the instance');
  }
}
