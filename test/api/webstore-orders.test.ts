// Operations of the area `webstore-orders`.
import type { components } from '../../generated/platform.d.ts';
import { openStore, order, sell, settle, someSteamId, transactionOf } from '../support/store.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create();
  tenant = await world.createTenant();
  await openStore(world, tenant);
});

afterAll(async () => {
  await world.close();
});

const list = async (query: string) =>
  (
    (await world.call('get', `/api/webstore/transactions?${query}`, tenant.owner).expect(200)).body as {
      data: Schemas['StoreTransaction'][];
    }
  ).data;

describe('transactions', () => {
  it('are listed by how they stand, for whom and of what, with what was told of them', async () => {
    const item = await sell(world, tenant);
    const steam_id = someSteamId();
    const { id } = await order(world, tenant, [{ item_id: item.id, quantity: 2 }], { steam_id });
    await settle(world, tenant, id);
    const [transaction, ...others] = await list(`steam_id=${steam_id}&status=paid&item_id=${item.id}`);
    expect(others).toEqual([]);
    expect(transaction).toEqual({
      id,
      status: 'paid',
      steam_id,
      player_name: null,
      provider: 'sandbox',
      is_test: true,
      total: { amount: '19.98', currency: 'USD' },
      refunded: { amount: '0.00', currency: 'USD' },
      payment_reference: `sandbox ${id}`,
      lines: [
        {
          item_id: item.id,
          item_name: item.name,
          quantity: 2,
          unit_price: { amount: '9.99', currency: 'USD' },
        },
      ],
      created_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
      paid_at: expect.stringMatching(/Z$/),
    });
    expect(await list(`steam_id=${steam_id}&status=refunded`)).toEqual([]);
    expect(await list(`steam_id=${steam_id}&created_to=2020-01-01T00:00:00Z`)).toEqual([]);
    const { events } = await transactionOf(world, tenant, id);
    expect(events).toMatchObject([
      { kind: 'paid', outcome: 'applied', amount: { amount: '19.98', currency: 'USD' } },
    ]);
  });

  it('keep what was bought when the item is changed or deleted', async () => {
    const item = await sell(world, tenant);
    const { id } = await order(world, tenant, [{ item_id: item.id, quantity: 1 }]);
    await world.call('delete', `/api/webstore/items/${item.id}`, tenant.owner).expect(204);
    await settle(world, tenant, id);
    expect((await transactionOf(world, tenant, id)).lines).toMatchObject([
      { item_id: null, item_name: item.name, unit_price: { amount: '9.99' } },
    ]);
  });

  it('are a table on request, in which nothing is a formula', async () => {
    const item = await sell(world, tenant, { name: '=HYPERLINK("http://evil.example")' });
    const steam_id = someSteamId();
    for (const player_name of ['=1+1', '+1', '-1', '@x'])
      await order(world, tenant, [{ item_id: item.id, quantity: 1 }], { steam_id, player_name });
    const { text, headers } = await world
      .call('get', `/api/webstore/transactions?steam_id=${steam_id}&format=csv`, tenant.owner)
      .expect(200);
    expect(headers['content-type']).toContain('text/csv');
    const [names, ...lines] = text.trimEnd().split('\n');
    expect(names).toBe(
      'id,created_at,paid_at,status,steam_id,player_name,items,total,refunded,currency,provider,is_test,payment_reference',
    );
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      expect(line).toMatch(/,'[=+@-]/);
      expect(line).not.toMatch(/(^|,)[=+@]/);
      expect(line).toContain(',9.99,0.00,USD,sandbox,true,');
    }
  });
});
