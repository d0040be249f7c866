// Unsupported actions of instances are refused in every operation, and unconfirmed commands are never
// reported as done.
import type { components } from '../../generated/platform.d.ts';
import type { TestAgent } from '../support/agent.ts';
import { connectAcceptingAgent } from '../support/agent.ts';
import { createPluginConfig, createSchedule } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type Command = components['schemas']['Command'];
type Run = components['schemas']['ScheduleRun'];
type Instance = components['schemas']['GameInstance'];

let world: World;
let tenant: Tenant;
let agent: TestAgent;
let instanceId: string;
/** Of an agent that reports no capabilities. */
let unreported: string;

beforeAll(async () => {
  world = await World.create({ heartbeatIntervalSeconds: 300 });
  tenant = await world.createTenant();
  ({ agent, instanceId } = await connectAcceptingAgent(world, tenant, {
    capabilities: ['console_input', 'saves'],
  }));
  ({ instanceId: unreported } = await connectAcceptingAgent(world, tenant));
});
afterAll(async () => {
  await world.close();
});

const post = (path: string, body: object = {}) => world.call('post', path, tenant.owner).send(body);
const action = { kind: 'announcement', message: 'hello' };
const scheduleOf = (instance_id: string, more: object = {}) => ({
  name: 'Rules',
  instance_id,
  action,
  cron: '0 4 * * *',
  time_zone: 'UTC',
  ...more,
});
const notSupported = { status: 409, code: 'not_supported' };
const steamId = '76561197960287930';

describe('returns 409 not_supported for what the instance lacks, with nothing written', () => {
  const commandCount = async () => {
    const [row] = await world.database.query<{ count: number }>(
      'select count(*)::int as count from command where instance_id = $1',
      [instanceId],
    );
    return row?.count;
  };

  it.each([
    ['kick', () => post(`/api/instances/${instanceId}/players/${steamId}/kick`)],
    ['ban', () => post(`/api/instances/${instanceId}/players/${steamId}/ban`, { reason: 'x' })],
    ['unban', () => post(`/api/instances/${instanceId}/players/${steamId}/unban`)],
    ['message', () => post(`/api/instances/${instanceId}/players/${steamId}/message`, { text: 'x' })],
    ['load', () => post(`/api/instances/${instanceId}/plugins/Kits/load`)],
    ['unload', () => post(`/api/instances/${instanceId}/plugins/Kits/unload`)],
    ['reload', () => post(`/api/instances/${instanceId}/plugins/Kits/reload`)],
    ['uninstall', () => post(`/api/instances/${instanceId}/plugins/Kits/uninstall`)],
    ['wipe', () => post(`/api/instances/${instanceId}/wipes`, { kind: 'map', countdown_seconds: 60 })],
    ['announcements', () => post('/api/schedules', scheduleOf(instanceId))],
    [
      'reloads',
      () =>
        post('/api/schedules', scheduleOf(instanceId, { action: { kind: 'plugin_reload', plugin: 'Kits' } })),
    ],
    [
      'wipes',
      () =>
        post('/api/schedules', scheduleOf(instanceId, { action: { kind: 'wipe', wipe: { kind: 'map' } } })),
    ],
  ])('%s', async (_what, ask) => {
    const { status, body } = await ask();
    expect({ status, ...(body as object) }).toMatchObject(notSupported);
    expect(await commandCount()).toBe(0);
  });

  it('a schedule that is changed, switched on or run', async () => {
    const { body } = await post('/api/schedules', scheduleOf(instanceId, { action: { kind: 'restart' } }));
    const { id } = body as { id: string };
    const changed = await world.call('patch', `/api/schedules/${id}`, tenant.owner).send({ action });
    expect(changed.body).toMatchObject(notSupported);
    const off = await createSchedule(world, tenant, {
      instance_id: instanceId,
      action,
      is_enabled: false,
      next_run_at: null,
    });
    expect((await world.call('patch', `/api/schedules/${off}/toggle`, tenant.owner)).body).toMatchObject(
      notSupported,
    );
    expect((await post(`/api/schedules/${off}/runs`)).body).toMatchObject(notSupported);
  });

  it('a due schedule fails with it', async () => {
    const id = await createSchedule(world, tenant, {
      instance_id: instanceId,
      action,
      next_run_at: new Date(Date.now() - 1_000).toISOString(),
    });
    const run = await until(async () => {
      const { body } = await world.call('get', `/api/schedules/${id}/runs`, tenant.owner);
      return (body as { data: Run[] }).data[0];
    }, 'a run');
    expect(run).toMatchObject({ status: 'failed', error: { code: 'not_supported' }, command_id: null });
  });

  it('an application of a plugin configuration', async () => {
    const id = await createPluginConfig(world, tenant, { kind: 'kits' });
    const applied = await post(`/api/plugin-configs/kits/${id}/apply`, { instance_id: instanceId });
    expect(applied.body).toMatchObject(notSupported);
  });
});

it('supported actions, and those of instances without reported capabilities, are accepted', async () => {
  const typed = { action: { kind: 'command', line: 'save' } };
  await post('/api/schedules', scheduleOf(instanceId, typed)).expect(201);
  await post('/api/schedules', scheduleOf(unreported)).expect(201);
  await post(`/api/instances/${unreported}/players/${steamId}/kick`).expect(202);
});

it('heartbeats report what instances support', async () => {
  const report = { name: 'reported', state: 'running', uptime_seconds: 1 } as const;
  const reported = async () => {
    const { body } = await world.call('get', '/api/fleet/instances?limit=100', tenant.owner).expect(200);
    return (body as { data: Instance[] }).data.find(({ name }) => name === 'reported');
  };
  for (const capabilities of [['console_input', 'saves'], [], undefined] as const) {
    agent.publish(
      'heartbeat',
      agent.heartbeat([{ ...report, ...(capabilities && { capabilities: [...capabilities] }) }]),
    );
    await until(
      async () => {
        const instance = await reported();
        return (
          instance !== undefined &&
          JSON.stringify(instance.capabilities) === JSON.stringify(capabilities ?? null)
        );
      },
      `capabilities ${JSON.stringify(capabilities)}`,
    );
  }
});

describe('a command without confirmation', () => {
  const detail = '"save" was typed at the console; nothing confirms what the game server made of it.';

  it('is sent, and so is the run of its schedule', async () => {
    const schedule = await createSchedule(world, tenant, {
      instance_id: instanceId,
      action: { kind: 'command', line: 'save' },
      is_enabled: false,
      next_run_at: null,
    });
    const { command_id: id } = (await post(`/api/schedules/${schedule}/runs`).expect(202)).body as Run;
    await until(() => agent.commands.some((command) => command.id === id), 'the command at the agent');
    expect(await agent.finish(id ?? '', { status: 'sent', detail })).toMatchObject({ ok: true });
    const { body } = await world.call('get', `/api/commands/${id}`, tenant.owner).expect(200);
    expect(body).toMatchObject({ status: 'sent', detail, error: null, finished_at: expect.any(String) });
    const runs = await world.call('get', `/api/schedules/${schedule}/runs?status=sent`, tenant.owner);
    expect((runs.body as { data: Run[] }).data).toMatchObject([
      { status: 'sent', detail, error: null, command_id: id, finished_at: expect.any(String) },
    ]);
    const listed = await world.call('get', '/api/commands?status=sent', tenant.owner).expect(200);
    expect((listed.body as { data: Command[] }).data.map((command) => command.id)).toContain(id);
    // It has ended: it is not sent again, and later reports do not change it.
    expect(await agent.finish(id ?? '', { status: 'failed', error_code: 'expired' })).toMatchObject({
      ok: true,
    });
    const again = await world.call('get', `/api/commands/${id}`, tenant.owner).expect(200);
    expect(again.body).toEqual(body);
  });

  it('does not include what types no console line: such a result is refused', async () => {
    const { body } = await post(`/api/instances/${instanceId}/stop`).expect(202);
    const { id } = body as Command;
    await until(() => agent.commands.some((command) => command.id === id), 'the command at the agent');
    const commandNow = async () =>
      (await world.call('get', `/api/commands/${id}`, tenant.owner).expect(200)).body as Command;
    await until(async () => (await commandNow()).status === 'acknowledged', 'the acknowledgement');
    expect(await agent.finish(id, { status: 'sent' })).toMatchObject({
      ok: false,
      detail: 'A command stop cannot end with sent.',
    });
    expect(await commandNow()).toMatchObject({ status: 'acknowledged', finished_at: null });
  });
});
