// Operations of the area `wipes`: plans, one wipe at a time, what agents tell of it, its end, and the history.
import { randomUUID } from 'node:crypto';
import type { components } from '../../generated/platform.d.ts';
import { endLostWipes } from '../../src/services/wipes/outcomes.ts';
import type { EntityManager } from '../../src/database/connection.ts';
import { acceptingAgent, TestAgent } from '../support/agent.ts';
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
  world = await World.create();
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

/** An agent that accepts every command, with one running Rust server. */
const agentWithInstance = (values: Record<string, unknown> = {}) =>
  acceptingAgent(world, tenant, { game: 'rust', state: 'running', ...values });

const ask = (instanceId: string, body: object = { kind: 'map' }) =>
  world.call('post', `/api/instances/${instanceId}/wipes`, tenant.owner).send(body);

async function run(instanceId: string, body?: object): Promise<Wipe> {
  const { body: answer } = await ask(instanceId, body).expect(202);
  const { wipe } = answer as Schemas['WipeAnswer'];
  if (wipe === null) throw new Error('it was taken for a dry run');
  return wipe;
}

async function get(id: string): Promise<Wipe> {
  const { body } = await world.call('get', `/api/wipes/${id}`, tenant.owner).expect(200);
  return body as Wipe;
}

const cancel = (id: string) => world.call('post', `/api/wipes/${id}/cancel`, tenant.owner);

const tell = (agent: TestAgent, wipeId: string, seq: number, status: Wipe['status'], more: object = {}) =>
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
  world.database.query<{ kind: string; data: Record<string, unknown> }>(
    'select kind, data from domain_event where subject_id = $1',
    [wipeId],
  );

describe('runWipe', () => {
  it('202 with the wipe, whose command reaches the agent with all that was asked for', async () => {
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

  it('202 once for the same Idempotency-Key', async () => {
    const instanceId = await createInstance(world, tenant);
    const key = randomUUID();
    const { body: first } = await ask(instanceId).set('Idempotency-Key', key).expect(202);
    const { body: again } = await ask(instanceId).set('Idempotency-Key', key).expect(202);
    expect(again).toEqual(first);
  });

  it('409 for a second one, however many ask at once, until the first has ended', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(instanceId)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, ...Array<number>(7).fill(409)]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ code: 'wipe_under_way' });
    const { wipe } = answers.find(({ status }) => status === 202)?.body as { wipe: Wipe };
    await tell(agent, wipe.id, 1, 'completed');
    await run(instanceId);
    await agent.close();
  });

  it('409 for another game, of which nobody knows the files', async () => {
    const { body } = await ask(await createInstance(world, tenant, { game: 'minecraft' })).expect(409);
    expect(body).toMatchObject({ code: 'not_supported' });
  });

  it('404 for an instance that there is not', async () => {
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
  ])('400 for %j', async (body) => {
    await ask(await createInstance(world, tenant), body).expect(400);
  });

  it('waits for an agent that is away, and fails when that was too long', async () => {
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

  it('fails with the words of an agent that refuses it', async () => {
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

  it('202 with the plan of the agent, and nothing comes of it', async () => {
    const { agent, instanceId } = await agentWithInstance();
    agent.onQuestion('wipe-plan', (question) => {
      expect(question).toMatchObject({ instance: 'main', request: { kind: 'map', seed: 42 } });
      return { v: 1, ok: true, plan };
    });
    await agent.connection.flush();
    const { body } = await ask(instanceId, { kind: 'map', seed: 42, dry_run: true }).expect(202);
    expect(body).toEqual({ wipe: null, plan });
    const { body: page } = await world
      .call('get', `/api/instances/${instanceId}/wipes`, tenant.owner)
      .expect(200);
    expect(page).toEqual({ data: [], next_cursor: null });
    expect(agent.commands).toEqual([]);
    await agent.close();
  });

  it.each([
    ['not_supported', 409, 'not_supported'],
    ['failed', 502, 'agent_refused'],
  ])('when the agent answers %s: %i with %s', async (error, status, code) => {
    const { agent, instanceId } = await agentWithInstance();
    agent.onQuestion('wipe-plan', () => ({ v: 1, ok: false, error: { code: error, detail: 'It is so.' } }));
    await agent.connection.flush();
    const { body } = await ask(instanceId, { kind: 'map', dry_run: true }).expect(status);
    expect(body).toMatchObject({ code, detail: 'It is so.' });
    await agent.close();
  });

  it('504 for what is no plan', async () => {
    const { agent, instanceId } = await agentWithInstance();
    agent.onQuestion('wipe-plan', () => ({ v: 1, ok: true, plan: { ...plan, files: 'all' } }));
    await agent.connection.flush();
    const { body } = await ask(instanceId, { kind: 'map', dry_run: true }).expect(504);
    expect(body).toMatchObject({ code: 'agent_timeout' });
    await agent.close();
  });

  it('503 when the agent is away', async () => {
    const { body } = await ask(await createInstance(world, tenant), { kind: 'map', dry_run: true }).expect(
      503,
    );
    expect(body).toMatchObject({ code: 'agent_offline' });
  });
});

describe('an uploaded map', () => {
  const remove = (mapId: string) => world.call('delete', `/api/maps/${mapId}`, tenant.owner);

  it('goes to the agent as the address that players download it from, once it is public', async () => {
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

  it('stays as long as an instance plays on it', async () => {
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
  ])('400 beside %j', async (more, pointer) => {
    const { body } = await ask(await createInstance(world, tenant), { ...more, map_id: someId }).expect(400);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ pointer }] });
  });
});

describe('what the agent tells', () => {
  it('late counts from when it was so, which is not before the wipe began nor ahead of now', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const [begun, finished] = [ago(120), ago(60)];
    const { id } = await run(instanceId, { kind: 'map', countdown_seconds: 60 });
    await tell(agent, id, 1, 'deleting', { at: begun });
    await tell(agent, id, 2, 'completed', { at: finished });
    expect(await get(id)).toMatchObject({ begun_at: begun, finished_at: finished });
    const { id: other } = await run(instanceId, { kind: 'map', countdown_seconds: 60 });
    await tell(agent, other, 1, 'deleting', { at: finished });
    await tell(agent, other, 2, 'completed', { at: begun });
    expect(await get(other)).toMatchObject({ begun_at: finished, finished_at: finished });
  });

  it('moves the wipe on, is taken in order, and its end stays', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const { id } = await run(instanceId, { kind: 'map', countdown_seconds: 60 });
    const due_at = new Date(Date.now() + 60_000).toISOString();
    expect(await tell(agent, id, 2, 'announcing', { due_at })).toEqual({ v: 1, ok: true });
    expect(await get(id)).toMatchObject({ status: 'announcing', due_at, begun_at: null });
    await tell(agent, id, 1, 'planned');
    expect(await get(id)).toMatchObject({ status: 'announcing' });
    await tell(agent, id, 4, 'deleting', { file_count: 9, deleted_bytes: 123 });
    await tell(agent, id, 3, 'stopping');
    expect(await get(id)).toMatchObject({
      status: 'deleting',
      file_count: 9,
      deleted_bytes: 123,
      begun_at: expect.any(String),
    });
    expect(await eventsOf(id)).toEqual([]);
    const end = { file_count: 9, deleted_bytes: 123, detail: '9 files were deleted.' };
    await Promise.all([1, 2, 3].map(() => tell(agent, id, 6, 'completed', end)));
    await tell(agent, id, 7, 'failed');
    expect(await get(id)).toMatchObject({
      status: 'completed',
      detail: '9 files were deleted.',
      error: null,
      finished_at: expect.any(String),
    });
    expect(await eventsOf(id)).toEqual([
      {
        kind: 'wipe_completed',
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

  it('says why it was rolled back, and is no completion', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const { id } = await run(instanceId);
    await tell(agent, id, 5, 'rolled_back', { error_code: 'start_failed', detail: 'No such map.' });
    expect(await get(id)).toMatchObject({
      status: 'rolled_back',
      detail: null,
      error: { code: 'start_failed', detail: 'No such map.' },
    });
    expect(await eventsOf(id)).toEqual([]);
    await agent.close();
  });

  it('is taken by another replica when one ends in the middle', async () => {
    const { stop } = await world.addReplica();
    const { agent, instanceId } = await agentWithInstance();
    const { id } = await run(instanceId);
    await tell(agent, id, 1, 'stopping');
    await stop();
    await tell(agent, id, 2, 'deleting');
    expect(await get(id)).toMatchObject({ status: 'deleting' });
    await agent.close();
  });

  it('is refused from another host', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const other = await TestAgent.connect(world, tenant);
    const { id } = await run(instanceId);
    expect(await tell(other, id, 1, 'completed')).toMatchObject({ ok: false });
    expect(await tell(other, randomUUID(), 1, 'completed')).toMatchObject({ ok: false });
    expect(await get(id)).toMatchObject({ status: 'planned' });
    await Promise.all([agent.close(), other.close()]);
  });

  it('is missed for hours: the wipe is lost, and a report that comes after all is believed', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const { id } = await run(instanceId);
    await tell(agent, id, 1, 'stopping');
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
    await tell(agent, id, 2, 'deleting');
    expect(await get(id)).toMatchObject({ status: 'failed' });
    await tell(agent, id, 3, 'completed');
    expect(await get(id)).toMatchObject({ status: 'completed' });
    expect(await get(second.id)).toMatchObject({ status: 'planned' });
    await agent.close();
  });
});

describe('power', () => {
  it('409 for a backup and a restart by a schedule, too', async () => {
    const instanceId = await createInstance(world, tenant);
    const scheduleId = await createSchedule(world, tenant, { instance_id: instanceId });
    await createWipe(world, tenant, { instance_id: instanceId, status: 'deleting', report_seq: 3 });
    for (const path of [`/api/instances/${instanceId}/backups`, `/api/schedules/${scheduleId}/runs`]) {
      const { body } = await world.call('post', path, tenant.owner).send({}).expect(409);
      expect(body).toMatchObject({ code: 'wipe_under_way' });
    }
  });

  it.each(['stopping', 'backing_up', 'deleting', 'starting'] as const)(
    '409 while it is %s for whatever would change the files or the process beside it',
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
    '202 for %s during the countdown, 409 from when the server is being stopped, until the wipe has ended',
    async (verb) => {
      const { agent, instanceId } = await agentWithInstance();
      const ofInstance = () => power(instanceId, verb).send(verb === 'backups' ? {} : undefined);
      const { id } = await run(instanceId, { kind: 'map', countdown_seconds: 600 });
      await ofInstance().expect(202);
      await tell(agent, id, 1, 'announcing');
      await ofInstance().expect(202);
      await tell(agent, id, 2, 'stopping');
      const { body } = await ofInstance().expect(409);
      expect(body).toMatchObject({ code: 'wipe_under_way' });
      await tell(agent, id, 3, 'rolled_back');
      await ofInstance().expect(202);
      await agent.close();
    },
  );
});

describe('cancelWipe', () => {
  it('202 and it is cancelled at once, when no agent has heard of it', async () => {
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

  it('202 and it is not cancelled yet where its agent may have heard of it, though it is queued again', async () => {
    const instanceId = await createInstance(world, tenant);
    const command = { instance_id: instanceId, kind: 'wipe', status: 'queued', sent_at: new Date() };
    const command_id = await createCommand(world, tenant, command);
    const id = await createWipe(world, tenant, { instance_id: instanceId, command_id });
    const { body } = await cancel(id).expect(202);
    expect(body).toMatchObject({ status: 'planned', cancel_requested_at: expect.any(String) });
  });

  it('202 and the agent is asked, whose word decides', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const { id } = await run(instanceId, { kind: 'map', countdown_seconds: 600 });
    await until(() => agent.commands.length > 0, 'the command');
    await tell(agent, id, 1, 'announcing');
    const { body } = await cancel(id).expect(202);
    expect(body).toMatchObject({ status: 'announcing', cancel_requested_at: expect.any(String) });
    await cancel(id).expect(202);
    const sent = await until(() => agent.commands[1], 'the second command');
    expect(sent).toMatchObject({ verb: 'cancel_wipe', args: { wipe_id: id } });
    await tell(agent, id, 2, 'cancelled');
    expect(await get(id)).toMatchObject({ status: 'cancelled', error: null });
    expect(agent.commands).toHaveLength(2);
    await agent.close();
  });

  it.each([
    ['has failed', `status = 'failed', finished_at = now()`],
    ['was not taken in time', `status = 'expired', finished_at = now()`],
    ['can not be taken in time any more', `expires_at = now() - interval '1 second'`],
  ])('202 and the agent is asked again, once what asked it before %s', async (_why, change) => {
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
    '409 for one that is %s',
    async (status) => {
      const { agent, instanceId } = await agentWithInstance();
      const { id } = await run(instanceId);
      await tell(agent, id, 1, status);
      const { body } = await cancel(id).expect(409);
      expect(body).toMatchObject({ code: 'wipe_begun' });
      await agent.close();
    },
  );

  it('404 for one that there is not', async () => {
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
    expect((await list(`/api/instances/${one}/wipes`)).data.map(({ id }) => id)).toEqual([third, first]);
    expect((await list('/api/wipes?status=planned')).data.map(({ id }) => id)).toEqual([third]);
    const page = await list('/api/wipes?limit=1');
    const next = await list(`/api/wipes?limit=1&cursor=${page.next_cursor}`);
    expect(next.data.map(({ id }) => id)).toEqual([second]);
  });

  it('404 for an instance, and for a wipe, that there is not', async () => {
    await world.call('get', `/api/instances/${someId}/wipes`, tenant.owner).expect(404);
    await world.call('get', `/api/wipes/${someId}`, tenant.owner).expect(404);
  });
});
