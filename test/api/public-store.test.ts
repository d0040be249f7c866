// Operations of the area `public-store`: what buyers see and buy, and payments in the sandbox.
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { components } from '../../generated/platform.d.ts';
import { someId } from '../support/contract.ts';
import { createStoreCategory } from '../support/rows.ts';
import {
  buying,
  buyingFrom,
  deliveriesOf,
  openStore,
  order,
  sell,
  settle,
  someSteamId,
  storeInput,
  storePath,
  subscriptionIs,
  transactionOf,
} from '../support/store.ts';
import { unlessBusy, until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ trustProxy: 1 });
  tenant = await world.createTenant();
  await openStore(world, tenant);
});

afterAll(async () => {
  await world.close();
});

async function newStore(values: Partial<Schemas['StoreSettingsReplace']> = {}): Promise<Tenant> {
  const own = await world.createTenant();
  await openStore(world, own, values);
  return own;
}

const show = (own: Tenant, rest = '') => world.call('get', `${storePath(own)}${rest}`);
const codeOf = ({ body }: { body: unknown }) => (body as { code?: string }).code;

describe('getPublicStore', () => {
  it("returns 200 with the store's public settings", async () => {
    const own = await newStore({ terms: 'No refunds.' });
    const category = await createStoreCategory(world, own, { name: 'Ranks', description: 'Colours' });
    const { body, headers } = await show(own).expect(200);
    const { name, currency, theme } = storeInput();
    expect(body).toEqual({
      subdomain: own.license.subdomain,
      name,
      currency,
      theme,
      terms: 'No refunds.',
      is_test: true,
      categories: [{ id: category, name: 'Ranks', description: 'Colours' }],
    });
    expect(headers).toMatchObject({ 'cache-control': 'public, max-age=5' });
    await show(own).set('If-None-Match', String(headers['etag'])).expect(304);
  });

  it('returns 404 for a store that is unknown, disabled, or of a revoked license', async () => {
    await world.call('get', '/api/public-store/no-such-store').expect(404);
    const own = await newStore({ is_enabled: false });
    await show(own).expect(404);
    const revoked = await newStore();
    await world
      .call('patch', `/api/admin/licenses/${revoked.license.id}`, world.admin)
      .send({ status: 'revoked' })
      .expect(200);
    await show(revoked).expect(404);
  });

  it.each(['expired', 'trialing', 'past_due'] as const)(
    'opens or closes with a subscription that is %s, and keeps its contents',
    async (status) => {
      const own = await newStore();
      const item = await sell(world, own);
      await subscriptionIs(world, own, status);
      await show(own, '/items').expect(status === 'expired' ? 404 : 200);
      if (status === 'expired') {
        const { body } = await buying(world, own, [{ item_id: item.id, quantity: 1 }]).expect(404);
        expect(codeOf({ body })).toBe('not_found');
      }
      await world.call('get', `/api/webstore/items/${item.id}`, own.owner).expect(200);
    },
  );
});

describe('listPublicStoreItems', () => {
  it('returns 200 with the items for sale, in the configured order', async () => {
    const own = await newStore();
    const last = await sell(world, own, { position: 2 });
    const first = await sell(world, own, { position: 1, required_item_ids: [last.id] });
    await sell(world, own, { is_enabled: false });
    const { body } = await show(own, '/items').expect(200);
    expect(body).toEqual({
      data: [first, last].map((item) => ({
        id: item.id,
        name: item.name,
        description: null,
        image_url: null,
        category_id: null,
        price: { amount: '9.99', currency: 'USD' },
        limit_per_player: null,
        required_item_ids: item.required_item_ids,
        needs_online_player: false,
        is_sold_out: false,
        available_count: null,
        held_count: null,
      })),
    });
  });
});

it('shows an item as sold out until an order of it expires', async () => {
  const own = await world.createTenant();
  await openStore(world, own);
  const item = await sell(world, own, { limit_total: 1 });
  const isSoldOut = async () => {
    const { body } = await world.call('get', `${storePath(own)}/items`).expect(200);
    return (body as Schemas['PublicStoreItemList']).data[0]?.is_sold_out;
  };
  const { id } = await order(world, own, [{ item_id: item.id, quantity: 1 }]);
  expect(await isSoldOut()).toBe(true);
  await world.database.query('update store_order set expires_at = now() where id = $1', [id]);
  await until(async () => (await isSoldOut()) === false, 'the item');
});

it("redirects from the store's former subdomain to the current one", async () => {
  const own = await world.createTenant();
  const former = own.license.subdomain;
  const subdomain = `${former}-new`;
  await world.call('patch', '/api/license', own.owner).send({ subdomain }).expect(200);
  const { headers } = await world.call('get', `/store/${former}`).expect(302);
  expect(headers['location']).toBe(`/store/${subdomain}`);
  await world.call('get', `/store/${subdomain}`).expect(404);
});

describe('placeOrder', () => {
  it('returns 201 with the store’s prices and a payment URL', async () => {
    const item = await sell(world, tenant, { price: '0.10' });
    const purchase = await order(world, tenant, [
      { item_id: item.id, quantity: 2 },
      { item_id: item.id, quantity: 1 },
    ]);
    expect(purchase).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'pending',
      provider: 'sandbox',
      is_test: true,
      total: { amount: '0.30', currency: 'USD' },
      lines: [
        {
          item_name: item.name,
          quantity: 3,
          unit_price: { amount: '0.10', currency: 'USD' },
          delivered_count: 0,
          undelivered_count: 0,
          delivery_count: 0,
        },
      ],
      checkout_url: expect.stringContaining(purchase.id),
      expires_at: expect.stringMatching(/Z$/),
    });
  });

  it.each([
    ['JPY', '999', '1998'],
    ['KWD', '1.990', '3.980'],
    ['EUR', '1000000.00', undefined],
  ] as const)('counts in the smallest unit of %s', async (currency, price, total) => {
    const own = await newStore({ currency });
    const item = await sell(world, own, { price });
    const { body, status } = await buying(world, own, [{ item_id: item.id, quantity: 2 }]);
    if (total === undefined) expect([status, codeOf({ body })]).toEqual([409, 'limit_reached']);
    else expect([status, (body as Schemas['PublicOrder']).total]).toEqual([201, { amount: total, currency }]);
  });

  it('returns 400 for prices sent by the buyer, invalid quantities and invalid players', async () => {
    const item = await sell(world, tenant);
    for (const line of [
      { item_id: item.id, quantity: 1, price: '0.01' },
      { item_id: item.id, quantity: 1, unit_price: { amount: '0.01', currency: 'USD' } },
      { item_id: item.id, quantity: 0 },
      { item_id: item.id, quantity: -1 },
      { item_id: item.id, quantity: 1.5 },
      { item_id: item.id, quantity: 1e9 },
      { item_id: item.id, quantity: '1' },
    ])
      await world
        .call('post', `${storePath(tenant)}/purchase`)
        .send({ steam_id: someSteamId(), items: [line] })
        .expect(400);
    for (const buyer of [
      { steam_id: '76561197960265728' },
      { steam_id: '12345678901234567' },
      { steam_id: '7656119796028793a' },
      { player_name: 'two\nlines' },
      { total: '0.01' },
      { currency: 'JPY' },
    ])
      await buying(world, tenant, [{ item_id: item.id, quantity: 1 }], buyer).expect(400);
    await buying(world, tenant, []).expect(400);
  });

  it('returns 409 not_for_sale for an item that is not for sale or of another store', async () => {
    const other = await newStore();
    const foreign = await sell(world, other);
    const disabled = await sell(world, tenant, { is_enabled: false });
    for (const item_id of [foreign.id, disabled.id, someId]) {
      const response = await buying(world, tenant, [{ item_id, quantity: 1 }]).expect(409);
      expect(codeOf(response)).toBe('not_for_sale');
    }
  });

  it('returns 409 item_required until the player has the required item, or buys it in the same order', async () => {
    const needed = await sell(world, tenant);
    const item = await sell(world, tenant, { required_item_ids: [needed.id] });
    const steam_id = someSteamId();
    const alone = () => buying(world, tenant, [{ item_id: item.id, quantity: 1 }], { steam_id });
    expect(codeOf(await alone().expect(409))).toBe('item_required');
    const both = [needed, item].map(({ id }) => ({ item_id: id, quantity: 1 }));
    await order(world, tenant, both);
    const { id } = await order(world, tenant, [{ item_id: needed.id, quantity: 1 }], { steam_id });
    await alone().expect(409);
    await settle(world, tenant, id);
    await alone().expect(201);
  });

  it("returns 409 purchase_limit beyond a player's maximum; unpaid expired orders do not count", async () => {
    const item = await sell(world, tenant, { limit_per_player: 2 });
    const steam_id = someSteamId();
    const buy = (quantity: number) => buying(world, tenant, [{ item_id: item.id, quantity }], { steam_id });
    expect(codeOf(await buy(3).expect(409))).toBe('purchase_limit');
    const { body } = await buy(2).expect(201);
    expect(codeOf(await buy(1).expect(409))).toBe('purchase_limit');
    await buying(world, tenant, [{ item_id: item.id, quantity: 1 }]).expect(201);
    await world.database.query('update store_order set expires_at = now() where id = $1', [
      (body as Schemas['PublicOrder']).id,
    ]);
    const again = (await buy(1).expect(201)).body as Schemas['PublicOrder'];
    await settle(world, tenant, again.id);
    await settle(world, tenant, again.id, 'refunded');
    await buy(2).expect(201);
  });

  it('sells exactly the stock to fifty concurrent buyers', async () => {
    const item = await sell(world, tenant, { limit_total: 7 });
    const own = await sell(world, tenant, { limit_per_player: 3 });
    const steam_id = someSteamId();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        unlessBusy(() =>
          index % 2 === 0
            ? buyingFrom(`198.51.100.${index}`, world, tenant, [{ item_id: item.id, quantity: 1 }])
            : buying(world, tenant, [{ item_id: own.id, quantity: 1 }], { steam_id }),
        ),
      ),
    );
    const statuses = (rest: number) =>
      responses.filter((_, index) => index % 2 === rest).map(({ status }) => status);
    expect(statuses(0).filter((status) => status === 201)).toHaveLength(7);
    expect(statuses(1).filter((status) => status === 201)).toHaveLength(3);
    expect(responses.filter(({ status }) => status !== 201).map(codeOf)).toEqual(
      Array.from({ length: 40 }, () => 'purchase_limit'),
    );
  });

  it('returns 409 limit_reached for too many open orders of a player', async () => {
    const item = await sell(world, tenant);
    const steam_id = someSteamId();
    const buy = () => buying(world, tenant, [{ item_id: item.id, quantity: 1 }], { steam_id });
    for (let count = 0; count < 40; count += 1) await buy().expect(201);
    expect(codeOf(await buy().expect(409))).toBe('limit_reached');
  });

  it('returns the first response again for the same key', async () => {
    const item = await sell(world, tenant, { limit_total: 1 });
    const steam_id = someSteamId();
    const key = randomUUID();
    const buy = () =>
      buying(world, tenant, [{ item_id: item.id, quantity: 1 }], { steam_id }).set('Idempotency-Key', key);
    const first = await buy().expect(201);
    const second = await buy().expect(201);
    expect(second.body).toEqual(first.body);
    const other = buying(world, tenant, [{ item_id: item.id, quantity: 2 }], { steam_id });
    await other.set('Idempotency-Key', key).expect(422);
  });
});

describe('holds of limited stock', () => {
  const unitsOf = async (own: Tenant) => {
    const { body } = await show(own, '/items').expect(200);
    return (body as Schemas['PublicStoreItemList']).data.map((item) => [
      item.available_count,
      item.held_count,
    ]);
  };
  const elapse = (id: string) =>
    world.database.query('update store_order set expires_at = now() where id = $1', [id]);
  const statusesOf = async (orders: Iterable<PromiseLike<{ status: number }>>) => {
    const statuses: number[] = [];
    for (const order of orders) statuses.push((await order).status);
    return statuses;
  };
  const idOf = ({ body }: { body: unknown }) => (body as Schemas['PublicOrder']).id;

  it('one buyer holds at most a quarter of it from any number of addresses; paid units no longer count as held', async () => {
    const item = await sell(world, tenant, { limit_total: 8 });
    const steam_id = someSteamId();
    const buy = (address: string, quantity = 1) =>
      buyingFrom(address, world, tenant, [{ item_id: item.id, quantity }], { steam_id });
    const refusal = await buy('198.51.100.1', 3).expect(409);
    expect(refusal.body).toMatchObject({
      code: 'purchase_limit',
      detail: expect.stringContaining('reserve at most 2 of'),
    });
    const first = await buy('198.51.100.1').expect(201);
    await buy('198.51.100.2').expect(201);
    expect(codeOf(await buy('198.51.100.3').expect(409))).toBe('purchase_limit');
    await settle(world, tenant, idOf(first));
    const again = await buy('198.51.100.3').expect(201);
    await buy('198.51.100.4').expect(409);
    await settle(world, tenant, idOf(again), 'failed');
    await buy('198.51.100.4').expect(201);
  });

  it('one address holds at most half of it for any number of players, and others can buy the rest', async () => {
    const item = await sell(world, tenant, { limit_total: 8 });
    const lines = [{ item_id: item.id, quantity: 1 }];
    const buy = (address: string) => buyingFrom(address, world, tenant, lines);
    const six = (address: string) => Array.from({ length: 6 }, () => buy(address));
    expect(await statusesOf(six('203.0.113.7'))).toEqual([201, 201, 201, 201, 409, 409]);
    expect((await buy('203.0.113.7')).body).toMatchObject({
      code: 'purchase_limit',
      detail: expect.stringContaining('reserve at most 4 of'),
    });
    expect(await statusesOf(six('203.0.113.8'))).toEqual([201, 201, 201, 201, 409, 409]);
  });

  it('the addresses of one IPv6 network count as one', async () => {
    const item = await sell(world, tenant, { limit_total: 2 });
    const lines = [{ item_id: item.id, quantity: 1 }];
    await buyingFrom('2001:db8:1:1::1', world, tenant, lines).expect(201);
    await buyingFrom('2001:db8:1:1:ffff::2', world, tenant, lines).expect(409);
    await buyingFrom('2001:db8:1:2::1', world, tenant, lines).expect(201);
  });

  it('a higher limit for each player raises the limit of held units', async () => {
    const item = await sell(world, tenant, { limit_total: 4, limit_per_player: 3 });
    const buy = (quantity: number) =>
      buyingFrom('203.0.113.9', world, tenant, [{ item_id: item.id, quantity }]);
    await buy(3).expect(201);
    await buy(1).expect(409);
  });

  it('the last unit can be bought', async () => {
    const item = await sell(world, tenant, { limit_total: 1 });
    const lines = [{ item_id: item.id, quantity: 1 }];
    const { id } = await order(world, tenant, lines);
    await elapse(id);
    await order(world, tenant, lines);
  });

  it('the store shows available and held units until an order is paid or expires', async () => {
    const own = await newStore();
    const item = await sell(world, own, { limit_total: 8 });
    const lines = [{ item_id: item.id, quantity: 2 }];
    const paid = await buyingFrom('203.0.113.1', world, own, lines).expect(201);
    const lapsed = await buyingFrom('203.0.113.2', world, own, lines).expect(201);
    expect(await unitsOf(own)).toEqual([[4, 4]]);
    await settle(world, own, idOf(paid));
    await elapse(idOf(lapsed));
    await until(async () => isDeepStrictEqual(await unitsOf(own), [[6, 0]]), 'the remaining stock');
  });

  it("an order has a keyed hash of the buyer's address, specific to its license, until it ends", async () => {
    const other = await newStore();
    const [item, foreign] = [await sell(world, tenant), await sell(world, other)];
    const hashOf = async (id: string) => {
      const [row] = await world.database.query<{ source_hash: string | null }>(
        'select source_hash from store_order where id = $1',
        [id],
      );
      return row?.source_hash;
    };
    const orderOf = async (own: Tenant, { id }: { id: string }) =>
      idOf(await buyingFrom('203.0.113.20', world, own, [{ item_id: id, quantity: 1 }]).expect(201));
    const [one, two, third] = [
      await orderOf(tenant, item),
      await orderOf(tenant, item),
      await orderOf(other, foreign),
    ];
    expect(await hashOf(one)).toMatch(/^[\w-]{43}$/);
    expect(await hashOf(two)).toBe(await hashOf(one));
    expect(await hashOf(third)).not.toBe(await hashOf(one));
    await settle(world, tenant, one);
    await settle(world, tenant, two, 'failed');
    expect([await hashOf(one), await hashOf(two)]).toEqual([null, null]);
    await world.database.query(`update store_order set status = 'expired' where id = $1`, [third]);
    expect(await hashOf(third)).toBeNull();
  });
});

describe('getOrder', () => {
  it('returns 200 for every caller with the order id, and 404 in the store of another license', async () => {
    const item = await sell(world, tenant);
    const { id, ...rest } = await order(world, tenant, [{ item_id: item.id, quantity: 1 }]);
    const { body } = await show(tenant, `/orders/${id}`).expect(200);
    expect(body).toEqual({ id, ...rest });
    await show(await newStore(), `/orders/${id}`).expect(404);
    await show(tenant, `/orders/${someId}`).expect(404);
    await world.call('get', `/api/public-store/no-such-store/orders/${id}`).expect(404);
  });
});

describe('simulatePayment', () => {
  const pay = (own: Tenant, id: string) =>
    world.call('post', `${storePath(own)}/orders/${id}/sandbox`).send({ outcome: 'paid' });
  const elapse = (id: string) =>
    world.database.query('update store_order set expires_at = now() where id = $1', [id]);

  it('makes one delivery for each unit and each instance, once', async () => {
    const [one, two] = [await sell(world, tenant), await sell(world, tenant)];
    const both = await sell(world, tenant, { instance_ids: [...one.instance_ids, ...two.instance_ids] });
    const { id } = await order(world, tenant, [{ item_id: both.id, quantity: 3 }]);
    expect(await deliveriesOf(world, tenant, id)).toEqual([]);
    const paid = await settle(world, tenant, id);
    expect(paid).toMatchObject({ status: 'paid', checkout_url: null });
    expect(paid.lines).toMatchObject([{ delivered_count: 0, delivery_count: 6 }]);
    await settle(world, tenant, id);
    const deliveries = await deliveriesOf(world, tenant, id);
    const places = deliveries.map(({ unit, instance_id }) => `${unit} ${instance_id ?? ''}`);
    expect(new Set(places).size).toBe(6);
    expect(deliveries).toHaveLength(6);
  });

  it('processes 180 concurrent outcomes of a few orders that share an item, without a failure', async () => {
    const item = await sell(world, tenant);
    const orders = await Promise.all(
      Array.from({ length: 18 }, () => order(world, tenant, [{ item_id: item.id, quantity: 2 }])),
    );
    const outcomes = ['paid', 'refunded', 'disputed', 'paid', 'failed'] as const;
    const statuses = await Promise.all(
      Array.from({ length: 180 }, async (_, index) => {
        const { id } = orders[index % orders.length] ?? { id: '' };
        const outcome = outcomes[index % outcomes.length];
        const { status } = await world
          .call('post', `${storePath(tenant)}/orders/${id}/sandbox`)
          .send({ outcome });
        return status;
      }),
    );
    expect(statuses).not.toContain(500);
  });

  it.each([
    ['failed', 'failed'],
    ['disputed', 'disputed'],
  ] as const)('an order whose payment is %s delivers nothing', async (outcome, status) => {
    const item = await sell(world, tenant);
    const { id } = await order(world, tenant, [{ item_id: item.id, quantity: 1 }]);
    expect(await settle(world, tenant, id, outcome)).toMatchObject({ status });
    expect(await deliveriesOf(world, tenant, id)).toEqual([]);
  });

  it('revokes deliveries of a refunded order, in any order of reports', async () => {
    const item = await sell(world, tenant, { revoke_commands: ['take {steam_id}'] });
    const { id } = await order(world, tenant, [{ item_id: item.id, quantity: 1 }]);
    await settle(world, tenant, id);
    await settle(world, tenant, id, 'refunded');
    expect(await deliveriesOf(world, tenant, id)).toMatchObject([{ kind: 'delivery', status: 'cancelled' }]);
    const late = await order(world, tenant, [{ item_id: item.id, quantity: 1 }]);
    await settle(world, tenant, late.id, 'refunded');
    expect(await settle(world, tenant, late.id)).toMatchObject({ status: 'refunded' });
    expect(await deliveriesOf(world, tenant, late.id)).toEqual([]);
    const { status, refunded } = await transactionOf(world, tenant, id);
    expect({ status, refunded }).toEqual({
      status: 'refunded',
      refunded: { amount: '9.99', currency: 'USD' },
    });
  });

  it.each([
    ['of a store that has closed', { is_enabled: false }, 'provider_not_ready'],
    ['whose store has no subscription any more', {}, 'provider_not_ready'],
    ['that was to be paid earlier', {}, 'order_ended'],
    ['whose payment has failed', {}, 'order_ended'],
  ] as const)('returns 409 for an order %s', async (what, config, code) => {
    const own = await newStore();
    const item = await sell(world, own, { limit_total: 1 });
    const { id } = await order(world, own, [{ item_id: item.id, quantity: 1 }]);
    if ('is_enabled' in config)
      await world
        .call('put', '/api/webstore/config', own.owner)
        .send(storeInput({ ...config }))
        .expect(200);
    if (what.includes('subscription')) await subscriptionIs(world, own, 'expired');
    if (what.includes('earlier')) await elapse(id);
    if (what.includes('failed')) await settle(world, own, id, 'failed');
    expect(codeOf(await pay(own, id).expect(409))).toBe(code);
    expect(await deliveriesOf(world, own, id)).toEqual([]);
  });

  it('sells the stock once, even when an expired order is paid too', async () => {
    const item = await sell(world, tenant, { limit_total: 1 });
    const lines = [{ item_id: item.id, quantity: 1 }];
    const late = await order(world, tenant, lines);
    await elapse(late.id);
    await settle(world, tenant, (await order(world, tenant, lines)).id);
    expect(codeOf(await pay(tenant, late.id).expect(409))).toBe('order_ended');
  });

  it('returns 409 provider_not_ready for an order once the store has another provider', async () => {
    const own = await newStore();
    const item = await sell(world, own);
    const lines = [{ item_id: item.id, quantity: 1 }];
    const [waiting, paid] = [await order(world, own, lines), await order(world, own, lines)];
    await settle(world, own, paid.id);
    await world
      .call('put', '/api/webstore/providers/stripe', own.owner)
      .send({ secret_key: 'rk_test_0123456789abcdef', webhook_secret: 'whsec_of_a_store_that_went_live' })
      .expect(200);
    await world
      .call('put', '/api/webstore/config', own.owner)
      .send(storeInput({ provider: 'stripe' }))
      .expect(200);
    expect(await transactionOf(world, own, waiting.id)).toMatchObject({ status: 'expired' });
    expect(await transactionOf(world, own, paid.id)).toMatchObject({ status: 'paid' });
    expect(codeOf(await pay(own, waiting.id).expect(409))).toBe('provider_not_ready');
  });

  it('returns 404 for an order of another store, and one of another provider', async () => {
    const item = await sell(world, tenant);
    const { id } = await order(world, tenant, [{ item_id: item.id, quantity: 1 }]);
    const other = await newStore();
    await world
      .call('post', `${storePath(other)}/orders/${id}/sandbox`)
      .send({ outcome: 'paid' })
      .expect(404);
    await world.database.query(`update store_order set provider = 'stripe' where id = $1`, [id]);
    await world
      .call('post', `${storePath(tenant)}/orders/${id}/sandbox`)
      .send({ outcome: 'paid' })
      .expect(404);
  });
});

it('unpaid orders expire', async () => {
  const item = await sell(world, tenant);
  const { id } = await order(world, tenant, [{ item_id: item.id, quantity: 1 }]);
  await world.database.query(`update store_order set expires_at = now() - interval '1 hour' where id = $1`, [
    id,
  ]);
  await until(
    async () => (await transactionOf(world, tenant, id)).status === 'expired',
    'the end of the order',
    60_000,
  );
});
