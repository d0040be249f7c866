// Updates of agents: which hosts are outdated, which get a command, and agents of neighbouring versions.
import { rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { components } from '../../generated/platform.d.ts';
import { TestAgent } from '../support/agent.ts';
import { makeRelease } from '../support/agent-release.ts';
import { createHost } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

const released = '1.4.0';

let release: string;
let world: World;
let tenant: Tenant;

beforeAll(async () => {
  release = await makeRelease(released);
  world = await World.create({ agentReleaseDirectory: release });
});
afterAll(async () => {
  await world.close();
  await rm(release, { recursive: true, force: true });
});
beforeEach(async () => {
  tenant = await world.createTenant();
});

const add = (agent_version: string, platform = 'linux-x64') =>
  createHost(world, tenant, { hostname: `host-${agent_version}-${platform}`, agent_version, platform });

const update = (body: Schemas['AgentUpdateCreate'] = {}, key: string = randomUUID()) =>
  world.call('post', '/api/fleet/agent-updates', tenant.owner).set('Idempotency-Key', key).send(body);

const updated = async (body?: Schemas['AgentUpdateCreate'], key?: string) =>
  (await update(body, key).expect(202)).body as Schemas['AgentUpdateCommands'];

async function hosts(query = ''): Promise<Schemas['AgentHost'][]> {
  const { body } = await world.call('get', `/api/fleet/hosts?limit=100${query}`, tenant.owner).expect(200);
  return (body as Schemas['AgentHostPage']).data;
}

const waiting = async () =>
  world.database.query<{ host_id: string; args: object }>(
    `select host_id, args from command where license_id = $1 and kind = 'update_agent' and finished_at is null`,
    [tenant.license.id],
  );

it('shows which hosts are outdated, also in pages and by a filter', async () => {
  const versions = ['1.3.9', '1.4.0-rc.2', '1.4.0', '1.5.0', 'simulated'];
  for (const version of versions) await add(version);
  await add('1.0.0', 'freebsd-x64');
  await add('1.0.0', 'win32-x64');
  const available = (await hosts()).map(({ available_agent_version: version }) => version);
  expect(available).toEqual([released, released, null, null, null, null, released]);
  const named = async (query: string) => (await hosts(query)).map(({ hostname }) => hostname);
  expect(await named('&is_outdated=true')).toEqual([
    'host-1.3.9-linux-x64',
    'host-1.4.0-rc.2-linux-x64',
    'host-1.0.0-win32-x64',
  ]);
  expect(await named('&is_outdated=false')).toHaveLength(4);
  const first = await world
    .call('get', '/api/fleet/hosts?is_outdated=true&limit=2', tenant.owner)
    .expect(200);
  const { next_cursor: cursor } = first.body as Schemas['AgentHostPage'];
  expect(await named(`&is_outdated=true&cursor=${cursor}`)).toEqual(['host-1.0.0-win32-x64']);
});

it('updates all outdated hosts, and never the same host twice at a time', async () => {
  const old = await add('1.3.0');
  await add(released);
  await add('1.5.0');
  const { version, commands } = await updated();
  expect(version).toBe(released);
  expect(commands).toEqual([
    expect.objectContaining({ host_id: old, instance_id: null, kind: 'update_agent', status: 'queued' }),
  ]);
  expect(await waiting()).toEqual([{ host_id: old, args: { version: released } }]);
  // Other requests, at the same time, return the same command.
  const others = await Promise.all([updated(), updated({ host_ids: [old] }), updated()]);
  expect(others.map((each) => each.commands.map(({ id }) => id))).toEqual(
    [1, 2, 3].map(() => [commands[0]?.id]),
  );
  const [host] = await hosts();
  expect(host?.agent_update).toMatchObject({
    command_id: commands[0]?.id,
    version: released,
    finished_at: null,
  });
  await expect(
    world.database.query(
      `insert into command (license_id, host_id, kind, args, expires_at) values ($1, $2, 'update_agent', '{}', now())`,
      [tenant.license.id, old],
    ),
  ).rejects.toThrow(/command_agent_update_key/);
});

it('updates some hosts, or none if one of them cannot be updated', async () => {
  const [one, two, other] = [await add('1.2.0'), await add('1.3.0'), await add('1.1.0')];
  const newer = await add('1.5.0');
  const bsd = await add('1.0.0', 'freebsd-x64');
  const current = await add(released);
  const refusals: [string[], number, string][] = [
    [[one, randomUUID()], 404, 'not_found'],
    [[one, newer], 409, 'agent_newer'],
    [[one, bsd], 409, 'no_agent_release'],
  ];
  for (const [host_ids, status, code] of refusals)
    expect((await update({ host_ids }).expect(status)).body).toMatchObject({ code });
  expect(await waiting()).toEqual([]);
  const { commands } = await updated({ host_ids: [two, one, current] });
  expect(commands.map(({ host_id }) => host_id)).toEqual([one, two]);
  expect((await waiting()).some(({ host_id }) => host_id === other)).toBe(false);
  const back = await updated({ host_ids: [newer], allow_older: true });
  expect(back.commands).toHaveLength(1);
  expect(await waiting()).toContainEqual({ host_id: newer, args: { version: released, allow_older: true } });
});

it('updates no host of another license', async () => {
  const own = await add('1.0.0');
  tenant = await world.createTenant();
  await update({ host_ids: [own] }).expect(404);
  expect((await updated()).commands).toEqual([]);
});

it('repeats nothing for the same Idempotency-Key', async () => {
  const id = await add('1.0.0');
  const key = randomUUID();
  const first = await updated({ host_ids: [id] }, key);
  await world.database.query(`update command set status = 'failed', finished_at = now() where host_id = $1`, [
    id,
  ]);
  expect(await updated({ host_ids: [id] }, key)).toEqual(first);
  expect(await waiting()).toEqual([]);
  const next = await updated({ host_ids: [id] });
  expect(next.commands[0]?.id).not.toBe(first.commands[0]?.id);
});

it('sends the agent the command without an instance, and shows how it ended', async () => {
  const agent = await TestAgent.connect(world, tenant);
  await agent.hello();
  await world.database.query(
    `update agent_host set agent_version = '1.3.0', platform = 'linux-x64' where id = $1`,
    [agent.hostId],
  );
  agent.acceptCommands();
  await agent.connection.flush();
  const { commands } = await updated({ host_ids: [agent.hostId] });
  const [envelope] = await until(() => agent.commands.length > 0 && agent.commands, 'the command');
  expect(envelope).toMatchObject({ id: commands[0]?.id, verb: 'update_agent', args: { version: released } });
  expect(envelope).not.toHaveProperty('instance');
  await agent.finish(envelope?.id ?? '', {
    status: 'failed',
    error_code: 'update_failed',
    detail: 'It broke.',
  });
  const host = (await hosts()).find(({ id }) => id === agent.hostId);
  expect(host?.agent_update).toMatchObject({
    status: 'failed',
    error: { code: 'update_failed', detail: 'It broke.' },
    finished_at: expect.any(String),
  });
});

describe('an agent one minor version older or newer', () => {
  it.each(['1.3.7', '1.5.0'])('is taken with version %s', async (agent_version) => {
    const agent = await TestAgent.connect(world, tenant);
    const hello = {
      v: 1,
      sent_at: new Date().toISOString(),
      agent_version,
      boot: agent.boot,
      platform: 'linux-x64',
      instances: ['main'],
    };
    expect(await agent.request('hello', hello)).toMatchObject({ ok: true });
    agent.publish('heartbeat', agent.heartbeat([], { agent_version }));
    await until(async () => (await hosts())[0]?.status === 'online', 'the heartbeat');
    expect((await hosts())[0]).toMatchObject({ agent_version });
  });

  it('learns what the platform does not take, and stays connected', async () => {
    const agent = await TestAgent.connect(world, tenant);
    await agent.hello();
    const result = {
      v: 1,
      command_id: randomUUID(),
      status: 'succeeded',
      finished_at: new Date().toISOString(),
    };
    expect(await agent.request('command-result', { ...result, novelty: 1 })).toMatchObject({
      ok: false,
      detail: 'must NOT have additional properties',
    });
    expect(await agent.hello()).toMatchObject({ ok: true });
  });

  it('refuses the update if it does not know the verb, which ends the command', async () => {
    const agent = await TestAgent.connect(world, tenant);
    await agent.hello();
    await world.database.query(
      `update agent_host set agent_version = '1.3.0', platform = 'linux-x64' where id = $1`,
      [agent.hostId],
    );
    agent.acceptCommands(({ id }) => ({
      v: 1,
      id,
      accepted: false,
      reason: 'not_supported',
      detail: 'This agent takes no commands on cmd.update_agent.',
    }));
    await agent.connection.flush();
    await updated({ host_ids: [agent.hostId] });
    const ended = await until(async () => {
      const host = (await hosts()).find(({ id }) => id === agent.hostId);
      return host?.agent_update?.status === 'failed' && host.agent_update;
    }, 'the refusal');
    expect(ended.error?.code).toBe('not_supported');
  });
});

it('refuses updates without a release of the agent', async () => {
  const id = await add('1.0.0');
  await rm(join(release, 'release.json'));
  expect((await update({ host_ids: [id] }).expect(409)).body).toMatchObject({ code: 'no_agent_release' });
  expect((await update().expect(409)).body).toMatchObject({ code: 'no_agent_release' });
  expect(await hosts('&is_outdated=true')).toEqual([]);
  expect((await hosts())[0]?.available_agent_version).toBeNull();
});
