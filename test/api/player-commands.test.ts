// Commands typed when players join and leave: once for each event, never late, and safe against hostile
// names.
import { randomUUID } from 'node:crypto';
import type { components } from '../../generated/platform.d.ts';
import { connectAcceptingAgent, type TestAgent } from '../support/agent.ts';
import { PluginHost, pluginSource } from '../support/plugin-host.ts';
import { createPluginApplication } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type PlayerEvent = components['schemas']['PlayerEvent'];

const minute = 60_000;
const commands = { join: ['say Welcome {player_name}', 'greet {steam_id}'], leave: ['say Farewell'] };

let world: World;

beforeAll(async () => {
  world = await World.create();
});

afterAll(() => world.close());

let lastSteamId = 76561197960400000n;
const newSteamId = () => String(++lastSteamId);

interface Place {
  tenant: Tenant;
  agent: TestAgent;
  instanceId: string;
}

/** An instance with active commands. */
async function place(values: Record<string, unknown> = {}): Promise<Place> {
  const tenant = await world.createTenant();
  const found = await connectAcceptingAgent(world, tenant);
  await apply(tenant, found.instanceId, values);
  return { tenant, ...found };
}

const apply = (tenant: Tenant, instance_id: string, values: Record<string, unknown> = {}) =>
  createPluginApplication(world, tenant, {
    instance_id,
    kind: 'timed-commands',
    status: 'succeeded',
    finished_at: new Date(),
    requested_by: tenant.owner.email,
    player_commands: JSON.stringify(commands),
    ...values,
  });

const reported = ({ instanceId }: Place, values: Partial<PlayerEvent> = {}): PlayerEvent => ({
  instance: instanceId,
  steam_id: newSteamId(),
  display_name: 'Aster',
  event: 'join',
  occurred_at: new Date().toISOString(),
  event_id: randomUUID(),
  ...values,
});

const at = (ms: number) => new Date(Date.now() + ms).toISOString();

async function report({ tenant }: Place, ...events: PlayerEvent[]): Promise<void> {
  await world
    .call('post', '/api/plugin/player-events')
    .set('X-License-Key', tenant.license.key)
    .send({ events })
    .expect(200);
}

/** The requested commands in order; they are stored when the event is acknowledged. */
const asked = ({ instanceId }: Place) =>
  world.database.query(
    `select args, requested_by, expires_at - created_at <= interval '3 minutes' as is_brief from command
     where instance_id = $1 and kind = 'type_lines' order by id`,
    [instanceId],
  );

const namesIn = async (where: Place) =>
  (await asked(where)).map(({ args }) => (args as { player_name: string }).player_name);

/** The server of the instance was started half a minute ago. */
const restart = ({ tenant, instanceId }: Place) =>
  world.database.query(
    `insert into instance_state_interval (license_id, instance_id, from_at, to_at, state)
     values ($1, $2, now() - interval '30 seconds', now() - interval '29 seconds', 'starting')`,
    [tenant.license.id, instanceId],
  );

describe('an event', () => {
  it('sends the active commands to the agent', async () => {
    const here = await place();
    const join = reported(here, { display_name: 'x"; quit' });
    await report(here, join);
    const sent = await until(() => here.agent.commands[0], 'the command at the agent');
    expect(sent).toMatchObject({
      verb: 'type_lines',
      instance: 'main',
      args: { lines: commands.join, steam_id: join.steam_id, player_name: 'x"; quit', by: 'Timed commands' },
    });
    await report(here, reported(here, { steam_id: join.steam_id, event: 'leave', occurred_at: at(1) }));
    await until(() => here.agent.commands.length === 2, 'the other command');
    expect(here.agent.commands[1]).toMatchObject({ args: { lines: commands.leave } });
    expect(await asked(here)).toMatchObject([
      { requested_by: here.tenant.owner.email, is_brief: true },
      { is_brief: true },
    ]);
  });

  it('counts once, however often it is reported', async () => {
    const here = await place();
    const join = reported(here);
    await Promise.all(Array.from({ length: 5 }, () => report(here, join, join)));
    expect(await asked(here)).toHaveLength(1);
  });

  it('counts only while it is recent', async () => {
    const here = await place();
    await report(here, reported(here, { occurred_at: at(-3 * minute) }));
    const steam_id = newSteamId();
    await report(here, reported(here, { steam_id, event: 'leave', display_name: 'Gone' }));
    await report(here, reported(here, { steam_id, occurred_at: at(-minute), display_name: 'Came before' }));
    expect(await namesIn(here)).toEqual(['Gone']);
  });

  it('of an already recorded join adds no command until the server restarts', async () => {
    const here = await place();
    const steam_id = newSteamId();
    const join = (display_name: string, occurred_at = at(0)) =>
      report(here, reported(here, { steam_id, display_name, occurred_at }));
    await join('First', at(-minute));
    await join('Still there', at(-minute / 2 - 1));
    await restart(here);
    await join('Back after the start');
    await join('Still there');
    const names = ['First', 'Back after the start'];
    expect(await namesIn(here)).toEqual(names);

    const twins = newSteamId();
    const twin = (occurred_at: string) =>
      reported(here, { steam_id: twins, display_name: 'Twin', occurred_at });
    await report(here, twin(at(-1)), twin(at(-2)), twin(at(-2)));
    expect(await namesIn(here)).toEqual([...names, 'Twin']);
  });

  it('adds no command while too many wait for the host', async () => {
    const here = await place();
    await world.database.query(
      `insert into command (license_id, host_id, instance_id, kind, args, status, expires_at)
       select $1, $2, $3, 'start', '{}', 'sent', now() + interval '1 hour' from generate_series(1, 99)`,
      [here.tenant.license.id, here.agent.hostId, here.instanceId],
    );
    await report(here, ...Array.from({ length: 3 }, () => reported(here)));
    expect(await asked(here)).toHaveLength(1);
  });
});

describe('the active configuration', () => {
  const join = (lines: string[]) => JSON.stringify({ join: lines });

  it('is the last successful application; commands it omits stay active', async () => {
    const here = await place();
    const { tenant, instanceId } = here;
    await apply(tenant, instanceId, { player_commands: join(['say new']) });
    await apply(tenant, instanceId, { player_commands: join(['say bad']), status: 'failed' });
    await apply(tenant, instanceId, { player_commands: join(['say not yet']), status: 'applying' });
    await apply(tenant, instanceId, { player_commands: null });
    const steam_id = newSteamId();
    await report(here, reported(here, { steam_id }));
    await report(here, reported(here, { steam_id, event: 'leave', occurred_at: at(1) }));
    expect((await asked(here)).map(({ args }) => (args as { lines: string[] }).lines)).toEqual([
      ['say new'],
      commands.leave,
    ]);
    await apply(tenant, instanceId, { player_commands: join([]) });
    await report(here, reported(here));
    expect(await asked(here)).toHaveLength(2);
  });
});

describe('with a real agent and a simulated server', () => {
  let host: PluginHost;

  beforeAll(async () => {
    host = await PluginHost.open();
    await host.startServer();
    host.write('plugins/TimedExecute.cs', pluginSource('TimedExecute'));
  });

  afterAll(() => host.close());

  const timers = {
    timer_repeat: { is_enabled: false, commands: {} },
    timer_once: { is_enabled: false, commands: {} },
    real_time: { is_enabled: false, commands: {} },
    in_game_time: { is_enabled: false, commands: {} },
  };

  /** The outcomes of the agent's finished commands, latest first. */
  const typed = async () => {
    const { body } = await host.world
      .call('get', '/api/commands', host.tenant.owner)
      .query({ instance_id: host.instanceId, status: 'succeeded' })
      .expect(200);
    return (body as components['schemas']['CommandPage']).data
      .filter(({ kind }) => kind === 'type_lines')
      .map(({ detail }) => detail);
  };

  const join = (display_name: string) =>
    host.world
      .call('post', '/api/plugin/player-event')
      .set('X-License-Key', host.tenant.license.key)
      .send({
        instance: host.instanceId,
        steam_id: newSteamId(),
        display_name,
        event: 'join',
        occurred_at: at(0),
        event_id: randomUUID(),
      })
      .expect(200);

  it('are applied, shown in the preview, and typed as applied', async () => {
    const { id } = await host.create('timed-commands', { ...timers, on_connect: ['say Hi {player_name}'] });
    const { body: preview } = await host.call('post', `timed-commands/${id}/preview`, {}).expect(200);
    expect(preview).toMatchObject({
      not_written: [{ pointer: '/on_connect', detail: expect.stringContaining('platform') }],
    });
    await join('Too early');
    expect(await host.apply('timed-commands', id)).toMatchObject({ status: 'succeeded' });
    await host
      .call('patch', `timed-commands/${id}`, { config_data: { ...timers, on_connect: ['say Draft'] } })
      .expect(200);
    await join('"; quit "');
    await until(async () => (await typed()).length > 0, 'the greeting');
    await host.call('delete', `timed-commands/${id}`).expect(204);
    await join('Birch');
    await until(async () => (await typed()).length > 1, 'the other greeting');
    expect(await typed()).toEqual([
      `"say Hi "Birch"" was typed at the console; the game server has taken it.`,
      `"say Hi "'; quit '"" was typed at the console; the game server has taken it.`,
    ]);
  });

  it('with unknown placeholders are rejected', async () => {
    const { body } = await host
      .call('post', 'timed-commands', {
        name: 'Wrong',
        config_data: { ...timers, on_connect: ['say {password}'], on_disconnect: ['say "'] },
      })
      .expect(422);
    expect(body).toMatchObject({
      code: 'plugin_config_invalid',
      errors: [{ pointer: '/config_data/on_connect/0' }, { pointer: '/config_data/on_disconnect/0' }],
    });
  });
});

describe('the active commands', () => {
  const pathOf = ({ instanceId }: Place) => `/api/instances/${instanceId}/player-commands`;
  const inForce = async (here: Place) =>
    (await world.call('get', pathOf(here), here.tenant.owner).expect(200)).body;

  it('show who applied them, also once their configuration is deleted', async () => {
    const here = await place({ player_commands: JSON.stringify({ join: ['say Hello'] }) });
    await apply(here.tenant, here.instanceId, {
      status: 'failed',
      player_commands: JSON.stringify({ join: ['never'] }),
    });
    expect(await inForce(here)).toEqual({
      on_connect: {
        commands: ['say Hello'],
        application_id: expect.any(String),
        requested_by: here.tenant.owner.email,
        applied_at: expect.any(String),
      },
      on_disconnect: null,
    });
    await apply(here.tenant, here.instanceId, { player_commands: JSON.stringify({ leave: ['say Bye'] }) });
    expect(await inForce(here)).toMatchObject({
      on_connect: { commands: ['say Hello'] },
      on_disconnect: { commands: ['say Bye'] },
    });
    await apply(here.tenant, here.instanceId, { player_commands: JSON.stringify({ join: [] }) });
    expect(await inForce(here)).toMatchObject({ on_connect: null, on_disconnect: { commands: ['say Bye'] } });
  });

  it('can be ended, and then nothing is typed', async () => {
    const here = await place();
    await world.call('delete', pathOf(here), here.tenant.owner).expect(204);
    expect(await inForce(here)).toEqual({ on_connect: null, on_disconnect: null });
    await report(here, reported(here));
    expect(await asked(here)).toEqual([]);
    await world.call('delete', pathOf(here), here.tenant.owner).expect(204);
  });
});
