// The archive of closed months: its figures equal the counted ones, licenses stay apart, and forgotten players leave it.
import { join } from 'node:path';
import { addWipe, openRollUps } from '../support/analytics.ts';
import { ArchiveWorld, dayMs, monthStart, type Played, type TestArchive } from '../support/archive.ts';
import type { Tenant, World } from '../support/world.ts';

let opened: ArchiveWorld;
let world: World;
let archive: TestArchive;

beforeAll(async () => {
  opened = await ArchiveWorld.create();
  ({ world, archive } = opened);
});

afterAll(async () => {
  await opened.close();
});

async function figures<T>({ owner }: Tenant, path: string, query: Record<string, string>): Promise<T> {
  return (await world.call('get', `/api/analytics/${path}`, owner).query(query).expect(200)).body as T;
}

/** The days on which a player played, as the counts define them. */
const playerDays = (where: string) => `
  select distinct player, unnest(generate_series(date_trunc('day', started_at),
    date_trunc('day', greatest(coalesce(ended_at, started_at), started_at + interval 1 millisecond) - interval 1 millisecond),
    interval 1 day))::date as day
  from sessions where ${where}`;

describe('figures of the archive', () => {
  let played: Played;

  beforeAll(async () => {
    played = await opened.play(1, 3_000);
    for (const [index, instanceId] of played.instances.entries())
      for (const ago of [7, 5, 3])
        await addWipe(world, played.tenant, {
          instanceId,
          at: new Date(monthStart(ago) + (3 + index) * dayMs + 7_200_000),
        });
    await (await openRollUps(world)).run();
    await archive.run();
  });

  const ask = (sql: string) => archive.ask(played.tenant.license.id, sql);

  const scopes = (): [string, Record<string, string>][] => [
    ['true', {}],
    [`instance_id = '${played.instances[0]}'`, { instance_id: played.instances[0] ?? '' }],
  ];

  it('equal the counted players of each day, unique and new', async () => {
    for (const [where, query] of scopes()) {
      const counted = await figures<{
        from: string;
        unique_players: number;
        new_players: number;
        days: { day: string; unique_players: number; new_players: number }[];
      }>(played.tenant, 'players', { days: '366', ...query });
      const days = await ask(`
        with days as (${playerDays(where)}), firsts as (select player, min(day) as day from days group by player)
        select days.day::varchar, count(*), count(*) filter (where firsts.day = days.day)
        from days join firsts using (player) where days.day >= '${counted.from}' group by days.day order by days.day`);
      expect(days.length).toBeGreaterThan(50);
      expect(days).toEqual(
        counted.days.map(({ day, unique_players, new_players }) => [day, unique_players, new_players]),
      );
      const [[unique] = []] = await ask(
        `with days as (${playerDays(where)}) select count(distinct player) from days where day >= '${counted.from}'`,
      );
      expect(unique).toBe(counted.unique_players);
    }
  });

  it('equal the counted lengths of sessions', async () => {
    for (const [where, query] of scopes()) {
      const counted = await figures<{
        from: string;
        sessions: number;
        average_seconds: number;
        lengths: { sessions: number }[];
      }>(played.tenant, 'session-lengths', { days: '366', ...query });
      const [row = []] = await ask(`
        with lengths as (
          select case when has_join then epoch_ms(ended_at) - epoch_ms(started_at) end as ms from sessions
          where ${where} and started_at >= '${counted.from}'
        )
        select count(*), round(sum(ms) / count(ms)) / 1000,
          ${[0, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 1e9]
            .slice(0, -1)
            .map((from, index) => {
              const to = [300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 1e9][index] ?? 0;
              return `count(*) filter (where ms >= ${from * 1_000} and ms < ${to * 1_000})`;
            })
            .join(', ')}
        from lengths`);
      expect(row).toEqual([
        counted.sessions,
        counted.average_seconds,
        ...counted.lengths.map(({ sessions }) => sessions),
      ]);
    }
  });

  it('equal the counted hours of the week in a time zone', async () => {
    const counted = await figures<{
      from: string;
      hours: { weekday: number; hour: number; average_players: number }[];
    }>(played.tenant, 'peak-hours', { days: '366', time_zone: 'Europe/Berlin' });
    const hours = await ask(`
      with quarters as (
        select unnest(generate_series(timestamp '${counted.from}',
          timestamp '${new Date().toISOString().slice(0, 19)}' - interval 15 minutes, interval 15 minutes)) as since
      ), played as (
        select since, sum(epoch_ms(least(ended_at, since + interval 15 minutes)) - epoch_ms(greatest(started_at, since))) as ms
        from sessions, unnest(generate_series(time_bucket(interval 15 minutes, started_at), ended_at, interval 15 minutes)) as quarter(since)
        where since < ended_at group by since
      ), local as (
        select timezone('Europe/Berlin', timezone('UTC', since)) as at_local, coalesce(ms, 0) as ms
        from quarters left join played using (since)
      )
      select isodow(at_local), hour(at_local), sum(ms) / (count(*) * 900000.0) from local group by 1, 2 order by 1, 2`);
    expect(hours).toHaveLength(168);
    expect(
      hours.map(([weekday, hour, players]) => [weekday, hour, Math.round(Number(players) * 100) / 100]),
    ).toEqual(counted.hours.map(({ weekday, hour, average_players }) => [weekday, hour, average_players]));
    expect(counted.hours.some(({ average_players }) => average_players > 0)).toBe(true);
  });

  it('equal the counted retention after wipes', async () => {
    const counted = await figures<{
      wipes: { wipe_id: string; cohort_players: number; points: { players: number }[] }[];
    }>(played.tenant, 'retention', { wipes: '20' });
    expect(counted.wipes).toHaveLength(6);
    const meets = (hours: number) => `bool_or(started_at < wiped_at + interval '${hours + 24} hours'
      and greatest(coalesce(ended_at, started_at), started_at + interval 1 millisecond) > wiped_at + interval '${hours} hours')`;
    const rows = await ask(`
      with days as (
        select wipe_id, player, ${[0, 24, 48, 72].map((hours) => `${meets(hours)} as d${hours}`).join(', ')}
        from wipes join sessions using (instance_id) group by all
      )
      select wipe_id::varchar, count(*) filter (where d0), count(*) filter (where d0 and d24),
        count(*) filter (where d0 and d48), count(*) filter (where d0 and d72)
      from days group by wipe_id order by wipe_id`);
    expect(rows).toEqual(
      counted.wipes
        .map(({ wipe_id, cohort_players, points }) => [
          wipe_id,
          cohort_players,
          ...points.map(({ players }) => players),
        ])
        .toSorted((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1)),
    );
    expect(rows.some(([, , , , last]) => Number(last) > 0)).toBe(true);
  });

  it('lead from a number to a player whom the platform knows', async () => {
    const [[most] = []] = await ask(
      `select name from sessions join players using (player) group by all order by count(*) desc, name limit 1`,
    );
    const [expected] = await world.database.query<{ name: string }>(
      `select name from player_session join player using (license_id, steam_id) where license_id = $1
       group by name order by count(*) desc, name limit 1`,
      [played.tenant.license.id],
    );
    expect(most).toBe(expected?.name);
  });

  it('are of the named months', async () => {
    const month = new Date(monthStart(5)).toISOString().slice(0, 7);
    const [[first, last] = []] = await archive.ask(
      played.tenant.license.id,
      'select min(started_at)::varchar, max(started_at)::varchar from sessions',
      { from: month, to: month },
    );
    expect([String(first).slice(0, 7), String(last).slice(0, 7)]).toEqual([month, month]);
  });
});

/** Heartbeats' stats of three months ago, and the figures that the platform counts of them. */
async function addStats({ tenant, instances }: Played): Promise<void> {
  const columns = `license_id, instance_id, bucket_at, map_id, samples, running_samples, players_samples, players_sum,
    players_min, players_max, fps_samples, fps_sum, fps_min, entities_samples, entities_sum, entities_max`;
  await world.database.query(
    `insert into instance_stats_5m (${columns}, is_rolled_up)
     select $1, instance_id, bucket_at, '${'0'.repeat(8)}-0000-0000-0000-000000000000', 30, 30, 30, n * 30, n, n + 2, 30,
       n / 3.0::float8, 1e-7 * n, 30, 9007199254740993 - n, null, true
     from unnest($2::uuid[]) as instance_id, generate_series(1, 600) as n
     cross join lateral (select $3::timestamptz + n * interval '5 minutes' as bucket_at) as bucket`,
    [tenant.license.id, instances, new Date(monthStart(3)).toISOString()],
  );
  await world.database.query(
    `insert into instance_stats_hour (${columns})
     select license_id, instance_id, date_trunc('hour', bucket_at), map_id, sum(samples), sum(running_samples),
       sum(players_samples), sum(players_sum), min(players_min), max(players_max), sum(fps_samples), sum(fps_sum),
       min(fps_min), sum(entities_samples), sum(entities_sum) / 1000, max(entities_max)
     from instance_stats_5m where license_id = $1 group by 1, 2, 3, 4`,
    [tenant.license.id],
  );
}

it.each(['5m', 'hours'])('stats of %s are the rows of the database, to the last digit', async (kind) => {
  const played = await opened.play(2, 10);
  await addStats(played);
  await archive.run();
  const columns = `instance_id, bucket_at, samples, players_sum, players_min, players_max, fps_sum, fps_min, entities_sum, entities_max`;
  const stored = await world.database.query<Record<string, unknown>>(
    `select ${columns.replace('bucket_at', `to_char(bucket_at, 'YYYY-MM-DD HH24:MI:SS') as bucket_at`)}
     from instance_stats_${kind === '5m' ? '5m' : 'hour'} where license_id = $1 order by 1, 2`,
    [played.tenant.license.id],
  );
  const archived = await archive.ask(
    played.tenant.license.id,
    `select ${columns.replace('bucket_at', 'bucket_at::varchar')} from stats_${kind} order by 1, 2`,
  );
  expect(archived.length).toBeGreaterThan(99);
  const exact = (value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  expect(archived.map((row) => row.map(String))).toEqual(
    stored.map((row) => Object.values(row).map((value) => String(exact(value)))),
  );
});

describe('licenses', () => {
  it('have files below a prefix of their own, with their own rows only', async () => {
    const [one, other] = [await opened.play(3, 200), await opened.play(4, 100)];
    await archive.run();
    for (const { tenant, instances } of [one, other]) {
      const rows = await opened.archivedRows(tenant.license.id);
      expect(await opened.licenseFiles(tenant.license.id)).toEqual(
        rows.map(({ file_id }) => file_id).toSorted(),
      );
      const found = await archive.ask(
        tenant.license.id,
        'select distinct instance_id::varchar from sessions order by 1',
      );
      expect(found.flat()).toEqual(instances.toSorted());
    }
    const foreign = `read_parquet('${join(opened.folder, 'archive', other.tenant.license.id, '*')}')`;
    for (const sql of [
      `select * from ${foreign}`,
      `copy sessions to '${join(opened.folder, 'copied')}'`,
      `attach '${join(opened.folder, 'attached')}'`,
      'set enable_external_access = true',
      `set allowed_directories = ['${opened.folder}']`,
      'install httpfs',
      `select * from read_csv('/etc/passwd')`,
    ])
      await expect(archive.ask(one.tenant.license.id, sql)).rejects.toMatchObject({ name: 'ConfigError' });
  });

  it('that are sandboxes have no archive', async () => {
    const { tenant } = await opened.play(5, 10);
    await world.database.query('update license set is_sandbox = true where id = $1', [tenant.license.id]);
    await archive.run();
    expect(await opened.archivedRows(tenant.license.id)).toEqual([]);
    await world.database.query('update license set is_sandbox = false where id = $1', [tenant.license.id]);
  });

  it('take the numbers of players along when they are forgotten, and later files have no number of theirs', async () => {
    const { tenant } = await opened.play(6, 50);
    const { id } = tenant.license;
    await world.database.query(
      `delete from player where license_id = $1 and steam_id = (select min(steam_id) from player where license_id = $1)`,
      [id],
    );
    await archive.run();
    const [[numbered, forgotten] = []] = await archive.ask(
      id,
      'select count(distinct player) filter (where player > 0), count(distinct player) filter (where player < 0) from sessions',
    );
    const [known] = await world.database.query<{ players: number }>(
      'select count(*)::integer as players from player where license_id = $1',
      [id],
    );
    expect(numbered).toBe(known?.players);
    expect(forgotten).toBeGreaterThan(0);
    await world.database.query('delete from player where license_id = $1', [id]);
    expect(await archive.ask(id, 'select * from sessions join players using (player)')).toEqual([]);
    const text = JSON.stringify(await archive.ask(id, 'select * from sessions'));
    expect(text).not.toContain('76561');
  });
});
