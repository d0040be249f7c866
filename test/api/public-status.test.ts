// Operations of the area `public-status`: the public view of the platform and of servers that opted in.
import request from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { createInstance, createSchedule, createWipe } from '../support/rows.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];
type Status = Schemas['StatusPageResponse'];

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});

afterAll(async () => {
  await world.close();
});

/** A license that shows all its servers. */
async function createPublicTenant(name: string, description: string | null = null): Promise<Tenant> {
  const tenant = await world.createTenant({ name });
  await configure(tenant, {
    is_public: true,
    is_listed_by_default: true,
    status_page_description: description,
  });
  return tenant;
}

async function configure(tenant: Tenant, changes: Schemas['SiteSettingsUpdate']): Promise<void> {
  await world.call('patch', '/api/site-config', tenant.owner).send(changes).expect(200);
}

async function list(tenant: Tenant, id: string, changes: Schemas['PublicListingUpdate']): Promise<void> {
  await world.call('patch', `/api/site-config/instances/${id}`, tenant.owner).send(changes).expect(200);
}

/** An uncached page: each limit has its own cache entry, and this one is unused. */
let unusedLimit = 100;
async function statusOf({ license: { subdomain } }: Tenant): Promise<Status> {
  const query = { subdomain, limit: unusedLimit };
  unusedLimit -= 1;
  const { body } = await world.call('get', '/api/public/status').query(query).expect(200);
  return body as Status;
}

/** The status of the whole platform, from a process with an empty cache. */
async function platformStatus(): Promise<Status> {
  const replica = await world.addReplica();
  const { body } = await request(replica.url ?? '')
    .get('/api/public/status?limit=100')
    .expect(200);
  return body as Status;
}

/** Stores the states of an instance up to now, each with its age. */
async function recordStates(instanceId: string, states: [state: string, agoMs: number][]): Promise<void> {
  const now = Date.now();
  await world.database.query('delete from instance_state_interval where instance_id = $1', [instanceId]);
  for (const [index, [state, agoMs]] of states.entries()) {
    const next = states[index + 1];
    await world.database.query(
      `insert into instance_state_interval (license_id, instance_id, from_at, to_at, state)
       select license_id, id, $2, $3, $4 from game_instance where id = $1`,
      [instanceId, new Date(now - agoMs), next === undefined ? null : new Date(now - next[1]), state],
    );
  }
}

describe('published data', () => {
  it('getPublicStatus: returns 200 with the server, its figures and its texts', async () => {
    const tenant = await createPublicTenant('Rusty Islands', 'All our islands');
    const id = await createInstance(world, tenant, {
      name: 'main',
      game: 'rust',
      state: 'running',
      players: 61,
      max_players: 100,
      queued: 12,
      fps: 58.9,
      map: 'Procedural Map',
    });
    const status = await statusOf(tenant);
    expect(status.license).toEqual({
      name: 'Rusty Islands',
      subdomain: tenant.license.subdomain,
      description: 'All our islands',
    });
    expect(status.data).toEqual([
      {
        id,
        name: 'main',
        description: 'All our islands',
        license_name: 'Rusty Islands',
        subdomain: tenant.license.subdomain,
        status: 'online',
        status_since: expect.stringMatching(/Z$/),
        game: 'rust',
        map: 'Procedural Map',
        players: 61,
        max_players: 100,
        queued: 12,
        fps: 58.9,
        uptime: expect.anything(),
        wipes: { last: null, next_at: null, schedule: null },
      },
    ]);
    await list(tenant, id, { display_name: 'Islands, 2x', description: '<b>No</b> cheaters' });
    expect((await statusOf(tenant)).data).toMatchObject([
      { name: 'Islands, 2x', description: '<b>No</b> cheaters' },
    ]);
  });

  it.each([
    ['running', 'online'],
    ['starting', 'starting'],
    ['stopping', 'offline'],
    ['stopped', 'offline'],
    ['crashed', 'offline'],
    ['offline', 'offline'],
  ])(
    'getPublicStatus: returns 200 and shows %s as %s, with figures only while online',
    async (state, status) => {
      const tenant = await createPublicTenant('States');
      await createInstance(world, tenant, { state, players: 7, fps: 60, map: 'Barren' });
      const [server] = (await statusOf(tenant)).data;
      const whileOnline = <Value>(value: Value) => (status === 'online' ? value : null);
      expect(server).toMatchObject({
        status,
        players: whileOnline(7),
        fps: whileOnline(60),
        map: whileOnline('Barren'),
      });
    },
  );

  it('getPublicStatus: returns 200 with nothing of a license that did not opt in, except in the totals', async () => {
    const shown = await createPublicTenant('Shown to all');
    await createInstance(world, shown, { name: 'seen', state: 'running', players: 5 });
    const before = (await platformStatus()).platform;
    const hidden = await world.createTenant({ name: 'Hidden from all' });
    const secret = await createInstance(world, hidden, {
      name: 'secret-instance',
      state: 'running',
      players: 11,
      map: 'secret-map',
    });
    await list(hidden, secret, { is_listed: true, display_name: 'secret-name', description: 'secret-text' });
    await configure(hidden, { is_listed_by_default: true, status_page_description: 'secret-about' });
    const status = await platformStatus();
    expect(status.platform).toEqual({
      total_servers: before.total_servers + 1,
      online_servers: before.online_servers + 1,
      total_players: before.total_players + 11,
    });
    const text = JSON.stringify(status);
    expect(text).toContain('Shown to all');
    expect(text).not.toContain('secret');
    expect(text).not.toContain('Hidden');
    for (const id of [secret, hidden.license.id, hidden.license.subdomain, shown.license.id])
      expect(text).not.toContain(id);
    for (const subdomain of [hidden.license.subdomain, 'no-such-license'])
      await world.call('get', '/api/public/status').query({ subdomain }).expect(404);
  });

  it('getPublicStatus: returns 200 without the servers that a license hides', async () => {
    const tenant = await world.createTenant({ name: 'Some of it' });
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three']) ids.push(await createInstance(world, tenant, { name }));
    await configure(tenant, { is_public: true });
    expect((await statusOf(tenant)).data).toEqual([]);
    await list(tenant, ids[1] ?? '', { is_listed: true });
    expect((await statusOf(tenant)).data.map(({ name }) => name)).toEqual(['two']);
    await configure(tenant, { is_listed_by_default: true });
    await list(tenant, ids[2] ?? '', { is_listed: false });
    expect((await statusOf(tenant)).data.map(({ name }) => name)).toEqual(['one', 'two']);
    await world
      .call('patch', `/api/admin/licenses/${tenant.license.id}`, world.admin)
      .send({ status: 'revoked' })
      .expect(200);
    expect(JSON.stringify(await platformStatus())).not.toContain('Some of it');
  });

  it('getPublicStatus: returns 200 page by page', async () => {
    const tenant = await createPublicTenant('Many');
    for (let index = 0; index < 5; index += 1)
      await createInstance(world, tenant, { name: `server-${index}` });
    const { subdomain } = tenant.license;
    const names: string[] = [];
    for (let path = `/api/public/status?subdomain=${subdomain}&limit=2`; path !== '';) {
      const { body, headers } = await world.call('get', path).expect(200);
      names.push(...(body as Status).data.map(({ name }) => name));
      path = /<(.*)>; rel="next"/.exec(String(headers['link']))?.[1] ?? '';
    }
    expect(names).toEqual(['server-0', 'server-1', 'server-2', 'server-3', 'server-4']);
    await world.call('get', '/api/public/status?cursor=bm90LWFuLWlk').expect(400);
    await world.call('get', '/api/public/status?limit=101').expect(400);
  });
});

describe('uptime', () => {
  const uptimeOf = async (states: [string, number][]) => {
    const tenant = await createPublicTenant('Uptime');
    await recordStates(await createInstance(world, tenant), states);
    return (await statusOf(tenant)).data[0]?.uptime;
  };

  it('is the running share of each window', async () => {
    const uptime = await uptimeOf([
      ['stopped', 60 * day],
      ['running', 15 * day],
      ['crashed', 6 * hour],
      ['running', 3 * hour],
    ]);
    expect(uptime?.last_24_hours).toBeCloseTo((21 / 24) * 100, 1);
    expect(uptime?.last_7_days).toBeCloseTo(((7 * 24 - 3) / (7 * 24)) * 100, 1);
    expect(uptime?.last_30_days).toBeCloseTo(((15 * 24 - 3) / (30 * 24)) * 100, 1);
  });

  it('counts only recorded time', async () => {
    const uptime = await uptimeOf([
      ['starting', 4 * hour],
      ['running', 3 * hour],
    ]);
    for (const share of Object.values(uptime ?? {})) expect(share).toBeCloseTo(75, 1);
  });

  it('is unknown while nothing is recorded, and never rounded up to 100 percent', async () => {
    expect(await uptimeOf([])).toEqual({ last_24_hours: null, last_7_days: null, last_30_days: null });
    const uptime = await uptimeOf([
      ['running', 40 * day],
      ['crashed', 20 * day],
      ['running', 20 * day - 1_000],
    ]);
    expect(uptime).toEqual({ last_24_hours: 100, last_7_days: 100, last_30_days: 99.99 });
  });

  it('of a server that changes constantly counts the latest changes, in bounded time', async () => {
    const tenant = await createPublicTenant('Flapping');
    const id = await createInstance(world, tenant);
    await world.database.query('delete from instance_state_interval where instance_id = $1', [id]);
    await world.database.query(
      `insert into instance_state_interval (license_id, instance_id, from_at, to_at, state)
       select license_id, id, now() - n * interval '1 minute',
         case when n > 1 then now() - (n - 1) * interval '1 minute' end,
         case when n <= 2000 and n % 2 = 0 then 'running' else 'stopped' end
       from game_instance, generate_series(1, 40000) as n where id = $1`,
      [id],
    );
    const [server] = (await statusOf(tenant)).data;
    expect(server?.uptime.last_30_days).toBeCloseTo(50, 0);
    expect(server?.status_since).toMatch(/Z$/);
  });
});

describe('wipes', () => {
  it('are the latest completed one and the next known one', async () => {
    const tenant = await createPublicTenant('Wipes');
    const id = await createInstance(world, tenant);
    const wipe = (status: string, finishedAt: string | null, values: object = {}) =>
      createWipe(world, tenant, { instance_id: id, status, finished_at: finishedAt, ...values });
    await wipe('completed', '2026-01-01T18:00:00Z');
    await wipe('completed', '2026-02-01T18:00:00Z', { kind: 'full' });
    await wipe('failed', '2026-03-01T18:00:00Z');
    const last = { kind: 'full', finished_at: '2026-02-01T18:00:00.000Z' };
    expect((await statusOf(tenant)).data[0]?.wipes).toEqual({ last, next_at: null, schedule: null });

    const schedule = { cron: '0 19 * * THU', time_zone: 'UTC' };
    await list(tenant, id, { wipe_schedule: schedule });
    const planned = (await statusOf(tenant)).data[0]?.wipes;
    expect(planned).toEqual({ last, next_at: expect.stringMatching(/T19:00:00\.000Z$/), schedule });
    const next = new Date(planned?.next_at ?? NaN);
    expect(next.getUTCDay()).toBe(4);
    expect(next.getTime() - Date.now()).toBeGreaterThan(-minute);
    expect(next.getTime() - Date.now()).toBeLessThanOrEqual(7 * day);

    const soon = new Date(Date.now() + 10 * minute);
    const action = { kind: 'wipe', wipe: { kind: 'map', countdown_seconds: 300 } };
    await createSchedule(world, tenant, { instance_id: id, action, next_run_at: soon.toISOString() });
    await createSchedule(world, tenant, { instance_id: id, next_run_at: new Date().toISOString() });
    await createSchedule(world, tenant, { action, next_run_at: new Date().toISOString() });
    const brought = (await statusOf(tenant)).data.find((server) => server.id === id)?.wipes;
    expect(brought).toEqual({ last, next_at: new Date(soon.getTime() + 5 * minute).toISOString(), schedule });

    const dueAt = new Date(Date.now() + hour).toISOString();
    await wipe('announcing', null, { due_at: dueAt });
    const counting = (await statusOf(tenant)).data.find((server) => server.id === id);
    expect(counting?.wipes.next_at).toBe(dueAt);
  });
});

describe('the response', () => {
  it('getPublicStatus: returns 200 from a cache of some seconds, the same for every caller', async () => {
    const tenant = await createPublicTenant('Kept');
    const { subdomain } = tenant.license;
    const ask = () => world.call('get', '/api/public/status').query({ subdomain });
    const responses = await Promise.all(Array.from({ length: 20 }, () => ask().expect(200)));
    expect(new Set(responses.map(({ headers }) => headers['etag'])).size).toBe(1);
    expect(responses[0]?.headers).toMatchObject({
      'cache-control': 'public, max-age=5',
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
    });
    const tag = responses[0]?.headers['etag'] ?? '';
    const unchanged = await ask().set('If-None-Match', `W/"other", ${tag}`).expect(304);
    expect(unchanged.text).toBe('');
    expect(unchanged.headers['etag']).toBe(tag);
    await ask().set('If-None-Match', '"other"').expect(200);
  });
});
