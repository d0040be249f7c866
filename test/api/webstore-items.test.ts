// Operations of the area `webstore-items`.
import type { components } from '../../generated/platform.d.ts';
import { createInstance, createStoreCategory, createStoreItem } from '../support/rows.ts';
import { itemInput, openStore, sell } from '../support/store.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;
let tenant: Tenant;
let instanceId: string;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
  instanceId = await createInstance(world, tenant);
});

afterAll(async () => {
  await world.close();
});

const categories = '/api/webstore/categories';
const items = '/api/webstore/items';
const codeOf = ({ body }: { body: unknown }) => (body as { code?: string }).code;
const category = (values: object = {}) => ({ name: 'Ranks', description: null, position: 1, ...values });
const input = (values: Partial<Schemas['StoreItemReplace']> = {}) =>
  itemInput({ instance_ids: [instanceId], ...values });
const create = (values: Partial<Schemas['StoreItemReplace']> = {}, member = tenant.owner) =>
  world.call('post', items, member).send(input(values));

describe('categories', () => {
  it('are created, listed, replaced and deleted', async () => {
    const { body, headers } = await world.call('post', categories, tenant.owner).send(category()).expect(201);
    const created = body as Schemas['StoreCategory'];
    expect(created).toMatchObject({ ...category(), item_count: 0, version: 1 });
    expect(headers['etag']).toBe('"1"');
    const path = `${categories}/${created.id}`;
    const changed = category({ name: 'Kits', description: 'What to start with', position: 2 });
    const replaced = await world.call('put', path, tenant.owner).send(changed).expect(200);
    expect(replaced.body).toEqual({ ...created, ...changed, version: 2 });
    expect((await world.call('get', path, tenant.owner).expect(200)).body).toEqual(replaced.body);
    const item = (await create({ category_id: created.id }).expect(201)).body as Schemas['StoreItem'];
    expect((await world.call('get', categories, tenant.owner).expect(200)).body).toMatchObject({
      data: [{ id: created.id, item_count: 1 }],
    });
    await world.call('delete', path, tenant.owner).expect(204);
    await world.call('get', path, tenant.owner).expect(404);
    expect((await world.call('get', `${items}/${item.id}`, tenant.owner).expect(200)).body).toMatchObject({
      category_id: null,
    });
  });

  it('return 409 name_taken, 412 stale_version and 409 limit_reached', async () => {
    const own = await world.createTenant();
    const first = await createStoreCategory(world, own, { name: 'Ranks' });
    const second = await createStoreCategory(world, own, { name: 'Kits' });
    const taken = await world.call('post', categories, own.owner).send(category()).expect(409);
    expect(codeOf(taken)).toBe('name_taken');
    const replace = world.call('put', `${categories}/${second}`, own.owner).send(category());
    expect(codeOf(await replace.expect(409))).toBe('name_taken');
    const stale = () => world.call('put', `${categories}/${first}`, own.owner).set('If-Match', '"7"');
    expect(codeOf(await stale().send(category()).expect(412))).toBe('stale_version');
    await world.call('delete', `${categories}/${first}`, own.owner).set('If-Match', '"7"').expect(412);
    await world.database.query(
      `insert into store_category (license_id, name, position) select $1, 'more ' || n, 0 from generate_series(1, 98) n`,
      [own.license.id],
    );
    const beyond = await world
      .call('post', categories, own.owner)
      .send(category({ name: 'x' }))
      .expect(409);
    expect(codeOf(beyond)).toBe('limit_reached');
  });
});

describe('items', () => {
  it('are created, listed by category, replaced and deleted', async () => {
    const categoryId = await createStoreCategory(world, tenant);
    const required = await createStoreItem(world, tenant);
    const values = input({
      category_id: categoryId,
      required_item_ids: [required],
      image_url: 'https://images.example.com/vip.png',
      limit_per_player: 1,
      delivery_commands: ['say "{player_name}" has {item_name}', 'give {steam_id} {quantity}'],
      revoke_commands: ['take {steam_id} {transaction_id}'],
    });
    const { body } = await world.call('post', items, tenant.owner).send(values).expect(201);
    const created = body as Schemas['StoreItem'];
    expect(created).toEqual({
      ...values,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      price: { amount: '9.99', currency: 'USD' },
      sold_count: 0,
      version: 1,
      created_at: expect.stringMatching(/Z$/),
    });
    const listed = await world.call('get', `${items}?category_id=${categoryId}`, tenant.owner).expect(200);
    expect(listed.body).toEqual({ data: [created], next_cursor: null });
    const changed = { ...values, name: `${values.name} II`, price: '1.00', required_item_ids: [] };
    const path = `${items}/${created.id}`;
    const replaced = await world
      .call('put', path, tenant.owner)
      .set('If-Match', '"1"')
      .send(changed)
      .expect(200);
    expect(replaced.body).toMatchObject({ version: 2, price: { amount: '1.00' }, required_item_ids: [] });
    await world.call('put', path, tenant.owner).set('If-Match', '"1"').send(changed).expect(412);
    await world.call('delete', path, tenant.owner).set('If-Match', '"1"').expect(412);
    await world.call('delete', path, tenant.owner).expect(204);
    await world.call('get', path, tenant.owner).expect(404);
  });

  it.each([
    ['{password}'],
    ['{{steam_id}}'],
    ['{steam_id'],
    ['say "{player_name}'],
    ['say \\'],
    ['give vip:{player_name} stone 1'],
    ["say '{player_name}'"],
    ['   '],
    ['one\ntwo'],
    ['{constructor}'],
    ['{steam_id.length}'],
    ['x'.repeat(401)],
  ])('return 400 for the command %j', async (command) => {
    for (const field of ['delivery_commands', 'revoke_commands'])
      await create({ [field]: [command] }).expect(400);
  });

  it.each(['0.00', '1', '1.0', '1.000', '-1.00', '1e3', '9999999999.00', '٩.٩٩', ' 1.00', ''])(
    'return 400 for the price %j in dollars',
    async (price) => {
      await create({ price }).expect(400);
    },
  );

  it("return 400 for prices that a card cannot be charged, and for other currencies' precision", async () => {
    const own = await world.createTenant();
    await openStore(world, own, { currency: 'KWD' });
    const there = await createInstance(world, own);
    for (const price of ['1.995', '1.99'])
      await create({ price, instance_ids: [there] }, own.owner).expect(400);
    expect((await sell(world, own, { price: '1.990' })).price).toEqual({ amount: '1.990', currency: 'KWD' });
  });

  it('return 400 for unsafe picture URLs, and for no delivery target', async () => {
    for (const image_url of ['http://a.example/x.png', 'javascript:alert(1)', 'https://a b', 'https://a"b'])
      await create({ image_url }).expect(400);
    await create({ instance_ids: [] }).expect(400);
  });

  it('return 409 name_taken, and 400 for an item that requires itself', async () => {
    const item = (await create().expect(201)).body as Schemas['StoreItem'];
    expect(codeOf(await create({ name: item.name }).expect(409))).toBe('name_taken');
    const itself = input({ name: item.name, required_item_ids: [item.id] });
    await world.call('put', `${items}/${item.id}`, tenant.owner).send(itself).expect(400);
  });

  it('return 409 item_in_use for items that others require, and 400 for circular requirements', async () => {
    const first = (await create().expect(201)).body as Schemas['StoreItem'];
    const values = input({ required_item_ids: [first.id] });
    const second = (await create(values).expect(201)).body as Schemas['StoreItem'];
    const third = (await create({ required_item_ids: [second.id] }).expect(201)).body as Schemas['StoreItem'];
    const remove = ({ id }: { id: string }) => world.call('delete', `${items}/${id}`, tenant.owner);
    const refused = await remove(first).expect(409);
    expect([codeOf(refused), (refused.body as { detail: string }).detail]).toEqual([
      'item_in_use',
      expect.stringContaining(second.name),
    ]);
    const circle = input({ name: first.name, required_item_ids: [third.id] });
    await world.call('put', `${items}/${first.id}`, tenant.owner).send(circle).expect(400);
    for (const item of [third, second, first]) await remove(item).expect(204);
  });

  it('return 403 beyond_own_permissions for commands of a caller who may type none', async () => {
    const shopkeeper = await world.addMemberWith(tenant, { 'webstore.*': true });
    expect(codeOf(await create({}, shopkeeper).expect(403))).toBe('beyond_own_permissions');
    const values = input();
    const { body } = await world.call('post', items, tenant.owner).send(values).expect(201);
    const path = `${items}/${(body as Schemas['StoreItem']).id}`;
    const replace = (changes: object) => world.call('put', path, shopkeeper).send({ ...values, ...changes });
    await replace({ price: '0.99', position: 3 }).expect(200);
    for (const changes of [
      { delivery_commands: ['quit'] },
      { revoke_commands: ['quit'] },
      { instance_ids: [await createInstance(world, tenant)] },
    ])
      expect(codeOf(await replace(changes).expect(403))).toBe('beyond_own_permissions');
  });

  it("return 409 limit_reached beyond a store's maximum", async () => {
    const own = await world.createTenant();
    await world.database.query(
      `insert into store_item (license_id, name, position, price_minor, currency, is_enabled, delivery_commands,
         revoke_commands, needs_online_player, repeats_after_wipe, delivery_days)
       select $1, 'more ' || n, 0, 100, 'USD', true, '["say x"]', '[]', false, false, 1 from generate_series(1, 1000) n`,
      [own.license.id],
    );
    const there = await createInstance(world, own);
    expect(codeOf(await create({ instance_ids: [there] }, own.owner).expect(409))).toBe('limit_reached');
  });
});
