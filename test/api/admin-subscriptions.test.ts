// Operations of the area `admin-subscriptions`: what licenses pay for, and the monthly revenue.
import fc from 'fast-check';
import type { components } from '../../generated/platform.d.ts';
import { createReseller, createResellerLicense, createSubscription, insertRow } from '../support/rows.ts';
import { World, type Tenant } from '../support/world.ts';

type Page = components['schemas']['SubscriptionPage'];

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});

afterAll(async () => {
  await world.close();
});

async function list(query: Record<string, string> = {}): Promise<Page> {
  const { body } = await world.call('get', '/api/admin/subscriptions', world.admin).query(query).expect(200);
  return body as Page;
}

const listOf = ({ license }: Tenant, query: Record<string, string> = {}) =>
  list({ license_id: license.id, ...query });

const inWords = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
const centsOf = ({ amount }: { amount: string }) => BigInt(amount.replace('.', ''));

describe('listSubscriptions', () => {
  it('returns 200 newest first, with the license and the price', async () => {
    const tenant = await world.createTenant({ name: 'Payer' });
    const id = await createSubscription(world, tenant, { amount: '120', period: 'year', currency: 'EUR' });
    await createSubscription(world, tenant, { kind: 'webstore', reference: 'basic' });
    const { data } = await listOf(tenant);
    expect(data.map(({ kind }) => kind)).toEqual(['webstore', 'module']);
    expect(data[1]).toEqual({
      id,
      license_id: tenant.license.id,
      license_name: 'Payer',
      kind: 'module',
      reference: 'loot-manager',
      status: 'active',
      price: { amount: '120.00', currency: 'EUR' },
      period: 'year',
      started_at: expect.stringMatching(/Z$/),
      ends_at: null,
      cancelled_at: null,
      created_at: expect.stringMatching(/Z$/),
    });
  });

  it('returns 200 filtered by kind and status; the revenue covers the filter, not the page', async () => {
    const tenant = await world.createTenant();
    for (const values of [
      { amount: '10.00' },
      { amount: '20.00', status: 'past_due' },
      { amount: '40.00', status: 'trialing' },
      { amount: '80.00', status: 'cancelled' },
      { amount: '160.00', status: 'expired' },
      { amount: '3.33', kind: 'webstore', reference: 'basic' },
    ]) {
      await createSubscription(world, tenant, values);
    }
    const totals = async (query: Record<string, string>) =>
      (await listOf(tenant, query)).monthly_recurring_revenue.total;
    expect(await totals({ limit: '1' })).toEqual([{ amount: '13.33', currency: 'USD' }]);
    expect(await totals({ kind: 'webstore' })).toEqual([{ amount: '3.33', currency: 'USD' }]);
    for (const status of ['past_due', 'trialing', 'cancelled', 'expired'])
      expect(await totals({ status })).toEqual([]);
    expect((await listOf(tenant, { status: 'cancelled' })).data).toHaveLength(1);
    const first = await listOf(tenant, { limit: '4' });
    const second = await listOf(tenant, { limit: '4', cursor: first.next_cursor ?? '' });
    expect([first.data.length, second.data.length, second.next_cursor]).toEqual([4, 2, null]);
  });

  it('returns 200 with the revenue by kind, module and currency, largest first within a currency', async () => {
    const tenant = await world.createTenant();
    for (const values of [
      { amount: '9.99' },
      { amount: '9.99' },
      { amount: '50.00', reference: 'analytics' },
      { amount: '100.00', period: 'year', kind: 'webstore', reference: 'basic' },
      { amount: '7.00', currency: 'EUR' },
    ]) {
      await createSubscription(world, tenant, values);
    }
    const { monthly_recurring_revenue } = await listOf(tenant);
    const share = (
      kind: string,
      reference: string,
      subscriptions: number,
      amount: string,
      currency = 'USD',
    ) => ({
      kind,
      reference,
      subscriptions,
      monthly: { amount, currency },
    });
    expect(monthly_recurring_revenue).toEqual({
      total: [
        { amount: '7.00', currency: 'EUR' },
        { amount: '78.31', currency: 'USD' },
      ],
      by_kind: [
        { kind: 'module', monthly: { amount: '7.00', currency: 'EUR' } },
        { kind: 'module', monthly: { amount: '69.98', currency: 'USD' } },
        { kind: 'webstore', monthly: { amount: '8.33', currency: 'USD' } },
      ],
      breakdown: [
        share('module', 'loot-manager', 1, '7.00', 'EUR'),
        share('module', 'analytics', 1, '50.00'),
        share('module', 'loot-manager', 2, '19.98'),
        share('webstore', 'basic', 1, '8.33'),
      ],
    });
  });

  it('the parts add up to the total to the cent, with twelfths of yearly prices included', async () => {
    const subscription = fc.record({
      cents: fc.integer({ min: 0, max: 99_999_999 }),
      period: fc.constantFrom('month', 'year'),
      kind: fc.constantFrom('module', 'webstore'),
      reference: fc.constantFrom('one', 'two', 'three', 'four', 'five', 'six'),
      status: fc.constantFrom('active', 'past_due', 'cancelled', 'trialing', 'expired'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(subscription, { minLength: 1, maxLength: 15 }), async (chosen) => {
        const tenant = await world.createTenant({ owner_email: world.admin.email });
        // Calculated by hand in twelfths of a cent, which are exact.
        const twelfths = new Map<string, bigint>();
        for (const [index, { cents, period, kind, reference, status }] of chosen.entries()) {
          const isWebstore = kind === 'webstore';
          // A license has at most one live webstore subscription.
          const counted = isWebstore && index > 0 ? 'cancelled' : status;
          await createSubscription(world, tenant, {
            amount: inWords(BigInt(cents)),
            period,
            kind,
            reference,
            status: counted,
          });
          if (counted !== 'active') continue;
          const line = `${kind} ${reference}`;
          const part = BigInt(cents) * (period === 'year' ? 1n : 12n);
          twelfths.set(line, (twelfths.get(line) ?? 0n) + part);
        }
        const rounded = new Map([...twelfths].map(([line, sum]) => [line, (2n * sum + 12n) / 24n]));
        const { total, by_kind, breakdown } = (await listOf(tenant)).monthly_recurring_revenue;
        expect(
          new Map(
            breakdown.map(({ kind, reference, monthly }) => [`${kind} ${reference}`, centsOf(monthly)]),
          ),
        ).toEqual(rounded);
        const sumOf = (amounts: readonly { amount: string }[]) =>
          amounts.reduce((sum, amount) => sum + centsOf(amount), 0n);
        const whole = [...rounded.values()].reduce((sum, cents) => sum + cents, 0n);
        expect([sumOf(total), sumOf(by_kind.map(({ monthly }) => monthly))]).toEqual([whole, whole]);
      }),
      { numRuns: 15 },
    );
  });

  it('returns 200 with the reseller program: the monthly cost of active licenses by reseller', async () => {
    const tenant = await world.createTenant();
    const reseller = await createReseller(world);
    await insertRow(world, 'reseller_rate', {
      reseller_id: reseller.id,
      from_month: '2020-01',
      amount: 455,
      currency: 'USD',
      unit: 'license',
    });
    await createResellerLicense(world, tenant, { reseller_id: reseller.id, license_id: tenant.license.id });
    const before = (await list({ kind: 'reseller' })).monthly_recurring_revenue;
    const name = await world.database
      .query<{ name: string }>('select name from reseller where id = $1', [reseller.id])
      .then(([row]) => row?.name);
    expect(before.breakdown).toContainEqual({
      kind: 'reseller',
      reference: name,
      subscriptions: 1,
      monthly: { amount: '4.55', currency: 'USD' },
    });
    await createSubscription(world, tenant, { amount: '5.45' });
    const { total, by_kind } = (await listOf(tenant)).monthly_recurring_revenue;
    expect(total).toEqual([{ amount: '10.00', currency: 'USD' }]);
    expect(by_kind).toEqual([
      { kind: 'module', monthly: { amount: '5.45', currency: 'USD' } },
      { kind: 'reseller', monthly: { amount: '4.55', currency: 'USD' } },
    ]);
    expect((await listOf(tenant, { status: 'past_due' })).monthly_recurring_revenue.total).toEqual([]);
    const { body: stats } = await world.call('get', '/api/admin/stats', world.admin).expect(200);
    expect(stats.monthly_recurring_revenue).toEqual((await list()).monthly_recurring_revenue.total);
    await world
      .call('patch', `/api/admin/licenses/${tenant.license.id}`, world.admin)
      .send({ status: 'revoked' })
      .expect(200);
    const after = (await listOf(tenant, { kind: 'reseller' })).monthly_recurring_revenue;
    expect(after).toEqual({ total: [], by_kind: [], breakdown: [] });
  });

  it('a revoked license brings no revenue', async () => {
    const tenant = await world.createTenant();
    await createSubscription(world, tenant, { amount: '5.45' });
    await createSubscription(world, tenant, { kind: 'webstore', reference: 'basic' });
    expect((await listOf(tenant)).monthly_recurring_revenue.total).toHaveLength(1);
    await world.database.query(`update license set status = 'revoked' where id = $1`, [tenant.license.id]);
    const { data, monthly_recurring_revenue } = await listOf(tenant);
    expect(data).toHaveLength(2);
    expect(monthly_recurring_revenue).toEqual({ total: [], by_kind: [], breakdown: [] });
  });

  it('sums in decimals, exact to the cent for any prices', async () => {
    const cents = fc.array(fc.integer({ min: 0, max: 999_999_999 }), { minLength: 1, maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(cents, async (prices) => {
        const tenant = await world.createTenant({ owner_email: world.admin.email }).catch(() => undefined);
        if (tenant === undefined) throw new Error('no tenant');
        for (const price of prices) {
          const amount = `${Math.floor(price / 100)}.${String(price % 100).padStart(2, '0')}`;
          await createSubscription(world, tenant, { amount });
        }
        const sum = prices.reduce((total, price) => total + BigInt(price), 0n);
        const { total } = (await listOf(tenant)).monthly_recurring_revenue;
        expect(total).toEqual([
          { amount: `${sum / 100n}.${String(sum % 100n).padStart(2, '0')}`, currency: 'USD' },
        ]);
      }),
      { numRuns: 10 },
    );
  });
});
