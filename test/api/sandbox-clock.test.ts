// The clock of a sandbox: everything that is due on the way happens, in order and at its own time.
import type { components } from '../../generated/platform.d.ts';
import { createModule } from '../support/rows.ts';
import { itemInput, someSteamId, storeInput } from '../support/store.ts';
import { askAt, createSandbox, type TestSandbox as Sandbox } from '../support/sandboxes.ts';
import { until } from '../support/until.ts';
import { World, type Method } from '../support/world.ts';

type Schemas = components['schemas'];
type Result = Schemas['SandboxClockResult'];

const dayMs = 24 * 60 * 60_000;
const maxSeconds = 31 * 24 * 60 * 60;
const timeZone = 'Europe/Berlin';

let world: World;

beforeAll(async () => {
  world = await World.create();
});

afterAll(async () => {
  await world.close();
});

const ask = (sandbox: Sandbox, method: Method, path: string) => askAt(world.url, sandbox, method, path);

/** Advances the clock, with as many requests as that takes. */
async function advance(sandbox: Sandbox, change: Schemas['SandboxClockAdvance']): Promise<Result> {
  const startMs = await timeOf(sandbox);
  const to = change.to ?? new Date(startMs + (change.seconds ?? 0) * 1_000).toISOString();
  const moments: Result['moments'] = [];
  for (let body = change; ; body = { to }) {
    const response = await ask(sandbox, 'post', '/api/sandbox/clock').send(body).expect(200);
    const result = response.body as Result;
    moments.push(...result.moments);
    if (result.is_complete) return { ...result, moments };
  }
}

const clockOf = async (sandbox: Sandbox) =>
  ((await ask(sandbox, 'get', '/api/sandbox').expect(200)).body as Schemas['Sandbox']).clock;
const offsetOf = async (sandbox: Sandbox) => (await clockOf(sandbox)).offset_seconds;
const timeOf = async (sandbox: Sandbox) => Date.parse((await clockOf(sandbox)).now);

/** Advances to that time, as often as that takes. */
async function advanceTo(sandbox: Sandbox, ms: number): Promise<Result['moments']> {
  const moments: Result['moments'] = [];
  let nowMs = Date.now() + (await offsetOf(sandbox)) * 1_000;
  while (nowMs < ms) {
    const to = new Date(Math.min(ms, nowMs + maxSeconds * 1_000 - 60_000)).toISOString();
    const result = await advance(sandbox, { to });
    moments.push(...result.moments);
    nowMs = Date.parse(result.clock.now);
  }
  return moments;
}

const local = new Intl.DateTimeFormat('en-GB', {
  timeZone,
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const localTimeOf = (at: string) => local.format(new Date(at)).replace(',', '');

const zoneOffset = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
const zoneOffsetAt = (ms: number) => zoneOffset.format(ms).split(' ').at(-1);

/** The next time at which the clocks of the time zone change, to the day. */
function nextZoneChangeMs(): number {
  const before = zoneOffsetAt(Date.now());
  let ms = Date.now();
  while (zoneOffsetAt(ms) === before) ms += dayMs;
  return ms;
}

it('runs ten weekly wipes at their own times, across the change of the local clock', async () => {
  const sandbox = await createSandbox(world);
  const changeMs = nextZoneChangeMs();
  await advanceTo(sandbox, changeMs - 35 * dayMs);
  await ask(sandbox, 'post', '/api/schedules')
    .send({
      name: 'Weekly wipe',
      instance_id: sandbox.main,
      action: {
        kind: 'wipe',
        wipe: { kind: 'map', random_seed: true, countdown_seconds: 600, backup: false },
      },
      cron: '0 20 * * 4',
      time_zone: timeZone,
    })
    .expect(201);
  const moments = await advanceTo(sandbox, changeMs + 35 * dayMs);
  const runs = moments.filter(({ kind }) => kind === 'schedule_run');
  expect(runs).toHaveLength(10);
  expect(new Set(runs.map(({ at }) => localTimeOf(at)))).toEqual(new Set(['Thu 20:00']));
  expect(new Set(runs.map(({ at }) => at.slice(11, 16))).size).toBe(2);
  const { body } = await ask(sandbox, 'get', '/api/wipes?limit=100').expect(200);
  const wipes = (body as Schemas['WipePage']).data.toReversed();
  expect(wipes.map(({ status }) => status)).toEqual(runs.map(() => 'completed'));
  for (const [index, { created_at, begun_at, finished_at }] of wipes.entries()) {
    const dueMs = Date.parse(runs[index]?.at ?? '');
    expect(Date.parse(created_at) - dueMs).toBeLessThan(60_000);
    // The countdown passes by the sandbox's clock, too.
    expect(Date.parse(begun_at ?? '') - dueMs).toBeGreaterThanOrEqual(600_000);
    expect(Date.parse(finished_at ?? '') - dueMs).toBeLessThan(700_000);
  }
  const { body: page } = await ask(sandbox, 'get', '/api/fleet/instances').expect(200);
  expect((page as Schemas['GameInstancePage']).data.find(({ id }) => id === sandbox.main)?.state).toBe(
    'running',
  );
});

it('charges the simulated subscription of every sandbox, with a key and in no figure', async () => {
  const revenue = async () =>
    (await world.call('get', '/api/admin/subscriptions', world.admin).expect(200)).body as object;
  const before = await revenue();
  const sandbox = await createSandbox(world);
  await advance(sandbox, { seconds: maxSeconds });
  const { body } = await ask(sandbox, 'get', '/api/events?type=bill.*,subscription.*&order=asc').expect(200);
  const { data } = body as Schemas['EventPage'];
  expect(data.map(({ type }) => type).sort()).toEqual([
    'bill.charged',
    'bill.charged',
    'subscription.renewed',
    'subscription.started',
  ]);
  expect(data.filter(({ type }) => type === 'bill.charged').map((event) => event.data['amount'])).toEqual([
    { amount: '9.99', currency: 'USD' },
    { amount: '9.99', currency: 'USD' },
  ]);
  expect(await revenue()).toEqual(before);
  const { body: catalogue } = await world
    .call('get', '/api/admin/modules?limit=100', world.admin)
    .expect(200);
  expect(JSON.stringify(catalogue)).not.toContain('sandbox-module');
});

it('charges a month of a module subscription once', async () => {
  const sandbox = await createSandbox(world);
  const slug = `module-${sandbox.made.subdomain}`;
  await createModule(world, { slug, billing_period: 'month' });
  const { body: signedIn } = await world.call('post', '/auth/login').send(sandbox.made.owner).expect(200);
  const owner = { token: (signedIn as Schemas['SignInResult']).session?.access_token ?? '' };
  await world
    .call('post', '/auth/step-up', owner)
    .send({ password: sandbox.made.owner.password })
    .expect(200);
  await world.call('post', '/api/modules/purchase', owner).send({ module: slug }).expect(201);
  const purchases = async () =>
    (
      (await ask(sandbox, 'get', '/api/modules/purchases').expect(200)).body as Schemas['ModulePurchasePage']
    ).data.filter(({ module }) => module === slug);
  expect(await purchases()).toHaveLength(1);
  const { moments } = await advance(sandbox, { seconds: maxSeconds });
  // The other one is that of the simulated subscription.
  expect(moments.filter(({ kind }) => kind === 'subscription_charge')).toHaveLength(2);
  const charges = await purchases();
  expect(charges).toHaveLength(2);
  expect(charges[0]?.created_at.slice(0, 16)).toBe(
    moments.findLast(({ kind }) => kind === 'subscription_charge')?.at.slice(0, 16),
  );
});

/** Opens a store, and returns the ID of its only item. */
async function openStore(sandbox: Sandbox): Promise<string> {
  await ask(sandbox, 'post', '/api/webstore/subscription/create').expect(201);
  await ask(sandbox, 'post', '/api/webstore/subscription/sandbox').send({ status: 'active' }).expect(200);
  await ask(sandbox, 'put', '/api/webstore/config').send(storeInput()).expect(200);
  const { body: item } = await ask(sandbox, 'post', '/api/webstore/items')
    .send(itemInput({ instance_ids: [sandbox.main], needs_online_player: true, delivery_days: 7 }))
    .expect(201);
  return (item as Schemas['StoreItem']).id;
}

async function buy({ made }: Sandbox, itemId: string): Promise<Schemas['PublicOrder']> {
  const { body } = await world
    .call('post', `/api/public-store/${made.subdomain}/purchase`)
    .send({ steam_id: someSteamId(), items: [{ item_id: itemId, quantity: 1 }] })
    .expect(201);
  return body as Schemas['PublicOrder'];
}

const publicOrderPath = ({ made }: Sandbox, { id }: { id: string }) =>
  `/api/public-store/${made.subdomain}/orders/${id}`;

const statusOf = async (sandbox: Sandbox, order: { id: string }) =>
  ((await world.call('get', publicOrderPath(sandbox, order)).expect(200)).body as Schemas['PublicOrder'])
    .status;

it('expires unpaid orders, and deliveries to players who stay away', async () => {
  const sandbox = await createSandbox(world);
  const itemId = await openStore(sandbox);
  const unpaid = await buy(sandbox, itemId);
  const { moments } = await advance(sandbox, { seconds: 3 * 86_400 });
  expect(moments.filter(({ kind }) => kind === 'order_expiry').map(({ id }) => id)).toEqual([unpaid.id]);
  expect(await statusOf(sandbox, unpaid)).toBe('expired');
  const paid = await buy(sandbox, itemId);
  await world
    .call('post', `${publicOrderPath(sandbox, paid)}/sandbox`)
    .send({ outcome: 'paid' })
    .expect(200);
  expect(await statusOf(sandbox, paid)).toBe('paid');
  const later = await advance(sandbox, { seconds: 8 * 86_400 });
  expect(later.moments.filter(({ kind }) => kind === 'delivery_expiry')).toHaveLength(1);
  const { body } = await ask(sandbox, 'get', '/api/webstore/deliveries').expect(200);
  expect((body as Schemas['StoreDeliveryPage']).data.map(({ status }) => status)).toEqual(['expired']);
});

it('ends a timed ban', async () => {
  const sandbox = await createSandbox(world);
  const steamId = someSteamId();
  await ask(sandbox, 'post', `/api/instances/${sandbox.main}/players/${steamId}/ban`)
    .send({ reason: 'Testing', duration_seconds: 7 * 86_400 })
    .expect(202);
  const early = await advance(sandbox, { seconds: 6 * 86_400 });
  expect(early.moments.filter(({ kind }) => kind === 'ban_end')).toEqual([]);
  const late = await advance(sandbox, { seconds: 2 * 86_400 });
  expect(late.moments.filter(({ kind }) => kind === 'ban_end')).toHaveLength(1);
  const { body } = await ask(sandbox, 'get', `/api/player-actions?steam_id=${steamId}`).expect(200);
  expect((body as Schemas['PlayerActionPage']).data.map(({ kind, status }) => [kind, status])).toEqual([
    ['unban', 'succeeded'],
    ['ban', 'succeeded'],
  ]);
});

it('follows the clock after an advance, without another request', async () => {
  const sandbox = await createSandbox(world);
  await advance(sandbox, { seconds: 86_400 });
  const { body: schedule } = await ask(sandbox, 'post', '/api/schedules')
    .send({
      name: 'Announcement',
      instance_id: sandbox.main,
      action: { kind: 'announcement', message: 'Hello' },
      cron: '0 0 1 1 *',
      time_zone: 'UTC',
    })
    .expect(201);
  const { id } = schedule as Schemas['Schedule'];
  // Due by the sandbox's clock, and not by the real one.
  await world.database.query(`update schedule set next_run_at = now() + interval '1 day' where id = $1`, [
    id,
  ]);
  await until(async () => {
    const { body } = await ask(sandbox, 'get', `/api/schedules/${id}/runs`).expect(200);
    return (body as Schemas['ScheduleRunPage']).data.some(({ status }) => status === 'succeeded');
  }, 'the run of the schedule');
});

it('does not move back, and changes nothing for a time that has passed', async () => {
  const sandbox = await createSandbox(world);
  await advance(sandbox, { seconds: 86_400 });
  const before = await offsetOf(sandbox);
  const result = await advance(sandbox, { to: '2020-01-01T00:00:00.000Z' });
  expect(result).toMatchObject({ is_complete: true, moments: [] });
  expect(before).toBe(86_400);
  expect(await offsetOf(sandbox)).toBe(before);
});

it('adds up durations of requests that come at once, and passes every moment', async () => {
  const sandbox = await createSandbox(world);
  await ask(sandbox, 'post', '/api/schedules')
    .send({
      name: 'Nightly announcement',
      instance_id: sandbox.main,
      action: { kind: 'announcement', message: 'Good night' },
      cron: '0 3 * * *',
      time_zone: 'UTC',
    })
    .expect(201);
  const replies = await Promise.all(
    [86_400, 2 * 86_400, 1].map((seconds) =>
      ask(sandbox, 'post', '/api/sandbox/clock').send({ seconds }).expect(200),
    ),
  );
  const results = replies.map(({ body }) => body as Result);
  expect(results.map(({ is_complete }) => is_complete)).toEqual([true, true, true]);
  expect(await offsetOf(sandbox)).toBe(3 * 86_400 + 1);
  const runs = results.flatMap(({ moments }) => moments).filter(({ kind }) => kind === 'schedule_run');
  expect(runs).toHaveLength(3);
  const { body: page } = await ask(sandbox, 'get', '/api/schedules').expect(200);
  const [schedule] = (page as Schemas['SchedulePage']).data;
  const { body } = await ask(sandbox, 'get', `/api/schedules/${schedule?.id ?? ''}/runs`).expect(200);
  expect((body as Schemas['ScheduleRunPage']).data.map(({ status }) => status)).toEqual(
    Array.from({ length: 3 }, () => 'succeeded'),
  );
});

it('records an advance in the audit log once, however many moments it passes', async () => {
  const sandbox = await createSandbox(world);
  await ask(sandbox, 'post', '/api/schedules')
    .send({
      name: 'Nightly announcement',
      instance_id: sandbox.main,
      action: { kind: 'announcement', message: 'Good night' },
      cron: '0 3 * * *',
      time_zone: 'UTC',
    })
    .expect(201);
  const { moments } = await advance(sandbox, { seconds: 3 * 86_400 });
  expect(moments.length).toBeGreaterThanOrEqual(3);
  const entries = await world.database.query(
    `select from audit_entry where license_id = $1 and target_type = 'sandbox' and action = 'updated'`,
    [sandbox.made.license_id],
  );
  expect(entries).toHaveLength(1);
});

it('validation_failed: refuses a duration together with a time', async () => {
  const sandbox = await createSandbox(world);
  const { body } = await ask(sandbox, 'post', '/api/sandbox/clock')
    .send({ seconds: 1, to: new Date().toISOString() })
    .expect(400);
  expect(body).toMatchObject({ errors: [{ pointer: '/to' }] });
});

it('limit_reached: refuses more than 31 days at once, and more than 366 in all', async () => {
  const sandbox = await createSandbox(world);
  const refused = async (toMs: number) => {
    const { body } = await ask(sandbox, 'post', '/api/sandbox/clock')
      .send({ to: new Date(toMs).toISOString() })
      .expect(409);
    expect(body).toMatchObject({ code: 'limit_reached' });
  };
  await refused(Date.now() + 32 * dayMs);
  await world.database.query('update sandbox set clock_offset_ms = $2 where license_id = $1', [
    sandbox.made.license_id,
    360 * dayMs,
  ]);
  await refused(Date.now() + 370 * dayMs);
  await advance(sandbox, { seconds: 5 * 86_400 });
});

it('returns to real time with a reset', async () => {
  const sandbox = await createSandbox(world);
  await advance(sandbox, { seconds: maxSeconds });
  const { body } = await ask(sandbox, 'post', '/api/sandbox/reset').expect(200);
  expect((body as Schemas['Sandbox']).clock.offset_seconds).toBe(0);
});

it('delivers to a player who has come, before the clock moves', async () => {
  const sandbox = await createSandbox(world);
  await openStore(sandbox);
  const steam_id = someSteamId();
  await ask(sandbox, 'post', '/api/sandbox/events').send({ kind: 'order', steam_id }).expect(200);
  const statuses = async () => {
    const { body } = await ask(sandbox, 'get', '/api/webstore/deliveries').expect(200);
    return (body as Schemas['StoreDeliveryPage']).data.map(({ status }) => status);
  };
  await until(async () => (await statuses()).includes('waiting_for_player'), 'the wait for the player');
  await ask(sandbox, 'post', '/api/sandbox/events')
    .send({ kind: 'join', instance: 'main', steam_id })
    .expect(200);
  await advance(sandbox, { seconds: 8 * 86_400 });
  expect(await statuses()).toEqual(['delivered']);
});

it('creates no backup before the surplus ones are deleted', async () => {
  const sandbox = await createSandbox(world);
  await ask(sandbox, 'post', '/api/schedules')
    .send({
      name: 'Nightly backup',
      instance_id: sandbox.main,
      action: { kind: 'backup', keep_last: 1 },
      cron: '0 3 * * *',
      time_zone: 'UTC',
    })
    .expect(201);
  const backups = async () =>
    (
      await world.database.query('select from instance_backup where license_id = $1', [
        sandbox.made.license_id,
      ])
    ).length;
  let advanced: Promise<unknown> = Promise.resolve();
  await world.database.whileHeld(
    'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    [`kept backups ${sandbox.main}`],
    async () => {
      advanced = advance(sandbox, { seconds: 5 * 86_400 });
      await until(async () => (await backups()) > 0, 'the first backup');
      for (let look = 0; look < 30; look += 1) expect(await backups()).toBe(1);
    },
  );
  await advanced;
  expect(await backups()).toBe(1);
});

it('does not wait for readers of the events of players to advance by months', async () => {
  const sandbox = await createSandbox(world);
  await until(async () => {
    const [found] = await world.database.query<{ count: number }>(
      `select count(*)::int as count from pg_inherits where inhparent = 'player_event'::regclass`,
    );
    return (found?.count ?? 0) > 13 || undefined;
  }, 'the partitions of the coming year');
  await world.database.query(`update sandbox set clock_offset_ms = $2 where license_id = $1`, [
    sandbox.made.license_id,
    300 * dayMs,
  ]);
  await world.database.whileHeld('select from player_event, player_session limit 1', [], async () => {
    await advance(sandbox, { seconds: 20 * 86_400 });
  });
});

it('runs every time of a schedule that another process is handling when the clock reaches it', async () => {
  const sandbox = await createSandbox(world);
  const { body: schedule } = await ask(sandbox, 'post', '/api/schedules')
    .send({
      name: 'Nightly announcement',
      instance_id: sandbox.main,
      action: { kind: 'announcement', message: 'Good night' },
      cron: '0 3 * * *',
      time_zone: 'UTC',
    })
    .expect(201);
  let advanced: Promise<unknown> = Promise.resolve();
  await world.database.whileHeld('select from schedule where id = $1 for update', [schedule.id], async () => {
    advanced = advance(sandbox, { seconds: 5 * 86_400 });
    await until(async () => (await offsetOf(sandbox)) > 0 || undefined, 'the first moment');
    for (let look = 0; look < 20; look += 1) expect(await offsetOf(sandbox)).toBeLessThan(2 * 86_400);
  });
  await advanced;
  const runs = await world.database.query<{ status: string }>(
    `select status from schedule_run where schedule_id = $1`,
    [schedule.id],
  );
  expect(runs.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'succeeded'));
});

it('runs everything once when two replicas advance at the same time', async () => {
  const sandbox = await createSandbox(world);
  const { url = '' } = await world.addReplica();
  await ask(sandbox, 'post', '/api/schedules')
    .send({
      name: 'Nightly announcement',
      instance_id: sandbox.main,
      action: { kind: 'announcement', message: 'Good night' },
      cron: '0 3 * * *',
      time_zone: 'UTC',
    })
    .expect(201);
  const to = new Date(Date.now() + 10 * dayMs).toISOString();
  await Promise.all(
    [world.url, url, world.url, url].map((at) =>
      askAt(at, sandbox, 'post', '/api/sandbox/clock').send({ to }).expect(200),
    ),
  );
  const runs = await world.database.query<{ due_at: string; status: string }>(
    `select due_at::text, status from schedule_run where license_id = $1 order by due_at`,
    [sandbox.made.license_id],
  );
  expect(runs.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'succeeded'));
  expect(new Set(runs.map(({ due_at }) => due_at)).size).toBe(10);
  const commands = await world.database.query<{ status: string }>(
    `select status from command where license_id = $1 and kind = 'announce'`,
    [sandbox.made.license_id],
  );
  expect(commands.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'succeeded'));
});

it('sandbox_required: leaves the time of other licenses as it is', async () => {
  const { license, owner } = await world.createTenant();
  const { body } = await world.call('post', '/api/sandbox/clock', owner).send({ seconds: 1 }).expect(409);
  expect(body).toMatchObject({ code: 'sandbox_required' });
  const rows = await world.database.query<{ is_real: boolean }>(
    `select set_config('app.license_id', $1, false), license_now() = now() as is_real`,
    [license.id],
  );
  expect(rows).toMatchObject([{ is_real: true }]);
});

it('events of a simulated time carry that time, and are recorded in real time', async () => {
  const sandbox = await createSandbox(world);
  const started = Date.now();
  const due = new Date(started + 6 * dayMs);
  await ask(sandbox, 'post', '/api/schedules')
    .send({
      name: 'Wipe next week',
      instance_id: sandbox.main,
      action: {
        kind: 'wipe',
        wipe: { kind: 'map', random_seed: true, countdown_seconds: 600, backup: false },
      },
      cron: `${due.getUTCMinutes()} ${due.getUTCHours()} * * ${due.getUTCDay()}`,
      time_zone: 'UTC',
    })
    .expect(201);
  const { moments } = await advance(sandbox, { seconds: 6 * 24 * 3_600 + 3_600 });
  const run = Date.parse(moments.find(({ kind }) => kind === 'schedule_run')?.at ?? '');
  expect(run).toBeGreaterThan(started + 5 * dayMs);
  const types = 'schedule.run_started,wipe.*,instance.state_changed,command.*,player.joined';
  const { body } = await ask(sandbox, 'get', `/api/events?limit=100&type=${types}`).expect(200);
  const events = (body as Schemas['EventPage']).data.toReversed();
  const occurred = (wanted: string) =>
    events.filter(({ type }) => type === wanted).map(({ occurred_at: at }) => (Date.parse(at) - run) / 1_000);
  for (const type of ['schedule.run_started', 'wipe.planned', 'command.created']) {
    const [seconds = NaN] = occurred(type).filter((each) => each > -60);
    expect([type, seconds]).toEqual([type, expect.any(Number)]);
    expect(seconds).toBeLessThan(60);
  }
  // The countdown passes by the sandbox's clock, too.
  const [completed = 0] = occurred('wipe.completed');
  expect(completed).toBeGreaterThanOrEqual(600);
  expect(completed).toBeLessThan(700);
  expect(occurred('instance.state_changed').some((each) => each >= 600)).toBe(true);
  expect(events.every(({ recorded_at: at }) => Math.abs(Date.parse(at) - started) < 10 * 60_000)).toBe(true);
});
