// Sessions of players, and their analytics counts, when the processes that derive both are killed repeatedly.
import { randomUUID } from 'node:crypto';
import { createInstance } from '../support/rows.ts';
import { startReplica } from '../support/replicas.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

const minute = 60_000;
const players = 300;
/** Each player joins and leaves that many times, ten minutes at a time. */
const visits = 4;
const kills = 3;

let world: World;
let tenant: Tenant;
let instanceId: string;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
  instanceId = await createInstance(world, tenant, { name: 'main' });
});

afterAll(() => world.close());

const steamIds = Array.from({ length: players }, (_, index) => String(76561197960300000n + BigInt(index)));
const began = Date.now() - 3 * 60 * minute;
const moments = Array.from({ length: 2 * visits }, (_, index) => new Date(began + index * 10 * minute));

async function reportAll(index: number): Promise<void> {
  const events = steamIds.map((steam_id) => ({
    instance: instanceId,
    steam_id,
    display_name: 'Aster',
    event: index % 2 === 0 ? 'join' : 'leave',
    occurred_at: moments[index]?.toISOString(),
    event_id: randomUUID(),
  }));
  await world
    .call('post', '/api/plugin/player-events')
    .set('X-License-Key', tenant.license.key)
    .send({ events })
    .expect(200);
}

async function left(): Promise<number> {
  const [row] = await world.database.query<{ left: number }>(
    'select (select count(*) from player_session_due)::int + (select count(*) from session_change)::int as left',
  );
  return row?.left ?? 0;
}

it('are the same as without kills, each counted once', async () => {
  // Late, out of order, and while replicas are killed.
  for (const [round, index] of [1, 0, 4, 3, 2, 7, 5, 6].entries()) {
    await reportAll(index);
    if (round >= kills) continue;
    const waiting = await left();
    const replica = await startReplica(world, ['jobs']);
    await until(async () => (await left()) !== waiting, 'work that has begun');
    await replica.signal('SIGKILL');
  }
  await startReplica(world, ['jobs']);
  await until(async () => (await left()) === 0, 'the end of the work', 60_000);
  const found = await world.database.query(
    `select started_at, ended_at, has_join, end_reason, count(*)::int as players from player_session
     group by 1, 2, 3, 4 order by 1`,
  );
  expect(found).toEqual(
    Array.from({ length: visits }, (_, visit) => ({
      started_at: moments[2 * visit],
      ended_at: moments[2 * visit + 1],
      has_join: true,
      end_reason: 'leave',
      players,
    })),
  );
  const [counted] = await world.database.query(
    `select sum(sessions)::int as sessions, sum(milliseconds)::bigint::text as milliseconds from session_day
     where scope_id = $1 and day > '-infinity'`,
    [instanceId],
  );
  expect(counted).toEqual({
    sessions: players * visits,
    milliseconds: String(players * visits * 10 * minute),
  });
}, 180_000);
