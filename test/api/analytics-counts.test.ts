// Compares the counts of analytics with plain queries over the sessions, on generated histories.
import fc from 'fast-check';
import type { components } from '../../generated/platform.d.ts';
import type { AnalyticsRollUps } from '../../src/services/analytics/roll-ups.ts';
import { addPlayedMap, addSession, addWipe, openRollUps, addMapHeartbeat } from '../support/analytics.ts';
import { createInstance } from '../support/rows.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;
let tenant: Tenant;
let rollUps: AnalyticsRollUps;
let instances: string[];
let maps: string[];

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
  // A few at a time, so that pending changes occur too.
  rollUps = await openRollUps(world, 3);
  instances = [await createInstance(world, tenant), await createInstance(world, tenant)];
  maps = [await addPlayedMap(world, tenant, 'Island'), await addPlayedMap(world, tenant, 'Barren')];
});

afterAll(async () => {
  await world.close();
});

const minuteMs = 60_000;
const dayMinutes = 1_440;
const days = 9;

/** Moments around midnights and within days, in minutes from the first day. */
const moments = Array.from({ length: days }, (_, day) =>
  [0, 1, 600, 1_439].map((minute) => day * dayMinutes + minute),
).flat();

const moment = fc.constantFrom(...moments);
const instance = fc.nat(1);
const lengths = [0, 1, 5, 14, 15, 59, 60, 480, dayMinutes, dayMinutes + 1, 3 * dayMinutes];

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('session' as const),
      instance,
      player: fc.nat(4),
      start: fc.tuple(moment, fc.nat(2)).map(([at, later]) => at + later),
      length: fc.oneof(fc.constantFrom(...lengths), fc.constant(null)),
      hasJoin: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('end' as const), length: fc.constantFrom(...lengths) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), player: fc.nat(4) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('map' as const), instance, map: fc.nat(1), at: moment }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wipe' as const), instance, at: moment }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('count' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(next: Step, first: number): Promise<void> {
  const at = (minutes: number) => new Date(first + minutes * minuteMs);
  const of = (index: number) => instances[index] ?? '';
  switch (next.kind) {
    case 'session': {
      const { start, length, hasJoin } = next;
      const isWhole = hasJoin || length === null;
      await addSession(world, tenant, {
        instanceId: of(next.instance),
        steamId: `7656119796028793${next.player}`,
        startedAt: at(start),
        endedAt: length === null ? null : at(start + (isWhole ? length : 0)),
        hasJoin: isWhole,
      });
      return;
    }
    case 'end':
      await world.database.query(
        `update player_session set ended_at = started_at + $1 * interval '1 minute', end_reason = 'leave'
         where ended_at is null`,
        [next.length],
      );
      return;
    case 'forget':
      await world.database.query('delete from player_session where steam_id = $1 and ended_at is not null', [
        `7656119796028793${next.player}`,
      ]);
      return;
    case 'map':
      await addMapHeartbeat(world, tenant, {
        instanceId: of(next.instance),
        mapId: maps[next.map] ?? '',
        at: at(next.at),
      });
      return;
    case 'wipe':
      await addWipe(world, tenant, { instanceId: of(next.instance), at: at(next.at) });
      return;
    case 'count':
      await rollUps.run();
  }
}

const tables = [
  'instance_stats_5m',
  'map_day',
  'map_sighting',
  'player_day',
  'player_day_count',
  'player_return',
  'player_session',
  'session_change',
  'session_day',
  'session_quarter',
  'wipe_history',
  'wipe_player',
  'wipe_retention',
];

async function analyticsOf<T>(path: string, query: Record<string, string | number> = {}): Promise<T> {
  const { body } = await world.call('get', `/api/analytics/${path}`, tenant.owner).query(query).expect(200);
  return body as T;
}

/** A session lasts at least a moment; one that lasts is not extended. */
const sessions = `(select *, greatest(coalesce(ended_at, started_at), started_at + interval '1 millisecond') as until_at
  from player_session) as session`;

async function checkPlayers(query: { days: number; instance_id?: string }): Promise<void> {
  const figures = await analyticsOf<Schemas['PlayerAnalytics']>('players', query);
  const values = [figures.from, figures.to, query.instance_id ?? null];
  const countBetween = (from: string, to: string) => `
    select count(distinct steam_id)::int as unique_players,
      count(distinct steam_id) filter (where not exists (select from player_session as earlier
        where earlier.steam_id = session.steam_id and earlier.started_at < ${from}
          and ($3::uuid is null or earlier.instance_id = $3)))::int as new_players
    from ${sessions} where started_at < ${to} and until_at > ${from} and ($3::uuid is null or instance_id = $3)`;
  const [whole] = await world.database.query(countBetween(`$1::date`, `$2::date + 1`), values);
  expect(figures).toMatchObject({ ...whole });
  const each = await world.database.query(
    `select day::date::text, counted.* from generate_series($1::date, $2::date, '1 day') as day
     cross join lateral (${countBetween('day', `day + interval '1 day'`)}) as counted
     where unique_players > 0 order by day`,
    values,
  );
  expect(figures.days.map(({ returning_players: _, ...day }) => day)).toEqual(each);
}

async function checkLengths(): Promise<void> {
  const figures = await analyticsOf<Schemas['SessionLengthAnalytics']>('session-lengths', { days: 5 });
  const [expected] = await world.database.query<{
    sessions: number;
    unknown: number;
    average: number | null;
  }>(
    `select count(*)::int as sessions, (count(*) filter (where ended_at is null or not has_join))::int as unknown,
       avg(extract(epoch from ended_at - started_at)) filter (where has_join)::float8 as average
     from player_session where started_at >= $1::date`,
    [figures.from],
  );
  expect(figures).toMatchObject({ sessions: expected?.sessions, unknown_sessions: expected?.unknown });
  if (figures.average_seconds === null) expect(expected?.average).toBeNull();
  else expect(figures.average_seconds).toBeCloseTo(expected?.average ?? NaN, 2);
  for (const { from_seconds, to_seconds, sessions: found } of figures.lengths) {
    const [row] = await world.database.query<{ count: number }>(
      `select count(*)::int as count from player_session where started_at >= $1::date and has_join
         and ended_at - started_at >= $2 * interval '1 second'
         and ($3::int is null or ended_at - started_at < $3 * interval '1 second')`,
      [figures.from, from_seconds, to_seconds],
    );
    expect([from_seconds, found]).toEqual([from_seconds, row?.count]);
  }
}

/** Minute by minute: every session begins and ends on a minute. */
async function checkPeakHours(timeZone: string): Promise<void> {
  const figures = await analyticsOf<Schemas['PeakHourAnalytics']>('peak-hours', {
    days: 4,
    time_zone: timeZone,
    instance_id: instances[0] ?? '',
  });
  const expected = await world.database.query(
    `select extract(isodow from minute at time zone $2)::int as weekday,
       extract(hour from minute at time zone $2)::int as hour,
       round(sum(playing)::numeric / count(*), 2)::float8 as average_players
     from (
       select minute, (select count(*) from player_session where instance_id = $3
         and started_at <= minute and ended_at > minute) as playing
       from generate_series($1::date::timestamptz, date_bin('15 minutes', now(), 'epoch') - interval '1 minute',
         '1 minute') as minute
     ) as minutes group by 1, 2 order by 1, 2`,
    [figures.from, timeZone, instances[0]],
  );
  expect(figures.hours).toEqual(expected);
}

/** Reaching a point depends on the current time; a point reached during the request may count either way. */
async function checkRetention(): Promise<void> {
  const askedAt = new Date();
  const figures = await analyticsOf<Schemas['RetentionAnalytics']>('retention', { wipes: 20 });
  const answeredAt = new Date();
  const expected = await world.database.query<{
    wipe_id: string;
    cohort: number;
    back: number[];
    finished_at: Date | string;
  }>(
    `select wipe.id as wipe_id, count(distinct steam_id)::int as cohort, array(
       select (select count(distinct first.steam_id) from ${sessions.replace('as session', 'as first')}
         join ${sessions.replace('as session', 'as later')} using (instance_id, steam_id)
         where instance_id = wipe.instance_id
           and first.started_at < finished_at + interval '1 day' and first.until_at > finished_at
           and later.started_at < finished_at + (days + 1) * interval '1 day'
           and later.until_at > finished_at + days * interval '1 day')::int
       from generate_series(1, 3) as days order by days) as back, finished_at
     from wipe_history as wipe left join ${sessions} on session.instance_id = wipe.instance_id
       and started_at < finished_at + interval '1 day' and until_at > finished_at
     group by wipe.id order by finished_at desc, wipe.id desc limit 20`,
  );
  expect(
    figures.wipes.map(({ wipe_id, cohort_players, points }) => ({
      wipe_id,
      cohort: cohort_players,
      back: points.map(({ players }) => players),
    })),
  ).toEqual(
    expected.map(({ back, finished_at: finishedAt, ...wipe }, place) => ({
      ...wipe,
      back: back.map((players, index) => {
        const reachedAt = new Date(finishedAt).getTime() + (index + 1) * dayMinutes * minuteMs;
        if (reachedAt > answeredAt.getTime()) return null;
        const isUncertain = reachedAt > askedAt.getTime();
        return isUncertain ? (figures.wipes[place]?.points[index]?.players ?? null) : players;
      }),
    })),
  );
}

async function checkMaps(range: '30d' | 'all'): Promise<void> {
  const figures = await analyticsOf<Schemas['MapAnalytics']>('maps', { range });
  const expected = await world.database.query(
    `select map_id, count(*)::float8 / 12 as hours, sum(begun)::int as sessions, (
       select count(distinct steam_id)::int from player_session join instance_stats_5m as other using (instance_id)
       where other.map_id = bucket.map_id and started_at >= bucket_at and started_at < bucket_at + interval '5 minutes'
     ) as unique_players
     from (select *, (select count(*) from player_session as session where session.instance_id = slot.instance_id
       and started_at >= bucket_at and started_at < bucket_at + interval '5 minutes') as begun
       from instance_stats_5m as slot) as bucket
     group by map_id order by hours desc, map_id`,
  );
  expect(
    figures.maps.map(({ map_id, hours, sessions: begun, unique_players }) => ({
      map_id,
      hours,
      sessions: begun,
      unique_players,
    })),
  ).toEqual(expected);
}

it('agree with the sessions for any order of reports', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
      await world.database.query(`truncate ${tables.join(', ')}`);
      const today = Math.floor(Date.now() / (dayMinutes * minuteMs)) * dayMinutes * minuteMs;
      // The history ends yesterday: a session that has not begun belongs to no day.
      const first = today - days * dayMinutes * minuteMs;
      for (const next of steps) await take(next, first);
      await rollUps.run();
      for (const length of [1, 3, days + 1]) await checkPlayers({ days: length });
      await checkPlayers({ days: 4, instance_id: instances[1] ?? '' });
      await checkLengths();
      await checkPeakHours('Asia/Kathmandu');
      await checkRetention();
      await checkMaps('30d');
      await checkMaps('all');
    }),
    { numRuns: 25 },
  );
});
