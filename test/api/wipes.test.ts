// Operations of the area `wipes`: plans, one wipe at a time, agents' progress reports, completion and
// history.
import { randomUUID } from 'node:crypto';
import type { components } from '../../generated/platform.d.ts';
import { endLostWipes } from '../../src/services/wipes/outcomes.ts';
import type { EntityManager } from '../../src/database/connection.ts';
import { connectAcceptingAgent, TestAgent } from '../support/agent.ts';
import { someId } from '../support/contract.ts';
import {
  createBackup,
  createCommand,
  createInstance,
  createMap,
  createSchedule,
  createWipe,
  fromTemplate,
} from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];
type Wipe = Schemas['Wipe'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ jobIntervals: { chores: { 'end lost wipes': 100, 'expire commands': 100 } } });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

/** An agent that accepts every command, with one running Rust server. */
const agentWithInstance = (values: Record<string, unknown> = {}) =>
  connectAcceptingAgent(world, tenant, { game: 'rust', state: 'running', ...values });

const ask = (instanceId: string, body: object = { kind: 'map' }) =>
  world.call('post', `/api/instances/${instanceId}/wipes`, tenant.owner).send(body);

async function run(instanceId: string, body?: object): Promise<Wipe> {
  const { body: response } = await ask(instanceId, body).expect(202);
  const { wipe } = response as Schemas['WipeResult'];
  if (wipe === null) throw new Error('the wipe arrived as a dry run');
  return wipe;
}

async function get(id: string): Promise<Wipe> {
  const { body } = await world.call('get', `/api/wipes/${id}`, tenant.owner).expect(200);
  return body as Wipe;
}

const cancel = (id: string) => world.call('post', `/api/wipes/${id}/cancel`, tenant.owner);

const report = (agent: TestAgent, wipeId: string, seq: number, status: Wipe['status'], more: object = {}) =>
  agent.request('wipe-status', {
    v: 1,
    wipe_id: wipeId,
    seq,
    status,
    at: new Date().toISOString(),
    ...more,
  });

const power = (instanceId: string, verb: string) =>
  world.call('post', `/api/instances/${instanceId}/${verb}`, tenant.owner);

const eventsOf = (wipeId: string) =>
  world.database.query<{ type: string; data: Record<string, unknown> }>(
    `select type, data from event_log where subject_id = $1 and type = 'wipe.completed'`,
    [wipeId],
  );

describe('wipeInstance', () => {
  it('returns 202 with the wipe, whose command reaches the agent with every option', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const body = {
      kind: 'full',
      seed: 42,
      world_size: 4000,
      countdown_seconds: 900,
      message: 'Fresh map in {time}!',
      backup: true,
      start: true,
    };
    const wipe = await run(instanceId, body);
    expect(wipe).toEqual({
      ...body,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      instance_id: instanceId,
      instance_name: 'main',
      map_id: null,
      status: 'planned',
      detail: null,
      error: null,
      due_at: null,
      file_count: null,
      deleted_bytes: null,
      command_id: expect.any(String),
      requested_by: tenant.owner.email,
      cancel_requested_at: null,
      created_at: expect.any(String),
      begun_at: null,
      finished_at: null,
    });
    const [envelope] = await until(() => agent.commands.length > 0 && agent.commands, 'the command');
    expect(envelope).toMatchObject({
      id: wipe.command_id,
      verb: 'wipe',
      instance: 'main',
      args: { wipe_id: wipe.id, request: body },
    });
    await agent.close();
  });

  it('returns 202 once for the same Idempotency-Key', async () => {
    const instanceId = await createInstance(world, tenant);
    const key = randomUUID();
    const { body: first } = await ask(instanceId).set('Idempotency-Key', key).expect(202);
    const { body: again } = await ask(instanceId).set('Idempotency-Key', key).expect(202);
    expect(again).toEqual(first);
  });

  it('returns 409 for a second one, also for concurrent requests, until the first has ended', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const responses = await Promise.all(Array.from({ length: 8 }, () => ask(instanceId)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([202, ...Array<number>(7).fill(409)]);
    const refused = responses.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ code: 'wipe_under_way' });
    const { wipe } = responses.find(({ status }) => status === 202)!.body as { wipe: Wipe };
    await report(agent, wipe.id, 1, 'completed');
    await run(instanceId);
    await agent.close();
  });

  it('returns 409 for another game, whose files are unknown', async () => {
    const { body } = await ask(await createInstance(world, tenant, { game: 'minecraft' })).expect(409);
    expect(body).toMatchObject({ code: 'not_supported' });
  });

  it('returns 404 for an unknown instance', async () => {
    await ask(someId).expect(404);
  });

  it.each([
    {},
    { kind: 'everything' },
    { kind: 'map', seed: 0 },
    { kind: 'map', seed: 2_147_483_648 },
    { kind: 'map', world_size: 999 },
    { kind: 'map', world_size: 6_001 },
    { kind: 'map', countdown_seconds: -1 },
    { kind: 'map', countdown_seconds: 86_401 },
    { kind: 'map', message: 'soon\nquit' },
    { kind: 'map', message: 'soon;quit' },
    { kind: 'map', message: 'soon\u2028quit' },
    { kind: 'map', message: ' soon' },
    { kind: 'map', message: 'x'.repeat(301) },
    { kind: 'map', level_url: 'https://example.com/a.map' },
    { kind: 'blueprints', seed: 1 },
    { kind: 'blueprints', world_size: 4000 },
  ])('returns 400 for %j', async (body) => {
    await ask(await createInstance(world, tenant), body).expect(400);
  });

  it('waits for an offline agent, and fails when that takes too long', async () => {
    const instanceId = await createInstance(world, tenant);
    const wipe = await run(instanceId);
    await world.database.query(`update command set expires_at = now() - interval '1 second' where id = $1`, [
      wipe.command_id,
    ]);
    const ended = await until(async () => {
      const now = await get(wipe.id);
      return now.status === 'failed' && now;
    }, 'the end of the wipe');
    expect(ended.error).toMatchObject({ code: 'expired' });
    await run(instanceId);
  });

  it('fails with the explanation of an agent that refuses it', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const { id, command_id } = await run(instanceId);
    await until(() => agent.commands.length > 0, 'the command');
    const detail = 'Only Rust servers can be wiped.';
    await agent.finish(command_id ?? '', { status: 'failed', error_code: 'not_supported', detail });
    expect(await get(id)).toMatchObject({ status: 'failed', error: { code: 'not_supported', detail } });
    await agent.close();
  });
});

describe('a dry run', () => {
  const plan: Schemas['WipePlan'] = {
    files: [{ path: 'server/main/a.map', size: 5 }],
    total_bytes: 5,
    stops: true,
    starts: true,
    launch_before: { seed: 1, world_size: 3500, level_url: null },
    launch_after: { seed: 42, world_size: 3500, level_url: null },
    announcements: [],
  };

  it("returns 202 with the agent's plan, and changes nothing", async () => {
    const { agent, instanceId } = await agentWithInstance();
    agent.onRequest('wipe-plan', (question) => {
      expect(question).toMatchObject({ instance: 'main', request: { kind: 'map', seed: 42 } });
      return { v: 1, ok: true, plan };
    });
    await agent.connection.flush();
    const { body } = await ask(instanceId, { kind: 'map', seed: 42, dry_run: true }).expect(202);
    expect(body).toEqual({ wipe: null, plan });
    const { body: page } = await world
      .call('get', `/api/wipes?instance_id=${instanceId}`, tenant.owner)
      .expect(200);
    expect(page).toEqual({ data: [], next_cursor: null });
    expect(agent.commands).toEqual([]);
    await agent.close();
  });

  it.each([
    ['not_supported', 409, 'not_supported'],
    ['failed', 502, 'agent_refused'],
  ])('when the agent replies %s: returns %i with %s', async (error, status, code) => {
    const { agent, instanceId } = await agentWithInstance();
    agent.onRequest('wipe-plan', () => ({ v: 1, ok: false, error: { code: error, detail: 'A reason.' } }));
    await agent.connection.flush();
    const { body } = await ask(instanceId, { kind: 'map', dry_run: true }).expect(status);
    expect(body).toMatchObject({ code, detail: 'A reason.' });
    await agent.close();
  });

  it('returns 504 for an invalid plan', async () => {
    const { agent, instanceId } = await agentWithInstance();
    agent.onRequest('wipe-plan', () => ({ v: 1, ok: true, plan: { ...plan, files: 'all' } }));
    await agent.connection.flush();
    const { body } = await ask(instanceId, { kind: 'map', dry_run: true }).expect(504);
    expect(body).toMatchObject({ code: 'agent_timeout' });
    await agent.close();
  });

  it('returns 503 when the agent is offline', async () => {
    const { body } = await ask(await createInstance(world, tenant), { kind: 'map', dry_run: true }).expect(
      503,
    );
    expect(body).toMatchObject({ code: 'agent_offline' });
  });
});

describe('an uploaded map', () => {
  const remove = (mapId: string) => world.call('delete', `/api/maps/${mapId}`, tenant.owner);

  it('is sent to the agent as the URL that players download it from, once it is public', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const mapId = await createMap(world, tenant);
    const request = { kind: 'map', map_id: mapId };
    const { body } = await ask(instanceId, request).expect(409);
    expect(body).toMatchObject({ code: 'map_not_public' });
    const { body: dry } = await ask(instanceId, { ...request, dry_run: true }).expect(409);
    expect(dry).toMatchObject({ code: 'map_not_public' });
    const { body: map } = await world
      .call('patch', `/api/maps/${mapId}`, tenant.owner)
      .send({ is_public: true })
      .expect(200);
    const wipe = await run(instanceId, request);
    expect(wipe).toMatchObject({ map_id: mapId, seed: null, world_size: null });
    const command = await until(() => agent.commands.find(({ verb }) => verb === 'wipe'), 'the command');
    expect(command.args).toMatchObject({ request: { level_url: (map as Schemas['GameMap']).public_url } });
    await agent.close();
  });

  it('stays as long as an instance uses it', async () => {
    const instanceId = await createInstance(world, tenant);
    const mapId = await createMap(world, tenant);
    const wiped = (values: object) => createWipe(world, tenant, { instance_id: instanceId, ...values });
    const over = { status: 'completed', finished_at: new Date().toISOString() };
    const first = await wiped({ map_id: mapId, ...over });
    const unpublish = () =>
      world.call('patch', `/api/maps/${mapId}`, tenant.owner).send({ is_public: false });
    await unpublish().expect(200);
    await world.database.query(`update map set public_secret = $1 where id = $2`, [randomUUID(), mapId]);
    expect((await unpublish().expect(409)).body).toMatchObject({ code: 'map_in_use' });
    expect((await remove(mapId).expect(409)).body).toMatchObject({ code: 'map_in_use' });
    await wiped({ kind: 'blueprints', ...over });
    await remove(mapId).expect(409);
    await wiped({ ...over, seed: 42, status: 'rolled_back' });
    await remove(mapId).expect(409);
    await wiped(over);
    await remove(mapId).expect(409);
    await wiped({ ...over, seed: 42 });
    await remove(mapId).expect(204);
    expect(await get(first)).toMatchObject({ map_id: null });
  });

  it.each([
    [{ kind: 'map', seed: 42 }, '/seed'],
    [{ kind: 'full', world_size: 3000 }, '/world_size'],
    [{ kind: 'blueprints' }, '/map_id'],
  ])('returns 400 beside %j', async (more, pointer) => {
    const { body } = await ask(await createInstance(world, tenant), { ...more, map_id: someId }).expect(400);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ pointer }] });
  });
});

describe('progress of the agent', () => {
  it('that arrives late counts from the reported time, within the start of the wipe and now', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const [begun, finished] = [ago(120), ago(60)];
    const { id } = await run(instanceId, { kind: 'map', countdown_seconds: 60 });
    await report(agent, id, 1, 'deleting', { at: begun });
    await report(agent, id, 2, 'completed', { at: finished });
    expect(await get(id)).toMatchObject({ begun_at: begun, finished_at: finished });
    const { id: other } = await run(instanceId, { kind: 'map', countdown_seconds: 60 });
    await report(agent, other, 1, 'deleting', { at: finished });
    await report(agent, other, 2, 'completed', { at: begun });
    expect(await get(other)).toMatchObject({ begun_at: finished, finished_at: finished });
  });

  it('advances the wipe, is applied in order, and does not change after the end', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const { id } = await run(instanceId, { kind: 'map', countdown_seconds: 60 });
    const due_at = new Date(Date.now() + 60_000).toISOString();
    expect(await report(agent, id, 2, 'announcing', { due_at })).toEqual({ v: 1, ok: true });
    expect(await get(id)).toMatchObject({ status: 'announcing', due_at, begun_at: null });
    await report(agent, id, 1, 'planned');
    expect(await get(id)).toMatchObject({ status: 'announcing' });
    await report(agent, id, 4, 'deleting', { file_count: 9, deleted_bytes: 123 });
    await report(agent, id, 3, 'stopping');
    expect(await get(id)).toMatchObject({
      status: 'deleting',
      file_count: 9,
      deleted_bytes: 123,
      begun_at: expect.any(String),
    });
    expect(await eventsOf(id)).toEqual([]);
    const end = { file_count: 9, deleted_bytes: 123, detail: '9 files were deleted.' };
    await Promise.all([1, 2, 3].map(() => report(agent, id, 6, 'completed', end)));
    await report(agent, id, 7, 'failed');
    expect(await get(id)).toMatchObject({
      status: 'completed',
      detail: '9 files were deleted.',
      error: null,
      finished_at: expect.any(String),
    });
    expect(await eventsOf(id)).toEqual([
      {
        type: 'wipe.completed',
        data: {
          wipe_id: id,
          instance_id: instanceId,
          instance_name: 'main',
          kind: 'map',
          seed: null,
          world_size: null,
          map_id: null,
          requested_by: tenant.owner.email,
        },
      },
    ]);
    await agent.close();
  });

  it('has the reason of a rollback, which is no completion', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const { id } = await run(instanceId);
    await report(agent, id, 5, 'rolled_back', { error_code: 'start_failed', detail: 'No such map.' });
    expect(await get(id)).toMatchObject({
      status: 'rolled_back',
      detail: null,
      error: { code: 'start_failed', detail: 'No such map.' },
    });
    expect(await eventsOf(id)).toEqual([]);
    await agent.close();
  });

  it('is processed by another replica when one ends halfway', async () => {
    const { stop } = await world.addReplica();
    const { agent, instanceId } = await agentWithInstance();
    const { id } = await run(instanceId);
    await report(agent, id, 1, 'stopping');
    await stop();
    await report(agent, id, 2, 'deleting');
    expect(await get(id)).toMatchObject({ status: 'deleting' });
    await agent.close();
  });

  it('counts for more than the end of the command that began the wipe', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const { id, command_id } = await run(instanceId, { kind: 'map', countdown_seconds: 60 });
    await until(() => agent.commands.length > 0, 'the command');
    await report(agent, id, 1, 'stopping');
    await agent.finish(command_id ?? '', { status: 'failed', error_code: 'interrupted', detail: 'Killed.' });
    expect(await get(id)).toMatchObject({ status: 'stopping', error: null, finished_at: null });
    await report(agent, id, 2, 'completed');
    expect(await get(id)).toMatchObject({ status: 'completed', error: null });
    await agent.close();
  });

  it('is rejected from another host', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const other = await TestAgent.connect(world, tenant);
    const { id } = await run(instanceId);
    expect(await report(other, id, 1, 'completed')).toMatchObject({ ok: false });
    expect(await report(other, randomUUID(), 1, 'completed')).toMatchObject({ ok: false });
    expect(await get(id)).toMatchObject({ status: 'planned' });
    await Promise.all([agent.close(), other.close()]);
  });

  it('that waits for the wipe to become lost is applied nevertheless', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const { id } = await run(instanceId);
    const reply = await world.database.commitWhileWaiting(
      `update wipe_history set status = 'failed', finished_at = now(), error_code = 'lost' where id = $1`,
      [id],
      () => report(agent, id, 1, 'starting'),
    );
    expect(reply).toMatchObject({ ok: true });
    expect(await get(id)).toMatchObject({ status: 'starting', error: null, finished_at: null });
  });

  it('that is missing for hours makes the wipe lost, and a later report is accepted', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const { id } = await run(instanceId);
    await report(agent, id, 1, 'stopping');
    await world.database.query(
      `update wipe_history set created_at = now() - interval '2 days', due_at = null,
         reported_at = now() - interval '13 hours' where id = $1`,
      [id],
    );
    const execute = async (text: string, values: unknown[] = []) => {
      let index = 0;
      return world.database.query(
        text.replace(/\?/g, () => `$${(index += 1)}`),
        values,
      );
    };
    await endLostWipes({ execute } as unknown as EntityManager);
    expect(await get(id)).toMatchObject({ status: 'failed', error: { code: 'lost' } });
    const second = await run(instanceId);
    await report(agent, id, 2, 'deleting');
    expect(await get(id)).toMatchObject({ status: 'failed' });
    await report(agent, id, 3, 'completed');
    expect(await get(id)).toMatchObject({ status: 'completed' });
    expect(await get(second.id)).toMatchObject({ status: 'planned' });
    await agent.close();
  });
});

describe('power', () => {
  it('returns 409 for a backup and for a scheduled restart, too', async () => {
    const instanceId = await createInstance(world, tenant);
    const scheduleId = await createSchedule(world, tenant, { instance_id: instanceId });
    await createWipe(world, tenant, { instance_id: instanceId, status: 'deleting', report_seq: 3 });
    for (const path of [`/api/instances/${instanceId}/backups`, `/api/schedules/${scheduleId}/runs`]) {
      const { body } = await world.call('post', path, tenant.owner).send({}).expect(409);
      expect(body).toMatchObject({ code: 'wipe_under_way' });
    }
  });

  it.each(['stopping', 'backing_up', 'deleting', 'starting'] as const)(
    'returns 409 while it is %s for actions that would change its files or process',
    async (status) => {
      const instance_id = await createInstance(world, tenant, { ...fromTemplate, state: 'stopped' });
      const backupId = await createBackup(world, tenant, { instance_id });
      await createWipe(world, tenant, { instance_id, status, report_seq: 3 });
      const disturbing = [
        ...['start', 'stop', 'restart', 'backups', `backups/${backupId}/restore`].map(
          (path) => ['post', `/api/instances/${instance_id}/${path}`] as const,
        ),
        ['delete', `/api/fleet/instances/${instance_id}/definition`] as const,
      ];
      for (const [method, path] of disturbing) {
        const { body } = await world.call(method, path, tenant.owner).expect(409);
        expect([path, body]).toMatchObject([path, { code: 'wipe_under_way' }]);
      }
    },
  );

  it.each(['start', 'stop', 'restart', 'backups'])(
    'returns 202 for %s during the countdown, 409 from the stopping of the server until the wipe has ended',
    async (verb) => {
      const { agent, instanceId } = await agentWithInstance();
      const ofInstance = () => power(instanceId, verb).send(verb === 'backups' ? {} : undefined);
      const { id } = await run(instanceId, { kind: 'map', countdown_seconds: 600 });
      await ofInstance().expect(202);
      await report(agent, id, 1, 'announcing');
      await ofInstance().expect(202);
      await report(agent, id, 2, 'stopping');
      const { body } = await ofInstance().expect(409);
      expect(body).toMatchObject({ code: 'wipe_under_way' });
      await report(agent, id, 3, 'rolled_back');
      await ofInstance().expect(202);
      await agent.close();
    },
  );
});

describe('cancelWipe', () => {
  it('returns 202 and cancels at once before an agent received the wipe', async () => {
    const instanceId = await createInstance(world, tenant);
    const command = { instance_id: instanceId, kind: 'wipe', status: 'queued' };
    const command_id = await createCommand(world, tenant, command);
    const id = await createWipe(world, tenant, { instance_id: instanceId, command_id });
    const { body } = await cancel(id).expect(202);
    expect(body).toMatchObject({ status: 'cancelled', finished_at: expect.any(String) });
    const { body: ended } = await world.call('get', `/api/commands/${command_id}`, tenant.owner).expect(200);
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    await run(instanceId);
  });

  it('returns 202 without cancelling when an agent may have received it, even if it is queued again', async () => {
    const instanceId = await createInstance(world, tenant);
    const command = { instance_id: instanceId, kind: 'wipe', status: 'queued', sent_at: new Date() };
    const command_id = await createCommand(world, tenant, command);
    const id = await createWipe(world, tenant, { instance_id: instanceId, command_id });
    const { body } = await cancel(id).expect(202);
    expect(body).toMatchObject({ status: 'planned', cancel_requested_at: expect.any(String) });
  });

  it('returns 202 and asks the agent, whose reply decides', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const { id } = await run(instanceId, { kind: 'map', countdown_seconds: 600 });
    await until(() => agent.commands.length > 0, 'the command');
    await report(agent, id, 1, 'announcing');
    const { body } = await cancel(id).expect(202);
    expect(body).toMatchObject({ status: 'announcing', cancel_requested_at: expect.any(String) });
    await cancel(id).expect(202);
    const sent = await until(() => agent.commands[1], 'the second command');
    expect(sent).toMatchObject({ verb: 'cancel_wipe', args: { wipe_id: id } });
    await report(agent, id, 2, 'cancelled');
    expect(await get(id)).toMatchObject({ status: 'cancelled', error: null });
    expect(agent.commands).toHaveLength(2);
    await agent.close();
  });

  it.each([
    ['has failed', `status = 'failed', finished_at = now()`],
    ['was not taken in time', `status = 'expired', finished_at = now()`],
    ['cannot be taken in time any more', `expires_at = now() - interval '1 second'`],
  ])('returns 202 and asks the agent again once the earlier request %s', async (_why, change) => {
    const instanceId = await createInstance(world, tenant);
    const command_id = await createCommand(world, tenant, { instance_id: instanceId, kind: 'wipe' });
    const id = await createWipe(world, tenant, { instance_id: instanceId, command_id, status: 'announcing' });
    const asked = () =>
      world.database.query<{ id: string }>(
        `select id from command where kind = 'cancel_wipe' and args ->> 'wipe_id' = $1 order by id`,
        [id],
      );
    await cancel(id).expect(202);
    await cancel(id).expect(202);
    const [first, ...more] = await asked();
    expect(more).toEqual([]);
    await world.database.query(`update command set ${change} where id = $1`, [first?.id]);
    await cancel(id).expect(202);
    expect(await asked()).toHaveLength(2);
  });

  it.each(['stopping', 'deleting', 'starting', 'completed'] as const)(
    'returns 409 for one that is %s',
    async (status) => {
      const { agent, instanceId } = await agentWithInstance();
      const { id } = await run(instanceId);
      await report(agent, id, 1, status);
      const { body } = await cancel(id).expect(409);
      expect(body).toMatchObject({ code: 'wipe_begun' });
      await agent.close();
    },
  );

  it('returns 404 for an unknown wipe', async () => {
    await cancel(someId).expect(404);
  });
});

describe('the history', () => {
  it('lists wipes of one instance and of all, newest first, page by page', async () => {
    const other = await world.createTenant();
    const list = async (path: string) => {
      const { body } = await world.call('get', path, other.owner).expect(200);
      return body as Schemas['WipePage'];
    };
    const [one, two] = await Promise.all([createInstance(world, other), createInstance(world, other)]);
    const done = { status: 'completed', finished_at: new Date() };
    const ids = [
      await createWipe(world, other, { instance_id: one, ...done }),
      await createWipe(world, other, { instance_id: two, ...done }),
      await createWipe(world, other, { instance_id: one, report_seq: 1 }),
    ];
    const [first, second, third] = ids;
    expect((await list('/api/wipes')).data.map(({ id }) => id)).toEqual(ids.toReversed());
    expect((await list(`/api/wipes?instance_id=${one}`)).data.map(({ id }) => id)).toEqual([third, first]);
    expect(await list(`/api/wipes?instance_id=${someId}`)).toEqual({ data: [], next_cursor: null });
    expect((await list('/api/wipes?status=planned')).data.map(({ id }) => id)).toEqual([third]);
    const page = await list('/api/wipes?limit=1');
    const next = await list(`/api/wipes?limit=1&cursor=${page.next_cursor}`);
    expect(next.data.map(({ id }) => id)).toEqual([second]);
  });

  it('returns 404 for an unknown wipe', async () => {
    await world.call('get', `/api/wipes/${someId}`, tenant.owner).expect(404);
  });
});
