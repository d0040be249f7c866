// Operations of the area `webstore`: the subscription, the store's settings and its payment providers.
import type { components } from '../../generated/platform.d.ts';
import { createStoreItem } from '../support/rows.ts';
import { openStore, sell, storeInput, storePath, subscriptionIs } from '../support/store.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});

afterAll(async () => {
  await world.close();
});

const subscription = '/api/webstore/subscription';
const config = '/api/webstore/config';
const stripe = '/api/webstore/providers/stripe';
const codeOf = ({ body }: { body: unknown }) => (body as { code?: string }).code;
const secrets = { secret_key: 'rk_test_0123456789abcdef', webhook_secret: 'whsec_0123456789abcdef' };
const subscribe = ({ owner }: Tenant) => world.call('post', `${subscription}/create`, owner);

describe('the subscription', () => {
  it('is created, confirmed, cancelled and created again', async () => {
    const tenant = await world.createTenant();
    expect(codeOf(await world.call('get', subscription, tenant.owner).expect(404))).toBe('not_found');
    const { body } = await subscribe(tenant).expect(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'trialing',
      opens_store: false,
      provider: 'sandbox',
      is_test: true,
      price: { amount: '0.00', currency: 'USD' },
      period: 'month',
      checkout_url: null,
      started_at: expect.stringMatching(/Z$/),
      ends_at: null,
      cancelled_at: null,
      created_at: expect.stringMatching(/Z$/),
    });
    expect(codeOf(await subscribe(tenant).expect(409))).toBe('already_subscribed');
    await subscriptionIs(world, tenant, 'active');
    const cancel = () => world.call('post', `${subscription}/cancel`, tenant.owner).expect(200);
    const cancelled = (await cancel()).body as Schemas['StoreSubscription'];
    expect(cancelled).toMatchObject({ status: 'cancelled', opens_store: true });
    expect(Date.parse(cancelled.ends_at ?? '')).toBeGreaterThan(Date.now());
    expect((await cancel()).body).toEqual(cancelled);
    await world.database.query(
      `update subscription set ends_at = now() - interval '1 minute' where license_id = $1`,
      [tenant.license.id],
    );
    expect((await world.call('get', subscription, tenant.owner).expect(200)).body).toMatchObject({
      status: 'cancelled',
      opens_store: false,
    });
    await subscribe(tenant).expect(201);
  });

  it('that was never confirmed ends at once, and can be replaced after a day', async () => {
    const tenant = await world.createTenant();
    await subscribe(tenant).expect(201);
    const { body } = await world.call('post', `${subscription}/cancel`, tenant.owner).expect(200);
    expect(body).toMatchObject({ status: 'expired', opens_store: false });
    await subscribe(tenant).expect(201);
    await world.database.query(
      `update subscription set created_at = now() - interval '2 days' where license_id = $1`,
      [tenant.license.id],
    );
    await subscribe(tenant).expect(201);
  });

  it('is one for any number of concurrent requests', async () => {
    const tenant = await world.createTenant();
    const responses = await Promise.all(Array.from({ length: 8 }, () => subscribe(tenant)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status !== 201).map(codeOf)).toEqual(
      Array.from({ length: 7 }, () => 'already_subscribed'),
    );
  });

  it('adds nothing to the platform’s revenue while it is unpaid', async () => {
    const tenant = await world.createTenant();
    await openStore(world, tenant);
    const { body } = await world
      .call('get', `/api/admin/subscriptions?license_id=${tenant.license.id}`, world.admin)
      .expect(200);
    expect(body).toMatchObject({
      data: [{ kind: 'webstore', status: 'active', price: { amount: '0.00', currency: 'USD' } }],
    });
  });
});

describe('the settings', () => {
  it('are those of a disabled store until they are replaced, and support If-Match', async () => {
    const tenant = await world.createTenant({ name: 'Rusty Islands' });
    const { body, headers } = await world.call('get', config, tenant.owner).expect(200);
    expect(body).toMatchObject({ name: 'Rusty Islands', is_enabled: false, is_open: false, version: 0 });
    expect(headers['etag']).toBe('"0"');
    const replace = (values = {}, tag = '"0"') =>
      world
        .call('put', config, tenant.owner)
        .set('If-Match', tag)
        .send(storeInput({ is_enabled: false, provider: null, ...values }));
    const first = await replace().expect(200);
    expect(first.headers['etag']).toBe('"1"');
    expect(codeOf(await replace().expect(412))).toBe('stale_version');
    await replace({ theme: { accent: 'red', background: '#000000', text: '#ffffff' } }, '"1"').expect(400);
    await replace({ currency: 'XXX' }, '"1"').expect(400);
  });

  it('return 409 currency_in_use while there are prices in another', async () => {
    const tenant = await world.createTenant();
    await openStore(world, tenant);
    await createStoreItem(world, tenant);
    const response = await world.call('put', config, tenant.owner).send(storeInput({ currency: 'EUR' }));
    expect([response.status, codeOf(response)]).toEqual([409, 'currency_in_use']);
  });

  it('return 409 provider_not_ready for a provider without its secrets, and for none', async () => {
    const tenant = await world.createTenant();
    for (const provider of ['stripe', null] as const) {
      const response = await world.call('put', config, tenant.owner).send(storeInput({ provider }));
      expect([response.status, codeOf(response)]).toEqual([409, 'provider_not_ready']);
    }
  });
});

describe('the providers', () => {
  it('accept secrets that are never returned', async () => {
    const tenant = await world.createTenant();
    const { body } = await world.call('put', stripe, tenant.owner).send(secrets).expect(200);
    expect(body).toEqual({
      provider: 'stripe',
      is_allowed: true,
      is_ready: true,
      is_test: true,
      webhook_url: `${world.url}${storePath(tenant)}/webhook`,
      updated_at: expect.stringMatching(/Z$/),
    });
    const listed = await world.call('get', '/api/webstore/providers', tenant.owner).expect(200);
    expect(listed.body).toMatchObject({ data: [{ provider: 'sandbox', is_ready: true }, body] });
    const rows = await world.database.query(
      'select encode(secret_key, $2) as key, encode(webhook_secret, $2) as hook from store_account where license_id = $1',
      [tenant.license.id, 'escape'],
    );
    const log = await world.call('get', '/api/audit', tenant.owner).expect(200);
    const reported = JSON.stringify([body, listed.body, rows, log.body]);
    for (const secret of Object.values(secrets)) expect(reported).not.toContain(secret);
    const [newest] = (log.body as { data: Schemas['AuditEntry'][] }).data;
    expect(newest).toMatchObject({ target_type: 'store_account', operation: 'connectStripe' });
  });

  it('return 400 unless both secrets have the right form', async () => {
    const tenant = await world.createTenant();
    for (const values of [
      { ...secrets, webhook_secret: '' },
      { ...secrets, secret_key: 'pk_test_0123456789abcdef' },
      { secret_key: secrets.secret_key },
      { webhook_secret: secrets.webhook_secret },
    ])
      await world.call('put', stripe, tenant.owner).send(values).expect(400);
  });

  it('delete an account, unless the store takes payments with it', async () => {
    const tenant = await world.createTenant();
    await world.call('delete', stripe, tenant.owner).expect(404);
    await world.call('put', stripe, tenant.owner).send(secrets).expect(200);
    await world
      .call('put', config, tenant.owner)
      .send(storeInput({ provider: 'stripe' }))
      .expect(200);
    expect(codeOf(await world.call('delete', stripe, tenant.owner).expect(409))).toBe('provider_in_use');
    await world.call('put', config, tenant.owner).send(storeInput()).expect(200);
    await world.call('delete', stripe, tenant.owner).expect(204);
  });
});

describe('without the sandbox', () => {
  it('neither stores nor subscriptions accept its payments', async () => {
    const strict = await World.create({ roles: ['api'], payments: { allowsSandbox: false } });
    try {
      const tenant = await strict.createTenant();
      const made = await strict.call('post', `${subscription}/create`, tenant.owner);
      expect([made.status, codeOf(made)]).toEqual([409, 'provider_not_ready']);
      const set = await strict.call('put', config, tenant.owner).send(storeInput());
      expect([set.status, codeOf(set)]).toEqual([409, 'provider_not_ready']);
    } finally {
      await strict.close();
    }
  });
});

it('an enabled store has a warning', async () => {
  const tenant = await world.createTenant();
  await openStore(world, tenant);
  await sell(world, tenant);
  expect((await world.call('get', config, tenant.owner).expect(200)).body).toMatchObject({
    is_open: true,
    public_url: `${world.url}/store/${tenant.license.subdomain}`,
  });
});
