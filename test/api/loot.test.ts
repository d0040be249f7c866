// Operations of the area `loot`.
import type { components } from '../../generated/platform.d.ts';
import { createPluginConfig } from '../support/rows.ts';
import { World, type Tenant } from '../support/world.ts';

type LootConfig = components['schemas']['LootConfig'];
type Container = components['schemas']['LootContainerSettings'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const crate = 'assets/bundled/prefabs/radtown/crate_normal.prefab';
const base = '/api/plugin-configs/loot';
const config_data = {
  loot_table: {
    [crate]: {
      is_enabled: true,
      items: { rope: { min: 1, max: 2 } },
      guaranteed_items: { scrap: { min: 1, max: 1 } },
    },
    'assets/of/a/mod.prefab': { is_enabled: false },
  },
};

async function create(): Promise<LootConfig> {
  const { body } = await world
    .call('post', base, tenant.owner)
    .send({ kind: 'loot', name: `Loot ${Math.random()}`, config_data })
    .expect(201);
  return body as LootConfig;
}

describe('listLootConfigContainers', () => {
  it('returns 200 with every container of the game or the profile', async () => {
    const { id } = await create();
    const { body } = await world.call('get', `${base}/${id}/containers`, tenant.owner).expect(200);
    const { data } = body as { data: Container[] };
    expect(data.length).toBeGreaterThan(60);
    expect(data.find(({ prefab }) => prefab === crate)).toEqual({
      prefab: crate,
      name: 'Military crate',
      category: 'Crate',
      is_configured: true,
      is_enabled: true,
      item_count: 2,
    });
    expect(data.find(({ prefab }) => prefab === 'assets/of/a/mod.prefab')).toMatchObject({
      name: null,
      category: null,
      is_configured: true,
      is_enabled: false,
    });
    expect(data.filter(({ is_configured }) => is_configured)).toHaveLength(2);
  });

  it('returns 404 for a configuration that is not a loot profile', async () => {
    const id = await createPluginConfig(world, tenant);
    await world.call('get', `${base}/${id}/containers`, tenant.owner).expect(404);
  });
});

describe('scaleLootConfig', () => {
  it('returns 200 with the amounts multiplied, as a new version', async () => {
    const { id } = await create();
    const { body } = await world
      .call('post', `${base}/${id}/multiply`, tenant.owner)
      .send({ multiplier: 2.5 })
      .expect(200);
    expect(body).toMatchObject({
      version: 2,
      config_data: { loot_table: { [crate]: { items: { rope: { min: 3, max: 5 } } } } },
    });
  });

  it('returns 412 for an outdated version', async () => {
    const { id } = await create();
    const multiply = () =>
      world
        .call('post', `${base}/${id}/multiply`, tenant.owner)
        .set('If-Match', '"1"')
        .send({ multiplier: 2 });
    await multiply().expect(200);
    const { body } = await multiply().expect(412);
    expect(body).toMatchObject({ code: 'stale_version' });
  });
});

describe('createLootConfig', () => {
  it('returns 422 for contradictory values, with their location', async () => {
    const wrong = { loot_table: { [crate]: { min_items: 3, max_items: 2 } } };
    const { body } = await world
      .call('post', base, tenant.owner)
      .send({ kind: 'loot', name: 'Wrong', config_data: wrong })
      .expect(422);
    expect(body).toMatchObject({
      code: 'plugin_config_invalid',
      errors: [{ pointer: `/config_data/loot_table/${crate.replaceAll('/', '~1')}/min_items` }],
    });
    const { body: reported } = await world
      .call('post', `${base}/validate`, tenant.owner)
      .send({ kind: 'loot', config_data: wrong })
      .expect(200);
    expect(reported).toMatchObject({
      is_valid: false,
      faults: [{ detail: '3 is more than max_items, which is 2' }],
    });
  });
});
