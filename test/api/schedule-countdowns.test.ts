// Countdowns of schedules: their announcements, each made once and in time, and what ends them.
import type { components } from '../../generated/platform.d.ts';
import { connectAcceptingAgent } from '../support/agent.ts';
import { createInstance, createSchedule } from '../support/rows.ts';
import { SimulatedServer } from '../support/simulated-server.ts';
import { until } from '../support/until.ts';
import { World, type Member, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;
let tenant: Tenant;
let instanceId: string;

const running = { state: 'running', capabilities: ['announcements'] };

beforeAll(async () => {
  world = await World.create({ heartbeatIntervalSeconds: 300 });
  tenant = await world.createTenant();
  ({ instanceId } = await connectAcceptingAgent(world, tenant, running));
});
afterAll(async () => {
  await world.close();
});

const action = (...announce_before_seconds: number[]) => ({
  kind: 'restart',
  countdown: { announce_before_seconds },
});
const input = (more: object = {}) => ({
  name: 'Nightly restart',
  instance_id: instanceId,
  action: action(900, 300),
  cron: '30 4 * * *',
  time_zone: 'Europe/Berlin',
  ...more,
});
const create = (more: object = {}, member: Member = tenant.owner) =>
  world.call('post', '/api/schedules', member).send(input(more));
const patch = (id: string, changes: object) =>
  world.call('patch', `/api/schedules/${id}`, tenant.owner).send(changes);

interface Row {
  next_run_at: Date | null;
  next_announcement_at: Date | null;
}

async function rowOf(id: string): Promise<Row> {
  const [row] = await world.database.query<Record<keyof Row, string | null>>(
    'select next_run_at, next_announcement_at from schedule where id = $1',
    [id],
  );
  const time = (text: string | null | undefined) => (text ? new Date(text) : null);
  return {
    next_run_at: time(row?.next_run_at),
    next_announcement_at: time(row?.next_announcement_at),
  };
}

/** Seconds from the next announcement to the run; null when there is none. */
async function announcedBefore(id: string): Promise<number | null> {
  const { next_run_at: run, next_announcement_at: at } = await rowOf(id);
  return run === null || at === null ? null : (run.getTime() - at.getTime()) / 1000;
}

/**
 * Moves the run so that the announcement of `before` seconds was due `lateSeconds` ago, and `first` is the
 * next one.
 */
async function bringTo(ids: string[], before: number, { lateSeconds = 0, first = before } = {}) {
  await world.database.query(
    `update schedule set is_enabled = true, next_run_at = now() + make_interval(secs => $2),
       next_announcement_at = now() + make_interval(secs => $2) - make_interval(secs => $3)
     where id = any($1)`,
    [ids, before - lateSeconds, first],
  );
}

/** Waits until the due announcement is made or left out. */
const untilPast = (id: string, next: number | null) =>
  until(async () => (await announcedBefore(id)) === next, 'the next announcement');

interface Announced {
  args: { message: string; by: string };
  expires_at: string;
}
const announcedIn = (instance: string) =>
  world.database.query<Announced>(
    `select args, expires_at from command where instance_id = $1 and kind = 'announce' order by id`,
    [instance],
  );
const textsIn = async (instance: string) => (await announcedIn(instance)).map(({ args }) => args.message);

/** A schedule that waits for `bringTo`, with an instance of its own. */
async function waiting(values: object = {}, more: object = {}): Promise<{ id: string; instance: string }> {
  const instance = await createInstance(world, tenant, { ...running, ...values });
  const id = await createSchedule(world, tenant, {
    instance_id: instance,
    name: 'Nightly',
    action: action(900, 300),
    ...more,
  });
  return { id, instance };
}

describe('a countdown', () => {
  it("is kept in order and shown with each announcement's text and time", async () => {
    const { body } = await create({ action: action(60, 900, 300) }).expect(201);
    const schedule = body as Schemas['Schedule'];
    expect(schedule.action).toEqual(action(900, 300, 60));
    const [runAt = ''] = schedule.next_runs;
    expect(schedule.next_announcements.length).toBeLessThanOrEqual(3);
    for (const { run_at } of schedule.next_announcements) expect(run_at).toBe(runAt);
    const { next_announcement_at: at } = await rowOf(schedule.id);
    expect(at?.toISOString()).toBe(schedule.next_announcements[0]?.at);
  });

  it.each([
    { announce_before_seconds: [] },
    { announce_before_seconds: [4] },
    { announce_before_seconds: [86_401] },
    { announce_before_seconds: [60, 60] },
    { announce_before_seconds: [60.5] },
    { announce_before_seconds: Array.from({ length: 11 }, (_, index) => 60 + index) },
    { announce_before_seconds: [60], message: 'hello; quit' },
    { announce_before_seconds: [60], message: 'two\nlines' },
    { announce_before_seconds: [60], seconds: 60 },
    { message: 'hello' },
  ])('returns 400 for %j', async (countdown) => {
    await create({ action: { kind: 'restart', countdown } }).expect(400);
    await create({ action: { kind: 'start', countdown: { announce_before_seconds: [60] } } }).expect(400);
  });

  it('returns 403 for a caller who may not announce', async () => {
    const power = { 'schedules.manage': true, 'instances.power': true };
    const member = await world.addMemberWith(tenant, power);
    const { body } = await create({}, member).expect(403);
    expect(body).toMatchObject({ code: 'beyond_own_permissions' });
    await create({ action: { kind: 'restart' } }, member).expect(201);
    await create({}, await world.addMemberWith(tenant, { ...power, 'console.input': true })).expect(201);
  });

  it('returns 409 not_supported for a server without announcements, in every operation', async () => {
    const mute = await createInstance(world, tenant, { ...running, capabilities: ['console_input'] });
    const refused = { status: 409, code: 'not_supported' };
    expect((await create({ instance_id: mute }).expect(409)).body).toMatchObject(refused);
    const plain = await create({ instance_id: mute, action: { kind: 'stop' } }).expect(201);
    const { id } = plain.body as Schemas['Schedule'];
    const stop = { ...action(60), kind: 'stop' };
    expect((await patch(id, { action: stop }).expect(409)).body).toMatchObject(refused);
    const off = await createSchedule(world, tenant, {
      instance_id: mute,
      action: stop,
      is_enabled: false,
      next_run_at: null,
    });
    const toggled = await world.call('patch', `/api/schedules/${off}/toggle`, tenant.owner).expect(409);
    expect(toggled.body).toMatchObject(refused);
  });
});

describe('a due announcement', () => {
  it('is made once with three replicas, each with its text, and expires when it would be late', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => waiting()));
    const ids = made.map(({ id }) => id);
    await world.addReplica();
    await world.addReplica();
    await bringTo(ids, 900);
    for (const { id } of made) await untilPast(id, 300);
    for (const { id, instance } of made) {
      const announced = await announcedIn(instance);
      const message = 'The server restarts in 15 minutes.';
      expect(announced).toMatchObject([{ args: { message, by: 'Nightly' } }]);
      const { next_run_at: runAt } = await rowOf(id);
      const leftMs = (runAt?.getTime() ?? NaN) - Date.parse(announced[0]?.expires_at ?? '');
      expect(Math.abs(leftMs - 870_000)).toBeLessThan(1_000); // it is stored in whole seconds
    }
    await bringTo(ids, 300);
    for (const { id } of made) await untilPast(id, null);
    for (const { instance } of made)
      expect(await textsIn(instance)).toEqual([
        'The server restarts in 15 minutes.',
        'The server restarts in 5 minutes.',
      ]);
  });

  it('reaches the agent with the chosen text', async () => {
    const { agent, instanceId: instance } = await connectAcceptingAgent(world, tenant, running);
    const id = await createSchedule(world, tenant, {
      instance_id: instance,
      name: 'Good night',
      action: {
        kind: 'stop',
        countdown: { announce_before_seconds: [5400], message: 'Sleep well in {time}!' },
      },
    });
    await bringTo([id], 5400);
    const command = await until(() => agent.commands[0], 'the announcement');
    expect(command).toMatchObject({
      verb: 'announce',
      args: { message: 'Sleep well in 1 hour 30 minutes!', by: 'Good night' },
    });
  });

  it('is left out when it would be late; of several due ones the last is made', async () => {
    const late = await waiting();
    await bringTo([late.id], 900, { lateSeconds: 31 });
    await untilPast(late.id, 300);
    expect(await textsIn(late.instance)).toEqual([]);
    const several = await waiting();
    await bringTo([several.id], 300, { first: 900 });
    await untilPast(several.id, null);
    expect(await textsIn(several.instance)).toEqual(['The server restarts in 5 minutes.']);
  });

  it.each([
    ['is stopped', { state: 'stopped' }],
    ['has crashed', { state: 'crashed' }],
    ['is unreachable', { state: 'offline' }],
    ['announces nothing any more', { capabilities: [] }],
  ])('is left out while the server %s, and the run is not', async (_what, values) => {
    const { id, instance } = await waiting(values);
    await bringTo([id], 900);
    await untilPast(id, 300);
    expect(await textsIn(instance)).toEqual([]);
    await world.database.query(
      'update schedule set next_announcement_at = null, next_run_at = now() where id = $1',
      [id],
    );
    const kinds = await until(async () => {
      const commands = await world.database.query<{ kind: string }>(
        'select kind from command where instance_id = $1',
        [instance],
      );
      return commands.length > 0 && commands.map(({ kind }) => kind);
    }, 'the run');
    expect(kinds).toEqual(['restart']);
  });

  it('is left out while the license is revoked', async () => {
    const other = await world.createTenant();
    const instance = await createInstance(world, other, running);
    const id = await createSchedule(world, other, { instance_id: instance, action: action(900, 300) });
    await world.database.query(`update license set status = 'revoked' where id = $1`, [other.license.id]);
    await bringTo([id], 900);
    await untilPast(id, 300);
    expect(await textsIn(instance)).toEqual([]);
  });
});

describe('a running countdown', () => {
  it('ends when the schedule is disabled or loses it, and starts again with other times', async () => {
    const { id, instance } = await waiting();
    await bringTo([id], 900);
    await untilPast(id, 300);
    const off = await patch(id, { is_enabled: false }).expect(200);
    expect(off.body).toMatchObject({ next_runs: [], next_announcements: [] });
    expect(await rowOf(id)).toEqual({ next_run_at: null, next_announcement_at: null });
    const on = await patch(id, { is_enabled: true, cron: '0 5 * * *' }).expect(200);
    const [first] = (on.body as Schemas['Schedule']).next_announcements;
    expect((await rowOf(id)).next_announcement_at?.toISOString()).toBe(first?.at);
    const without = await patch(id, { action: { kind: 'restart' } }).expect(200);
    expect(without.body).toMatchObject({ next_announcements: [] });
    expect(await announcedBefore(id)).toBeNull();
    expect(await textsIn(instance)).toHaveLength(1);
  });

  it('repeats nothing when the schedule is changed by a process whose clock is behind', async () => {
    const { body } = await create({ cron: '0 4 1 1 *', action: action(3600, 60, 5) }).expect(201);
    const { id } = body as Schemas['Schedule'];
    expect(await announcedBefore(id)).toBe(3600);
    await world.database.query(
      `update schedule set announced_until = next_run_at - interval '1 minute' where id = $1`,
      [id],
    );
    await patch(id, { name: 'Changed' }).expect(200);
    expect(await announcedBefore(id)).toBe(5);
  });

  it('continues with the next run once the run is due', async () => {
    const { id } = await waiting({}, { cron: '0 4 1 1 *' });
    await world.database.query(
      'update schedule set next_run_at = now(), next_announcement_at = null where id = $1',
      [id],
    );
    await untilPast(id, 900);
  });
});

describe('previewSchedule', () => {
  const preview = (query: object) =>
    world
      .call('get', '/api/schedule-preview', tenant.owner)
      .query({ cron: '0 */2 * * *', time_zone: 'UTC', count: 3, ...query });

  it('returns 200 with the announcements before each run, earliest first', async () => {
    const { body } = await preview({
      announce_before_seconds: '60,3600',
      message: 'Back soon, in {time}',
    }).expect(200);
    const { next_runs, announcements } = body as Schemas['SchedulePreview'];
    const shown = announcements.slice(-4).map(({ at, run_at, text }) => {
      return [next_runs.indexOf(run_at), Date.parse(run_at) - Date.parse(at), text];
    });
    expect(shown).toEqual([
      [1, 3_600_000, 'Back soon, in 1 hour'],
      [1, 60_000, 'Back soon, in 1 minute'],
      [2, 3_600_000, 'Back soon, in 1 hour'],
      [2, 60_000, 'Back soon, in 1 minute'],
    ]);
    expect((await preview({}).expect(200)).body).toMatchObject({ announcements: [] });
  });

  it.each(['4', '86401', '60,60', '60,', 'x', Array(11).fill('60').join(',')])(
    'returns 400 for %s',
    async (announce_before_seconds) => {
      const { body } = await preview({ announce_before_seconds }).expect(400);
      expect(body).toMatchObject({ errors: [{ in: 'query', pointer: '/announce_before_seconds' }] });
    },
  );
});

it('a real server gets the announcement, is restarted when due, stopped and started', async () => {
  const own = await world.createTenant();
  const { instanceId: instance } = await SimulatedServer.start(world, own);
  const commandsOf = async (kind: string) => {
    const { body } = await world
      .call('get', `/api/commands?instance_id=${instance}&limit=100`, own.owner)
      .expect(200);
    return (body as Schemas['CommandPage']).data.filter((command) => command.kind === kind);
  };
  const { body } = await world
    .call('post', '/api/schedules', own.owner)
    .send(input({ instance_id: instance }))
    .expect(201);
  const { id } = body as Schemas['Schedule'];
  await bringTo([id], 900);
  const reported = await until(async () => {
    const [command] = await commandsOf('announce');
    return command !== undefined && command.finished_at !== null && command;
  }, 'the end of the announcement');
  expect(reported).toMatchObject({
    status: expect.stringMatching(/^(succeeded|sent)$/), // `sent` until RCON, which confirms it, is connected
    detail: expect.stringContaining('say The server restarts in 15 minutes.'),
    requested_by: 'Nightly restart',
  });
  const runDue = async (kind: string) => {
    await patchOwn({ action: { kind } });
    await world.database.query('update schedule set next_run_at = now() where id = $1', [id]);
    return until(async () => {
      const { body: page } = await world.call('get', `/api/schedules/${id}/runs`, own.owner).expect(200);
      const { data } = page as Schemas['ScheduleRunPage'];
      const [run] = data;
      const [command] = await commandsOf(kind);
      return run?.command_id === command?.id && run?.finished_at && run.status;
    }, `the end of the ${kind}`);
  };
  const patchOwn = (changes: object) =>
    world.call('patch', `/api/schedules/${id}`, own.owner).send(changes).expect(200);
  expect(await runDue('restart')).toBe('succeeded');
  expect(await runDue('stop')).toBe('succeeded');
  expect(await runDue('start')).toBe('succeeded');
});
