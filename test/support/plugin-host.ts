// A license with a real agent beside a simulated Rust server, whose plugins and their files are the test's.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { components } from '../../generated/platform.d.ts';
import { AgentProcess } from '../agent/support/agent.ts';
import { freePort, password, rustProgram } from '../agent/support/rcon.ts';
import { until } from './until.ts';
import { World, type Tenant, type WorldOptions } from './world.ts';

type Schemas = components['schemas'];
export type Application = Schemas['PluginApplication'];

export interface PluginHostOptions extends WorldOptions {
  framework?: 'oxide' | 'carbon';
}

/**
 * The source of a plugin that loads. `reads` and `saves` are data that it reads when loaded and saves when unloaded;
 * `rewrites` is what it makes of its configuration while it loads.
 */
export function pluginSource(
  name: string,
  { reads = [], saves = [], rewrites }: { reads?: string[]; saves?: string[]; rewrites?: string } = {},
) {
  const lines = [
    ...reads.map((data) => `    void Read() => ReadObject<Data>("${data}");`),
    ...saves.map((data) => `    void Unload() => SaveOnUnload("${data}");`),
    ...(rewrites === undefined ? [] : [`    void Init() => WriteConfigOnLoad(${JSON.stringify(rewrites)});`]),
  ];
  return `namespace Oxide.Plugins {
  [Info("${name}", "Somebody", "1.0.0")]
  class ${name} : RustPlugin {
${lines.join('\n')}
  }
}
`;
}

export class PluginHost {
  readonly world: World;
  readonly tenant: Tenant;
  readonly agent: AgentProcess;
  readonly framework: 'oxide' | 'carbon';
  instanceId = '';

  private constructor(
    world: World,
    tenant: Tenant,
    agent: AgentProcess,
    framework: PluginHostOptions['framework'] = 'oxide',
  ) {
    this.world = world;
    this.tenant = tenant;
    this.agent = agent;
    this.framework = framework;
  }

  static async open({ framework, ...options }: PluginHostOptions = {}): Promise<PluginHost> {
    const world = await World.create({ heartbeatIntervalSeconds: 2, ...options });
    const agent = new AgentProcess(await mkdtemp(join(tmpdir(), 'gantry-plugins-')));
    const host = new PluginHost(world, await world.createTenant(), agent, framework);
    const port = await freePort();
    const modding = ['--modding', host.framework, '+server.identity', 'test'];
    const secretFile = join(agent.directory, 'rcon-password');
    writeFileSync(secretFile, password);
    agent.configure([
      {
        program: rustProgram,
        args: [
          '--boot-ms',
          '60',
          '--play-ms',
          '0',
          ...modding,
          '+rcon.port',
          String(port),
          '+rcon.password',
          password,
        ],
        game: 'rust',
        ready_pattern: 'Server startup complete',
        stop: { command: 'quit' },
        webrcon: { port, password_file: secretFile },
      },
    ]);
    host.startAgent();
    host.instanceId = await host.#greetedInstance();
    return host;
  }

  startAgent(): void {
    const { companion_token: token } = this.tenant.license;
    this.agent.start({ GANTRY_URL: this.world.url, GANTRY_COMPANION_TOKEN: token });
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

  /** Starts the game server and waits until it answers. */
  async startServer(): Promise<void> {
    await this.world
      .call('post', `/api/instances/${this.instanceId}/start`, this.tenant.owner)
      .set('Prefer', 'wait=10')
      .expect(202);
    await until(async () => {
      const { status } = await this.world.call(
        'get',
        `/api/instances/${this.instanceId}/plugins`,
        this.tenant.owner,
      );
      return status === 200;
    }, 'the plugins of the server');
  }

  pathOf(file: string): string {
    const place = this.framework === 'carbon' ? file.replace(/^config\//, 'configs/') : file;
    return join(this.agent.directory, this.framework, place);
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

  call(method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object) {
    const test = this.world.call(method, `/api/plugin-configs/${path}`, this.tenant.owner);
    return body === undefined ? test : test.send(body);
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

  /** Applies it and waits for the end. */
  async apply(kind: string, id: string): Promise<Application> {
    const { body } = await this.call('post', `${kind}/${id}/apply`, { instance_id: this.instanceId }).expect(
      202,
    );
    return this.endOf((body as Application).id);
  }

  endOf(id: string): Promise<Application> {
    return until(async () => {
      const { body } = await this.world
        .call('get', `/api/plugin-applications/${id}`, this.tenant.owner)
        .expect(200);
      const application = body as Application;
      return application.finished_at === null ? undefined : application;
    }, 'the end of the application');
  }

  #greetedInstance(): Promise<string> {
    return until(async () => {
      const { body } = await this.world.call('get', '/api/fleet/instances', this.tenant.owner);
      return (body as Schemas['GameInstancePage']).data.find(({ state }) => state !== 'offline')?.id;
    }, 'the instance');
  }
}
