// Compares figures of maps and series with plain queries over raw heartbeats and sessions, on generated
// histories of months.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { pino } from 'pino';
import type { components } from '../../generated/platform.d.ts';
import { PlayedMaps } from '../../src/ingest/played-maps.ts';
import { storeHeartbeats } from '../../src/ingest/write-heartbeats.ts';
import { connectDatabase, type DatabaseConnection } from '../../src/database/connection.ts';
import { PlatformScope } from '../../src/database/platform-scope.ts';
import { Reader } from '../../src/database/reader.ts';
import { Transactions } from '../../src/database/transactions.ts';
import { StatsRollUp } from '../../src/jobs/stats-roll-up.ts';
import { sumUpMonths, type AnalyticsRollUps } from '../../src/services/analytics/roll-ups.ts';
import { addSession, openRollUps } from '../support/analytics.ts';
import { createHost, createInstance } from '../support/rows.ts';
import { World, type Tenant } from '../support/world.ts';
import { patientLimits } from '../support/database.ts';

type Schemas = components['schemas'];

let world: World;
let tenant: Tenant;
let connection: DatabaseConnection;
let counts: AnalyticsRollUps;
let stats: StatsRollUp;
let hostId: string;
let instances: string[];
let seq = 0;
const boot = randomUUID();
const maps = new PlayedMaps();
const names = ['one', 'two'] as const;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
  counts = await openRollUps(world);
  const log = pino({ level: 'silent' });
  connection = await connectDatabase({ url: world.database.url, limits: patientLimits, poolSize: 2, log });
  world.atEnd(() => connection.close());
  stats = new StatsRollUp(
    new PlatformScope(new Transactions(connection.orm, log), new Reader(connection.pool)),
  );
  hostId = await createHost(world, tenant);
  instances = [];
  for (const name of names) instances.push(await createInstance(world, tenant, { host_id: hostId, name }));
  for (const table of ['instance_stats', 'instance_stats_5m', 'instance_stats_hour', 'player_session'])
    await world.database.query(
      `select create_month_partitions($1, (current_date - interval '6 months')::date, 7)`,
      [table],
    );
});

afterAll(async () => {
  await world.close();
});

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;

/** Days around the ends of the ranges, and some long before them. */
const daysAgo = fc.constantFrom(1, 2, 28, 29, 30, 31, 59, 88, 89, 90, 91, 120, 150);
const minuteOfDay = fc.oneof(fc.constantFrom(0, 1, 4, 5, 59, 60, 1_435, 1_439), fc.nat(30));
const moment = fc.record({ daysAgo, minute: minuteOfDay });

const heartbeat = fc.record({
  instance: fc.nat(1),
  at: moment,
  map: fc.constantFrom('Island', 'Barren', 'Cave', undefined),
  players: fc.option(fc.nat(100), { nil: undefined }),
  // Sums of these are exact in any order.
  fps: fc.option(
    fc.nat(400).map((quarters) => quarters / 4),
    { nil: undefined },
  ),
  entities: fc.option(fc.nat(100_000), { nil: undefined }),
});
const session = fc.record({
  instance: fc.nat(1),
  at: moment,
  player: fc.nat(5),
  minutes: fc.constantFrom(0, 3, 90, 1_440, 3 * 1_440),
});

const timeOf = ({ daysAgo: days, minute }: { daysAgo: number; minute: number }) =>
  new Date(Math.floor(Date.now() / dayMs) * dayMs - days * dayMs + minute * minuteMs);

async function report({ instance, at, map, players, fps, entities }: HeartbeatFacts): Promise<void> {
  const receivedAt = timeOf(at);
  const reported = {
    name: names[instance] ?? '',
    state: 'running' as const,
    uptime_seconds: 1,
    ...(map !== undefined && { map }),
    ...(players !== undefined && { players }),
    ...(fps !== undefined && { fps }),
    ...(entities !== undefined && { entities }),
  };
  const host = {
    cpu_percent: 0,
    memory_used_bytes: 0,
    memory_total_bytes: 0,
    disk_used_bytes: 0,
    disk_total_bytes: 0,
  };
  const sentAt = receivedAt.toISOString();
  const beat = {
    v: 1 as const,
    sent_at: sentAt,
    boot,
    seq: ++seq,
    agent_version: '0',
    host,
    instances: [reported],
  };
  await storeHeartbeats(connection.pool, [{ hostId, beat, receivedAt }], maps);
}
type HeartbeatFacts = typeof heartbeat extends fc.Arbitrary<infer T> ? T : never;

const tables = [
  'instance_stats',
  'instance_stats_5m',
  'instance_stats_hour',
  'instance_stats_day',
  'map_day',
  'map_month',
  'map_sighting',
  'player_day',
  'player_day_count',
  'player_return',
  'player_session',
  'session_change',
  'session_day',
  'session_quarter',
];

async function ask<T>(path: string, query: Record<string, string>): Promise<T> {
  return (await world.call('get', `/api/analytics/${path}`, tenant.owner).query(query).expect(200)).body as T;
}

interface Expected {
  map_id: string;
  name: string;
  average_players: number | null;
  peak_players: number | null;
  hours: number;
  sessions: number;
  unique_players: number;
}

/**
 * Counts from raw rows alone: the five-minute buckets of an instance in which a heartbeat named the map, and
 * the sessions begun there.
 */
const expectedMaps = (from: string | null) =>
  world.database.query<Expected>(
    `with bounds as (select coalesce($1::date, '-infinity')::timestamp at time zone 'UTC' as since),
     slots as (
       select distinct map_id, instance_id, date_bin('5 minutes', recorded_at, 'epoch') as slot from instance_stats
       where map_id is not null
     ), begun as (
       select distinct map_id, session.* from slots join player_session as session using (instance_id)
       where started_at >= slot and started_at < slot + interval '5 minutes'
     )
     select map.id as map_id, map.name,
       (select avg(players)::float8 from instance_stats, bounds where map_id = map.id and recorded_at >= since)
         as average_players,
       (select max(players) from instance_stats, bounds where map_id = map.id and recorded_at >= since)
         as peak_players,
       (select count(*)::float8 / 12 from slots, bounds where map_id = map.id and slot >= since) as hours,
       (select count(*)::int from begun, bounds where map_id = map.id and started_at >= since) as sessions,
       (select count(distinct steam_id)::int from begun, bounds where map_id = map.id
         and greatest(ended_at, started_at + interval '1 millisecond') > since) as unique_players
     from played_map as map
     where exists (select from instance_stats, bounds where map_id = map.id and recorded_at >= since)
     order by hours desc, map.id`,
    [from],
  );

async function checkMaps(range: '30d' | '90d' | 'all'): Promise<void> {
  const figures = await ask<Schemas['MapAnalytics']>('maps', { range });
  const expected = await expectedMaps(figures.from);
  const exact = (value: number | null) => (value === null ? null : Math.round(value * 1e6) / 1e6);
  expect(
    figures.maps.map(({ effectiveness_percent: _, effectiveness_color: __, ...map }) => ({
      ...map,
      average_players: exact(map.average_players),
    })),
  ).toEqual(expected.map((map) => ({ ...map, average_players: exact(map.average_players) })));
  const rated = expected.map(({ average_players: average, peak_players: peak }) =>
    average === null || peak === null || peak === 0 ? null : (average / peak) * 100,
  );
  for (const [place, map] of figures.maps.entries()) {
    const percent = rated[place] ?? null;
    const shown = map.effectiveness_percent;
    expect(shown === null).toBe(percent === null);
    if (shown === null || percent === null) continue;
    expect(Math.abs(shown - percent)).toBeLessThanOrEqual(0.0501);
    expect(map.effectiveness_color).toBe(shown >= 80 ? 'green' : shown >= 60 ? 'yellow' : 'red');
  }
  const weights = expected.flatMap(({ hours }, place) => {
    const percent = rated[place] ?? null;
    return percent === null ? [] : [{ hours, percent }];
  });
  const hours = weights.reduce((sum, one) => sum + one.hours, 0);
  const rotation = weights.reduce((sum, one) => sum + one.hours * one.percent, 0) / hours;
  if (hours === 0) expect(figures.rotation_effectiveness_percent).toBeNull();
  else
    expect(Math.abs((figures.rotation_effectiveness_percent ?? NaN) - rotation)).toBeLessThanOrEqual(0.0501);
  const best = Math.max(-1, ...figures.maps.map(({ effectiveness_percent: percent }) => percent ?? -1));
  expect(figures.best_map?.effectiveness_percent ?? -1).toBe(best);
}

const steps = { '5m': '5 minutes', '1h': '1 hour', '1d': '1 day' } as const;

async function checkSeries(step: keyof typeof steps, fromDaysAgo: number, days: number): Promise<void> {
  const from = timeOf({ daysAgo: fromDaysAgo, minute: 0 });
  const to = new Date(from.getTime() + days * dayMs);
  for (const instance of instances) {
    const { points } = await ask<Schemas['MetricsSeries']>('server-stats', {
      instance_id: instance,
      from: from.toISOString(),
      to: to.toISOString(),
      step,
    });
    const expected = await world.database.query<{ at: Date | string; average_players: number | null }>(
      `select date_bin($4::interval, recorded_at, 'epoch') as at, count(*)::int as samples,
         avg(players)::float8 as average_players, min(players) as min_players, max(players) as max_players,
         avg(fps)::float8 as average_fps, min(fps) as min_fps, avg(entities)::float8 as average_entities,
         max(entities) as max_entities
       from instance_stats where instance_id = $1 and recorded_at >= $2 and recorded_at < $3
       group by 1 order by 1`,
      [instance, from.toISOString(), to.toISOString(), steps[step]],
    );
    const rounded = (point: object) =>
      Object.fromEntries(
        Object.entries(point).map(([name, value]) => [
          name,
          typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value,
        ]),
      );
    expect(points.map(rounded)).toEqual(
      expected.map((point) => rounded({ ...point, at: new Date(point.at).toISOString() })),
    );
  }
}

it('agree with raw rows, within the ranges and beyond them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(heartbeat, { minLength: 1, maxLength: 25 }),
      fc.array(session, { maxLength: 15 }),
      async (heartbeats, sessions) => {
        await world.database.query(`truncate ${tables.join(', ')}`);
        for (const one of heartbeats) await report(one);
        for (const { instance, at, player, minutes } of sessions) {
          const startedAt = timeOf(at);
          await addSession(world, tenant, {
            instanceId: instances[instance] ?? '',
            steamId: `7656119796028793${player}`,
            startedAt,
            endedAt: new Date(startedAt.getTime() + minutes * minuteMs),
          });
        }
        await stats.run();
        await counts.run();
        for (const range of ['30d', '90d', 'all'] as const) await checkMaps(range);
        await checkSeries('5m', 30, 3);
        await checkSeries('1h', 91, 30);
        await checkSeries('1d', 160, 159);
        // Rolled-up data gives the same figures.
        await world.database.query(`update map_month_end set summed_up_to = '-infinity'`);
        await world.database.query(sumUpMonths);
        for (const range of ['90d', 'all'] as const) await checkMaps(range);
      },
    ),
    { numRuns: 6 },
  );
});
