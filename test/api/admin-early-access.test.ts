// Operations of the area `admin-early-access`: the list of signups.
import type { components } from '../../generated/platform.d.ts';
import { insertRow } from '../support/rows.ts';
import { World } from '../support/world.ts';

type Page = components['schemas']['EarlyAccessSignupPage'];

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  for (const [index, name] of ['one', 'two', 'three'].entries()) {
    await insertRow(world, 'early_access_signup', {
      email: `${name}@example.com`,
      server_count: index,
      created_at: `2026-0${index + 1}-01T00:00:00Z`,
    });
  }
});

afterAll(async () => {
  await world.close();
});

async function list(query: Record<string, string> = {}): Promise<Page> {
  const { body } = await world.call('get', '/api/admin/early-access', world.admin).query(query).expect(200);
  return body as Page;
}

const names = ({ data }: Page) => data.map(({ email }) => email.split('@')[0]);

it('listEarlyAccessSignups: returns 200 newest first, page by page', async () => {
  const first = await list({ limit: '2' });
  expect(first.data[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    email: 'three@example.com',
    server_count: 2,
    created_at: '2026-03-01T00:00:00.000Z',
    confirmed_at: null,
    founding_place_at: null,
  });
  expect(names(first)).toEqual(['three', 'two']);
  expect(names(await list({ cursor: first.next_cursor ?? '' }))).toEqual(['one']);
});

it('listEarlyAccessSignups: returns 200 filtered by text and time', async () => {
  expect(names(await list({ q: 'TWO@' }))).toEqual(['two']);
  expect(names(await list({ q: '%' }))).toEqual([]);
  expect(
    names(await list({ created_from: '2026-02-01T00:00:00Z', created_to: '2026-03-01T00:00:00Z' })),
  ).toEqual(['two']);
});
