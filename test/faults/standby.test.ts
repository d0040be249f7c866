// A hot standby beside the primary: figures, exports and public pages are read from it while it is fresh, and the
// platform finds the primary among several hosts.
import { pino } from 'pino';
import request from 'supertest';
import { connectDatabase } from '../../src/database/connection.ts';
import type { Platform } from '../../src/platform.ts';
import { addSession } from '../support/analytics.ts';
import { someId } from '../support/contract.ts';
import { createInstance } from '../support/rows.ts';
import { PostgresPair } from '../support/standby.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

const maxLagMs = 1_500;
const steamId = '76561198000000001';

let pair: PostgresPair;
let world: World;
/** Reads figures from the standby. */
let api: Platform;
let tenant: Tenant;
let instanceId: string;
let database: string;

beforeAll(async () => {
  pair = await PostgresPair.start();
});

afterAll(() => pair.stop());

describe('a platform', () => {
  beforeAll(async () => {
    // The whole world finds its primary among two hosts, of which the standby is the first.
    world = await World.create({ poolerTo: async (url) => pair.urlOfBoth(nameIn(url)) });
    database = nameIn(world.database.url);
    tenant = await world.createTenant();
    instanceId = await createInstance(world, tenant, { name: 'main' });
    api = await world.addReplica({
      roles: new Set(['api']),
      databaseReplica: { url: pair.standby.url(database), maxLagMs },
    });
  });

  afterAll(() => world.close());

  const nameIn = (url: string) => new URL(url).pathname.slice(1);

  const get = (path: string, { owner } = tenant) =>
    request(api.url ?? '')
      .get(path)
      .set('Authorization', `Bearer ${owner.token}`);

  async function sessionCount(of = tenant): Promise<number> {
    const { body } = await get('/api/analytics/sessions', of).expect(200);
    return (body as { data: unknown[] }).data.length;
  }

  /** How many reads had each outcome so far. */
  async function outcomes(of = api): Promise<Record<'replica' | 'behind' | 'failed', number>> {
    const { text } = await request(of.url ?? '')
      .get('/metrics')
      .expect(200);
    const count = (outcome: string) =>
      Number(new RegExp(`gantry_replica_reads_total\\{outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
    return { replica: count('replica'), behind: count('behind'), failed: count('failed') };
  }

  async function untilUsed(): Promise<void> {
    const { replica } = await outcomes();
    await until(async () => {
      await sessionCount();
      return (await outcomes()).replica > replica;
    }, 'reads from the standby');
  }

  let minutes = 0;
  const addOneSession = (to = tenant, instance = instanceId) => {
    minutes += 1;
    const startedAt = new Date(Date.now() - minutes * 60_000);
    return addSession(world, to, { instanceId: instance, steamId, startedAt, endedAt: new Date() });
  };

  it('reads from the standby within its bound, from the primary beyond it, and with the scope of the license', async () => {
    const other = await world.createTenant();
    await addOneSession(other, await createInstance(world, other, {}));
    await addOneSession();
    await untilUsed();
    await until(async () => (await sessionCount()) === 1, 'the session in the standby');
    await until(async () => (await sessionCount(other)) === 1, 'the session of the other license');
    await get(`/api/analytics/sessions?instance_id=${instanceId}`, other).expect(404);

    await pair.pauseReplay();
    const before = await outcomes();
    const pausedAt = performance.now();
    await addOneSession();
    const seen = await until(async () => {
      const count = await sessionCount();
      return count === 2 && { afterMs: performance.now() - pausedAt, ...(await outcomes()) };
    }, 'the session in the primary');
    // Old rows were seen first, and for no longer than the bound allows; the rest is the time of two requests.
    expect(seen.replica).toBeGreaterThan(before.replica);
    expect(seen.behind).toBeGreaterThan(before.behind);
    expect(seen.afterMs).toBeLessThan(maxLagMs + 1_000);

    await pair.resumeReplay();
    await untilUsed();
    expect(await sessionCount()).toBe(2);
  });

  it('shows callers what they have just changed, however far the standby is behind', async () => {
    await untilUsed();
    await pair.pauseReplay();
    try {
      await request(api.url ?? '')
        .post('/api/fleet/clusters')
        .set('Authorization', `Bearer ${tenant.owner.token}`)
        .send({ name: 'Seen at once' })
        .expect(201);
      const { text } = await get('/api/audit').set('Accept', 'text/csv').expect(200);
      expect(text).toContain('Seen at once');
    } finally {
      await pair.resumeReplay();
    }
  });

  it('public pages come from the standby too, no older than they promise', async () => {
    await untilUsed();
    const { replica } = await outcomes();
    await request(api.url ?? '')
      .get('/api/public/status')
      .expect(200);
    expect((await outcomes()).replica).toBeGreaterThan(replica);
  });

  it('counts what a caller may not read as read: it has not failed', async () => {
    await untilUsed();
    const before = await outcomes();
    await get(`/api/analytics/sessions?instance_id=${someId}`).expect(404);
    const { replica, failed } = await outcomes();
    expect(replica).toBeGreaterThan(before.replica);
    expect(failed).toBe(before.failed);
  });

  it('fails no request while the standby is gone, and uses it again afterwards', async () => {
    await untilUsed();
    await pair.standby.kill();
    const before = await outcomes();
    await until(async () => {
      expect(await sessionCount()).toBe(2);
      return (await outcomes()).behind > before.behind;
    }, 'reads from the primary');
    await request(api.url ?? '')
      .get('/readyz')
      .expect(200);
    await pair.standby.start();
    await untilUsed();
  });

  it('never takes a server for a replica that is no standby', async () => {
    const wrong = await world.addReplica({
      roles: new Set(['api']),
      databaseReplica: { url: pair.primary.url(database), maxLagMs },
    });
    const { text } = await request(wrong.url ?? '')
      .get('/metrics')
      .expect(200);
    expect(text).toMatch(/^gantry_replica_lag_seconds \+Inf$/m);
    await request(wrong.url ?? '')
      .get('/api/public/status')
      .expect(200);
    expect(await outcomes(wrong)).toMatchObject({ replica: 0, failed: 0 });
  });
});

it('among several hosts follows the primary to the other one', async () => {
  const connection = await connectDatabase({
    url: pair.urlOfBoth('gantry'),
    log: pino({ level: 'silent' }),
  });
  try {
    const insert = () => connection.pool.query('insert into written (at) values (now())');
    await connection.pool.query('create table written (at timestamptz)');
    await insert();
    await until(
      async () =>
        (await pair.standby.query('select pg_last_wal_replay_lsn() = pg_last_wal_receive_lsn() as is')).at(
          0,
        )?.['is'],
      'the row in the standby',
    );
    const { port } = pair.standby;
    await pair.primary.kill();
    await expect(insert()).rejects.toThrow();
    await pair.standby.query('select pg_promote()');
    await until(
      () =>
        insert().then(
          () => true,
          () => false,
        ),
      'writes to the new primary',
    );
    const { rows } = await connection.pool.query(
      `select current_setting('port') as port, (select count(*)::int from written) as rows`,
    );
    expect(rows).toEqual([{ port: String(port), rows: 2 }]);
  } finally {
    await connection.close();
  }
});
