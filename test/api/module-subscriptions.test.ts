// Modules with a recurring price: licenses subscribe, are charged for each period, cancel and resume.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { components } from '../../generated/platform.d.ts';
import { createModule } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';
import { boundaryOf } from '../../src/services/modules/billing-periods.ts';

type Schemas = components['schemas'];
type Subscription = Schemas['ModuleSubscription'];

const dayMs = 24 * 60 * 60_000;

let world: World;

beforeAll(async () => {
  world = await World.create();
});

afterAll(async () => {
  await world.close();
});

async function slugOf(values: Record<string, unknown> = {}): Promise<string> {
  const slug = `module-${randomUUID().slice(0, 8)}`;
  await createModule(world, { slug, billing_period: 'month', ...values });
  return slug;
}

const buy = ({ owner }: Tenant, body: Record<string, string>) =>
  world.call('post', '/api/modules/purchase', owner).send(body);

async function subscribed(tenant: Tenant, body: Record<string, string>): Promise<Subscription> {
  const { subscription_id: id } = (await buy(tenant, body).expect(201)).body as Schemas['ModulePurchase'];
  return subscription(tenant, id ?? '');
}

const path = (id: string) => `/api/modules/subscriptions/${id}`;

const subscription = async ({ owner }: Tenant, id: string) =>
  (await world.call('get', path(id), owner).expect(200)).body as Subscription;

const act = ({ owner }: Tenant, id: string, action: 'cancel' | 'reactivate') =>
  world.call('post', `${path(id)}/${action}`, owner);

async function chargesOf({ owner }: Tenant, id: string): Promise<Schemas['ModulePurchase'][]> {
  const { body } = await world
    .call('get', `/api/modules/purchases?limit=100&module_subscription_id=${id}`, owner)
    .expect(200);
  return (body as Schemas['ModulePurchasePage']).data;
}

async function owns({ owner }: Tenant, slug: string): Promise<boolean> {
  const [{ body: catalogue }, { body: owned }] = await Promise.all([
    world.call('get', '/api/modules?limit=100', owner).expect(200),
    world.call('get', '/api/modules/owned?limit=100', owner).expect(200),
  ]);
  const isOwned = (catalogue as Schemas['ModulePage']).data.find((module) => module.slug === slug)?.is_owned;
  const isListed = (owned as Schemas['ModulePurchasePage']).data.some(({ module }) => module === slug);
  expect(isListed).toBe(isOwned);
  return isListed;
}

/** Moves every date of the subscription's periods into the past. */
const pass = (id: string, days: number) =>
  world.database.query(
    `with moved as (
       update module_purchase set period_start = period_start - make_interval(days => $2),
         period_end = period_end - make_interval(days => $2) where subscription_id = $1)
     update subscription set anchor_at = anchor_at - make_interval(days => $2),
       period_start = period_start - make_interval(days => $2), period_end = period_end - make_interval(days => $2),
       ends_at = ends_at - make_interval(days => $2) where id = $1`,
    [id, days],
  );

/** Runs the job to its end, as the schedule does. */
async function renew(): Promise<void> {
  const [job] = await world.database.query<{ id: string }>(
    `select id from graphile_worker.add_job('renew-module-subscriptions', '{}'::json)`,
  );
  await until(
    async () =>
      (await world.database.query('select from graphile_worker.jobs where id = $1', [job?.id])).length === 0,
    'the renewal',
  );
}

describe('subscribing', () => {
  it('returns 201: the first month is charged at once, and the license owns the module', async () => {
    const [tenant, slug] = [await world.createTenant(), await slugOf({ price: 999 })];
    const { body } = await buy(tenant, { module: slug }).expect(201);
    expect(body).toMatchObject({
      module: slug,
      amount: { amount: '9.99', currency: 'USD' },
      period: { from: expect.any(String), to: expect.any(String) },
    });
    const own = await subscription(tenant, body.subscription_id);
    expect(own).toEqual({
      id: body.subscription_id,
      module: slug,
      name: 'A module',
      status: 'active',
      price: { amount: '9.99', currency: 'USD' },
      period: 'month',
      current_period: body.period,
      renews_at: body.period.to,
      ends_at: null,
      cancelled_at: null,
      subscribed_by: tenant.owner.email,
      started_at: body.period.from,
      created_at: expect.any(String),
    });
    expect(own.renews_at).toBe(boundaryOf(new Date(own.started_at), 1, 'month').toISOString());
    expect(await owns(tenant, slug)).toBe(true);
    const { body: listed } = await world
      .call('get', `/api/admin/subscriptions?license_id=${tenant.license.id}`, world.admin)
      .expect(200);
    expect(listed.data).toMatchObject([{ id: own.id, kind: 'module', reference: slug, status: 'active' }]);
    expect(listed.monthly_recurring_revenue.total).toEqual([{ amount: '9.99', currency: 'USD' }]);
  });

  it('returns 201 for a yearly price where it is offered, and 400 where it is not', async () => {
    const tenant = await world.createTenant();
    const [both, monthly, once, yearly] = [
      await slugOf({ yearly_price: 9_990 }),
      await slugOf(),
      await slugOf({ billing_period: 'once' }),
      await slugOf({ billing_period: 'year', price: 5_000 }),
    ];
    expect(await subscribed(tenant, { module: both, period: 'year' })).toMatchObject({
      period: 'year',
      price: { amount: '99.90' },
    });
    expect(await subscribed(tenant, { module: yearly })).toMatchObject({
      period: 'year',
      price: { amount: '50.00' },
    });
    for (const [module, period] of [
      [monthly, 'year'],
      [once, 'month'],
      [yearly, 'month'],
    ] as const)
      expect((await buy(tenant, { module, period }).expect(400)).body.errors).toEqual([
        { in: 'body', pointer: '/period', detail: 'is not offered for this module' },
      ]);
  });

  it('returns 201 once for many concurrent requests', async () => {
    const [tenant, slug] = [await world.createTenant(), await slugOf()];
    const responses = await Promise.all(Array.from({ length: 8 }, () => buy(tenant, { module: slug })));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)]);
  });

  it('is invisible to another license', async () => {
    const [tenant, other, slug] = [await world.createTenant(), await world.createTenant(), await slugOf()];
    const { id } = await subscribed(tenant, { module: slug });
    await world.call('get', path(id), other.owner).expect(404);
    await act(other, id, 'cancel').expect(404);
    expect(await owns(other, slug)).toBe(false);
    expect((await subscription(tenant, id)).status).toBe('active');
  });
});

describe('a trial', () => {
  it('is free once for a license, counts for no revenue, and is charged at its end', async () => {
    const [tenant, slug] = [await world.createTenant(), await slugOf({ trial_days: 14 })];
    const own = await subscribed(tenant, { module: slug });
    expect(own.status).toBe('trialing');
    expect(Date.parse(own.current_period.to) - Date.parse(own.current_period.from)).toBe(14 * dayMs);
    expect(await chargesOf(tenant, own.id)).toMatchObject([{ amount: { amount: '0.00' } }]);
    const revenue = async () =>
      (
        await world
          .call('get', `/api/admin/subscriptions?license_id=${tenant.license.id}`, world.admin)
          .expect(200)
      ).body.monthly_recurring_revenue.total;
    expect(await revenue()).toEqual([]);
    await pass(own.id, 15);
    await renew();
    expect((await subscription(tenant, own.id)).status).toBe('active');
    expect(await chargesOf(tenant, own.id)).toMatchObject([
      { amount: { amount: '9.99' } },
      { amount: { amount: '0.00' } },
    ]);
    expect(await revenue()).toEqual([{ amount: '9.99', currency: 'USD' }]);

    await act(tenant, own.id, 'cancel').expect(200);
    await pass(own.id, 40);
    expect(await owns(tenant, slug)).toBe(false);
    expect((await subscribed(tenant, { module: slug })).status).toBe('active');
  });
});

describe('renewing', () => {
  it('charges every started period once, for any number of runs and replicas', async () => {
    const [tenant, slug] = [await world.createTenant(), await slugOf({ price: 1_234 })];
    const { id } = await subscribed(tenant, { module: slug });
    await world.database.query('update module set price = 1, is_listed = false where slug = $1', [slug]);
    await pass(id, 100);
    await world.addReplica();
    await Promise.all([renew(), renew(), renew()]);
    const charges = await chargesOf(tenant, id);
    expect(charges.length).toBeGreaterThanOrEqual(4);
    expect(new Set(charges.map(({ amount }) => amount.amount))).toEqual(new Set(['12.34']));
    const periods = charges.map(({ period }) => period).toReversed();
    for (const [index, period] of periods.entries())
      if (index > 0) expect(period?.from).toBe(periods[index - 1]?.to);
    expect(Date.parse(periods.at(-1)?.to ?? '')).toBeGreaterThan(Date.now());
    await renew();
    expect(await chargesOf(tenant, id)).toHaveLength(charges.length);
  });

  it('pauses while the license is suspended, charges nothing for that time, and cancels after 30 days', async () => {
    const slug = await slugOf();
    const setLicense = ({ license }: Tenant, status: string) =>
      world.call('patch', `/api/admin/licenses/${license.id}`, world.admin).send({ status }).expect(200);
    const [resumed, lost] = [await world.createTenant(), await world.createTenant()];
    const waiting = await subscribed(resumed, { module: slug });
    const expired = await subscribed(lost, { module: slug });
    await setLicense(resumed, 'revoked');
    await setLicense(lost, 'revoked');
    await pass(waiting.id, 45);
    await pass(expired.id, 80);
    await renew();
    const statuses = () =>
      world.database.query('select status from subscription where id = any($1) order by id', [
        [waiting.id, expired.id],
      ]);
    expect(await statuses()).toEqual([{ status: 'past_due' }, { status: 'expired' }]);
    await setLicense(resumed, 'active');
    await renew();
    expect(await statuses()).toEqual([{ status: 'active' }, { status: 'expired' }]);
    const [last, first, ...others] = await chargesOf(resumed, waiting.id);
    expect(others).toEqual([]);
    expect(Date.parse(last?.period?.from ?? '')).toBeGreaterThan(
      Date.parse(first?.period?.to ?? '') + 10 * dayMs,
    );
  });
});

describe('cancelling', () => {
  it('returns 200: the module stays until the period ends, can be resumed until then, and can be bought again afterwards', async () => {
    const [tenant, slug] = [await world.createTenant(), await slugOf()];
    const own = await subscribed(tenant, { module: slug });
    const { body: cancelled } = await act(tenant, own.id, 'cancel').expect(200);
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      ends_at: own.current_period.to,
      renews_at: null,
      cancelled_at: expect.any(String),
    });
    expect((await act(tenant, own.id, 'cancel').expect(200)).body).toEqual(cancelled);
    expect(await owns(tenant, slug)).toBe(true);
    expect((await buy(tenant, { module: slug }).expect(409)).body.code).toBe('module_owned');
    expect((await act(tenant, own.id, 'reactivate').expect(200)).body).toEqual(own);
    expect((await act(tenant, own.id, 'reactivate').expect(200)).body).toEqual(own);

    await act(tenant, own.id, 'cancel').expect(200);
    await pass(own.id, 40);
    await renew();
    expect(await owns(tenant, slug)).toBe(false);
    expect(await chargesOf(tenant, own.id)).toHaveLength(1);
    expect((await act(tenant, own.id, 'reactivate').expect(409)).body.code).toBe('subscription_ended');
    expect((await subscribed(tenant, { module: slug })).id).not.toBe(own.id);
    expect(await owns(tenant, slug)).toBe(true);
  });

  it('returns 403 for a member who may not buy modules', async () => {
    const [tenant, slug] = [await world.createTenant(), await slugOf()];
    const { id } = await subscribed(tenant, { module: slug });
    const member = await world.addMember(tenant, 'Head Admin');
    for (const action of ['cancel', 'reactivate'])
      await world.call('post', `${path(id)}/${action}`, member).expect(403);
  });
});

describe('the catalogue', () => {
  it('returns 400 for contradictory terms, also when only one of them changes', async () => {
    const create = (input: object) =>
      world.call('post', '/api/admin/modules', world.admin).send({
        slug: `module-${randomUUID().slice(0, 8)}`,
        name: 'Module',
        description: 'A module.',
        price: { amount: '5.00', currency: 'USD' },
        features: ['One'],
        plugin: 'Kits',
        download: { url: 'https://modules.invalid/Kits.cs', sha256: '0'.repeat(64), bytes: 10 },
        ...input,
      });
    const pointers = async (input: object) => (await create(input).expect(400)).body.errors[0].pointer;
    expect(await pointers({ yearly_amount: '50.00' })).toBe('/yearly_amount');
    expect(await pointers({ billing_period: 'year', yearly_amount: '50.00' })).toBe('/yearly_amount');
    expect(await pointers({ trial_days: 7 })).toBe('/trial_days');
    const { body } = await create({ billing_period: 'month', yearly_amount: '50.00', trial_days: 7 }).expect(
      201,
    );
    expect(body).toMatchObject({ billing_period: 'month', yearly_amount: '50.00', trial_days: 7 });
    const change = (input: object) =>
      world.call('patch', `/api/admin/modules/${body.id}`, world.admin).send(input);
    await change({ billing_period: 'once' }).expect(400);
    const { body: changed } = await change({
      billing_period: 'once',
      yearly_amount: null,
      trial_days: 0,
    }).expect(200);
    expect(changed).toMatchObject({ billing_period: 'once', yearly_amount: null, trial_days: 0 });
  });

  it('counts the licenses that own a module now, not the charges', async () => {
    const [tenant, slug] = [await world.createTenant(), await slugOf()];
    const { id } = await subscribed(tenant, { module: slug });
    await pass(id, 70);
    await renew();
    const count = async () => {
      const [row] = await world.database.query<{ id: string }>('select id from module where slug = $1', [
        slug,
      ]);
      return (await world.call('get', `/api/admin/modules/${row?.id ?? ''}`, world.admin).expect(200)).body
        .purchase_count;
    };
    expect(await count()).toBe(1);
    await act(tenant, id, 'cancel').expect(200);
    await pass(id, 40);
    expect(await count()).toBe(0);
  });
});

it('periods begin on the day of the anchor, or on the last day of a shorter month', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2000-01-01'), max: new Date('2090-12-31'), noInvalidDate: true }),
      fc.integer({ min: 0, max: 60 }),
      fc.constantFrom('month' as const, 'year' as const),
      (anchor, count, period) => {
        // Day by day from the first of the month: independent of the algorithm under test.
        const months = count * (period === 'year' ? 12 : 1);
        const first = new Date(Date.UTC(anchor.getUTCFullYear(), anchor.getUTCMonth() + months, 1));
        const day = new Date(first);
        while (day.getUTCDate() < anchor.getUTCDate()) {
          const next = new Date(day.getTime() + dayMs);
          if (next.getUTCMonth() !== first.getUTCMonth()) break;
          day.setTime(next.getTime());
        }
        expect(boundaryOf(anchor, count, period).getTime()).toBe(
          day.getTime() + (((anchor.getTime() % dayMs) + dayMs) % dayMs),
        );
      },
    ),
    { numRuns: 500 },
  );
});
