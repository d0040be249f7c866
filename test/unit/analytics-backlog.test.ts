// A large backlog of analytics is counted: batches shrink until they fit the time limit, and nothing waits
// indefinitely.
import { BatchSize } from '../../src/database/batch-size.ts';
import { wholeLicense } from '../../src/entities/session-counts.ts';
import { addPlayedMap, openRollUps, openStatsRollUp } from '../support/analytics.ts';
import { createHost, createInstance } from '../support/rows.ts';
import { World, type Tenant } from '../support/world.ts';

const sightings = 121_768;
const sessions = 59_097;

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
  const hostId = await createHost(world, tenant);
  for (let number = 0; number < 16; number += 1) await createInstance(world, tenant, { host_id: hostId });
});

afterAll(async () => {
  await world.close();
});

/** Sessions and maps of the last four weeks on every instance, written as fast as PostgreSQL can. */
async function buildBacklog(count: { sightings: number; sessions: number }): Promise<void> {
  const { id: licenseId } = tenant.license;
  const mapId = await addPlayedMap(world, tenant, `Map ${count.sightings}`);
  const instanceOf = `instances.id[1 + n % cardinality(instances.id)]`;
  const instances = `(select array_agg(id) as id from game_instance where license_id = $1) as instances`;
  await world.database.query(
    `insert into map_sighting (license_id, instance_id, map_id, bucket_at)
     select $1, ${instanceOf}, $2, date_bin('5 minutes', now(), 'epoch') - (n / 16) * interval '5 minutes'
     from generate_series(1, $3::int) n, ${instances}`,
    [licenseId, mapId, count.sightings],
  );
  await world.database.query(
    `insert into player_session (license_id, instance_id, steam_id, started_at, ended_at, last_sign_at, has_join, end_reason)
     select $1, ${instanceOf}, $2 || (n % 997)::text, now() - n * interval '35 seconds',
       now() - n * interval '35 seconds' + interval '50 minutes', now(), true, 'leave'
     from generate_series(1, $3::int) n, ${instances}`,
    [licenseId, `7656119${count.sessions}`, count.sessions],
  );
}

const waiting = async () =>
  (
    await world.database.query<{ sightings: number; sessions: number }>(
      `select (select count(*)::int from map_sighting) as sightings, (select count(*)::int from session_change) as sessions`,
    )
  )[0];

const counted = async () =>
  (
    await world.database.query<{ sessions: number }>(
      `select sum(sessions)::int as sessions from session_day where scope_id = $1 and day = '-infinity'`,
      [wholeLicense],
    )
  )[0]?.sessions;

it("of a day's outage, in minutes", async () => {
  await buildBacklog({ sightings, sessions });
  const began = performance.now();
  await (await openRollUps(world)).run();
  const seconds = (performance.now() - began) / 1_000;
  expect(await waiting()).toEqual({ sightings: 0, sessions: 0 });
  expect(await counted()).toBe(sessions);
  expect(seconds).toBeLessThan(120);
}, 240_000);

it('of the figures of servers, into hours and days', async () => {
  await world.database.query(
    `insert into instance_stats_5m (license_id, instance_id, bucket_at, map_id, samples, running_samples,
       players_samples, players_sum, fps_samples, fps_sum, entities_samples, entities_sum)
     select license_id, id, date_bin('5 minutes', now(), 'epoch') - n * interval '5 minutes',
       '00000000-0000-0000-0000-000000000000', 30, 30, 30, 90, 0, 0, 0, 0
     from game_instance, generate_series(1, 1800) n`,
  );
  await (await openStatsRollUp(world)).run();
  const [row] = await world.database.query<{ samples: number; left: number }>(
    `select (select sum(samples)::int from instance_stats_day) as samples,
       (select count(*)::int from instance_stats_5m where not is_rolled_up) as left`,
  );
  expect(row).toEqual({ samples: 16 * 1_800 * 30, left: 0 });
});

it('with batches that shrink while statements time out', async () => {
  await buildBacklog({ sightings: 500, sessions: 500 });
  await (await openRollUps(world, 5_000, 60)).run();
  expect(await waiting()).toEqual({ sightings: 0, sessions: 0 });
  expect(await counted()).toBe(sessions + 500);
});

describe('a batch', () => {
  const timeout = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });

  it('shrinks on a timeout until it fits, and grows again on success', async () => {
    const batch = new BatchSize(5_000);
    const sizes: number[] = [];
    const fits = (max: number) => (size: number) => {
      sizes.push(size);
      if (size > max) throw new Error('wrapped', { cause: timeout });
      return Promise.resolve(size);
    };
    await expect(batch.take(async (size) => fits(100)(size))).resolves.toBe(78);
    for (let time = 0; time < 8; time += 1) await batch.take(async (size) => fits(10_000)(size));
    expect(sizes.slice(0, 4)).toEqual([5_000, 1_250, 312, 78]);
    expect(batch.size).toBe(5_000);
  });

  it('throws errors that a smaller batch would not avoid', async () => {
    const batch = new BatchSize(8);
    await expect(batch.take(() => Promise.reject(timeout))).rejects.toBe(timeout);
    const other = new Error('unique constraint');
    await expect(new BatchSize(8).take(() => Promise.reject(other))).rejects.toBe(other);
  });
});
