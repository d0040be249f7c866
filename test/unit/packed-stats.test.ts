// Stats of heartbeats are packed by the hour without loss: nothing is missing, nothing counts twice, every reader finds
// the same points as before.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { pino } from 'pino';
import { PlatformScope } from '../../src/database/platform-scope.ts';
import { Reader } from '../../src/database/reader.ts';
import { Transactions } from '../../src/database/transactions.ts';
import { connectDatabase } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { migrations } from '../../src/database/migrations/index.ts';
import { gameInstanceStates } from '../../src/entities/game-instance.ts';
import { PlayedMaps } from '../../src/ingest/played-maps.ts';
import { storeHeartbeats } from '../../src/ingest/write-heartbeats.ts';
import { StatsPacking } from '../../src/jobs/stats-packing.ts';
import { StatsRollUp } from '../../src/jobs/stats-roll-up.ts';
import { packPoints, unpackPoints, type StatsPoint } from '../../src/packed-stats/codec.ts';
import { packingLock } from '../../src/packed-stats/lateness.ts';
import { newestPoints, pointsAfter, type PointRow } from '../../src/packed-stats/points.ts';
import { patientLimits, createEmptyDatabase } from '../support/database.ts';
import { openFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';
import { until } from '../support/until.ts';

const [license, someInstance] = [
  '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01',
  '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d02',
] as const;

const option = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.nat(1_000).map((tenths) => tenths / 10),
  fc.maxSafeInteger(),
);
const point: fc.Arbitrary<StatsPoint> = fc.record(
  {
    recorded_at: fc
      .date({
        min: new Date('1970-01-01T00:00:00Z'),
        max: new Date('2500-01-01T00:00:00Z'),
        noInvalidDate: true,
      })
      .map((at) => at.toISOString()),
    state: fc.constantFrom(...gameInstanceStates),
    uptime_seconds: fc.maxSafeNat(),
    players: option(fc.nat(100_000)),
    max_players: option(fc.nat(100_000)),
    queued: option(fc.nat(100_000)),
    fps: option(number),
    entities: option(fc.nat(1_000_000_000)),
    map: option(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'Procedural Map'))),
    map_id: option(fc.uuid()),
    cpu_percent: option(number),
    memory_bytes: option(fc.maxSafeInteger()),
  },
  { noNullPrototype: true },
);

it('packing loses no digit', () => {
  fc.assert(
    fc.property(fc.array(point, { maxLength: 40 }), (points) => {
      expect(unpackPoints(packPoints(points))).toStrictEqual(points);
    }),
    { numRuns: 500 },
  );
});

it('refuses bytes of another version', () => {
  expect(() => unpackPoints(Buffer.of(2, 0))).toThrow('unknown version 2');
});

describe('in the database', () => {
  let fleet: FleetDatabase;
  let hostId: string;
  let instance: { id: string; name: string };
  let seq = 0;
  const boot = randomUUID();
  const maps = new PlayedMaps();
  const secondMs = 1_000;
  const hourMs = 3_600_000;
  /** The hour from three hours ago on, two of which are over long enough. */
  const base = Math.floor(Date.now() / hourMs) * hourMs - 3 * hourMs;

  beforeAll(async () => {
    fleet = await openFleetDatabase();
  });
  afterAll(() => fleet.close());
  beforeEach(async () => {
    hostId = await fleet.createHost();
    instance = await fleet.createInstance(hostId);
  });

  const beat = (seconds: number, players = 1) => ({
    hostId,
    receivedAt: new Date(),
    beat: {
      v: 1 as const,
      sent_at: new Date(base + seconds * secondMs).toISOString(),
      boot,
      seq: ++seq,
      agent_version: '0',
      host: {
        cpu_percent: 0,
        memory_used_bytes: 0,
        memory_total_bytes: 0,
        disk_used_bytes: 0,
        disk_total_bytes: 0,
      },
      instances: [
        {
          name: instance.name,
          state: 'running' as const,
          uptime_seconds: Math.floor(seconds),
          players,
          fps: 58.9 + players / 7,
          map: 'Island',
          cpu_percent: 31.4,
          memory_bytes: 9_126_805_504 + players,
        },
      ],
    },
  });
  const store = (...beats: ReturnType<typeof beat>[]) => storeHeartbeats(fleet.connection.pool, beats, maps);

  const rollUp = () => new StatsRollUp(fleet.platform).run();
  // The column keeps milliseconds, so the time of now could be rounded up beyond the next statement's.
  const makeDue = () =>
    fleet.database.query(`update instance_stats_due set due_at = now() - interval '1 millisecond'`);
  async function pack(): Promise<void> {
    await rollUp();
    await makeDue();
    await new StatsPacking(fleet.platform).run();
  }

  async function countOf(table: string): Promise<number> {
    const [row] = await fleet.database.query<{ count: number }>(
      `select count(*)::int as count from ${table} where instance_id = $1`,
      [instance.id],
    );
    return row?.count ?? 0;
  }

  async function samples(): Promise<unknown> {
    const rows = await fleet.database.query<object>(
      `select bucket_at, map_id, samples, players_sum::int, fps_sum from instance_stats_5m where instance_id = $1
       order by 1, 2`,
      [instance.id],
    );
    return rows;
  }

  const newest = (count = 1_000, { from = new Date(base).toISOString(), before = [] as string[] } = {}) =>
    fleet.inLicense((ctx) =>
      ctx.read((queries) =>
        newestPoints(queries, { licenseId: fleet.licenseId, instanceId: instance.id, from, before, count }),
      ),
    );

  async function exported(): Promise<PointRow[]> {
    const rows: PointRow[] = [];
    await fleet.inLicense(async (ctx) => {
      let position: Awaited<ReturnType<typeof pointsAfter>>['next'];
      do {
        const { points, next } = await ctx.read((queries) => pointsAfter(queries, fleet.licenseId, position));
        rows.push(...points);
        position = next;
      } while (position !== undefined);
    });
    return rows.filter(({ instance_id: id }) => id === instance.id);
  }

  const every = (seconds: number, from: number, to: number) =>
    Array.from({ length: Math.floor((to - from) / seconds) }, (_, index) => from + index * seconds);

  it('every range, page and export is the same before and after', async () => {
    await store(...every(47, 13, 2.5 * 3_600).map((at) => beat(at + 0.123, at % 50)));
    const ranges = [
      {},
      { before: [new Date(base + 3_600_000).toISOString()] },
      { from: new Date(base + 60_123).toISOString(), before: [new Date(base + 4_000_123).toISOString()] },
      { before: [new Date(base + 60_123).toISOString().replace('Z', '4Z')] },
      { from: new Date(base + hourMs).toISOString(), before: [new Date(base + hourMs).toISOString()] },
    ];
    const read = async () => ({
      ranges: await Promise.all(ranges.map((range) => newest(1_000, range))),
      pages: await Promise.all([1, 5, 26, 101].map((count) => newest(count, ranges[1]))),
      exported: await exported(),
    });
    const before = await read();
    expect(before.exported).toHaveLength(191);
    expect(before.ranges[0]).toHaveLength(191);
    await pack();
    expect(await countOf('instance_stats')).toBe(0);
    expect(await countOf('instance_stats_packed')).toBe(3);
    expect(await read()).toEqual(before);
  });

  it('late and repeated heartbeats join a packed hour, and each counts once', async () => {
    const times = every(60, 0, 3_600);
    const first = times.filter((at) => at % 120 === 0).map((at) => beat(at, 1));
    const late = times.filter((at) => at % 120 !== 0).map((at) => beat(at, 2));
    await store(...first);
    await pack();
    expect(await countOf('instance_stats')).toBe(0);
    // A batch whose commit was not confirmed is stored again, behind a newer heartbeat.
    await store(...first, ...late, beat(3_599, 3));
    expect(await countOf('instance_stats')).toBe(late.length + 1);
    const between = await newest();
    expect(between).toHaveLength(61);
    await pack();
    expect(await countOf('instance_stats')).toBe(0);
    await store(...first, ...late, beat(3_598, 3));
    expect(await newest()).toHaveLength(62);
    expect((await newest()).filter(({ players }) => players !== 3)).toEqual(
      between.filter(({ players }) => players !== 3),
    );
    await rollUp();
    expect(await samples()).toMatchObject(
      Array.from({ length: 12 }, (_, index) => ({ samples: index === 11 ? 7 : 5 })),
    );
  });

  it('is due an hour after the end of the hour, and again an hour after late heartbeats', async () => {
    await store(beat(0, 1), beat(2 * 3_600, 1));
    await rollUp();
    const due = () =>
      fleet.database.query(
        `select hour_at, (extract(epoch from due_at - greatest(now(), hour_at + interval '1 hour')) / 60)::int as minutes
         from instance_stats_due where instance_id = $1 order by 1`,
        [instance.id],
      );
    expect(await due()).toMatchObject([{ minutes: 60 }, { minutes: 60 }]);
    await new StatsPacking(fleet.platform).run();
    expect(await countOf('instance_stats')).toBe(2);
    await makeDue();
    await new StatsPacking(fleet.platform).run();
    expect([await countOf('instance_stats'), await due()]).toEqual([0, []]);
    await store(beat(10, 1));
    await rollUp();
    expect(await due()).toMatchObject([{ minutes: 60 }]);
  });

  it('nothing is lost and nothing counts twice when it is killed halfway', async () => {
    await store(...every(60, 0, 3_600).map((at) => beat(at, at % 7)));
    const before = await newest();
    await rollUp();
    await makeDue();
    const holder = await fleet.connection.pool.connect();
    await holder.query('begin; lock table instance_stats_packed in exclusive mode');
    const killed = expect(new StatsPacking(fleet.platform).run()).rejects.toThrow();
    await until(async () => {
      const killing = await fleet.database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
      );
      return killing.length;
    }, 'waiting for the packed rows');
    await killed;
    await holder.query('rollback');
    holder.release();
    expect(await countOf('instance_stats')).toBe(60);
    await new StatsPacking(fleet.platform).run();
    expect([await countOf('instance_stats'), await countOf('instance_stats_packed')]).toEqual([0, 1]);
    expect(await newest()).toEqual(before);
  });

  it('waits while late heartbeats are stored, and they wait for it', async () => {
    await store(beat(0, 1));
    await rollUp();
    await makeDue();
    const holder = await fleet.connection.pool.connect();
    await holder.query('begin');
    await holder.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [packingLock]);
    await new StatsPacking(fleet.platform).run();
    expect(await countOf('instance_stats')).toBe(1);
    await store(beat(1, 1));
    await holder.query('rollback; begin');
    await holder.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [packingLock]);
    const stored = store(beat(2, 1));
    await until(async () => {
      const waiting = await fleet.database.query(
        `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
      );
      return waiting.length;
    }, 'a late heartbeat waits');
    await holder.query('rollback');
    holder.release();
    await stored;
    expect(await countOf('instance_stats')).toBe(3);
  });

  it('several at work, rows that arrive and readers meanwhile: every point is found once', async () => {
    const log = pino({ level: 'silent' });
    const other = await connectDatabase({ url: fleet.database.url, limits: patientLimits, poolSize: 2, log });
    const platforms = [
      fleet.platform,
      new PlatformScope(new Transactions(other.orm, log), new Reader(other.pool)),
    ];
    let isOver = false;
    const workers = platforms.map(async (platform) => {
      while (!isOver) {
        await new StatsRollUp(platform).run();
        await makeDue();
        await new StatsPacking(platform).run();
      }
    });
    const missing: unknown[] = [];
    let stored = 0;
    const readers = [newest, exported].map(async (read) => {
      while (!isOver) {
        const least = stored;
        const times = (await read()).map(({ recorded_at: at }) => Date.parse(at));
        if (times.length < least || new Set(times).size < times.length) missing.push([least, times.length]);
      }
    });
    for (const at of every(120, 0, 2 * 3_600)) {
      await store(beat(at, 1), beat(at + 30, 2));
      stored += 2;
    }
    isOver = true;
    await Promise.all([...workers, ...readers]);
    expect(missing).toEqual([]);
    await pack();
    expect([await countOf('instance_stats'), (await newest()).length]).toEqual([0, 120]);
    const [sum] = await fleet.database.query(
      'select sum(samples)::int as samples from instance_stats_day where instance_id = $1',
      [instance.id],
    );
    expect(sum).toEqual({ samples: 120 });
    await other.close();
  });
});

it('rows of the former program are packed after the upgrade', async () => {
  const database = await createEmptyDatabase();
  const log = pino({ level: 'silent' });
  const since = migrations.findIndex(({ name }) => name === '0113-packed-stats');
  await migrate({ url: database.url }, log, migrations.slice(0, since));
  const oldest = `date_trunc('month', now() - interval '2 months', 'UTC')`;
  await database.query(
    `select create_month_partitions(parent, ${oldest}::date, 3)
     from unnest(array['instance_stats', 'instance_stats_hour']) as parent`,
  );
  await database.query(
    `insert into instance_stats (license_id, instance_id, recorded_at, state, uptime_seconds, fps)
     select '${license}', '${someInstance}', at, 'running', 7, 58.9
     from unnest(array[${oldest}, now() - interval '5 hours']) as start,
       lateral generate_series(start, start + interval '90 minutes', interval '10 seconds') as at`,
  );
  await database.query(
    `insert into instance_stats_hour (license_id, instance_id, bucket_at, map_id, samples, running_samples,
       players_samples, players_sum, fps_samples, fps_sum, entities_samples, entities_sum)
     select license_id, instance_id, date_trunc('hour', recorded_at, 'UTC'), instance_id, count(*), 0, 0, 0, 0, 0, 0, 0
     from instance_stats group by 1, 2, 3, 4`,
  );
  await migrate({ url: database.url }, log);
  const connection = await connectDatabase({ url: database.url, limits: patientLimits, poolSize: 2, log });
  const reader = new Reader(connection.pool);
  const platform = new PlatformScope(new Transactions(connection.orm, log), reader);
  const read = () =>
    reader.read({ licenseId: license }, (queries) =>
      newestPoints(queries, {
        licenseId: license,
        instanceId: someInstance,
        from: '1970-01-01T00:00:00.000Z',
        before: [],
        count: 2_000,
      }),
    );
  const before = await read();
  expect(before).toHaveLength(2 * 541);
  await new StatsPacking(platform).run();
  expect(await database.query('select from instance_stats')).toEqual([]);
  expect(await read()).toEqual(before);
  await connection.close();
  await database.drop();
});
