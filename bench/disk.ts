// (d) What the stats of a host's heartbeats take on disk in a day, packed by the hour and as one row for each server in
// each heartbeat; and the write-ahead log of a heartbeat with its packing. Each for hosts with one server and with five.
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { connectDatabase } from '../src/database/connection.ts';
import { migrate } from '../src/database/migrate.ts';
import { PlatformScope } from '../src/database/platform-scope.ts';
import { Reader } from '../src/database/reader.ts';
import { Transactions } from '../src/database/transactions.ts';
import { PlayedMaps } from '../src/ingest/played-maps.ts';
import { storeHeartbeats } from '../src/ingest/write-heartbeats.ts';
import { StatsPacking } from '../src/jobs/stats-packing.ts';
import { StatsRollUp } from '../src/jobs/stats-roll-up.ts';
import { openEnvironment } from './support/environment.ts';
import { printComparison, refuseMissed } from './support/figures.ts';
import { heartbeatOf, ServerFigures } from './support/heartbeats.ts';

const hosts = 5;
const hours = Number(process.argv[2] ?? 12);
/** Afterwards as many rows are packed as stored, and files have their first pages. */
const firstHours = 4;
const intervalMs = 10_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const tables = [
  'instance_stats',
  'instance_stats_packed',
  'instance_stats_due',
  'instance_stats_5m',
  'instance_stats_hour',
  'instance_stats_day',
];

const environment = await openEnvironment();
const log = pino({ level: 'error' });
await migrate({ url: environment.databaseUrl }, log);
const connection = await connectDatabase({ url: environment.databaseUrl, poolSize: 2, log });
const platform = new PlatformScope(new Transactions(connection.orm, log), new Reader(connection.pool));
/** Yesterday, so that every hour of it is over. */
const startMs = Math.floor(Date.now() / dayMs) * dayMs - dayMs;

interface Measured {
  /** Bytes of a host and day, by table. */
  growth: Record<string, number>;
  /** Bytes of a host. */
  waiting: number;
  walPerHeartbeat: number;
}

try {
  for (const servers of [1, 5]) {
    const plain = await storeHours(servers, false);
    const packed = await storeHours(servers, true);
    const [ours, theirs] = [kb(sumOf(packed.growth)), kb(sumOf(plain.growth))];
    printComparison({
      name: `disk per host and day, heartbeats of ${servers} ${servers === 1 ? 'server' : 'servers'} every 10 s`,
      baseline: 'a row for each server in each heartbeat, and the same roll-ups',
      unit: 'KB',
      ours: [ours],
      theirs: [theirs],
      aim: '≤ 0.1',
    });
    refuseMissed(ours > 1_000);
    for (const [table, bytes] of Object.entries(packed.growth))
      console.log(`  ${table.padEnd(24)} ${Math.round(kb(bytes))} KB`);
    console.log(`  rows that wait to be packed, once for each host: ${Math.round(kb(packed.waiting))} KB`);
    printComparison({
      name: `write-ahead log of a heartbeat of ${servers} ${servers === 1 ? 'server' : 'servers'}, roll-ups and packing included`,
      baseline: 'without packing',
      unit: 'bytes',
      ours: [packed.walPerHeartbeat],
      theirs: [plain.walPerHeartbeat],
      aim: '≤ 1.25',
    });
  }
} finally {
  await connection.close();
  await environment.stop();
}

function sumOf(bytes: Record<string, number>): number {
  return Object.values(bytes).reduce((sum, size) => sum + size, 0);
}

function kb(bytes: number): number {
  return bytes / 1_000;
}

async function storeHours(servers: number, isPacked: boolean): Promise<Measured> {
  await connection.pool.query(`truncate ${tables.join(', ')}`);
  const hostIds = await enroll();
  const maps = new PlayedMaps();
  const boot = randomUUID();
  const figures = hostIds.map(() => Array.from({ length: servers }, () => new ServerFigures()));
  let seq = 0;
  let first: Record<string, number> = {};
  const walStart = await walPosition();
  for (let hour = 0; hour < hours; hour += 1) {
    if (hour === firstHours) first = await sizes();
    for (let atMs = 0; atMs < hourMs; atMs += intervalMs) {
      seq += 1;
      await storeHeartbeats(
        connection.pool,
        hostIds.map((hostId, host) => {
          // Timers are a few milliseconds late.
          const receivedAt = new Date(
            startMs + hour * hourMs + atMs + host * 700 + Math.floor(Math.random() * 8),
          );
          const beat = heartbeatOf(boot, seq, servers);
          return {
            hostId,
            receivedAt,
            beat: {
              ...beat,
              sent_at: receivedAt.toISOString(),
              instances: beat.instances.map((report, server) => ({
                ...report,
                ...figures[host]?.[server]?.next(),
              })),
            },
          };
        }),
        maps,
      );
    }
    await new StatsRollUp(platform).run();
    if (isPacked) {
      // Each hour an hour after its end, as at the time.
      await connection.pool.query(`update instance_stats_due set due_at = now() where hour_at < $1`, [
        new Date(startMs + hour * hourMs),
      ]);
      await new StatsPacking(platform).run();
    }
    // As autovacuum does, which cannot keep up with a day in a minute.
    await connection.pool.query(`vacuum ${tables.join(', ')}`);
  }
  const wal = (await walPosition()) - walStart;
  const grown = await sizes();
  const growth = tables.map((table) => {
    const bytes = (grown[table] ?? 0) - (first[table] ?? 0);
    return [table, (bytes / hosts) * (24 / (hours - firstHours))] as const;
  });
  return {
    growth: Object.fromEntries(growth),
    waiting: (grown['instance_stats'] ?? 0) / hosts,
    walPerHeartbeat: wal / (seq * hosts),
  };
}

async function sizes(): Promise<Record<string, number>> {
  const { rows } = await connection.pool.query<{ name: string; bytes: string }>(
    `select name, sum(pg_total_relation_size(relid)) as bytes
     from unnest($1::text[]) as name, pg_partition_tree(name::regclass) where isleaf group by 1`,
    [tables],
  );
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

async function walPosition(): Promise<number> {
  const { rows } = await connection.pool.query<{ bytes: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
  );
  return Number(rows[0]?.bytes);
}

async function enroll(): Promise<string[]> {
  const { rows } = await connection.pool.query<{ id: string }>(
    `with license as (
       insert into license (key, name, subdomain, companion_token_hash)
       select label, label, label, label from (select 'l' || gen_random_uuid() as label) as one returning id
     )
     insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key)
     select license.id, 'host-' || n, 'linux-x64', '1', gen_random_uuid() from license, generate_series(1, $1) n
     returning id`,
    [hosts],
  );
  return rows.map(({ id }) => id);
}
