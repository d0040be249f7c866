// Operations of the area `schedules`, and what happens when they are due.
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { TestAgent } from '../support/agent.ts';
import { someId } from '../support/contract.ts';
import {
  createCommand,
  createInstance,
  createKeyWithText,
  createSchedule,
  createRows,
} from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Member, type Tenant } from '../support/world.ts';

type Schedule = components['schemas']['Schedule'];
type Problem = components['schemas']['Problem'];
type Run = components['schemas']['ScheduleRun'];

let world: World;
let tenant: Tenant;
let instanceId: string;

beforeAll(async () => {
  world = await World.create();
  tenant = await world.createTenant();
  instanceId = await createInstance(world, tenant);
});

afterAll(async () => {
  await world.close();
});

const path = '/api/schedules';

const nightly = () => ({
  name: 'Nightly restart',
  instance_id: instanceId,
  action: { kind: 'restart' },
  cron: '30 4 * * *',
  time_zone: 'Europe/Berlin',
});

const create = (input: object = {}, member: Member = tenant.owner) =>
  world.call('post', path, member).send({ ...nightly(), ...input });
const created = async (input: object = {}) => (await create(input).expect(201)).body as Schedule;
const get = (id: string) => world.call('get', `${path}/${id}`, tenant.owner);
const update = (id: string, changes: object, member: Member = tenant.owner) =>
  world.call('patch', `${path}/${id}`, member).send(changes);
const toggle = (id: string, member: Member = tenant.owner) =>
  world.call('patch', `${path}/${id}/toggle`, member);
const remove = (id: string) => world.call('delete', `${path}/${id}`, tenant.owner);
const runNow = (id: string, member: Member = tenant.owner) =>
  world.call('post', `${path}/${id}/runs`, member);

async function runsOf(id: string, { owner }: Tenant = tenant, query = ''): Promise<Run[]> {
  const { body } = await world.call('get', `${path}/${id}/runs?limit=100${query}`, owner).expect(200);
  return (body as { data: Run[] }).data;
}

/** The newest run, once it has the given status. */
const untilRun = (id: string, status: Run['status'], owner: Tenant = tenant) =>
  until(async () => {
    const [run] = await runsOf(id, owner);
    return run?.status === status && run;
  }, `a run that is ${status}`);

const inThePast = (ms: number) => new Date(Date.now() - ms).toISOString();

describe('createSchedule', () => {
  it('returns 201 with the next due time', async () => {
    const schedule = await created();
    expect(schedule).toEqual({
      ...nightly(),
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      missed_runs: 'skip',
      is_enabled: true,
      next_runs: expect.anything(),
      next_announcements: [],
      created_by: tenant.owner.email,
      version: 1,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(schedule.next_runs).toHaveLength(5);
    for (const time of schedule.next_runs) expect(time).toMatch(/T0[23]:30:00\.000Z$/);
    const response = await get(schedule.id).expect(200);
    expect([response.body, response.headers['etag']]).toEqual([schedule, '"1"']);
  });

  it.each([
    { kind: 'announcement', message: 'Be kind to each other.' },
    { kind: 'backup', keep_last: 7 },
    { kind: 'backup', keep_last: 30, paths: ['server/main'] },
    { kind: 'command', line: 'server.save' },
    { kind: 'plugin_reload', plugin: 'Kits' },
    { kind: 'restart' },
    { kind: 'restart', countdown: { announce_before_seconds: [60, 10], message: 'Soon' } },
    { kind: 'start' },
    { kind: 'stop', countdown: { announce_before_seconds: [60] } },
    { kind: 'wipe', wipe: { kind: 'map', random_seed: true, countdown_seconds: 3600, backup: true } },
    { kind: 'wipe', wipe: { kind: 'full', seed: 7, world_size: 4000, message: 'See you!', start: true } },
  ])('returns 201 for the action $kind', async (action) => {
    const { id } = await created({ action });
    expect((await get(id).expect(200)).body).toMatchObject({ action });
  });

  it.each([
    { kind: 'announcement' },
    { kind: 'announcement', message: '' },
    { kind: 'announcement', message: ' x' },
    { kind: 'announcement', message: 'hello\nquit' },
    { kind: 'announcement', message: 'hello\u2028quit' },
    { kind: 'announcement', message: 'hello; quit' },
    { kind: 'announcement', message: 'x'.repeat(501) },
    { kind: 'announcement', message: 'x', line: 'quit' },
    { kind: 'command', line: '   ' },
    { kind: 'command', line: 'status\rquit' },
    { kind: 'command', line: 'x'.repeat(1001) },
    { kind: 'plugin_reload', plugin: '*' },
    { kind: 'plugin_reload', plugin: 'Kits Other' },
    { kind: 'plugin_reload', plugin: '../Kits' },
    { kind: 'restart', plugin: 'Kits' },
    { kind: 'wipe' },
    { kind: 'wipe', wipe: {} },
    { kind: 'wipe', wipe: { kind: 'everything' } },
    { kind: 'wipe', wipe: { kind: 'map', dry_run: true } },
    { kind: 'wipe', wipe: { kind: 'map', seed: 7, random_seed: true } },
    { kind: 'wipe', wipe: { kind: 'map', seed: 7, map_id: someId } },
    { kind: 'wipe', wipe: { kind: 'map', message: 'hello; quit' } },
    { kind: 'wipe', wipe: { kind: 'blueprints', random_seed: true } },
    { kind: 'wipe', wipe: { kind: 'blueprints', world_size: 4000 } },
    {},
  ])('returns 400 for the action %j', async (action) => {
    expect((await create({ action }).expect(400)).body).toMatchObject({ code: 'validation_failed' });
  });

  it('returns 404 for the map of another license, or none', async () => {
    const { map_id: foreign } = await createRows(['map_id'], world, await world.createTenant());
    for (const map_id of [foreign, someId])
      await create({ action: { kind: 'wipe', wipe: { kind: 'map', map_id } } }).expect(404);
  });

  it('returns 400 with the errors of the given action kind, and no others', async () => {
    const faultsOf = async (action: object) =>
      ((await create({ action }).expect(400)).body as Problem).errors?.map(({ pointer }) => pointer);
    expect(await faultsOf({ kind: 'announcement' })).toEqual(['/action/message']);
    expect(await faultsOf({ kind: 'announcement', message: 'x', line: 'quit' })).toEqual(['/action/line']);
    expect(await faultsOf({ kind: 'dance' })).toEqual(['/action/kind']);
    expect(await faultsOf({ message: 'hello' })).toEqual(['/action/kind']);
  });

  it.each([
    ['/cron', { cron: '0 0 30 2 *' }],
    ['/cron', { cron: '61 * * * *' }],
    ['/cron', { cron: '* * * * * *' }],
    ['/cron', { cron: '@daily' }],
    ['/cron', { cron: 'a b c d e' }],
    ['/cron', { cron: '*/0 * * * *' }],
    ['/cron', { cron: '2030-01-01T00:00:00' }],
    ['/time_zone', { time_zone: 'Europe/Atlantis' }],
    ['/time_zone', { time_zone: '+01:00' }],
    ['/name', { name: 'two\nlines' }],
  ])('returns 400 for an invalid %s, %j', async (pointer, input) => {
    expect((await create(input).expect(400)).body).toMatchObject({ errors: [{ pointer }] });
  });

  it('returns 201 for a disabled schedule, without a due time', async () => {
    expect(await created({ is_enabled: false })).toMatchObject({ is_enabled: false, next_runs: [] });
  });

  it('returns 404 for an unknown instance and for one of another license', async () => {
    await create({ instance_id: someId }).expect(404);
    const foreign = await createInstance(world, await world.createTenant());
    await create({ instance_id: foreign }).expect(404);
  });

  it('returns 403 for actions the caller may not run', async () => {
    const powerful = await world.addMemberWith(tenant, {
      'schedules.manage': true,
      'instances.power': true,
    });
    const talkative = await world.addMemberWith(tenant, { 'schedules.manage': true, 'console.*': true });
    const modding = await world.addMemberWith(tenant, { 'schedules.manage': true, 'plugins.manage': true });
    const wiping = await world.addMemberWith(tenant, { 'schedules.manage': true, 'wipes.trigger': true });
    await create({}, powerful).expect(201);
    const command = { action: { kind: 'command', line: 'status' } };
    for (const [action, may] of [
      [command.action, talkative],
      [{ kind: 'announcement', message: 'x' }, talkative],
      [{ kind: 'plugin_reload', plugin: 'Kits' }, modding],
      [{ kind: 'wipe', wipe: { kind: 'map' } }, wiping],
    ] as const) {
      expect((await create({ action }, powerful).expect(403)).body).toMatchObject({
        code: 'beyond_own_permissions',
      });
      await create({ action }, may).expect(201);
    }
    await create({ action: { kind: 'plugin_reload', plugin: 'Kits' } }, talkative).expect(403);
    await create({}, talkative).expect(403);
    const { key } = await createKeyWithText(world, tenant, { permissions: { 'schedules.manage': true } });
    await world.call('post', path).set('X-Api-Key', key).send(nightly()).expect(403);
  });

  it('returns 409 beyond 1,000 of a license', async () => {
    const full = await world.createTenant();
    const instance = await createInstance(world, full);
    await world.database.query(
      `insert into schedule (license_id, instance_id, name, action, cron, time_zone, created_by)
       select $1, $2, 'x', '{"kind":"restart"}', '0 4 * * *', 'UTC', 'x' from generate_series(1, 999)`,
      [full.license.id, instance],
    );
    const responses = await Promise.all(
      [1, 2].map(() => create({ instance_id: instance }, full.owner).then(({ status }) => status)),
    );
    expect(responses.toSorted()).toEqual([201, 409]);
  });
});

describe('listSchedules', () => {
  it('returns 200 oldest first, page by page, of one instance', async () => {
    const instance = await createInstance(world, tenant);
    const names = ['a', 'b', 'c'];
    for (const name of names) await created({ name, instance_id: instance });
    const seen: string[] = [];
    let next: string | null = `${path}?limit=2&instance_id=${instance}`;
    while (next !== null) {
      const { body, headers }: Response = await world.call('get', next, tenant.owner).expect(200);
      seen.push(...(body as { data: Schedule[] }).data.map(({ name }) => name));
      next = /^<(.+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1] ?? null;
    }
    expect(seen).toEqual(names);
  });
});

describe('previewSchedule', () => {
  const preview = (query: Record<string, string | number>) =>
    world.call('get', `/api/schedule-preview`, tenant.owner).query(query);

  it('returns 200 with the next due times', async () => {
    const { body } = await preview({ cron: '0 12 * * +MON', time_zone: 'America/New_York', count: 3 }).expect(
      200,
    );
    const times = (body as { next_runs: string[] }).next_runs;
    expect(times).toHaveLength(3);
    for (const time of times) expect(new Date(time).getUTCDay()).toBe(1);
    expect(times.toSorted()).toEqual(times);
  });

  it.each([
    ['/cron', { cron: '0 0 31 2 *', time_zone: 'UTC' }],
    ['/time_zone', { cron: '0 0 * * *', time_zone: 'Nowhere' }],
  ])('returns 400 for an invalid %s', async (pointer, query) => {
    expect((await preview(query).expect(400)).body).toMatchObject({ errors: [{ in: 'query', pointer }] });
  });
});

describe('updateSchedule', () => {
  it('returns 200 with the given changes, and recalculates due times', async () => {
    const { id } = await created();
    const response = await update(id, {
      cron: '0 5 * * *',
      time_zone: 'UTC',
      missed_runs: 'catch_up',
    }).expect(200);
    expect(response.body).toMatchObject({
      name: 'Nightly restart',
      cron: '0 5 * * *',
      missed_runs: 'catch_up',
      version: 2,
    });
    expect((response.body as Schedule).next_runs[0]).toMatch(/T05:00:00\.000Z$/);
    const [row] = await world.database.query<{ next: string }>(
      'select next_run_at as next from schedule where id = $1',
      [id],
    );
    expect(new Date(row?.next ?? '').toISOString()).toBe((response.body as Schedule).next_runs[0]);
  });

  it('returns 412 for an outdated version', async () => {
    const { id } = await created();
    const responses = await Promise.all(
      ['one', 'two'].map((name) => update(id, { name }).set('If-Match', '"1"')),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  });

  it('returns 400 for a time that never occurs, and changes nothing', async () => {
    const { id } = await created();
    await update(id, { cron: '0 0 30 2 *' }).expect(400);
    expect((await get(id)).body).toMatchObject({ cron: '30 4 * * *', version: 1 });
  });

  it('returns 403 for actions the caller may not run, before and after the change', async () => {
    const member = await world.addMemberWith(tenant, { 'schedules.manage': true, 'instances.power': true });
    const restart = await created();
    const command = await created({ action: { kind: 'command', line: 'status' } });
    await update(restart.id, { name: 'Mine' }, member).expect(200);
    await update(restart.id, { action: { kind: 'command', line: 'quit' } }, member).expect(403);
    await update(command.id, { cron: '* * * * *' }, member).expect(403);
    await update(command.id, { action: { kind: 'restart' } }, member).expect(403);
  });

  it('returns 404 for an unknown schedule', async () => {
    await update(someId, { name: 'x' }).expect(404);
  });
});

describe('toggleSchedule', () => {
  it('returns 200 for disabling and enabling', async () => {
    const { id } = await created();
    expect((await toggle(id).expect(200)).body).toMatchObject({ is_enabled: false, next_runs: [] });
    const { body } = await toggle(id).expect(200);
    expect(body).toMatchObject({ is_enabled: true, version: 3 });
    expect((body as Schedule).next_runs).toHaveLength(5);
    await toggle(id).set('If-Match', '"1"').expect(412);
  });

  it('returns 403 for enabling an action the caller may not run, 200 for disabling it', async () => {
    const member = await world.addMemberWith(tenant, { 'schedules.manage': true });
    const { id } = await created();
    await toggle(id, member).expect(200);
    await toggle(id, member).expect(403);
    expect((await get(id)).body).toMatchObject({ is_enabled: false });
  });
});

describe('deleteSchedule', () => {
  it('returns 204 and deletes its history', async () => {
    const { id } = await created();
    await runNow(id).expect(202);
    await remove(id).set('If-Match', '"9"').expect(412);
    await remove(id).expect(204);
    await get(id).expect(404);
    await remove(id).expect(404);
    await world.call('get', `${path}/${id}/runs`, tenant.owner).expect(404);
  });
});

describe('runSchedule', () => {
  it('returns 202, and the run follows its command', async () => {
    const agent = await TestAgent.connect(world, tenant);
    agent.acceptCommands();
    await agent.hello(['main']);
    const [instance] = await world.database.query<{ id: string }>(
      `insert into game_instance (license_id, host_id, name) values ($1, $2, 'main') returning id`,
      [tenant.license.id, agent.hostId],
    );
    const message = 'Be kind.';
    const { id } = await created({
      name: 'Rules',
      instance_id: instance?.id,
      action: { kind: 'announcement', message },
      is_enabled: false,
    });
    const run = (await runNow(id).expect(202)).body as Run;
    expect(run).toMatchObject({
      schedule_id: id,
      due_at: null,
      status: 'running',
      requested_by: tenant.owner.email,
      finished_at: null,
    });
    const envelope = await until(() => agent.commands.find((item) => item.id === run.command_id));
    expect(envelope).toMatchObject({ instance: 'main', verb: 'announce', args: { message, by: 'Rules' } });
    await agent.finish(envelope.id, { detail: 'It was typed.' });
    expect(await untilRun(id, 'succeeded')).toMatchObject({
      detail: 'It was typed.',
      error: null,
      finished_at: expect.any(String),
    });
    const second = (await runNow(id).expect(202)).body as Run;
    await until(() => agent.commands.some((item) => item.id === second.command_id));
    await agent.finish(second.command_id ?? '', {
      status: 'failed',
      error_code: 'not_running',
      detail: 'It is stopped.',
    });
    expect(await untilRun(id, 'failed')).toMatchObject({
      detail: null,
      error: { code: 'not_running', detail: 'It is stopped.' },
    });
    expect((await runsOf(id, tenant, '&status=failed')).map((item) => item.id)).toEqual([second.id]);
  });

  it('returns 202 once for a repeated key', async () => {
    const { id } = await created();
    const key = randomUUID();
    const [one, two] = [
      await runNow(id).set('Idempotency-Key', key).expect(202),
      await runNow(id).set('Idempotency-Key', key).expect(202),
    ];
    expect(one.body).toEqual(two.body);
    expect(await runsOf(id)).toHaveLength(1);
  });

  it('returns 403 for an action the caller may not run, 404 for an unknown schedule', async () => {
    const member = await world.addMemberWith(tenant, { 'schedules.manage': true, 'console.input': true });
    await runNow((await created()).id, member).expect(403);
    await runNow(someId).expect(404);
  });

  it('returns 409 when too many commands wait for the agent', async () => {
    const own = await world.createTenant();
    const instance = await createInstance(world, own);
    for (let index = 0; index < 100; index += 1)
      await createCommand(world, own, { instance_id: instance, status: 'queued' });
    const id = await createSchedule(world, own, { instance_id: instance });
    expect((await runNow(id, own.owner).expect(409)).body).toMatchObject({ code: 'limit_reached' });
    expect(await runsOf(id, own)).toEqual([]);
    const due = await createSchedule(world, own, { instance_id: instance, next_run_at: inThePast(1_000) });
    expect(await untilRun(due, 'failed', own)).toMatchObject({
      command_id: null,
      error: { code: 'limit_reached' },
      finished_at: expect.any(String),
    });
  });
});

describe('a due schedule', () => {
  it('runs once, as a job, and gets its next due time', async () => {
    const due_at = inThePast(1_000);
    const id = await createSchedule(world, tenant, { name: 'Due', next_run_at: due_at });
    const run = await untilRun(id, 'running');
    expect(run).toMatchObject({ due_at, status: 'running', requested_by: null });
    const { body } = await world.call('get', `/api/commands/${run.command_id}`, tenant.owner).expect(200);
    expect(body).toMatchObject({ kind: 'restart', requested_by: 'Due' });
    const [entry] = await world.database.query(
      `select actor_kind, actor_id, operation from audit_entry where target_type = 'command' and target_id = $1`,
      [run.command_id],
    );
    expect(entry).toEqual({ actor_kind: 'job', actor_id: 'run-schedules', operation: 'run-schedules' });
    const [row] = await world.database.query<{ isLater: boolean }>(
      'select next_run_at > now() as "isLater" from schedule where id = $1',
      [id],
    );
    expect(row).toEqual({ isLater: true });
    expect((await get(id)).body).toMatchObject({ version: 1 });
  });

  it.each([
    ['skip', 'skipped'],
    ['catch_up', 'running'],
  ] as const)('missed long ago: with %s its run is %s, once', async (missed_runs, status) => {
    const due_at = inThePast(3 * 86_400_000);
    const id = await createSchedule(world, tenant, {
      next_run_at: due_at,
      missed_runs,
      cron: '0 4 * * *',
    });
    await untilRun(id, status);
    const all = await runsOf(id);
    expect(all).toMatchObject([{ due_at, status }]);
    expect(all[0]?.command_id === null).toBe(status === 'skipped');
  });

  it('is skipped while the license is revoked', async () => {
    const revoked = await world.createTenant();
    await world.database.query(`update license set status = 'revoked' where id = $1`, [revoked.license.id]);
    const id = await createSchedule(world, revoked, { next_run_at: inThePast(1_000) });
    await until(async () => {
      const rows = await world.database.query(
        'select 1 from schedule where id = $1 and next_run_at > now()',
        [id],
      );
      return rows.length;
    });
    expect(await world.database.query('select 1 from schedule_run where schedule_id = $1', [id])).toEqual([]);
    expect(
      await world.database.query('select 1 from command where license_id = $1', [revoked.license.id]),
    ).toEqual([]);
  });

  it('leaves a due time alone that already ran', async () => {
    const due_at = inThePast(2_000);
    const id = await createSchedule(world, tenant, { is_enabled: false, next_run_at: null });
    await world.database.query(
      `insert into schedule_run (license_id, schedule_id, due_at, status, finished_at)
       values ($1, $2, $3, 'succeeded', now())`,
      [tenant.license.id, id, due_at],
    );
    await world.database.query('update schedule set is_enabled = true, next_run_at = $2 where id = $1', [
      id,
      due_at,
    ]);
    await until(async () => {
      const rows = await world.database.query(
        'select 1 from schedule where id = $1 and next_run_at > now()',
        [id],
      );
      return rows.length;
    });
    expect(await runsOf(id)).toMatchObject([{ status: 'succeeded' }]);
  });

  it('runs once each with three replicas', async () => {
    const own = await world.createTenant();
    const instances = await Promise.all(Array.from({ length: 4 }, () => createInstance(world, own)));
    const ids = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        createSchedule(world, own, {
          instance_id: instances[index % 4],
          is_enabled: false,
          next_run_at: null,
        }),
      ),
    );
    await world.addReplica();
    await world.addReplica();
    await world.database.query(
      `update schedule set is_enabled = true, next_run_at = now() - interval '1 second' where license_id = $1`,
      [own.license.id],
    );
    await until(async () => {
      const rows = await world.database.query(
        'select 1 from schedule where license_id = $1 and next_run_at <= now()',
        [own.license.id],
      );
      return rows.length === 0;
    });
    const [counts] = await world.database.query(
      `select (select count(*)::int from schedule_run where license_id = $1) as runs,
         (select count(distinct schedule_id)::int from schedule_run where license_id = $1) as schedules,
         (select count(*)::int from command where license_id = $1) as commands`,
      [own.license.id],
    );
    expect(counts).toEqual({ runs: ids.length, schedules: ids.length, commands: ids.length });
  });

  describe('wipes', () => {
    type Wipe = components['schemas']['Wipe'];
    const wiping = { kind: 'wipe', wipe: { kind: 'map', random_seed: true, countdown_seconds: 600 } };

    async function wipesOf({ owner }: Tenant): Promise<Wipe[]> {
      const { body } = await world.call('get', '/api/wipes', owner).expect(200);
      return (body as { data: Wipe[] }).data;
    }

    it('plan the wipe with its name and a new seed', async () => {
      const own = await world.createTenant();
      const instance_id = await createInstance(world, own);
      const values = { instance_id, action: wiping, next_run_at: inThePast(1_000) };
      const id = await createSchedule(world, own, { ...values, name: 'Every Thursday' });
      const run = await untilRun(id, 'running', own);
      const wipes = await wipesOf(own);
      expect(wipes).toMatchObject([
        {
          instance_id,
          kind: 'map',
          status: 'planned',
          countdown_seconds: 600,
          backup: false,
          command_id: run.command_id,
          requested_by: 'Every Thursday',
        },
      ]);
      expect(wipes[0]?.seed).toBeGreaterThan(0);
      const { body } = await world.call('get', `/api/commands/${run.command_id}`, own.owner).expect(200);
      expect(body).toMatchObject({ kind: 'wipe', requested_by: 'Every Thursday' });
    });

    it('run once for a due time, with any number of due schedules and replicas', async () => {
      const own = await world.createTenant();
      const instance_id = await createInstance(world, own);
      const values = { instance_id, action: wiping, is_enabled: false, next_run_at: null };
      const ids = [await createSchedule(world, own, values), await createSchedule(world, own, values)];
      await world.addReplica();
      await world.database.query(
        `update schedule set is_enabled = true, next_run_at = now() - interval '1 second' where license_id = $1`,
        [own.license.id],
      );
      const runs = await until(async () => {
        const found = (await Promise.all(ids.map((id) => runsOf(id, own)))).flat();
        return found.length === 2 && found;
      });
      expect(runs.map(({ status }) => status).toSorted()).toEqual(['failed', 'running']);
      expect(runs.find(({ status }) => status === 'failed')).toMatchObject({
        command_id: null,
        error: { code: 'wipe_under_way' },
      });
      expect(await wipesOf(own)).toHaveLength(1);
    });

    it('never run for a missed time, unless catching up is enabled', async () => {
      const own = await world.createTenant();
      const values = { action: wiping, next_run_at: inThePast(600_000) };
      const id = await createSchedule(world, own, values);
      await untilRun(id, 'skipped', own);
      expect(await wipesOf(own)).toEqual([]);
    });

    it('fail for a deleted map and for another game, and delay nothing else', async () => {
      const own = await world.createTenant();
      const due = { is_enabled: false, next_run_at: null };
      const gone = await createSchedule(world, own, {
        ...due,
        action: { kind: 'wipe', wipe: { kind: 'map', map_id: someId } },
      });
      const other = await createSchedule(world, own, {
        ...due,
        action: wiping,
        instance_id: await createInstance(world, own, { game: 'minecraft' }),
      });
      const restart = await createSchedule(world, own, due);
      await world.database.query(
        `update schedule set is_enabled = true, next_run_at = now() - interval '1 second' where license_id = $1`,
        [own.license.id],
      );
      await untilRun(restart, 'running', own);
      expect(await untilRun(gone, 'failed', own)).toMatchObject({ error: { code: 'not_found' } });
      expect(await untilRun(other, 'failed', own)).toMatchObject({ error: { code: 'not_supported' } });
      expect(await wipesOf(own)).toEqual([]);
    });

    it('run at once by hand, and return 409 until that has ended', async () => {
      const own = await world.createTenant();
      const id = await createSchedule(world, own, { action: wiping });
      const { body } = await runNow(id, own.owner).expect(202);
      expect(await wipesOf(own)).toMatchObject([
        { command_id: (body as Run).command_id, requested_by: own.owner.email },
      ]);
      expect((await runNow(id, own.owner).expect(409)).body).toMatchObject({ code: 'wipe_under_way' });
      expect(await runsOf(id, own)).toHaveLength(1);
    });
  });

  it('fail with their command when it expires', async () => {
    const id = await createSchedule(world, tenant, { next_run_at: inThePast(1_000) });
    const { command_id } = await untilRun(id, 'running');
    await world.database.query(`update command set expires_at = now() - interval '1 second' where id = $1`, [
      command_id,
    ]);
    expect(await untilRun(id, 'failed')).toMatchObject({ error: { code: 'expired' } });
  });

  it('fail when their command is deleted', async () => {
    const id = await createSchedule(world, tenant, { next_run_at: inThePast(1_000) });
    const { command_id } = await untilRun(id, 'running');
    await world.database.query('delete from command where id = $1', [command_id]);
    expect(await untilRun(id, 'failed')).toMatchObject({ command_id: null, error: { code: 'lost' } });
  });
});
