// A simulated Rust server of a license, run by a real agent.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rustSettings } from '../agent/support/rust-instance.ts';
import { Program, writeAgentConfig } from './processes.ts';
import { until } from './until.ts';
import type { Tenant, World } from './world.ts';

export class SimulatedServer {
  readonly instanceId: string;
  /** The directory of the game server. */
  readonly directory: string;
  /** Ended and started by tests of hosts that are offline; the game server runs on. */
  readonly agent: Program;
  readonly #world: World;
  readonly #tenant: Tenant;

  private constructor(
    { world, tenant }: { world: World; tenant: Tenant },
    { instanceId, directory, agent }: { instanceId: string; directory: string; agent: Program },
  ) {
    this.instanceId = instanceId;
    this.directory = directory;
    this.agent = agent;
    this.#world = world;
    this.#tenant = tenant;
  }

  /** Starts it; the world ends it. `own` are arguments of the game server. */
  static async start(world: World, tenant: Tenant, own: readonly string[] = []): Promise<SimulatedServer> {
    const root = await mkdtemp(join(tmpdir(), 'gantry-simulated-'));
    const directory = join(root, 'game');
    await mkdir(directory);
    const args = ['--given-file', join(directory, 'given'), '+server.identity', 'test', ...own];
    await writeAgentConfig(join(root, 'agent.json'), [await rustSettings(root, args, { cwd: directory })]);
    const agent = Program.agent({
      GANTRY_URL: world.url,
      GANTRY_COMPANION_TOKEN: tenant.license.companion_token,
      GANTRY_AGENT_CONFIG: join(root, 'agent.json'),
      GANTRY_AGENT_STATE: join(root, 'agent'),
    });
    await agent.start();
    const instanceId = await until(async () => {
      const { body } = await world.call('get', '/api/fleet/instances', tenant.owner).expect(200);
      return (body as { data: { id: string }[] }).data[0]?.id;
    }, 'the instance');
    const server = new SimulatedServer({ world, tenant }, { instanceId, directory, agent });
    world.atEnd(async () => {
      await server.#stop();
      await rm(root, { recursive: true, force: true });
    });
    await server.#power('start');
    await until(async () => {
      const { body } = await world
        .call('get', `/api/fleet/instances/${instanceId}`, tenant.owner)
        .expect(200);
      return (body as { state: string }).state === 'running';
    }, 'the server to run');
    return server;
  }

  /** What players were given, one line for each. */
  given(): string[] {
    const file = join(this.directory, 'given');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  }

  /** Game servers outlive their agent, so the agent ends this one first. */
  async #stop(): Promise<void> {
    await this.#power('stop');
    await this.agent.signal('SIGTERM');
  }

  async #power(verb: 'start' | 'stop'): Promise<void> {
    await this.#world
      .call('post', `/api/instances/${this.instanceId}/${verb}`, this.#tenant.owner)
      .set('Prefer', 'wait=10')
      .expect(202);
  }
}
