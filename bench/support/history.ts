// A license with a player history of the requested length, and its counts.
import { pino } from 'pino';
import type pg from 'pg';
import { connectDatabase } from '../../src/database/connection.ts';
import { PlatformScope } from '../../src/database/platform-scope.ts';
import { Reader } from '../../src/database/reader.ts';
import { TenantScope } from '../../src/database/tenant-scope.ts';
import { Transactions } from '../../src/database/transactions.ts';
import { AnalyticsRollUps, sumUpMonths } from '../../src/services/analytics/roll-ups.ts';
import { copyLines } from './copy.ts';

/** Changes counted in one transaction; more than in normal operation. */
const changesAtOnce = 20_000;
const instances = 4;
const maps = 8;
const dayMs = 86_400_000;
const meanLengthMs = 2_700_000;
const maxMs = 43_000_000;
const linesAtOnce = 100_000;

export interface History {
  licenseId: string;
  /** Days up to today. */
  days: number;
  sessionsADay: number;
}

/** Creates the monthly partitions for that many days back. */
export async function preparePartitions(client: pg.Client, days: number): Promise<void> {
  await client.query(
    `select create_month_partitions(parent, (current_date - $1::int)::date, $1::int / 28 + 2)
     from unnest(array['player_session', 'instance_stats_hour']) as parent`,
    [days],
  );
}

/** Four instances that rotate eight maps and are wiped every week; players stay for some months. */
export async function storeHistory(client: pg.Client, { licenseId, days }: History): Promise<void> {
  await client.query(
    `with host as (
       insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key)
       values ($1::uuid, 'host', 'linux-x64', '1', $1::uuid::text) returning id
     )
     insert into game_instance (license_id, host_id, name) select $1::uuid, id, 'i' || n from host, generate_series(1, $2) n`,
    [licenseId, instances],
  );
  await client.query(
    `insert into played_map (license_id, key, name) select $1, 'Map ' || n, 'Map ' || n from generate_series(1, $2) n`,
    [licenseId, maps],
  );
  const played = `
    from (select id, row_number() over (order by id) as n from game_instance where license_id = $1) as instance
    cross join generate_series(current_date - $2::int, current_date - 1, interval '1 day') as day
    join (select id, row_number() over (order by id) as n from played_map where license_id = $1) as map
      on map.n = 1 + (day::date - '2000-01-01'::date) / 7 % ${maps}`;
  const stats = `100, 100, 100, 4000, 20, 60, 100, 6000, 30, 100, 100000, 1200`;
  const columns = `license_id, instance_id, bucket_at, map_id, samples, running_samples, players_samples, players_sum,
    players_min, players_max, fps_samples, fps_sum, fps_min, entities_samples, entities_sum, entities_max`;
  await client.query(
    `insert into instance_stats_day (${columns}) select $1, instance.id, day, map.id, ${stats} ${played}`,
    [licenseId, days],
  );
  await client.query(
    `insert into instance_stats_hour (${columns})
     select $1, instance.id, hour, map.id, ${stats} ${played}
     cross join generate_series(day, day + interval '23 hours', interval '1 hour') as hour`,
    [licenseId, days],
  );
  await client.query(
    `insert into map_day (license_id, instance_id, map_id, day, slots)
     select $1, instance.id, map.id, day, repeat('1', 288)::varbit ${played}`,
    [licenseId, days],
  );
  await client.query(
    `insert into wipe_history (license_id, instance_id, instance_name, kind, countdown_seconds, with_backup, with_start,
       status, finished_at)
     select $1, instance.id, 'main', 'map', 0, false, true, 'completed', day + interval '18 hours' + instance.n * interval '1 minute'
     ${played} where extract(isodow from day) = 4`,
    [licenseId, days],
  );
}

/** By COPY, some days at a time. */
export async function copySessions(
  client: pg.Client,
  { licenseId, days, sessionsADay }: History,
): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    'select id from game_instance where license_id = $1 order by id',
    [licenseId],
  );
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  let lines: string[] = [];
  for (let day = 0; day < days; day += 1) {
    for (let n = 0; n < sessionsADay; n += 1) {
      const player =
        day * Math.ceil(sessionsADay / 400) + Math.floor(Math.random() ** 2 * (sessionsADay / 2));
      const startedAt = today - (days - day) * dayMs + Math.floor((n * dayMs) / sessionsADay);
      const length = Math.min(-Math.log(1 - Math.random()) * meanLengthMs, maxMs);
      const [from, to] = [startedAt, startedAt + Math.floor(length)].map((ms) => new Date(ms).toISOString());
      const fields = [
        licenseId,
        rows[n % rows.length]?.id,
        76561197960300000n + BigInt(player),
        from,
        to,
        from,
        't',
        'leave',
      ];
      lines.push(fields.join('\t'));
    }
    if (lines.length < linesAtOnce && day < days - 1) continue;
    await copyLines(
      client,
      'player_session (license_id, instance_id, steam_id, started_at, ended_at, last_sign_at, has_join, end_reason)',
      lines,
    );
    lines = [];
  }
}

/** Counts all stored sessions; returns the seconds that it took. */
export async function countHistory(databaseUrl: string, client: pg.Client): Promise<number> {
  const log = pino({ level: 'silent' });
  const connection = await connectDatabase({ url: databaseUrl, poolSize: 2, log });
  try {
    const transactions = new Transactions(connection.orm, log);
    const reader = new Reader(connection.pool);
    const began = performance.now();
    await new AnalyticsRollUps(
      new PlatformScope(transactions, reader),
      new TenantScope(transactions, reader),
      { rows: changesAtOnce },
    ).run();
    await client.query(sumUpMonths);
    return (performance.now() - began) / 1_000;
  } finally {
    await connection.close();
  }
}
