// Operations of the area `alerts`, and when alerts are raised and end.
import { randomUUID } from 'node:crypto';
import type { components } from '../../generated/platform.d.ts';
import { TestAgent } from '../support/agent.ts';
import { runAlertRound } from '../support/alerts.ts';
import { someId } from '../support/contract.ts';
import { Receiver } from '../support/receiver.ts';
import { createAlert, createChannel, createHost, createInstance } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];
type Alert = Schemas['Alert'];

let world: World;

beforeAll(async () => {
  world = await World.create({
    jobIntervals: { chores: { 'evaluate alerts': 20, 'begin turns of notifications': 20 } },
  });
});

afterAll(async () => {
  await world.close();
});

async function alertsOf({ owner }: Tenant, query = ''): Promise<Alert[]> {
  const { body } = await world.call('get', `/api/alerts?limit=100${query}`, owner).expect(200);
  return (body as Schemas['AlertPage']).data;
}

const setRules = ({ owner }: Tenant, rules: object) =>
  world.call('patch', '/api/alerts/config', owner).send({ rules }).expect(200);

/** Evaluates the figures twice, as if minutes apart by what is stored. */
async function evaluate({ license }: Tenant): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await world.database.query(
      `update alert set well_since = well_since - interval '31 minutes' where license_id = $1`,
      [license.id],
    );
    await world.database.query(
      `update game_instance set crash_told_at = crash_told_at - interval '20 seconds' where license_id = $1`,
      [license.id],
    );
    await runAlertRound(world, license.id);
    await until(
      async () =>
        (
          await world.database.query(
            `select from alert_round where license_id = $1 and begun_at > '-infinity'`,
            [license.id],
          )
        ).length,
      'a round',
    );
  }
}

/** Waits for alerts that satisfy the condition, newest first. */
async function untilAlerts(own: Tenant, expected: (alerts: Alert[]) => boolean): Promise<Alert[]> {
  return until(async () => {
    await evaluate(own);
    const found = await alertsOf(own);
    return expected(found) && found;
  }, 'the alerts');
}

interface Figures {
  players?: number | null;
  fps?: number | null;
  mapId?: string;
}

/** Stores what heartbeats reported in a five-minute bucket, counted back from the last complete one. */
async function storeFigures(
  { license }: Tenant,
  instanceId: string,
  back: number,
  { players = null, fps = null, mapId = '00000000-0000-0000-0000-000000000000' }: Figures,
): Promise<void> {
  await world.database.query(
    `insert into instance_stats_5m (license_id, instance_id, bucket_at, map_id, samples, running_samples,
       players_samples, players_sum, players_min, players_max, fps_samples, fps_sum, fps_min,
       entities_samples, entities_sum, entities_max, is_rolled_up)
     values ($1, $2, date_bin('5 minutes', now(), 'epoch') - make_interval(mins => 5 + 5 * $3::integer),
       $8, 10, 10, $4::integer, $5, null, null, $6::integer, $7, null, 0, 0, null, true)
     on conflict (license_id, instance_id, bucket_at, map_id) do update set
       players_samples = excluded.players_samples, players_sum = excluded.players_sum,
       fps_samples = excluded.fps_samples, fps_sum = excluded.fps_sum`,
    [
      license.id,
      instanceId,
      back,
      players === null ? 0 : 10,
      (players ?? 0) * 10,
      fps === null ? 0 : 10,
      (fps ?? 0) * 10,
      mapId,
    ],
  );
}

/** Stores the same for the buckets around now: the clock may cross a bucket boundary while a test runs. */
async function storeFiguresNow(own: Tenant, instanceId: string, figures: Figures): Promise<void> {
  await storeFigures(own, instanceId, 0, figures);
  await storeFigures(own, instanceId, -1, figures);
}

const online = { status: 'online', last_heartbeat_at: new Date(), agent_version: '999.0.0' };

/** A host that stays online, and an instance on it. */
async function createServer(own: Tenant, host: object = {}): Promise<{ hostId: string; instanceId: string }> {
  const hostId = await createHost(world, own, {
    ...online,
    last_heartbeat_at: new Date(Date.now() + 3_600_000),
    ...host,
  });
  return { hostId, instanceId: await createInstance(world, own, { host_id: hostId, name: 'main' }) };
}

describe('getAlertRules and updateAlertRules', () => {
  it('returns 200 with the defaults, and after an update with exactly the changed fields replaced', async () => {
    const own = await world.createTenant();
    const first = await world.call('get', '/api/alerts/config', own.owner).expect(200);
    expect(first.headers['etag']).toBe('"0"');
    const { rules } = first.body as Schemas['AlertConfig'];
    expect(rules.population_drop).toEqual({
      is_enabled: true,
      severity: 'Warning',
      percent: 50,
      window_minutes: 30,
      min_players: 10,
    });
    const changed = await setRules(own, { population_drop: { percent: 70 }, low_fps: { is_enabled: false } });
    expect(changed.headers['etag']).toBe('"1"');
    expect(changed.body).toEqual({
      rules: {
        ...rules,
        population_drop: { ...rules.population_drop, percent: 70 },
        low_fps: { ...rules.low_fps, is_enabled: false },
      },
      version: 1,
    });
    const again = await world.call('get', '/api/alerts/config', own.owner).expect(200);
    expect(again.body).toEqual(changed.body);
  });

  it('returns 412 for an outdated version', async () => {
    const own = await world.createTenant();
    const send = (version: string) =>
      world
        .call('patch', '/api/alerts/config', own.owner)
        .set('If-Match', version)
        .send({ rules: { disk_full: { percent: 80 } } });
    await send('"0"').expect(200);
    const { body } = await send('"0"').expect(412);
    expect(body).toMatchObject({ code: 'stale_version' });
    await send('"1"').expect(200);
  });

  it.each([
    { population_drop: { percent: 0 } },
    { population_drop: { window_minutes: 12 } },
    { low_fps: { fps: -1 } },
    { agent_outdated: { minimum_version: 'newest' } },
    { disk_full: { percent: 101 } },
    { earthquake: { is_enabled: true } },
    {},
  ])('returns 400 for %j', async (rules) => {
    const own = await world.createTenant();
    await world.call('patch', '/api/alerts/config', own.owner).send({ rules }).expect(400);
  });

  it('records changes in the audit log', async () => {
    const own = await world.createTenant();
    await setRules(own, { disk_full: { percent: 80 } });
    const { body } = await world.call('get', '/api/audit?target_type=alert_config', own.owner).expect(200);
    expect((body as Schemas['AuditEntryPage']).data).toMatchObject([
      { operation: 'updateAlertRules', actor: { label: own.owner.email } },
    ]);
  });
});

describe('a drop of players', () => {
  it('is notified once, with its figures, and ends when the players return', async () => {
    const own = await world.createTenant();
    const { hostId, instanceId } = await createServer(own);
    for (const back of [1, 2, 3]) await storeFigures(own, instanceId, back, { players: 80 });
    await storeFiguresNow(own, instanceId, { players: 20 });
    const [alert] = await untilAlerts(own, ({ length }) => length > 0);
    expect(alert).toEqual({
      id: expect.any(String),
      kind: 'population_drop',
      severity: 'Warning',
      host_id: hostId,
      instance_id: instanceId,
      subject_name: 'main',
      message: 'Players fell by 75 % within 30 minutes, from 80 to 20.',
      metadata: {
        players_before: 80,
        players_now: 20,
        drop_percent: 75,
        threshold_percent: 50,
        window_minutes: 30,
      },
      raised_at: expect.stringMatching(/Z$/),
      reopened_at: null,
      ended_at: null,
      end_reason: null,
      acknowledged_at: null,
      acknowledged_by: null,
    });
    await evaluate(own);
    expect(await alertsOf(own)).toEqual([alert]);
    await storeFiguresNow(own, instanceId, { players: 70 });
    const ended = await untilAlerts(own, ([one]) => one?.ended_at !== null);
    expect(ended).toEqual([{ ...alert, ended_at: expect.any(String), end_reason: 'recovered' }]);
  });

  it('is not raised when figures are missing, were low, or belong to two maps', async () => {
    const own = await world.createTenant();
    const [silent, small, changing] = [
      await createServer(own),
      await createServer(own),
      await createServer(own),
    ];
    for (const back of [1, 2, 3]) {
      await storeFigures(own, silent.instanceId, back, { players: 80 });
      await storeFigures(own, small.instanceId, back, { players: 9 });
      await storeFigures(own, changing.instanceId, back, { players: 50 });
    }
    await storeFiguresNow(own, changing.instanceId, { players: 10 });
    await storeFiguresNow(own, changing.instanceId, { players: 50, mapId: someId });
    await storeFiguresNow(own, silent.instanceId, { fps: 60 });
    await storeFiguresNow(own, small.instanceId, { players: 0 });
    await evaluate(own);
    expect(await alertsOf(own)).toEqual([]);
  });

  it('recovers when the lower count has become usual', async () => {
    const own = await world.createTenant();
    const { instanceId } = await createServer(own);
    await storeFigures(own, instanceId, 1, { players: 80 });
    await storeFiguresNow(own, instanceId, { players: 20 });
    await untilAlerts(own, ({ length }) => length > 0);
    await storeFigures(own, instanceId, 1, { players: 20 });
    await untilAlerts(own, ([alert]) => alert?.end_reason === 'settled');
  });

  it('reopens the same alert within 30 minutes, and raises another one after that', async () => {
    const own = await world.createTenant();
    const { instanceId } = await createServer(own);
    for (const back of [1, 2, 3]) await storeFigures(own, instanceId, back, { players: 80 });
    await storeFiguresNow(own, instanceId, { players: 20 });
    await untilAlerts(own, ({ length }) => length === 1);
    await storeFiguresNow(own, instanceId, { players: 80 });
    await untilAlerts(own, ([alert]) => alert?.ended_at !== null);
    await storeFiguresNow(own, instanceId, { players: 20 });
    const [reopened, ...others] = await untilAlerts(own, ([alert]) => alert?.ended_at === null);
    expect(reopened).toMatchObject({ reopened_at: expect.any(String), end_reason: null });
    expect(others).toEqual([]);
    await storeFiguresNow(own, instanceId, { players: 80 });
    await untilAlerts(own, ([alert]) => alert?.ended_at !== null);
    await world.database.query(
      `update alert set raised_at = raised_at - interval '31 minutes' where license_id = $1`,
      [own.license.id],
    );
    await storeFiguresNow(own, instanceId, { players: 20 });
    await untilAlerts(own, ({ length }) => length === 2);
    expect(await alertsOf(own, '&is_open=true')).toHaveLength(1);
  });
});

describe('a crash', () => {
  /** A host that stays online, its agent, and a chat that is notified of crashes. */
  async function createCrashing(own: Tenant) {
    await setRules(own, { agent_outdated: { is_enabled: false } });
    const chat = await Receiver.start();
    world.atEnd(() => chat.close());
    await world
      .call('post', '/api/notifications/channels', own.owner)
      .send({ name: 'Admins', target: { kind: 'chat_webhook', url: chat.url } })
      .expect(201);
    const agent = await TestAgent.connect(world, own);
    await agent.hello(['main']);
    let seq = 0;
    const become = (...states: string[]) => becomeAt(() => new Date(), ...states);
    /** Times are the agent's own, whether its clock is off or it reports an earlier crash now. */
    const becomeAt = async (at: () => Date, ...states: string[]) => {
      for (const state of states)
        await agent.request('instance-state', {
          v: 1,
          id: randomUUID(),
          instance: 'main',
          state,
          at: at().toISOString(),
          boot: agent.boot,
          seq: ++seq,
        });
    };
    const notificationsSent = () =>
      chat.received.map(({ text }) => (text.includes('Recovered: ') ? 'recovered' : 'raised'));
    return { become, becomeAt, notificationsSent };
  }

  it('is notified although the agent restarted the process before the next evaluation', async () => {
    const own = await world.createTenant();
    const { become, notificationsSent } = await createCrashing(own);
    await become('starting', 'running', 'crashed', 'starting', 'running');
    const [alert] = await untilAlerts(own, ({ length }) => length > 0);
    expect(alert).toMatchObject({
      kind: 'instance_crashed',
      metadata: { crashed_at: expect.stringMatching(/Z$/) },
    });
    // The reported crash does not hide that the server runs.
    await world.database.query('update game_instance set crash_told_at = now() where license_id = $1', [
      own.license.id,
    ]);
    await evaluate(own);
    expect(
      await world.database.query('select from alert where license_id = $1 and well_since is not null', [
        own.license.id,
      ]),
    ).toHaveLength(1);
    await untilAlerts(own, ([one]) => one?.end_reason === 'recovered');
    await until(() => notificationsSent().length === 2, 'both notifications');
    expect(notificationsSent()).toEqual(['raised', 'recovered']);
  });

  it('is notified however old it is when it is reported', async () => {
    const own = await world.createTenant();
    const { becomeAt } = await createCrashing(own);
    let ms = Date.now() - 3 * 3_600_000;
    const began = new Date(ms + 1_000).toISOString();
    await becomeAt(() => new Date((ms += 1_000)), 'crashed', 'starting', 'running');
    const [alert] = await untilAlerts(own, ({ length }) => length > 0);
    expect(alert).toMatchObject({ kind: 'instance_crashed', metadata: { crashed_at: began } });
  });

  it('that repeats while the alert is open updates the alert and sends nothing', async () => {
    const own = await world.createTenant();
    const { become, notificationsSent } = await createCrashing(own);
    await become('running', 'crashed', 'starting');
    const [first] = await untilAlerts(own, ({ length }) => length > 0);
    expect(first?.metadata).not.toHaveProperty('crash_count');
    await become('crashed', 'starting');
    const alerts = await untilAlerts(own, ([alert]) => alert?.metadata['crash_count'] === 2);
    await evaluate(own);
    expect(await alertsOf(own)).toEqual([
      {
        ...first,
        message: expect.stringContaining('ended 2 times'),
        metadata: { crash_count: 2, crashed_at: expect.stringMatching(/Z$/) },
      },
    ]);
    const crashedAt = (alert: (typeof alerts)[number] | undefined) =>
      Date.parse(String(alert?.metadata['crashed_at']));
    expect(crashedAt(alerts[0])).toBeGreaterThan(crashedAt(first));
    await become('running');
    await untilAlerts(own, ([alert]) => alert?.end_reason === 'recovered');
    await until(() => notificationsSent().length === 2, 'both notifications');
    expect(notificationsSent()).toEqual(['raised', 'recovered']);
  });

  it('loop is one alert, which reopens', async () => {
    const own = await world.createTenant();
    const { become, notificationsSent } = await createCrashing(own);
    for (let time = 1; time <= 3; time += 1) {
      await become('running', 'crashed', 'starting', 'running');
      await untilAlerts(own, ([one]) => one?.ended_at === null);
      await untilAlerts(own, ([one]) => one?.end_reason === 'recovered');
      await until(() => notificationsSent().length === 2 * time, 'both notifications');
    }
    expect(await alertsOf(own)).toHaveLength(1);
    expect((await alertsOf(own))[0]).toMatchObject({ reopened_at: expect.any(String) });
  });

  it('whose last restart fails is the last notification, regardless of earlier ones', async () => {
    const own = await world.createTenant();
    const { become, notificationsSent } = await createCrashing(own);
    await become('running', 'crashed');
    await untilAlerts(own, ({ length }) => length > 0);
    // A starting server has not recovered, however long it takes.
    await become('starting');
    for (let round = 0; round < 3; round += 1) await evaluate(own);
    expect(await alertsOf(own, '&is_open=true')).toHaveLength(1);
    await become('running');
    await untilAlerts(own, ([one]) => one?.end_reason === 'recovered');
    await become('crashed', 'starting', 'crashed');
    const alerts = await untilAlerts(own, ([one]) => one?.ended_at === null);
    expect(alerts).toHaveLength(1);
    await until(() => notificationsSent().length === 3, 'three notifications');
    await evaluate(own);
    expect(notificationsSent()).toEqual(['raised', 'recovered', 'raised']);
    await become('stopped');
    await untilAlerts(own, ([one]) => one?.end_reason === 'settled');
    expect(notificationsSent()).toHaveLength(3);
  });
});

describe('alerts of every other kind', () => {
  it('report slow and crashed instances, hosts that are down, full or outdated, and their recovery', async () => {
    const own = await world.createTenant();
    const { hostId, instanceId } = await createServer(own, {
      agent_version: '0.0.9',
      disk_used_bytes: 96,
      disk_total_bytes: 100,
    });
    const down = await createHost(world, own, {
      status: 'offline',
      last_heartbeat_at: new Date(Date.now() - 600_000),
    });
    await createHost(world, own, { status: 'offline' });
    await storeFiguresNow(own, instanceId, { fps: 7.5 });
    await world.database.query(
      `update game_instance set state = 'crashed', state_at = '2026-11-21T10:00:00Z' where id = $1`,
      [instanceId],
    );
    await world.database.query(
      'update agent_host set clock_offset_ms = -90500, former_clock_offset_ms = -90400 where id = $1',
      [hostId],
    );
    const found = await untilAlerts(own, ({ length }) => length >= 6);
    const notificationsSent = Object.fromEntries(
      found.map(({ kind, severity, host_id, metadata }) => [kind, { severity, host_id, metadata }]),
    );
    expect(notificationsSent).toEqual({
      agent_outdated: {
        severity: 'Info',
        host_id: hostId,
        metadata: { agent_version: '0.0.9', minimum_version: '0.1.0' },
      },
      clock_wrong: {
        severity: 'Warning',
        host_id: hostId,
        metadata: { offset_seconds: -90.5, threshold_seconds: 30 },
      },
      disk_full: {
        severity: 'Warning',
        host_id: hostId,
        metadata: { used_percent: 96, threshold_percent: 90 },
      },
      host_down: {
        severity: 'Critical',
        host_id: down,
        metadata: { last_heartbeat_at: expect.stringMatching(/Z$/) },
      },
      instance_crashed: {
        severity: 'Critical',
        host_id: hostId,
        metadata: { crashed_at: '2026-11-21T10:00:00.000Z' },
      },
      low_fps: {
        severity: 'Warning',
        host_id: hostId,
        metadata: { fps: 7.5, threshold_fps: 15, window_minutes: 10 },
      },
    });
    await world.database.query(
      `update agent_host set agent_version = '1.0.0', disk_used_bytes = 10, clock_offset_ms = 0, status = 'online'
       where license_id = $1`,
      [own.license.id],
    );
    await world.database.query(
      `update agent_host set last_heartbeat_at = now() + interval '1 hour' where id = $1`,
      [down],
    );
    await world.database.query(`update game_instance set state = 'running' where id = $1`, [instanceId]);
    await storeFiguresNow(own, instanceId, { fps: 60 });
    const ended = await untilAlerts(own, (all) => all.every(({ ended_at }) => ended_at !== null));
    expect(ended.map(({ end_reason }) => end_reason)).toEqual(Array(6).fill('recovered'));
  });

  it('end without a notification when their kind is disabled or their subject is deleted', async () => {
    const own = await world.createTenant();
    const { hostId } = await createServer(own, { disk_used_bytes: 96, disk_total_bytes: 100 });
    await untilAlerts(own, ({ length }) => length === 1);
    await setRules(own, { disk_full: { is_enabled: false } });
    await untilAlerts(own, ([alert]) => alert?.end_reason === 'turned_off');
    await setRules(own, { disk_full: { is_enabled: true } });
    await untilAlerts(own, ([alert]) => alert?.ended_at === null);
    await world.database.query('delete from agent_host where id = $1', [hostId]);
    // Nothing is left to evaluate, so no round follows after the end.
    await runAlertRound(world, own.license.id);
    await until(async () => (await alertsOf(own))[0]?.end_reason === 'gone', 'the end of the alert');
  });

  it('are raised once, however many replicas evaluate', async () => {
    const replicas = [await world.addReplica(), await world.addReplica()];
    expect(replicas).toHaveLength(2);
    const own = await world.createTenant();
    await Promise.all(
      Array.from({ length: 10 }, () => createServer(own, { disk_used_bytes: 96, disk_total_bytes: 100 })),
    );
    await untilAlerts(own, ({ length }) => length >= 10);
    await evaluate(own);
    expect(await alertsOf(own)).toHaveLength(10);
  });
});

describe('rounds', () => {
  const roundsOf = ({ license }: Tenant) =>
    world.database.query<{ begun: boolean }>(
      `select begun_at > '-infinity' as begun from alert_round where license_id = $1`,
      [license.id],
    );
  const untilEvaluated = (own: Tenant) =>
    until(async () => (await roundsOf(own))[0]?.begun, 'a round of the license');
  const untilOver = async (own: Tenant) => {
    await runAlertRound(world, own.license.id);
    await until(async () => (await roundsOf(own)).length === 0, 'the end of the rounds');
  };

  it('continue while the license is active and has something to evaluate', async () => {
    const own = await world.createTenant();
    expect(await roundsOf(own)).toEqual([]);
    const { hostId } = await createServer(own);
    await untilEvaluated(own);
    const become = (status: string) =>
      world.call('patch', `/api/admin/licenses/${own.license.id}`, world.admin).send({ status }).expect(200);
    await become('revoked');
    await untilOver(own);
    await become('active');
    await untilEvaluated(own);
    await world.database.query('delete from agent_host where id = $1', [hostId]);
    await untilOver(own);
    await createServer(own);
    await untilEvaluated(own);
  });

  it('of a license with unreadable figures do not delay the others', async () => {
    const [broken, own] = [await world.createTenant(), await world.createTenant()];
    const { hostId, instanceId } = await createServer(broken);
    const alertId = await createAlert(world, broken, {
      kind: 'population_drop',
      host_id: hostId,
      instance_id: instanceId,
      subject_id: instanceId,
      metadata: { players_before: 'many' },
      ended_at: null,
      end_reason: null,
    });
    await createServer(own, { disk_used_bytes: 96, disk_total_bytes: 100 });
    await runAlertRound(world, broken.license.id);
    await untilAlerts(own, ({ length }) => length === 1);
    expect(await roundsOf(broken)).toEqual([{ begun: false }]);
    await world.database.query('delete from alert where id = $1', [alertId]);
    await untilEvaluated(broken);
  });
});

describe('listAlerts', () => {
  it('returns 200 with the matching alerts, newest first, page by page', async () => {
    const own = await world.createTenant();
    const { instanceId, hostId } = await createServer(own);
    const ids = [];
    for (const values of [
      { kind: 'disk_full' },
      { kind: 'low_fps', severity: 'Critical', instance_id: instanceId },
      { kind: 'host_down', acknowledged_at: new Date(), acknowledged_by: 'an admin' },
    ])
      ids.push(await createAlert(world, own, { host_id: hostId, ...values }));
    const [disk, fps, down] = ids;
    const found = async (query: string) => (await alertsOf(own, query)).map(({ id }) => id);
    expect(await found('')).toEqual([down, fps, disk]);
    expect(await found('&kind=low_fps')).toEqual([fps]);
    expect(await found('&severity=Critical')).toEqual([fps]);
    expect(await found(`&instance_id=${instanceId}`)).toEqual([fps]);
    expect(await found('&is_acknowledged=true')).toEqual([down]);
    expect(await found('&is_acknowledged=false')).toEqual([fps, disk]);
    expect(await found('&is_open=true')).toEqual([]);
    expect(await found('&is_open=false')).toEqual([down, fps, disk]);
    expect(await found('&created_from=2999-01-01T00:00:00Z')).toEqual([]);
    const { body } = await world.call('get', '/api/alerts?limit=2', own.owner).expect(200);
    const { data, next_cursor } = body as Schemas['AlertPage'];
    expect(data.map(({ id }) => id)).toEqual([down, fps]);
    expect(await found(`&cursor=${next_cursor}`)).toEqual([disk]);
  });

  it('returns 404 for an instance of another license', async () => {
    const [own, other] = [await world.createTenant(), await world.createTenant()];
    const { instanceId } = await createServer(other);
    await world.call('get', `/api/alerts?instance_id=${instanceId}`, own.owner).expect(404);
  });
});

describe('getAlert and acknowledgeAlert', () => {
  it('returns 200: the first user to acknowledge it stays named until that is undone', async () => {
    const own = await world.createTenant();
    const id = await createAlert(world, own);
    const admin = await world.addMember(own, 'Head Admin');
    const set = async (isAcknowledged: boolean, by = own.owner) =>
      (
        await world
          .call('patch', `/api/alerts/${id}`, by)
          .send({ is_acknowledged: isAcknowledged })
          .expect(200)
      ).body as Alert;
    const first = await set(true);
    expect(first).toMatchObject({
      acknowledged_at: expect.stringMatching(/Z$/),
      acknowledged_by: own.owner.email,
    });
    expect(await set(true, admin)).toEqual(first);
    expect((await world.call('get', `/api/alerts/${id}`, own.owner).expect(200)).body).toEqual(first);
    expect(await set(false)).toMatchObject({ acknowledged_at: null, acknowledged_by: null });
    expect(await set(true, admin)).toMatchObject({ acknowledged_by: admin.email });
    const { body: log } = await world
      .call('get', '/api/events?type=alert.acknowledged,alert.unacknowledged&order=asc', own.owner)
      .expect(200);
    expect((log as Schemas['EventPage']).data.map(({ type }) => type)).toEqual([
      'alert.acknowledged',
      'alert.unacknowledged',
      'alert.acknowledged',
    ]);
  });

  it('returns 404 for an unknown alert', async () => {
    const own = await world.createTenant();
    await world.call('get', `/api/alerts/${someId}`, own.owner).expect(404);
    await world.call('patch', `/api/alerts/${someId}`, own.owner).send({ is_acknowledged: true }).expect(404);
  });
});

it('an alert that is raised, ends and comes back before the log is read sends all three notifications in order', async () => {
  const own = await world.createTenant();
  const channel = await createChannel(world, own);
  const relay = 'select from event_relay where license_id = $1 for update';
  await world.database.whileHeld(relay, [own.license.id], async () => {
    const alert = await createAlert(world, own, { ended_at: null, end_reason: null });
    for (const [end, reason] of [
      ['now()', "'recovered'"],
      ['null', 'null'],
    ])
      await world.database.query(`update alert set ended_at = ${end}, end_reason = ${reason} where id = $1`, [
        alert,
      ]);
  });
  const sent = await until(async () => {
    const rows = await world.database.query<{ event: string }>(
      'select event from notification where channel_id = $1 order by id',
      [channel],
    );
    return rows.length === 3 ? rows.map(({ event }) => event) : undefined;
  }, 'the notifications');
  expect(sent).toEqual(['raised', 'recovered', 'raised']);
});

it('alerts are kept for 90 days after their end; their notifications for 30 days and while they are open', async () => {
  const own = await world.createTenant();
  const ended = (days: number) => ({
    raised_at: new Date(Date.now() - 91 * 86_400_000),
    ended_at: new Date(Date.now() - days * 86_400_000),
  });
  const young = await createAlert(world, own, ended(89));
  await createAlert(world, own, ended(91));
  // The state of its disk is unknown, so the alert stays open.
  const open = await createAlert(world, own, { ...ended(0), ended_at: null, end_reason: null });
  const channel = await createChannel(world, own);
  for (const alertId of [young, open])
    await world.database.query(
      `insert into notification (license_id, channel_id, alert_id, event, status, next_attempt_at, finished_at, created_at)
       values ($1, $2, $3, 'raised', 'succeeded', null, now(), now() - interval '31 days')`,
      [own.license.id, channel, alertId],
    );
  await world.database.query(`select graphile_worker.add_job('housekeeping', '{}')`);
  await until(async () => (await alertsOf(own)).length === 2, 'the end of old alerts');
  const kept = async () =>
    (
      await world.database.query<{ alert_id: string }>(
        'select alert_id from notification where channel_id = $1',
        [channel],
      )
    ).map(({ alert_id }) => alert_id);
  await until(async () => (await kept()).length === 1, 'the end of old notifications');
  expect(await kept()).toEqual([open]);
  expect((await alertsOf(own)).map(({ id }) => id).toSorted()).toEqual([young, open].toSorted());
});
