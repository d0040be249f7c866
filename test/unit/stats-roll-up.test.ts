// Roll-ups of stats equal the raw rows, for any process, number of runs and lateness of rows.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { PlayedMaps } from '../../src/ingest/played-maps.ts';
import { storeHeartbeats } from '../../src/ingest/write-heartbeats.ts';
import type { BusSchemas } from '../../src/platform-contract/bus-types.ts';
import { noMap } from '../../src/entities/instance-stats-rollups.ts';
import { BatchRunner } from '../../src/jobs/in-batches.ts';
import { runMaintenance } from '../../src/jobs/housekeeping.ts';
import { StatsRollUp } from '../../src/jobs/stats-roll-up.ts';
import { openFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';
import { until } from '../support/until.ts';

let fleet: FleetDatabase;
let hostId: string;
let seq = 0;
const boot = randomUUID();
const maps = new PlayedMaps();

beforeAll(async () => {
  fleet = await openFleetDatabase();
  hostId = await fleet.createHost();
});
afterAll(() => fleet.close());

const minute = 60_000;
/**
 * Two days ago at noon, so that an hour to either side is in the same month's partitions or the one before.
 */
const base = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 1.5 * 86_400_000;

interface Sample {
  minutes: number;
  report: Omit<BusSchemas['InstanceReport'], 'name'>;
}

const store = (instance: string, sample: Sample) =>
  storeAll(instance, [sample], base + sample.minutes * minute);

/** Stores those that have waited until then, oldest first. */
async function storeAll(instance: string, samples: readonly Sample[], receivedMs: number): Promise<void> {
  const receivedAt = new Date(receivedMs);
  const batch = samples.map((sample) => ({ hostId, beat: beatOf(instance, sample), receivedAt }));
  await storeHeartbeats(fleet.connection.pool, batch, maps);
}

function beatOf(instance: string, { minutes, report }: Sample): BusSchemas['Heartbeat'] {
  return {
    v: 1 as const,
    sent_at: new Date(base + minutes * minute).toISOString(),
    boot,
    seq: ++seq,
    agent_version: '0.0.0',
    host: {
      cpu_percent: 0,
      memory_used_bytes: 0,
      memory_total_bytes: 0,
      disk_used_bytes: 0,
      disk_total_bytes: 0,
    },
    instances: [{ name: instance, ...report }],
  };
}

const rollUp = () => new StatsRollUp(fleet.platform).run();

const figures = `samples, running_samples, players_samples, players_sum::int, players_min, players_max, fps_samples,
  fps_sum, fps_min, entities_samples, entities_sum::int, entities_max`;

async function rolledUp(instance: string, table: string) {
  return fleet.database.query(
    `select bucket_at, map_id, ${figures} from ${table} as bucket join game_instance on game_instance.id = instance_id
     where name = $1 order by bucket_at, map_id`,
    [instance],
  );
}

/** The same from the raw rows. */
async function counted(instance: string, bucket: string) {
  return fleet.database.query(
    `select ${bucket} as bucket_at, coalesce(map_id, $2) as map_id, count(*)::int as samples,
       count(*) filter (where stats.state = 'running')::int as running_samples,
       count(stats.players)::int as players_samples, coalesce(sum(stats.players), 0)::int as players_sum,
       min(stats.players) as players_min, max(stats.players) as players_max,
       count(stats.fps)::int as fps_samples, coalesce(sum(stats.fps), 0) as fps_sum, min(stats.fps) as fps_min,
       count(stats.entities)::int as entities_samples, coalesce(sum(stats.entities), 0)::int as entities_sum,
       max(stats.entities) as entities_max
     from instance_stats as stats join game_instance on game_instance.id = instance_id
     where name = $1 group by 1, 2 order by 1, 2`,
    [instance, noMap],
  );
}

async function expectExact(instance: string): Promise<void> {
  for (const [table, bucket] of [
    ['instance_stats_5m', `date_bin('5 minutes', recorded_at, 'epoch')`],
    ['instance_stats_hour', `date_trunc('hour', recorded_at, 'UTC')`],
    ['instance_stats_day', `date_trunc('day', recorded_at, 'UTC')`],
  ] as const) {
    expect(await rolledUp(instance, table)).toEqual(await counted(instance, bucket));
  }
}

const sample: fc.Arbitrary<Sample> = fc.record({
  minutes: fc.integer({ min: 0, max: 26 * 60 * 10 }).map((tenths) => tenths / 10),
  report: fc.record(
    {
      state: fc.constantFrom('running', 'starting', 'stopped', 'crashed'),
      uptime_seconds: fc.nat(100),
      players: fc.nat(200),
      // Sums of these are exact in any order.
      fps: fc.nat(1_000).map((quarters) => quarters / 4),
      entities: fc.nat(100_000),
      map: fc.constantFrom('Procedural Map', 'Barren', ''),
    },
    { requiredKeys: ['state', 'uptime_seconds'] },
  ),
});

it('equal the raw rows, with late rows and roll-ups at any time between', async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: sample },
    { weight: 1, arbitrary: fc.constant('roll up' as const) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const instance = `instance-${randomUUID()}`;
      for (const item of steps) await (item === 'roll up' ? rollUp() : store(instance, item));
      await rollUp();
      await expectExact(instance);
      await rollUp();
      await expectExact(instance);
    }),
    { numRuns: 15 },
  );
});

it('include rows that waited meanwhile, at their sent times', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sample, { minLength: 1, maxLength: 40 }), async (samples) => {
      const instance = `instance-${randomUUID()}`;
      const inOrder = samples.toSorted((one, other) => one.minutes - other.minutes);
      await storeAll(instance, inOrder, base + 27 * 60 * minute);
      const rows = await fleet.database.query<{ at: string | Date }>(
        `select recorded_at as at from instance_stats join game_instance on game_instance.id = instance_id
         where name = $1 order by 1`,
        [instance],
      );
      const times = new Set(samples.map(({ minutes }) => base + minutes * minute));
      expect(rows.map(({ at }) => new Date(at).getTime())).toEqual([...times].toSorted((a, b) => a - b));
      await rollUp();
      await expectExact(instance);
      const [now] = await fleet.database.query('select state from game_instance where name = $1', [instance]);
      expect(now).toEqual({ state: inOrder.at(-1)?.report.state });
    }),
    { numRuns: 15 },
  );
});

it('include waiting rows of a known instance that the newest heartbeat does not name', async () => {
  const report = { state: 'running', uptime_seconds: 1, players: 3 } as const;
  const [gone, there] = [`instance-${randomUUID()}`, `instance-${randomUUID()}`];
  await store(gone, { minutes: 1, report });
  const unknown = `instance-${randomUUID()}`;
  const batch = [
    { instance: gone, minutes: 2 },
    { instance: unknown, minutes: 3 },
    { instance: there, minutes: 4 },
  ].map(({ instance, minutes }) => ({
    hostId,
    beat: beatOf(instance, { minutes, report }),
    receivedAt: new Date(base + 5 * minute),
  }));
  await storeHeartbeats(fleet.connection.pool, batch, maps);
  expect(await rolledUp(gone, 'instance_stats_5m')).toMatchObject([{ samples: 2 }]);
  expect(await rolledUp(there, 'instance_stats_5m')).toMatchObject([{ samples: 1 }]);
  expect(await rolledUp(unknown, 'instance_stats_5m')).toEqual([]);
});

it('are the same with several at work while rows arrive', async () => {
  const instance = `instance-${randomUUID()}`;
  const samples = fc.sample(sample, { numRuns: 80, seed: 5 });
  let isOver = false;
  const workers = Array.from({ length: 3 }, async () => {
    while (!isOver) await rollUp();
  });
  for (const item of samples) await store(instance, item);
  isOver = true;
  await Promise.all(workers);
  await rollUp();
  await expectExact(instance);
});

it('are the same when the roll-up is killed halfway', async () => {
  const instance = `instance-${randomUUID()}`;
  const report = { state: 'running', uptime_seconds: 1, players: 3 } as const;
  for (const minutes of [1, 7]) await store(instance, { minutes, report });
  const holder = await fleet.connection.pool.connect();
  await holder.query('begin; lock table instance_stats_day in exclusive mode');
  const killed = expect(rollUp()).rejects.toThrow();
  await until(async () => {
    const killing = await fleet.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
    );
    return killing.length;
  }, 'waiting for the days');
  await killed;
  await holder.query('rollback');
  holder.release();
  expect(await rolledUp(instance, 'instance_stats_hour')).toEqual([]);
  await rollUp();
  await expectExact(instance);
});

it('have five minutes at once, and an hour and a day once five minutes are over', async () => {
  const instance = `instance-${randomUUID()}`;
  const report = { state: 'running', uptime_seconds: 1, players: 3 } as const;
  await store(instance, { minutes: (Date.now() - base) / minute, report });
  await rollUp();
  expect(await rolledUp(instance, 'instance_stats_5m')).toMatchObject([{ samples: 1, players_sum: 3 }]);
  expect(await rolledUp(instance, 'instance_stats_hour')).toEqual([]);
});

it('count a repeated heartbeat once', async () => {
  const instance = `instance-${randomUUID()}`;
  const report = { state: 'running', uptime_seconds: 1, players: 3 } as const;
  await store(instance, { minutes: 5, report });
  await store(instance, { minutes: 5, report });
  await rollUp();
  expect(await rolledUp(instance, 'instance_stats_day')).toMatchObject([{ samples: 1 }]);
});

it.each(['drop_month_partitions', 'drop_day_partitions'])(
  '%s reads the names of partitions only, under any plan',
  async (name) => {
    const parent = name === 'drop_day_partitions' ? 'event_log' : 'instance_stats';
    await fleet.database.query(
      `set enable_nestloop = off; set enable_mergejoin = off;
       select ${name}('${parent}', 40); reset enable_nestloop; reset enable_mergejoin`,
    );
  },
);

it('are kept longer than their source rows', async () => {
  const tables = ['instance_stats', 'instance_stats_5m', 'instance_stats_hour'];
  for (const table of tables)
    await fleet.database.query(
      `select create_month_partitions($1, (current_date - interval '28 months')::date, 29)`,
      [table],
    );
  await runMaintenance(new BatchRunner(fleet.platform));
  const kept = await fleet.database.query<{ parent: string; months: number }>(
    `select inhparent::regclass::text as parent, count(*)::int as months from pg_inherits
     where inhparent::regclass::text = any($1) group by 1 order by 2`,
    [tables],
  );
  expect(kept.map(({ parent }) => parent)).toEqual(tables);
  expect(kept[0]?.months).toBeLessThanOrEqual(5);
  expect(kept[2]?.months).toBeGreaterThan(26);
});
