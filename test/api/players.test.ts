// Operations of the area `players`: online players, actions on players, their record, and bans that expire.
import { randomUUID } from 'node:crypto';
import type { components } from '../../generated/platform.d.ts';
import { connectAcceptingAgent, TestAgent } from '../support/agent.ts';
import { someId } from '../support/contract.ts';
import { createInstance } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

const aster = '76561197960287930';
const birch = '76561197960287931';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({
    jobIntervals: {
      chores: {
        'lift bans': 50,
        'derive player sessions': 50,
        'expire commands': 100,
        'resume stuck commands': 100,
      },
    },
  });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

/** An agent that accepts every command, with one running instance. */
const agentWithInstance = () => connectAcceptingAgent(world, tenant, { state: 'running' });

type Verb = 'kick' | 'ban' | 'unban' | 'message';

function act(verb: Verb, instanceId: string, body: object, steamId = aster) {
  return world
    .call('post', `/api/instances/${instanceId}/players/${steamId}/${verb}`, tenant.owner)
    .send(body);
}

/** Requests the action and has the agent complete it with the given outcome. */
async function finished(
  agent: TestAgent,
  test: ReturnType<typeof act>,
  result: Parameters<TestAgent['finish']>[1] = {},
): Promise<Schemas['Command']> {
  const { body } = await test.expect(202);
  const command = body as Schemas['Command'];
  await until(() => agent.commands.some(({ id }) => id === command.id), 'the command');
  expect(await agent.finish(command.id, result)).toEqual({ v: 1, ok: true });
  return command;
}

async function actions(query: string): Promise<Schemas['PlayerAction'][]> {
  const { body } = await world.call('get', `/api/player-actions?${query}`, tenant.owner).expect(200);
  return (body as Schemas['PlayerActionPage']).data;
}

const eventsOf = (instanceId: string) =>
  world.database.query<{ type: string; subject_id: string; data: Record<string, unknown> }>(
    `select type, subject_id, data from event_log where instance_id = $1 and subject_type = 'player' order by seq`,
    [instanceId],
  );

describe('listOnlinePlayers', () => {
  const list = (instanceId: string) =>
    world.call('get', `/api/instances/${instanceId}/players`, tenant.owner);
  const players = [{ steam_id: aster, name: 'Aster', ping_ms: 42, connected_seconds: 900 }];
  const at = '2026-11-21T10:00:00.000Z';

  it('returns 200 with the players the agent lists', async () => {
    const { agent, instanceId } = await agentWithInstance();
    agent.onRequest('players', (question) => {
      expect(question).toEqual({ v: 1, host_id: agent.hostId, instance: 'main' });
      return { v: 1, ok: true, at, players };
    });
    await agent.connection.flush();
    const { body } = await list(instanceId).expect(200);
    expect(body).toEqual({ data: players, observed_at: at });
    await agent.close();
  });

  it.each([
    ['not_running', 409, 'instance_not_running'],
    ['unknown_instance', 409, 'instance_not_running'],
    ['not_supported', 409, 'not_supported'],
    ['invalid', 409, 'not_supported'],
    ['game_unreachable', 503, 'game_unreachable'],
    ['failed', 503, 'game_unreachable'],
  ])(
    "when the agent replies %s: returns %i with %s and the agent's explanation",
    async (error, status, code) => {
      const { agent, instanceId } = await agentWithInstance();
      agent.onRequest('players', () => ({ v: 1, ok: false, error: { code: error, detail: 'A reason.' } }));
      await agent.connection.flush();
      const { body } = await list(instanceId).expect(status);
      expect(body).toMatchObject({ code, detail: 'A reason.' });
      await agent.close();
    },
  );

  it.each([
    [{ v: 1, ok: true }],
    [{ v: 1, ok: true, at, players: [{ ...players[0], steam_id: '1' }] }],
    [{ v: 1, ok: true, at, players: [{ ...players[0], is_admin: true }] }],
  ])('returns 504 when the agent replies %j, which breaks the contract', async (response) => {
    const { agent, instanceId } = await agentWithInstance();
    agent.onRequest('players', () => response);
    await agent.connection.flush();
    const { body } = await list(instanceId).expect(504);
    expect(body).toMatchObject({ code: 'agent_timeout' });
    await agent.close();
  });

  it('returns 503 when the agent is offline', async () => {
    const { body } = await list(await createInstance(world, tenant)).expect(503);
    expect(body).toMatchObject({ code: 'agent_offline' });
  });

  it('returns 404 for an unknown instance', async () => {
    await list(someId).expect(404);
  });
});

async function get(instanceId: string, steamId: string): Promise<Schemas['PlayerRecord']> {
  const path = `/api/instances/${instanceId}/players/${steamId}`;
  const { body } = await world.call('get', path, tenant.owner).expect(200);
  return body as Schemas['PlayerRecord'];
}

describe('getPlayer', () => {
  it('returns 200 with the active ban, the count of each action, and the latest actions', async () => {
    const { agent, instanceId } = await agentWithInstance();
    await finished(agent, act('kick', instanceId, { reason: 'Idle' }));
    await finished(agent, act('kick', instanceId, {}), { status: 'failed', error_code: 'player_not_found' });
    await finished(agent, act('ban', instanceId, { reason: 'Spam' }));
    await finished(agent, act('ban', instanceId, { reason: 'Cheating' }));
    await finished(agent, act('kick', instanceId, {}, birch));
    const banned = await get(instanceId, aster);
    expect(banned).toMatchObject({
      steam_id: aster,
      instance_id: instanceId,
      ban: { kind: 'ban', text: 'Cheating', ended_at: null },
      counts: { kick: 1, ban: 2, unban: 0, message: 0, note: 0 },
    });
    expect(banned.actions).toEqual(await actions(`instance_id=${instanceId}&steam_id=${aster}`));
    expect(banned.actions.map(({ text }) => text)).toEqual(['Cheating', 'Spam', null, 'Idle']);
    await finished(agent, act('unban', instanceId, {}));
    expect(await get(instanceId, aster)).toMatchObject({ ban: null, counts: { unban: 1 } });
    await agent.close();
  });

  it('returns 200 with the ban also when many actions followed', async () => {
    const instanceId = await createInstance(world, tenant);
    await world.database.query(
      `insert into player_action (license_id, instance_id, instance_name, kind, steam_id, status)
       select $1, $2, 'main', case n when 1 then 'ban' else 'message' end, $3, 'succeeded'
       from generate_series(1, 31) n`,
      [tenant.license.id, instanceId, aster],
    );
    const record = await get(instanceId, aster);
    expect(record.actions.map(({ kind }) => kind)).toEqual(Array(25).fill('message'));
    expect(record).toMatchObject({ ban: { kind: 'ban' }, counts: { ban: 1, message: 30 } });
  });

  it('returns 200 with an empty record for an unknown player', async () => {
    const instanceId = await createInstance(world, tenant);
    expect(await get(instanceId, birch)).toEqual({
      steam_id: birch,
      instance_id: instanceId,
      ban: null,
      uncertain_ban: null,
      counts: { kick: 0, ban: 0, unban: 0, message: 0, note: 0 },
      actions: [],
    });
  });

  it('returns 404 for an unknown instance', async () => {
    await world.call('get', `/api/instances/${someId}/players/${aster}`, tenant.owner).expect(404);
  });
});

describe.each([
  ['kickPlayer', 'kick', { reason: 'Idle' }, { reason: 'Idle' }, 'Idle'],
  ['kickPlayer without a reason', 'kick', {}, {}, null],
  ['banPlayer', 'ban', { reason: 'Cheating' }, { reason: 'Cheating' }, 'Cheating'],
  ['unbanPlayer', 'unban', { reason: 'Not them' }, {}, 'Not them'],
  ['messagePlayer', 'message', { text: 'Hello "there"' }, { text: 'Hello "there"' }, 'Hello "there"'],
] as const)('%s', (_id, verb, body, args, text) => {
  it('returns 202 with the command, which reaches the agent, and records its outcome', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const { body: response } = await act(verb, instanceId, body).expect(202);
    const command = response as Schemas['Command'];
    expect(command).toMatchObject({ kind: `${verb}_player`, instance_id: instanceId, status: 'queued' });
    const action: Schemas['PlayerAction'] = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: verb,
      steam_id: aster,
      instance_id: instanceId,
      instance_name: 'main',
      text,
      until: null,
      requested_by: tenant.owner.email,
      command_id: command.id,
      status: 'pending',
      detail: null,
      error: null,
      created_at: expect.any(String),
      finished_at: null,
      ended_at: null,
    };
    expect(await actions(`instance_id=${instanceId}`)).toEqual([action]);
    const [envelope] = await until(() => agent.commands.length > 0 && agent.commands, 'the command');
    expect(envelope).toMatchObject({ verb: `${verb}_player`, args: { steam_id: aster, ...args } });
    await agent.finish(command.id, { detail: 'Done.' });
    expect(await actions(`instance_id=${instanceId}`)).toEqual([
      { ...action, status: 'succeeded', detail: 'Done.', finished_at: expect.any(String) },
    ]);
    await agent.close();
  });

  it('returns 202 once for the same Idempotency-Key', async () => {
    const instanceId = await createInstance(world, tenant);
    const key = randomUUID();
    const { body: first } = await act(verb, instanceId, body).set('Idempotency-Key', key).expect(202);
    const { body: again } = await act(verb, instanceId, body).set('Idempotency-Key', key).expect(202);
    expect(again).toEqual(first);
    expect(await actions(`instance_id=${instanceId}`)).toHaveLength(1);
  });

  it('returns 404 for an unknown instance, and records nothing', async () => {
    await act(verb, someId, body).expect(404);
    expect(await actions(`instance_id=${someId}`)).toEqual([]);
  });

  it.each(['1', '76561197960265728', '76561202255233024', '76561197960287930%0Aquit', 'Aster', `${aster}0`])(
    "returns 400 for %s, which is not a player's SteamID",
    async (steamId) => {
      await act(verb, await createInstance(world, tenant), body, steamId).expect(400);
    },
  );
});

describe('texts', () => {
  const texts = [
    'a\nquit',
    'a\rquit',
    'a\u0000',
    'a\u2028quit',
    'a\u0085b',
    '\u202eabc',
    ' a',
    '',
    'x'.repeat(201),
  ];

  it.each(texts)('returns 400 for %j as a reason or a message', async (text) => {
    const instanceId = await createInstance(world, tenant);
    await act('kick', instanceId, { reason: text }).expect(400);
    await act('ban', instanceId, { reason: text }).expect(400);
    await act('message', instanceId, { text }).expect(400);
    expect(await actions(`instance_id=${instanceId}`)).toEqual([]);
  });
});

describe('the outcome', () => {
  it('has the reason why the command failed', async () => {
    const { agent, instanceId } = await agentWithInstance();
    await finished(agent, act('kick', instanceId, {}), {
      status: 'failed',
      error_code: 'player_not_found',
      detail: 'They are gone.',
    });
    expect(await actions(`instance_id=${instanceId}`)).toMatchObject([
      { status: 'failed', detail: null, error: { code: 'player_not_found', detail: 'They are gone.' } },
    ]);
    await agent.close();
  });

  it('shows that the agent refused the command', async () => {
    const { agent, instanceId } = await agentWithInstance();
    await agent.close();
    const other = await TestAgent.connect(world, tenant);
    other.acceptCommands(({ id }) => ({
      v: 1,
      id,
      accepted: false,
      reason: 'not_supported',
      detail: 'Too old.',
    }));
    await other.connection.flush();
    await world.database.query('update game_instance set host_id = $1 where id = $2', [
      other.hostId,
      instanceId,
    ]);
    await act('kick', instanceId, {}).expect(202);
    await until(
      async () => (await actions(`instance_id=${instanceId}`))[0]?.status === 'failed',
      'the refusal in the record',
    );
    expect(await actions(`instance_id=${instanceId}`)).toMatchObject([{ error: { code: 'not_supported' } }]);
    await other.close();
  });

  it('shows that the command expired, and accepts a later result', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const { body } = await act('ban', instanceId, { reason: 'Cheating' }).expect(202);
    const { id } = body as Schemas['Command'];
    await until(() => agent.commands.length > 0, 'the command');
    await world.database.query(
      `update command set expires_at = now() - interval '2 days' where id = $1 and status <> 'succeeded'`,
      [id],
    );
    await until(
      async () => (await actions(`instance_id=${instanceId}`))[0]?.status === 'expired',
      'the end of the command',
    );
    await agent.finish(id);
    expect(await actions(`instance_id=${instanceId}`)).toMatchObject([{ status: 'succeeded' }]);
    expect((await eventsOf(instanceId)).map(({ type }) => type)).toEqual([
      'player.action_failed',
      'player.banned',
    ]);
    await agent.close();
  });

  it('remains after the instance is deleted', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const steamId = '76561197960300001';
    await finished(agent, act('kick', instanceId, {}, steamId));
    await world.database.query('delete from game_instance where id = $1', [instanceId]);
    expect(await actions(`steam_id=${steamId}`)).toMatchObject([
      { instance_id: null, command_id: null, instance_name: 'main', status: 'succeeded' },
    ]);
    await agent.close();
  });
});

describe('player.banned', () => {
  it('is published once for a successful ban, however often the agent reports it', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const { id } = await finished(
      agent,
      act('ban', instanceId, { reason: 'Cheating', duration_seconds: 3_600 }),
    );
    await agent.finish(id);
    const [action] = await actions(`instance_id=${instanceId}`);
    expect(await eventsOf(instanceId)).toEqual([
      {
        type: 'player.banned',
        subject_id: aster,
        data: {
          action_id: action?.id,
          instance_name: 'main',
          steam_id: aster,
          reason: 'Cheating',
          until: action?.until,
          requested_by: tenant.owner.email,
        },
      },
    ]);
    await agent.close();
  });

  it('is not published for a failed ban, nor for any other action, which have their own', async () => {
    const { agent, instanceId } = await agentWithInstance();
    await finished(agent, act('ban', instanceId, { reason: 'Cheating' }), { status: 'failed' });
    await finished(agent, act('kick', instanceId, {}));
    await finished(agent, act('unban', instanceId, {}));
    expect((await eventsOf(instanceId)).map(({ type }) => type)).toEqual([
      'player.action_failed',
      'player.kicked',
      'player.unbanned',
    ]);
    await agent.close();
  });
});

describe('a ban with a duration', () => {
  const end = (instanceId: string) =>
    world.database.query(
      `update player_action set until = now() - interval '1 second' where instance_id = $1 and kind = 'ban'`,
      [instanceId],
    );
  const unbansSentTo = (agent: TestAgent) => agent.commands.filter(({ verb }) => verb === 'unban_player');

  it('shows its end, and is lifted once after it', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const started = Date.now();
    await finished(agent, act('ban', instanceId, { reason: 'Cheating', duration_seconds: 3_600 }, birch));
    const [ban] = await actions(`instance_id=${instanceId}`);
    const lastsMs = Date.parse(ban?.until ?? '') - started;
    expect(lastsMs).toBeGreaterThanOrEqual(3_600_000);
    expect(lastsMs).toBeLessThan(3_700_000);
    await end(instanceId);
    const [unban] = await until(() => unbansSentTo(agent).length > 0 && unbansSentTo(agent), 'the unban');
    expect(unban?.args).toEqual({ steam_id: birch });
    await agent.finish(unban?.id ?? '');
    expect(await actions(`instance_id=${instanceId}`)).toMatchObject([
      { kind: 'unban', status: 'succeeded', requested_by: null, text: 'The ban has expired.' },
      { kind: 'ban', status: 'succeeded', ended_at: expect.any(String) },
    ]);
    expect(unbansSentTo(agent)).toHaveLength(1);
    await agent.close();
  });

  it('is lifted once with several replicas, and again after a failure', async () => {
    await world.addReplica();
    const { agent, instanceId } = await agentWithInstance();
    await finished(agent, act('ban', instanceId, { reason: 'Cheating', duration_seconds: 3_600 }));
    await end(instanceId);
    const [unban] = await until(() => unbansSentTo(agent).length > 0 && unbansSentTo(agent), 'the unban');
    await agent.finish(unban?.id ?? '', { status: 'failed', error_code: 'game_unreachable' });
    await world.database.query(
      `update player_action set lift_tried_at = now() - interval '1 hour' where instance_id = $1 and kind = 'ban'`,
      [instanceId],
    );
    await until(() => unbansSentTo(agent).length === 2, 'the second attempt');
    await agent.finish(unbansSentTo(agent)[1]?.id ?? '');
    expect(await actions(`instance_id=${instanceId}&kind=ban`)).toMatchObject([
      { ended_at: expect.any(String) },
    ]);
    await agent.close();
  });

  it('is replaced by a newer one, and ends when it is lifted by hand', async () => {
    const { agent, instanceId } = await agentWithInstance();
    await finished(agent, act('ban', instanceId, { reason: 'Cheating', duration_seconds: 3_600 }));
    await finished(agent, act('ban', instanceId, { reason: 'Permanent' }));
    expect(await actions(`instance_id=${instanceId}`)).toMatchObject([
      { text: 'Permanent', until: null, ended_at: null },
      { text: 'Cheating', ended_at: expect.any(String) },
    ]);
    await finished(agent, act('unban', instanceId, {}));
    expect(
      (await actions(`instance_id=${instanceId}&kind=ban`)).filter((ban) => ban.ended_at === null),
    ).toEqual([]);
    await agent.close();
  });

  it('does not affect bans made elsewhere, and replaces those made here', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const ban = { reason: 'Cheating', duration_seconds: 3_600 };
    const refused = { status: 'failed', error_code: 'already_banned' } as const;
    await finished(agent, act('ban', instanceId, ban), refused);
    await finished(agent, act('ban', instanceId, ban));
    await finished(agent, act('ban', instanceId, ban));
    await finished(agent, act('ban', instanceId, { reason: 'Permanent' }));
    const bans = agent.commands.filter(({ verb }) => verb === 'ban_player');
    expect(bans.map(({ args }) => args['only_if_free'])).toEqual([true, true, undefined, undefined]);
    await agent.close();
  });

  it('is lifted when it is unknown whether it reached the game', async () => {
    const { agent, instanceId } = await agentWithInstance();
    await finished(agent, act('ban', instanceId, { reason: 'Cheating', duration_seconds: 3_600 }), {
      status: 'failed',
      error_code: 'interrupted',
    });
    expect(await get(instanceId, aster)).toMatchObject({
      ban: null,
      uncertain_ban: { kind: 'ban', status: 'failed', error: { code: 'interrupted' }, ended_at: null },
      counts: { ban: 0 },
    });
    await end(instanceId);
    await until(() => unbansSentTo(agent).length > 0, 'the unban');
    await agent.finish(unbansSentTo(agent)[0]?.id ?? '');
    expect(await actions(`instance_id=${instanceId}&kind=ban`)).toMatchObject([
      { status: 'failed', ended_at: expect.any(String) },
    ]);
    expect(await get(instanceId, aster)).toMatchObject({ ban: null, uncertain_ban: null });
    await agent.close();
  });

  it('waits for a server that is not running', async () => {
    const { agent, instanceId } = await agentWithInstance();
    await finished(agent, act('ban', instanceId, { reason: 'Cheating', duration_seconds: 3_600 }));
    await world.database.query(`update game_instance set state = 'stopped' where id = $1`, [instanceId]);
    await end(instanceId);
    // Lifting is fair: another due ban is lifted in the meantime.
    const other = await agentWithInstance();
    await finished(other.agent, act('ban', other.instanceId, { reason: 'x', duration_seconds: 60 }));
    await end(other.instanceId);
    await until(() => unbansSentTo(other.agent).length > 0, 'the other unban');
    expect(unbansSentTo(agent)).toEqual([]);
    await world.database.query(`update game_instance set state = 'running' where id = $1`, [instanceId]);
    await until(() => unbansSentTo(agent).length > 0, 'the unban');
    await Promise.all([agent.close(), other.agent.close()]);
  });

  it.each([59, 315_360_001, 60.5, '3600'])('returns 400 for %j seconds', async (duration_seconds) => {
    await act('ban', await createInstance(world, tenant), { reason: 'x', duration_seconds }).expect(400);
  });
});

describe('addPlayerNote', () => {
  const add = (instanceId: string, text: string, key: string = randomUUID()) =>
    world
      .call('post', `/api/instances/${instanceId}/players/${aster}/notes`, tenant.owner)
      .set('Idempotency-Key', key)
      .send({ text });

  it('returns 409 for a player with a thousand notes, and 201 for another player', async () => {
    const other = await world.createTenant();
    const id = await createInstance(world, other);
    await world.database.query(
      `insert into player_action (license_id, instance_id, instance_name, kind, steam_id, text, status)
       select $1, $2, 'main', 'note', $3, 'x', 'succeeded' from generate_series(1, 1000)`,
      [other.license.id, id, aster],
    );
    const note = (steamId: string) =>
      world
        .call('post', `/api/instances/${id}/players/${steamId}/notes`, other.owner)
        .send({ text: 'Watch' });
    expect((await note(aster).expect(409)).body).toMatchObject({ code: 'limit_reached' });
    await note('76561197960287931').expect(201);
  });

  it('returns 201 with the note, which is in the record and in the list of actions', async () => {
    const instanceId = await createInstance(world, tenant);
    const text = 'Watch for aim assistance.\nSeen twice.';
    const { body: note } = await add(instanceId, text).expect(201);
    expect(note).toMatchObject({
      kind: 'note',
      steam_id: aster,
      instance_id: instanceId,
      text,
      requested_by: tenant.owner.email,
      command_id: null,
      status: 'succeeded',
      error: null,
    });
    expect((note as Schemas['PlayerAction']).finished_at).not.toBeNull();
    expect(await get(instanceId, aster)).toMatchObject({ counts: { note: 1 }, actions: [note] });
    expect(await actions(`instance_id=${instanceId}&kind=note`)).toEqual([note]);
  });

  it('returns 201 once for the same Idempotency-Key', async () => {
    const instanceId = await createInstance(world, tenant);
    const key = randomUUID();
    const { body: first } = await add(instanceId, 'Once', key).expect(201);
    const { body: second } = await add(instanceId, 'Once', key).expect(201);
    expect(second).toEqual(first);
    expect(await actions(`instance_id=${instanceId}`)).toHaveLength(1);
  });

  it('returns 404 for an unknown instance', async () => {
    await add(someId, 'Nothing').expect(404);
  });

  it.each(['', ' ', 'x'.repeat(1_001), 'a\u0000b'])('returns 400 for %j', async (text) => {
    await add(await createInstance(world, tenant), text).expect(400);
  });
});

describe('listPlayerActions', () => {
  it('returns 200 page by page, newest first, and only the matching ones', async () => {
    const instanceId = await createInstance(world, tenant);
    for (const steamId of [aster, birch, aster]) await act('kick', instanceId, {}, steamId).expect(202);
    await act('message', instanceId, { text: 'Hi' }).expect(202);
    const all = await actions(`instance_id=${instanceId}`);
    expect(all.map(({ kind, steam_id }) => [kind, steam_id])).toEqual([
      ['message', aster],
      ['kick', aster],
      ['kick', birch],
      ['kick', aster],
    ]);
    expect(await actions(`instance_id=${instanceId}&steam_id=${birch}`)).toEqual([all[2]]);
    expect(await actions(`instance_id=${instanceId}&kind=message`)).toEqual([all[0]]);
    const { body } = await world
      .call('get', `/api/player-actions?instance_id=${instanceId}&limit=3`, tenant.owner)
      .expect(200);
    const page = body as Schemas['PlayerActionPage'];
    expect(page.data).toEqual(all.slice(0, 3));
    expect(await actions(`instance_id=${instanceId}&limit=3&cursor=${page.next_cursor}`)).toEqual([all[3]]);
  });

  it('returns 400 for an impossible SteamID', async () => {
    await world.call('get', '/api/player-actions?steam_id=1', tenant.owner).expect(400);
  });
});
