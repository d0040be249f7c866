// Operations of the area `admin-servers`: hosts and instances of all licenses.
import type { components } from '../../generated/platform.d.ts';
import { createHost, createInstance } from '../support/rows.ts';
import { World, type Tenant } from '../support/world.ts';

type Page = components['schemas']['PlatformHostPage'];

const nothing = { offline: 0, stopped: 0, starting: 0, running: 0, stopping: 0, crashed: 0 };

let world: World;
let one: Tenant;
let two: Tenant;
let first: string;
let second: string;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  [one, two] = [await world.createTenant({ name: 'One' }), await world.createTenant({ name: 'Two' })];
  first = await createHost(world, one, { hostname: 'alpha', status: 'online', agent_version: '1.0.0' });
  second = await createHost(world, two, { hostname: 'beta', agent_version: '2.0.0' });
  await createHost(world, two, { hostname: 'gamma', agent_version: '2.0.0' });
  for (const state of ['running', 'running', 'crashed'])
    await createInstance(world, one, { host_id: first, state });
  await createInstance(world, two, { host_id: second });
});

afterAll(async () => {
  await world.close();
});

async function list(query: Record<string, string> = {}): Promise<Page> {
  const { body } = await world.call('get', '/api/admin/servers', world.admin).query(query).expect(200);
  return body as Page;
}

it('listPlatformHosts: returns 200 with each host, its license and its instance counts by state, oldest first', async () => {
  const { data, next_cursor } = await list();
  expect(data.map(({ hostname, license_name }) => [hostname, license_name])).toEqual([
    ['alpha', 'One'],
    ['beta', 'Two'],
    ['gamma', 'Two'],
  ]);
  expect(data[0]).toEqual({
    id: first,
    license_id: one.license.id,
    license_name: 'One',
    hostname: 'alpha',
    status: 'online',
    agent_version: '1.0.0',
    platform: 'test',
    last_heartbeat_at: null,
    instances: { ...nothing, running: 2, crashed: 1 },
  });
  expect(data[2]?.instances).toEqual(nothing);
  expect(next_cursor).toBeNull();
});

it('listPlatformHosts: returns 200 page by page, with totals over all pages', async () => {
  const page = await list({ limit: '1' });
  const next = await list({ limit: '1', cursor: page.next_cursor ?? '' });
  expect([page.data[0]?.id, next.data[0]?.id]).toEqual([first, second]);
  for (const { totals } of [page, next]) {
    expect(totals).toEqual({
      hosts: 3,
      online_hosts: 1,
      instances: { ...nothing, running: 2, crashed: 1, offline: 1 },
      agent_versions: [
        { agent_version: '2.0.0', hosts: 2 },
        { agent_version: '1.0.0', hosts: 1 },
      ],
    });
  }
});

it('listPlatformHosts: returns 200 filtered by license, status and version, totals included', async () => {
  for (const [query, names, running] of [
    [{ license_id: two.license.id }, ['beta', 'gamma'], 0],
    [{ status: 'online' }, ['alpha'], 2],
    [{ agent_version: '2.0.0' }, ['beta', 'gamma'], 0],
    [{ agent_version: '2.0.0', status: 'online' }, [], 0],
  ] as const) {
    const { data, totals } = await list(query);
    expect(data.map(({ hostname }) => hostname)).toEqual(names);
    expect([totals.hosts, totals.instances.running]).toEqual([names.length, running]);
  }
});
