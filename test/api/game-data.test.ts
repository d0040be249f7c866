// Operations of the area `game-data`.
import type { components } from '../../generated/platform.d.ts';
import { World } from '../support/world.ts';

type Items = components['schemas']['GameItemList'];
type Containers = components['schemas']['LootContainerList'];

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});

afterAll(async () => {
  await world.close();
});

const get = (path: string, query: object = {}) => world.call('get', `/api/game-data/${path}`).query(query);

describe('listGameItems', () => {
  it('returns 200 with every item, publicly cacheable', async () => {
    const { body, headers } = await get('items').expect(200);
    const { data } = body as Items;
    expect(data.length).toBeGreaterThan(1_200);
    expect(data).toContainEqual({
      shortname: 'rifle.ak',
      name: 'Assault Rifle',
      category: 'Weapon',
      is_common_loot: true,
    });
    expect(headers['cache-control']).toContain('public');
    await get('items')
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(304);
  });

  it('returns 200 with the matching items', async () => {
    const { body } = await get('items', { q: 'ASSAULT rif', category: 'Weapon' }).expect(200);
    expect((body as Items).data.map(({ shortname }) => shortname)).toContain('rifle.ak');
    const { body: common } = await get('items', { is_common_loot: 'true' }).expect(200);
    expect((common as Items).data.length).toBeGreaterThanOrEqual(191);
    expect((await get('items', { category: 'Nothing' }).expect(200)).body).toEqual({ data: [] });
  });
});

describe('listGameContainers', () => {
  it('returns 200 with the matching containers', async () => {
    const { body } = await get('containers').expect(200);
    expect((body as Containers).data.length).toBeGreaterThanOrEqual(51);
    const { body: barrels } = await get('containers', { q: 'oil_barrel' }).expect(200);
    expect(barrels).toEqual({
      data: [
        {
          prefab: 'assets/bundled/prefabs/radtown/oil_barrel.prefab',
          name: 'Oil barrel',
          category: 'Barrel',
        },
      ],
    });
  });
});
