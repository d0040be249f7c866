// Operations of the area `analytics`, over a small history whose figures are calculated by hand.
import pg from 'pg';
import type { Response } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { compare } from '../../src/services/analytics/maps.ts';
import { sumUpMonths, type AnalyticsRollUps } from '../../src/services/analytics/roll-ups.ts';
import { addPlayedMap, addSession, addWipe, openRollUps, addMapHeartbeat } from '../support/analytics.ts';
import { someId } from '../support/contract.ts';
import { createInstance } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;
let tenant: Tenant;
let rollUps: AnalyticsRollUps;
let main: string;
let second: string;
let wipes: { main: string; second: string };
let maps: { island: string; barren: string; cave: string };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The days of the history; the last of them is today. */
const days = 6;
const today = () => Math.floor(Date.now() / dayMs) * dayMs;
let first: number;
let now: number;

/** A time of the history: `at(3, 11)` is 11:00 of its fourth day. */
const at = (day: number, hour: number, minute = 0) =>
  new Date(first + day * dayMs + hour * hourMs + minute * 60_000);
const agoHours = (hours: number) => new Date(now - hours * hourMs);
const player = (name: 'A' | 'B' | 'C' | 'D' | 'E') => `7656119796028793${'ABCDE'.indexOf(name)}`;
const session = (
  who: Parameters<typeof player>[0],
  startedAt: Date,
  endedAt: Date | null,
  { instanceId = main, hasJoin = true } = {},
) => addSession(world, tenant, { instanceId, steamId: player(who), startedAt, endedAt, hasJoin });

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
  rollUps = await openRollUps(world);
  [main, second] = [await createInstance(world, tenant), await createInstance(world, tenant)];
  now = Date.now();
  first = today() - (days - 1) * dayMs;
  await storeHistory();
  await rollUps.run();
});

afterAll(async () => {
  await world.close();
});

async function storeHistory(): Promise<void> {
  // The main server is wiped at noon of the first day: its retention days run from noon to noon.
  wipes = {
    main: await addWipe(world, tenant, { instanceId: main, at: at(0, 12) }),
    // The second one 30 hours ago: its first retention day has begun, the next two have not.
    second: await addWipe(world, tenant, { instanceId: second, at: agoHours(30) }),
  };
  // A is in the cohort and returns on the next day; the third session covers the last minutes of the day
  // after 48 hours and the first of the day after 72.
  await session('A', at(0, 13), at(0, 14));
  await session('A', at(1, 13), at(1, 13, 30));
  await session('A', at(3, 11), at(3, 13));
  // B has played since before the wipe, so is in the cohort, and leaves exactly when the next day begins, so
  // has not returned.
  await session('B', at(0, 11), at(0, 12, 30));
  await session('B', at(1, 11), at(1, 12));
  // C joins exactly when the first 24 hours are over, so is not in the cohort.
  await session('C', at(1, 12), at(1, 12, 10));
  // Only session ends were reported of D: one in the first 24 hours, one exactly when the day after 48 hours
  // begins.
  await session('D', at(1, 11, 59), at(1, 11, 59), { hasJoin: false });
  await session('D', at(2, 12), at(2, 12), { hasJoin: false });
  // E plays on the second server only, on two days after its wipe.
  await session('E', agoHours(29), agoHours(28), { instanceId: second });
  await session('E', agoHours(2), agoHours(1), { instanceId: second });

  maps = {
    island: await addPlayedMap(world, tenant, 'Island'),
    barren: await addPlayedMap(world, tenant, 'Barren'),
    cave: await addPlayedMap(world, tenant, 'Cave'),
  };
  // Two hours of Island, where A began to play; one hour of Barren, one of Cave.
  for (let minute = 0; minute < 120; minute += 5)
    await addMapHeartbeat(world, tenant, { instanceId: main, mapId: maps.island, at: at(0, 13, minute) });
  for (let minute = 0; minute < 60; minute += 5) {
    await addMapHeartbeat(world, tenant, { instanceId: main, mapId: maps.barren, at: at(2, 0, minute) });
    await addMapHeartbeat(world, tenant, { instanceId: second, mapId: maps.cave, at: at(2, 0, minute) });
  }
  await storeDay(maps.island, 0, { samples: 10, sum: 400, most: 50 });
  await storeDay(maps.barren, 2, { samples: 4, sum: 100, most: 40 });
  await storeDay(maps.cave, 2, { samples: 2, sum: 20, most: 20 });
}

/** Stores a day's heartbeats in the form the roll-up writes. */
async function storeDay(
  mapId: string,
  day: number,
  { samples, sum, most }: { samples: number; sum: number; most: number },
): Promise<void> {
  await world.database.query(
    `insert into instance_stats_day (license_id, instance_id, bucket_at, map_id, samples, running_samples,
       players_samples, players_sum, players_min, players_max, fps_samples, fps_sum, fps_min,
       entities_samples, entities_sum, entities_max)
     values ($1, $2, $3, $4, $5::int, $5::int, $5::int, $6, 0, $7, $5::int, $5::int * 60.5, 30, $5::int, $5::int * 1000, 1200)`,
    [tenant.license.id, main, at(day, 0).toISOString(), mapId, samples, sum, most],
  );
}

const call = (path: string, query: Record<string, string | number> = {}, { owner } = tenant) =>
  world.call('get', `/api/analytics/${path}`, owner).query(query);

async function response<T>(path: string, query: Record<string, string | number> = {}): Promise<T> {
  return (await call(path, query).expect(200)).body as T;
}

describe('getMapAnalytics', () => {
  it('returns 200 with effectiveness by map, the best map and the rotation, in hours', async () => {
    const figures = await response<Schemas['MapAnalytics']>('maps', { range: '30d' });
    // 40 of 50, 25 of 40, 10 of 20.
    expect(figures.maps).toEqual([
      {
        map_id: maps.island,
        name: 'Island',
        average_players: 40,
        peak_players: 50,
        hours: 2,
        sessions: 1,
        unique_players: 1,
        effectiveness_percent: 80,
        effectiveness_color: 'green',
      },
      expect.objectContaining({
        name: 'Barren',
        hours: 1,
        effectiveness_percent: 62.5,
        effectiveness_color: 'yellow',
      }),
      expect.objectContaining({
        name: 'Cave',
        hours: 1,
        effectiveness_percent: 50,
        effectiveness_color: 'red',
      }),
    ]);
    expect(figures.best_map).toEqual({ map_id: maps.island, name: 'Island', effectiveness_percent: 80 });
    // (80 × 2 + 62.5 × 1 + 50 × 1) / 4 = 68.125
    expect(figures.rotation_effectiveness_percent).toBe(68.1);
  });

  it('returns 200 for 90 days by default and for the whole history, before and after months are rolled up', async () => {
    const { range, from, ...figures } = await response<Schemas['MapAnalytics']>('maps');
    expect([range, from]).toEqual(['90d', new Date(today() - 89 * dayMs).toISOString().slice(0, 10)]);
    expect(await response('maps', { range: 'all' })).toEqual({ range: 'all', from: null, ...figures });

    const [old] = await world.database.query<{ day: string }>(
      `select (date_trunc('month', now()) - interval '4 months' + interval '9 days')::date::text as day`,
    );
    await world.database.query(
      `insert into instance_stats_day (license_id, instance_id, bucket_at, map_id, samples, running_samples,
         players_samples, players_sum, players_max, fps_samples, fps_sum, entities_samples, entities_sum)
       values ($1, $2, $3, $4, 10, 10, 10, 100, 60, 0, 0, 0, 0)`,
      [tenant.license.id, main, `${old?.day}T00:00:00Z`, maps.island],
    );
    await world.database.query(
      `insert into map_day (license_id, instance_id, map_id, day, slots) values ($1, $2, $3, $4, repeat('1', 288)::varbit)`,
      [tenant.license.id, main, maps.island, old?.day],
    );
    const island = async () => (await response<Schemas['MapAnalytics']>('maps', { range: 'all' })).maps[0];
    // 500 players in 20 heartbeats, and one more day.
    const expected = {
      name: 'Island',
      average_players: 25,
      peak_players: 60,
      hours: 26,
      effectiveness_percent: 41.7,
    };
    expect(await island()).toMatchObject(expected);
    for (let time = 0; time < 2; time += 1) {
      await world.database.query(sumUpMonths);
      expect(await island()).toMatchObject(expected);
    }
    expect(await world.database.query('select slots from map_month')).toEqual([{ slots: '288' }]);
    expect((await response<Schemas['MapAnalytics']>('maps')).maps[0]).toMatchObject({ hours: 2 });
  });

  it('colours maps by the displayed effectiveness, and leaves unplayed maps uncoloured', () => {
    const map = { map_id: '', name: '', hours: 1, sessions: 0, unique_players: 0 };
    const colors = [80, 79.96, 79.94, 60, 59.9, 0].map(
      (average) => compare([{ ...map, average_players: average, peak_players: 100 }]).maps[0]?.color,
    );
    expect(colors).toEqual(['green', 'green', 'yellow', 'yellow', 'red', 'red']);
    for (const [average_players, peak_players] of [
      [null, null],
      [0, 0],
    ] as const)
      expect(compare([{ ...map, average_players, peak_players }])).toMatchObject({
        maps: [{ effectiveness: null, color: null }],
        best: null,
        rotationEffectiveness: null,
      });
  });

  it('returns 200 without any map', async () => {
    const other = await world.createTenant();
    expect((await call('maps', {}, other).expect(200)).body).toMatchObject({
      maps: [],
      best_map: null,
      rotation_effectiveness_percent: null,
    });
  });

  it('returns 400 for an unknown range', async () => {
    await call('maps', { range: '60d' }).expect(400);
  });
});

describe('getPlayerRetention', () => {
  it('returns 200 with returning players, newest first, and compares wipes', async () => {
    const { wipes: found, comparison } = await response<Schemas['RetentionAnalytics']>('retention', {
      wipes: 3,
    });
    expect(found).toEqual([
      expect.objectContaining({
        wipe_id: wipes.second,
        cohort_players: 1,
        points: [
          { after_hours: 24, players: 1, percent: 100, is_final: false },
          { after_hours: 48, players: null, percent: null, is_final: false },
          { after_hours: 72, players: null, percent: null, is_final: false },
        ],
      }),
      {
        wipe_id: wipes.main,
        instance_id: main,
        instance_name: 'main',
        kind: 'map',
        wiped_at: at(0, 12).toISOString(),
        // A, B and D.
        cohort_players: 3,
        points: [
          { after_hours: 24, players: 1, percent: 33.3, is_final: true }, // A
          { after_hours: 48, players: 2, percent: 66.7, is_final: true }, // A and D
          { after_hours: 72, players: 1, percent: 33.3, is_final: true }, // A
        ],
      },
    ]);
    expect(comparison).toEqual([
      {
        after_hours: 24,
        wipes: 2,
        average_percent: 66.7,
        best_wipe_id: wipes.second,
        worst_wipe_id: wipes.main,
      },
      {
        after_hours: 48,
        wipes: 1,
        average_percent: 66.7,
        best_wipe_id: wipes.main,
        worst_wipe_id: wipes.main,
      },
      {
        after_hours: 72,
        wipes: 1,
        average_percent: 33.3,
        best_wipe_id: wipes.main,
        worst_wipe_id: wipes.main,
      },
    ]);
  });

  it('returns 200 for one instance', async () => {
    const { wipes: found } = await response<Schemas['RetentionAnalytics']>('retention', {
      instance_id: main,
    });
    expect(found.map(({ wipe_id }) => wipe_id)).toEqual([wipes.main]);
  });

  it.each([
    ['Accept: text/csv', () => call('retention', { wipes: 3 }).set('Accept', 'text/csv')],
    ['format=csv', () => call('retention', { wipes: 3, format: 'csv' })],
  ])('returns 200 as CSV for %s', async (_name, ask) => {
    const { text, headers } = await ask().expect(200);
    expect(headers['content-type']).toMatch(/^text\/csv/);
    const [names, ...lines] = text.trim().split(/\r?\n/);
    expect(names).toBe(
      'wipe_id,instance_id,instance_name,kind,wiped_at,cohort_players,players_24h,percent_24h,players_48h,percent_48h,players_72h,percent_72h',
    );
    expect(lines).toEqual([
      `${wipes.second},${second},main,map,${agoHours(30).toISOString()},1,1,100,,,,`,
      `${wipes.main},${main},main,map,${at(0, 12).toISOString()},3,1,33.3,2,66.7,1,33.3`,
    ]);
  });

  it('returns 400 for an unsupported number of wipes', async () => {
    await call('retention', { wipes: 5 }).expect(400);
  });
});

describe('getPlayerAnalytics', () => {
  it('returns 200 with every player new when the period covers the whole history', async () => {
    const figures = await response<Schemas['PlayerAnalytics']>('players', { days });
    expect(figures).toMatchObject({
      unique_players: 5,
      new_players: 5,
      returning_players: 0,
      new_percent: 100,
    });
    // On the first day A and B; on the second both return, with C and D.
    expect(figures.days.slice(0, 2)).toEqual([
      { day: at(0, 0).toISOString().slice(0, 10), unique_players: 2, new_players: 2, returning_players: 0 },
      { day: at(1, 0).toISOString().slice(0, 10), unique_players: 4, new_players: 2, returning_players: 2 },
    ]);
  });

  it('returns 200 with players as returning who played before the period', async () => {
    // From the third day on A, D and E played; only E had never played before.
    expect(await response('players', { days: 4 })).toMatchObject({
      unique_players: 3,
      new_players: 1,
      returning_players: 2,
      new_percent: 33.3,
    });
  });

  it('returns 200 for one instance, and for one without players', async () => {
    expect(await response('players', { days, instance_id: second })).toMatchObject({ unique_players: 1 });
    const empty = await createInstance(world, tenant);
    expect(await response('players', { instance_id: empty })).toMatchObject({
      unique_players: 0,
      new_percent: null,
      days: [],
    });
  });
});

describe('getSessionLengths', () => {
  it('returns 200 with the sessions by length, and those of unknown length counted apart', async () => {
    const figures = await response<Schemas['SessionLengthAnalytics']>('session-lengths', {
      days,
      instance_id: main,
    });
    // A 60, 30 and 120 minutes, B 90 and 60, C 10; two ends of D. (60 + 30 + 120 + 90 + 60 + 10) / 6 minutes.
    expect(figures).toMatchObject({ sessions: 8, unknown_sessions: 2, average_seconds: 3_700 });
    expect(figures.lengths.map(({ from_seconds, sessions }) => [from_seconds, sessions])).toEqual([
      [0, 0],
      [300, 1],
      [900, 0],
      [1_800, 1],
      [3_600, 3],
      [7_200, 1],
      [14_400, 0],
      [28_800, 0],
    ]);
    expect(figures.lengths[4]).toEqual({ from_seconds: 3_600, to_seconds: 7_200, sessions: 3, percent: 50 });
  });
});

describe('getPeakHours', () => {
  const weekday = (day: number) => ((at(day, 0).getUTCDay() + 6) % 7) + 1;

  it('returns 200 with the hours of the week', async () => {
    const { hours, peak } = await response<Schemas['PeakHourAnalytics']>('peak-hours', {
      days,
      instance_id: main,
    });
    const average = (day: number, hour: number) =>
      hours.find((each) => each.weekday === weekday(day) && each.hour === hour)?.average_players;
    // B for the whole hour; half of it; C ten minutes; A half an hour; A both hours.
    expect([
      average(0, 11),
      average(0, 12),
      average(1, 12),
      average(1, 13),
      average(3, 11),
      average(3, 12),
    ]).toEqual([1, 0.5, 0.17, 0.5, 1, 1]);
    expect(peak?.average_players).toBe(1);
    expect(hours.reduce((sum, { average_players }) => sum + average_players, 0)).toBeCloseTo(370 / 60, 1);
  });

  it('returns 200 in a time zone, also one with a fractional offset', async () => {
    const query = { days, instance_id: main, time_zone: 'Asia/Kolkata' };
    const { hours, time_zone } = await response<Schemas['PeakHourAnalytics']>('peak-hours', query);
    expect(time_zone).toBe('Asia/Kolkata');
    // B from 16:30 to 18:00 local time; the two hours are half and whole.
    const average = (hour: number) =>
      hours.find((each) => each.weekday === weekday(0) && each.hour === hour)?.average_players;
    expect([average(16), average(17)]).toEqual([0.5, 1]);
  });

  it('returns 400 for an unknown time zone', async () => {
    const { body } = await call('peak-hours', { time_zone: 'Europe/Atlantis' }).expect(400);
    expect(body).toMatchObject({ errors: [{ in: 'query', pointer: '/time_zone' }] });
  });
});

describe('getInstanceMetricsSeries', () => {
  it('returns 200 with a point for each step that has heartbeats', async () => {
    const series = await response<Schemas['MetricsSeries']>('server-stats', {
      instance_id: main,
      from: at(0, 5).toISOString(),
      step: '1d',
    });
    // The second point covers two maps: 120 players in 6 heartbeats.
    expect(series).toEqual({
      instance_id: main,
      step: '1d',
      points: [
        {
          at: at(0, 0).toISOString(),
          samples: 10,
          average_players: 40,
          min_players: 0,
          max_players: 50,
          average_fps: 60.5,
          min_fps: 30,
          average_entities: 1_000,
          max_entities: 1_200,
        },
        expect.objectContaining({
          at: at(2, 0).toISOString(),
          samples: 6,
          average_players: 20,
          max_players: 40,
        }),
      ],
    });
    const { body } = await call('server-stats', { instance_id: main });
    expect(body).toMatchObject({ step: '1h', points: [] });
    const none = { instance_id: main, from: at(1, 0).toISOString(), to: at(2, 0).toISOString(), step: '1d' };
    expect(await response('server-stats', none)).toMatchObject({ points: [] });
  });

  it('returns 400 for more than a thousand steps', async () => {
    const query = { instance_id: main, step: '5m', to: at(5, 0).toISOString() };
    await call('server-stats', {
      ...query,
      from: new Date(at(5, 0).getTime() - 1_000 * 300_000).toISOString(),
    }).expect(200);
    const { body } = await call('server-stats', {
      ...query,
      from: new Date(at(5, 0).getTime() - 1_001 * 300_000).toISOString(),
    }).expect(400);
    expect(body).toMatchObject({ errors: [{ pointer: '/from' }] });
  });
});

describe('listPlayerSessions', () => {
  it('returns 200 newest first, page by page, each session once, also with equal start times', async () => {
    const own = await createInstance(world, tenant);
    for (const who of ['A', 'B', 'C', 'D', 'E'] as const)
      await session(who, at(0, who < 'C' ? 1 : 2), at(0, 3), { instanceId: own });
    const seen: string[] = [];
    let next: string | null = `/api/analytics/sessions?limit=2&instance_id=${own}`;
    while (next !== null) {
      const { body, headers }: Response = await world.call('get', next, tenant.owner).expect(200);
      seen.push(...(body as Schemas['PlayerSessionPage']).data.map(({ steam_id }) => steam_id));
      next = /^<(.+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1] ?? null;
    }
    expect(seen).toEqual((['E', 'D', 'C', 'B', 'A'] as const).map(player));
    await world.database.query('delete from player_session where instance_id = $1', [own]);
  });

  it("returns 200 by player and by time, with the player's latest name", async () => {
    await world.database.query(
      `insert into player (license_id, steam_id, name, first_seen_at, last_seen_at) values ($1, $2, 'Dill', now(), now())`,
      [tenant.license.id, player('D')],
    );
    const query = { steam_id: player('D'), from: at(2, 0).toISOString(), to: at(3, 0).toISOString() };
    expect(await response('sessions', query)).toEqual({
      data: [
        {
          instance_id: main,
          steam_id: player('D'),
          display_name: 'Dill',
          started_at: at(2, 12).toISOString(),
          ended_at: at(2, 12).toISOString(),
          duration_seconds: null,
          is_start_known: false,
          end_reason: 'leave',
        },
      ],
      next_cursor: null,
    });
  });

  it.each([
    'bm90IGEgY3Vyc29y',
    Buffer.from(`${new Date(0).toISOString()} x 1`).toString('base64url'),
    `${Buffer.from(`${new Date(0).toISOString()} ${someId} 1`).toString('base64url')}A`,
  ])('returns 400 for the cursor %s', async (cursor) => {
    expect((await call('sessions', { cursor }).expect(400)).body).toMatchObject({
      errors: [{ pointer: '/cursor' }],
    });
  });
});

it.each(['retention', 'players', 'session-lengths', 'peak-hours', 'server-stats', 'sessions'])(
  'returns 404 for %s of an instance of another license',
  async (path) => {
    const foreign = await createInstance(world, await world.createTenant());
    const query = { instance_id: foreign, ...(path === 'server-stats' && { from: at(0, 0).toISOString() }) };
    expect((await call(path, query).expect(404)).body).toMatchObject({ code: 'not_found' });
  },
);

describe('counting', () => {
  let other: Tenant;
  let own: string;

  beforeEach(async () => {
    other = await world.createTenant();
    own = await createInstance(world, other);
  });

  const readAs = async <T>(path: string): Promise<T> =>
    (await call(path, { instance_id: own }, other).expect(200)).body as T;
  const lengths = () => readAs<Schemas['SessionLengthAnalytics']>('session-lengths');
  const count = async () => (await lengths()).sessions;

  async function addMany(many: number, minute = 0): Promise<void> {
    await world.database.query(
      `insert into player_session (license_id, instance_id, steam_id, started_at, ended_at, last_sign_at, has_join, end_reason)
       select $1, $2, 76561197960300000 + n, $3::timestamptz, $3::timestamptz + interval '1 hour', $3, true, 'leave'
       from generate_series(1, $4) as n`,
      [other.license.id, own, at(1, 1, minute).toISOString(), many],
    );
  }

  const isDone = async () => (await world.database.query('select from session_change limit 1')).length === 0;

  it('counts each session once when replicas count concurrently while more are reported', async () => {
    const replicas = [rollUps, await openRollUps(world, 7), await openRollUps(world, 11)];
    const reported = [50, 60, 70].map((many, minute) => addMany(many, minute));
    await Promise.all([...reported, ...replicas.map((replica) => replica.run())]);
    await until(async () => {
      await Promise.all(replicas.map((replica) => replica.run()));
      return isDone();
    });
    expect(await count()).toBe(180);
  });

  it('starts again when the counting process dies halfway', async () => {
    await addMany(100);
    const holder = new pg.Client({ connectionString: world.database.url });
    world.atEnd(() => holder.end());
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table session_quarter');
    const died = expect(rollUps.run()).rejects.toThrow();
    await until(
      async () =>
        (
          await world.database.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length,
    );
    await died;
    await holder.query('rollback');
    expect(await count()).toBe(0);
    await rollUps.run();
    expect(await count()).toBe(100);
  });

  it('counts sessions that are reported late, changed or withdrawn', async () => {
    await addSession(world, other, {
      instanceId: own,
      steamId: player('A'),
      startedAt: at(1, 1),
      endedAt: null,
    });
    await rollUps.run();
    expect(await lengths()).toMatchObject({ sessions: 1, unknown_sessions: 1, average_seconds: null });
    await world.database.query(
      `update player_session set ended_at = started_at + interval '50 hours', end_reason = 'silence' where instance_id = $1`,
      [own],
    );
    await rollUps.run();
    expect(await lengths()).toMatchObject({ sessions: 1, unknown_sessions: 0, average_seconds: 180_000 });
    const played = async () => (await readAs<Schemas['PlayerAnalytics']>('players')).days.length;
    expect(await played()).toBe(3);
    await world.database.query('delete from player_session where instance_id = $1', [own]);
    await rollUps.run();
    expect(await lengths()).toMatchObject({ sessions: 0, unknown_sessions: 0 });
    expect(await played()).toBe(0);
  });
});
