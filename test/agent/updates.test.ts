// Updates of an installed agent: real executables under the real launcher, and what goes wrong with either.
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { components } from '../../generated/platform.d.ts';
import { itWhere } from '../support/it-where.ts';
import { canMountDisk, mountSmallDisk, unmountSmallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';
import { isAlive, Stage } from './support/agent.ts';
import { gameFile } from './support/game-file.ts';
import { Builds, InstalledAgent, type InstallationOptions } from './support/installed-agent.ts';

type Schemas = components['schemas'];

let builds: Builds;
let world: World;
let tenant: Tenant;
let agent: InstalledAgent;
let hostname: string;
let hostCount = 0;

const first = 'gantry-agent-0.1.0-first';

beforeAll(async () => {
  builds = await Builds.open();
  for (const version of ['0.1.0', '0.2.0']) await builds.write(version);
  // It never reaches the platform.
  await builds.write('0.3.0', { '/api/agent/session': '/api/agent/nothing' });
  writeFileSync(
    builds.pathOf('0.4.0'),
    '#!/bin/sh\n[ "$1" = --version ] && echo "gantry-agent 0.4.0 (a test)" && exit 0\nexit 1\n',
    { mode: 0o755 },
  );
  world = await World.create({ agentReleaseDirectory: builds.release, heartbeatIntervalSeconds: 1 });
  tenant = await world.createTenant();
});
afterAll(async () => {
  await world.close();
  await builds.close();
});

afterEach(async () => {
  for (const pid of gamePids()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  await agent.remove();
  await world.database.query(`update agent_host set status = 'offline'`);
});

const startsFile = () => join(agent.directory, 'starts');
const gamePids = (): number[] =>
  existsSync(startsFile()) ? readFileSync(startsFile(), 'utf8').trim().split('\n').map(Number) : [];

async function install(
  options: Partial<InstallationOptions> = {},
  prepare?: (bin: string) => void,
): Promise<void> {
  hostname = `host-${++hostCount}`;
  const environment = {
    GANTRY_URL: world.url,
    GANTRY_COMPANION_TOKEN: tenant.license.companion_token,
    GANTRY_AGENT_HOSTNAME: hostname,
  };
  agent = await InstalledAgent.install({ builds, version: '0.1.0', environment, ...options }, prepare);
  const instance = {
    name: 'main',
    command: process.execPath,
    args: [gameFile, 'ticking'],
    env: { STARTS_FILE: startsFile() },
    ready_pattern: 'started ',
    autostart: true,
  };
  writeFileSync(agent.configFile, JSON.stringify({ instances: [instance] }));
  agent.start();
  await untilHost(({ status, agent_version }) => status === 'online' && agent_version === '0.1.0');
  await until(() => gamePids().length === 1, 'the game server');
}

async function host(): Promise<Schemas['AgentHost'] | undefined> {
  const { body } = await world.call('get', '/api/fleet/hosts?limit=100', tenant.owner).expect(200);
  return (body as Schemas['AgentHostPage']).data.find((each) => each.hostname === hostname);
}

const untilHost = (holds: (host: Schemas['AgentHost']) => boolean) =>
  until(async () => {
    const found = await host();
    return found !== undefined && holds(found) ? found : undefined;
  }, 'the host').catch((error: unknown) => {
    throw new Error(agent.output, { cause: error });
  });

async function request(more: Partial<Schemas['AgentUpdateCreate']> = {}): Promise<Schemas['Command']> {
  const { body } = await world
    .call('post', '/api/fleet/agent-updates', tenant.owner)
    .send({ host_ids: [(await host())?.id], ...more })
    .expect(202);
  const [command, ...others] = (body as Schemas['AgentUpdateCommands']).commands;
  if (command === undefined || others.length > 0) throw new Error(JSON.stringify(body));
  return command;
}

const outcomeOf = ({ id }: Schemas['Command']): Promise<Schemas['Command']> =>
  until(async () => {
    const { body } = await world.call('get', `/api/commands/${id}`, tenant.owner).expect(200);
    const command = body as Schemas['Command'];
    return command.finished_at !== null && command;
  }, 'the outcome').catch((error: unknown) => {
    throw new Error(agent.output, { cause: error });
  });

/** The command failed so, the game server runs on, and the installation is unchanged. */
async function expectUnchanged(command: Schemas['Command'], code: string, detail: RegExp): Promise<void> {
  expect(await outcomeOf(command)).toMatchObject({
    status: 'failed',
    error: { code, detail: expect.stringMatching(detail) },
  });
  await untilHost(({ status, agent_version }) => status === 'online' && agent_version === '0.1.0');
  expect([agent.current, agent.names]).toEqual([first, ['current', first]]);
  expect(gamePids().map(isAlive)).toEqual([true]);
  expect(agent.agents).toHaveLength(1);
}

describe('an installed agent', () => {
  it('is updated while its game server runs on, reports it once, and steps back only when asked', async () => {
    await install();
    await builds.publish('0.2.0');
    expect(await host()).toMatchObject({ available_agent_version: '0.2.0', agent_update: null });
    const command = await request();
    expect((await request()).id).toBe(command.id);
    expect(await outcomeOf(command)).toMatchObject({
      kind: 'update_agent',
      status: 'succeeded',
      detail: 'The agent has version 0.2.0.',
      instance_id: null,
    });
    const updated = await untilHost(
      ({ agent_version, status }) => agent_version === '0.2.0' && status === 'online',
    );
    expect(updated).toMatchObject({
      available_agent_version: null,
      agent_update: { command_id: command.id, version: '0.2.0', status: 'succeeded', error: null },
    });
    expect(agent.names).toEqual([
      'current',
      first,
      expect.stringMatching(/^gantry-agent-0\.2\.0-[0-9a-f]{8}$/),
    ]);
    expect(agent.current).toBe(agent.names[2]);
    expect(gamePids().map(isAlive)).toEqual([true]);
    // The new agent supervises the same process.
    const { body } = await world.call('get', `/api/fleet/instances?host_id=${updated.id}`, tenant.owner);
    const [instance] = (body as Schemas['GameInstancePage']).data;
    const again = await world.call('post', `/api/instances/${instance?.id}/start`, tenant.owner).expect(202);
    expect(await outcomeOf(again.body as Schemas['Command'])).toMatchObject({ detail: 'already running' });

    const [former] = agent.agents;
    agent.kill();
    await until(() => agent.agents.length === 1 && agent.agents[0] !== former, 'the next agent');
    expect(agent.current).toMatch(/0\.2\.0/);

    await builds.publish('0.1.0');
    const refused = await world
      .call('post', '/api/fleet/agent-updates', tenant.owner)
      .send({ host_ids: [updated.id] })
      .expect(409);
    expect(refused.body).toMatchObject({ code: 'agent_newer', detail: expect.stringContaining(hostname) });
    expect(await outcomeOf(await request({ allow_older: true }))).toMatchObject({ status: 'succeeded' });
    await untilHost(({ agent_version }) => agent_version === '0.1.0');
    expect(gamePids().map(isAlive)).toEqual([true]);
  });

  it('is updated without a service manager', async () => {
    await install({ isSupervised: false });
    await builds.publish('0.2.0');
    expect(await outcomeOf(await request())).toMatchObject({ status: 'succeeded' });
    expect([agent.startCount, agent.agents.length]).toEqual([1, 1]);
    expect(gamePids().map(isAlive)).toEqual([true]);
  });

  it.each([true, false])('comes back if the new one never reports (supervised: %s)', async (isSupervised) => {
    await install({ trialSeconds: 5, isSupervised });
    await builds.publish('0.3.0');
    const command = await request();
    expect(await outcomeOf(command)).toMatchObject({
      status: 'failed',
      error: { code: 'update_failed', detail: expect.stringContaining('did not reach the platform in time') },
    });
    expect(await host()).toMatchObject({
      agent_update: { status: 'failed' },
      available_agent_version: '0.3.0',
    });
    expect([agent.current, agent.agents.length]).toEqual([first, 1]);
    expect(gamePids().map(isAlive)).toEqual([true]);
  });

  it.each([true, false])('comes back if the new one ends at once (supervised: %s)', async (isSupervised) => {
    await install({ isSupervised });
    await builds.publish('0.4.0');
    expect(await outcomeOf(await request())).toMatchObject({
      status: 'failed',
      error: { code: 'update_failed' },
    });
    expect([agent.current, agent.agents.length]).toEqual([first, 1]);
    expect(gamePids().map(isAlive)).toEqual([true]);
  });

  it('is updated although it is killed before the new one starts, and afterwards', async () => {
    await install();
    await builds.publish('0.2.0');
    const command = await request();
    await until(() => existsSync(agent.pathOf('trial')), 'the trial');
    agent.kill();
    const outcome = await outcomeOf(command);
    // Killed before `current` was written, the former one stays; afterwards, the new one starts.
    expect(outcome.status).toBe(agent.current === first ? 'failed' : 'succeeded');
    expect(gamePids().map(isAlive)).toEqual([true]);
  });

  it('keeps its version if it is killed during the download, and can be updated afterwards', async () => {
    await install();
    await builds.publish('0.2.0');
    const command = await request();
    await until(() => agent.names.some((name) => name.endsWith('.part')), 'the download');
    agent.kill();
    expect(await outcomeOf(command)).toMatchObject({ status: 'failed', error: { code: 'update_failed' } });
    await untilHost(({ status }) => status === 'online');
    expect(await outcomeOf(await request())).toMatchObject({ status: 'succeeded' });
  });
});

describe('an agent stays unchanged if', () => {
  beforeEach(() => install());

  it('the executable was changed', async () => {
    await builds.publish('0.2.0');
    await builds.tamper();
    await expectUnchanged(await request(), 'update_failed', /its checksum is wrong/);
  });

  it('another key has signed the release', async () => {
    await builds.publish('0.2.0', { key: generateKeyPairSync('ed25519').privateKey });
    await expectUnchanged(await request(), 'update_failed', /is not signed with the key/);
  });

  it('the executable has another version than the list', async () => {
    await builds.publish('0.5.0', { executable: '0.2.0' });
    await expectUnchanged(await request(), 'update_failed', /reports another version/);
  });

  it('the release was replaced meanwhile', async () => {
    await builds.publish('0.3.0');
    const command = await world.database.query<{ id: string }>(
      `insert into command (license_id, host_id, kind, args, expires_at)
       values ($1, $2, 'update_agent', '{"version":"0.2.0"}', now() + interval '1 hour') returning id`,
      [tenant.license.id, (await host())?.id],
    );
    agent.kill(); // its hello has the waiting command sent
    await expectUnchanged(
      { id: command[0]?.id } as Schemas['Command'],
      'update_failed',
      /offers version 0\.3\.0 instead of 0\.2\.0/,
    );
  });
});

itWhere(canMountDisk())('an agent stays unchanged if the disk is full', async () => {
  let bin = '';
  await install({}, (directory) => {
    bin = directory;
    mountSmallDisk(directory, 260 * 1024 * 1024);
  });
  try {
    await builds.publish('0.2.0');
    await expectUnchanged(await request(), 'disk_full', /disk of the host is full/);
  } finally {
    agent.kill();
    unmountSmallDisk(bin);
  }
});

it('an agent that install.sh has not installed refuses', async () => {
  const stage = await Stage.open();
  try {
    stage.agent.configure([{}]);
    await stage.startAgent();
    expect(await stage.platform.run('update_agent', 'main', { version: '9.0.0' })).toMatchObject({
      status: 'failed',
      error_code: 'not_supported',
      detail: expect.stringContaining('was not installed with install.sh'),
    });
    expect(await stage.platform.run('update_agent', 'main', { version: '0.1.0' })).toMatchObject({
      status: 'succeeded',
      detail: 'The agent has version 0.1.0 already.',
    });
  } finally {
    await stage.close();
    rmSync(agent.directory, { recursive: true, force: true });
  }
});
