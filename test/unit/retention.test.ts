// Source rows of analytics are deleted in batches once no result needs them, and found by an index on the
// day.
import { BatchRunner } from '../../src/jobs/in-batches.ts';
import { deleteOld } from '../../src/jobs/retention.ts';
import { openFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';

let fleet: FleetDatabase;
beforeAll(async () => {
  fleet = await openFleetDatabase();
});
afterAll(() => fleet.close());

const scope = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01';
const other = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d02';

const insert = (table: string, columns: string, rows: string) =>
  fleet.database.query(`insert into ${table} (license_id, ${columns}) select '${fleet.licenseId}', ${rows}`);

/** How many days back each row of the table lies. */
async function ages(table: string, column: string, where = 'true'): Promise<number[]> {
  const rows = await fleet.database.query<{ age: number }>(
    `select distinct (current_date - ${column}::date)::integer as age from ${table}
     where ${column} > '-infinity' and ${where} order by 1`,
  );
  return rows.map(({ age }) => age);
}

const days = `generate_series(-1, 9) as nth, lateral (select array[0, 1, 89, 119, 121, 366, 399, 401, 799, 801, 3000]) as d(of_age),
  lateral (select of_age[nth + 2] as age) as one`;

it('are deleted when no period includes them any more; daily totals are kept', async () => {
  const from = `from ${days}`;
  await insert(
    'session_quarter',
    'scope_id, quarter_at, milliseconds',
    `'${scope}', current_date - age, 1 ${from}`,
  );
  for (const day of ['current_date - age', `'-infinity'::date`]) {
    const of = day.startsWith('c') ? from : '';
    await insert(
      'session_day',
      'scope_id, day, length_class, sessions, milliseconds',
      `'${scope}', ${day}, 1, 1, 1 ${of}`,
    );
    await insert('player_day_count', 'scope_id, day, players, new_players', `'${scope}', ${day}, 1, 1 ${of}`);
  }
  await insert(
    'player_return',
    'scope_id, day, gap, players',
    `'${scope}', current_date - age, 1, 1 ${from}`,
  );
  await deleteOld(new BatchRunner(fleet.platform));
  const kept = [0, 1, 89, 119, 121, 366, 399];
  expect(await ages('session_quarter', 'quarter_at')).toEqual(kept);
  for (const table of ['session_day', 'player_day_count', 'player_return'])
    expect([table, await ages(table, 'day')]).toEqual([table, kept]);
  for (const table of ['session_day', 'player_day_count'])
    expect(await fleet.database.query(`select from ${table} where day = '-infinity'`)).toHaveLength(1);
});

it('days of maps are deleted once their month is rolled up, and not before', async () => {
  const slots = `repeat('1', 288)::bit(288)`;
  await insert(
    'map_day',
    'instance_id, map_id, day, slots',
    `'${scope}', '${scope}', current_date - age, ${slots} from ${days}`,
  );
  await deleteOld(new BatchRunner(fleet.platform));
  expect(await ages('map_day', 'day')).toHaveLength(11);
  await insert(
    'map_month',
    'map_id, month, slots, players_samples, players_sum',
    `'${scope}', date_trunc('month', current_date - 400)::date, 1, 1, 1`,
  );
  await deleteOld(new BatchRunner(fleet.platform));
  expect(
    await ages('map_day', 'day', `day >= date_trunc('month', current_date - 400) + interval '1 month'`),
  ).toEqual(expect.arrayContaining([0, 1, 89, 119, 121]));
  expect((await ages('map_day', 'day')).filter((age) => age > 450)).toEqual([]);
});

it('days of players are kept while they decide whether a player is new', async () => {
  const play = (steamId: string, of: number[]) =>
    insert(
      'player_day',
      'scope_id, steam_id, day, sessions',
      `'${scope}', '${steamId}', current_date - age, 1 from unnest(array[${of.join()}]) as age`,
    );
  await play('regular', [2000, 1000, 900, 500, 100, 1]);
  await play('gone', [2000, 801]);
  await play('back just now', [2000, 1500, 3]);
  await play('back a while ago', [2000, 1500, 60, 3]);
  await deleteOld(new BatchRunner(fleet.platform));
  const kept = async (steamId: string) => ages('player_day', 'day', `steam_id = '${steamId}'`);
  expect(await kept('regular')).toEqual([1, 100, 500]);
  expect(await kept('gone')).toEqual([]);
  expect(await kept('back just now')).toEqual([3, 1500]);
  expect(await kept('back a while ago')).toEqual([3, 60]);
});

it('the players after a wipe are deleted in batches, their number is kept', async () => {
  for (const [wipe, age] of [
    [scope, 31],
    [other, 29],
  ] as const) {
    await insert(
      'wipe_retention',
      'wipe_id, instance_id, wiped_at, is_counted, cohort',
      `'${wipe}', '${scope}', now() - interval '${age} days', true, 25000`,
    );
    await insert(
      'wipe_player',
      'wipe_id, steam_id, first_day, second_day, third_day, fourth_day',
      `'${wipe}', n, 1, 0, 0, 0 from generate_series(1, 25000) as n`,
    );
  }
  await deleteOld(new BatchRunner(fleet.platform));
  expect(
    await fleet.database.query(
      `select wipe_id, has_players, cohort::int, (select count(*) from wipe_player using_it
         where using_it.wipe_id = wipe.wipe_id)::int as players
       from wipe_retention as wipe order by wipe_id`,
    ),
  ).toEqual([
    { wipe_id: scope, has_players: false, cohort: 25000, players: 0 },
    { wipe_id: other, has_players: true, cohort: 25000, players: 25000 },
  ]);
});

it('players are deleted with their names, unless an action on them is recorded', async () => {
  const steam = (nth: number) => `7656119796028793${nth}`;
  for (const [nth, age] of [
    [1, 801],
    [2, 801],
    [3, 799],
  ] as const) {
    const seen = `now() - interval '${age} days'`;
    await insert(
      'player',
      'steam_id, name, first_seen_at, last_seen_at',
      `'${steam(nth)}', 'A', ${seen}, ${seen}`,
    );
    await insert(
      'player_name',
      'steam_id, name, first_seen_at, last_seen_at',
      `'${steam(nth)}', 'A', ${seen}, ${seen}`,
    );
  }
  await insert('player_action', 'steam_id, kind, instance_name', `'${steam(2)}', 'ban', 'main'`);
  await deleteOld(new BatchRunner(fleet.platform));
  for (const table of ['player', 'player_name'])
    expect(await fleet.database.query(`select steam_id from ${table} order by 1`)).toEqual([
      { steam_id: steam(2) },
      { steam_id: steam(3) },
    ]);
});

it('uses an index on every large table', async () => {
  for (const [table, condition] of [
    ['session_quarter', `quarter_at < now() - interval '400 days'`],
    ['session_day', `day > '-infinity' and day < current_date - 400`],
    ['player_day', `day > '-infinity' and day < current_date - 800`],
    ['player_day_count', `day > '-infinity' and day < current_date - 400`],
    ['player_return', `day > '-infinity' and day < current_date - 400`],
    ['map_day', 'day < current_date - 120'],
    ['player', `last_seen_at < now() - interval '800 days'`],
  ] as const) {
    const rows = await fleet.connection.pool.connect().then(async (client) => {
      await client.query('set enable_seqscan = off');
      const { rows: plan } = await client.query<Record<string, string>>(
        `explain select ctid from ${table} where ${condition} limit 100`,
      );
      client.release(true);
      return plan;
    });
    expect(JSON.stringify(rows)).toMatch(/Index Cond/);
  }
});
