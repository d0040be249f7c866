// Payments of stores and subscriptions with Stripe: checkouts and callbacks in any order and form.
import type { components } from '../../generated/platform.d.ts';
import { createStoreOrder } from '../support/rows.ts';
import { buying, deliveriesOf, order, sell, storeInput, storePath, transactionOf } from '../support/store.ts';
import { completed, sendEvent, StandInStripe, stripeEvent, type Signing } from '../support/stripe.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

const platformSecret = 'whsec_of_the_platform_itself';
const webhook_secret = 'whsec_of_one_license_and_no_other';
const secret_key = 'rk_test_0123456789abcdef';

let stripe: StandInStripe;
let world: World;
let tenant: Tenant;
let item: Schemas['StoreItem'];

beforeAll(async () => {
  stripe = await StandInStripe.start();
  world = await World.create({
    jobIntervals: { chores: { 'ask for payments': 50, 'give up orders': 50 }, pollMs: 200 },
    payments: {
      stripeUrl: stripe.url,
      account: { secretKey: 'sk_test_platform', webhookSecret: platformSecret },
      allowsSandbox: false,
    },
  });
  world.atEnd(() => stripe.close());
  tenant = await newStore(webhook_secret);
  item = await sell(world, tenant, { revoke_commands: ['take {steam_id}'] });
});

afterAll(async () => {
  await world.close();
});

const subscriptionPath = '/api/webstore/subscription';
const codeOf = ({ body }: { body: unknown }) => (body as { code?: string }).code;
const outcomeOf = ({ body }: { body: unknown }) => (body as { outcome?: string }).outcome;

const sendSubscriptionEvent = (id: string, values: object, event: object = {}) =>
  sendEvent(
    world,
    `${subscriptionPath}/webhook`,
    stripeEvent(
      'customer.subscription.updated',
      {
        id: `sub_${id}`,
        object: 'subscription',
        status: 'active',
        cancel_at: null,
        ended_at: null,
        trial_end: null,
        metadata: { subscription_id: id },
        ...values,
      },
      event,
    ),
    { secret: platformSecret },
  );

async function newSubscription(own: Tenant): Promise<Schemas['StoreSubscription']> {
  const { body } = await world.call('post', `${subscriptionPath}/create`, own.owner).expect(201);
  return body as Schemas['StoreSubscription'];
}

async function newStore(secret: string): Promise<Tenant> {
  const own = await world.createTenant();
  const { id } = await newSubscription(own);
  await sendSubscriptionEvent(id, {}).expect(200);
  await world
    .call('put', '/api/webstore/providers/stripe', own.owner)
    .send({ secret_key, webhook_secret: secret })
    .expect(200);
  const config = storeInput({ provider: 'stripe' });
  await world.call('put', '/api/webstore/config', own.owner).send(config).expect(200);
  return own;
}

const newOrder = (quantity = 1) => order(world, tenant, [{ item_id: item.id, quantity }]);

/** Sends a payment event and returns its outcome. */
async function report(event: object, signing: Signing = { secret: webhook_secret }, own = tenant) {
  return outcomeOf(await sendEvent(world, `${storePath(own)}/webhook`, event, signing).expect(200));
}

const paid = (orderId: string, values: object = {}, event: object = {}) =>
  stripeEvent('checkout.session.completed', completed(orderId, 999, values), event);
const refunded = (orderId: string, amount_refunded = 999, values: object = {}) =>
  stripeEvent('charge.refunded', {
    id: `ch_${orderId}`,
    object: 'charge',
    amount_refunded,
    currency: 'usd',
    payment_intent: `pi_${orderId}`,
    metadata: { order_id: orderId },
    ...values,
  });
const dispute = (orderId: string, type: string, status = 'lost') =>
  stripeEvent(`charge.dispute.${type}`, {
    id: `dp_${orderId}`,
    object: 'dispute',
    status,
    payment_intent: `pi_${orderId}`,
  });
const statusOf = async (id: string) => (await transactionOf(world, tenant, id)).status;

/** The jobs of an order wait no longer. */
const makeJobsDue = (orderId: string) =>
  world.database.query(
    `update graphile_worker._private_jobs set run_at = now()
     where run_at > now() and payload::jsonb ->> 'order_id' = $1`,
    [orderId],
  );

describe('a checkout', () => {
  it('is created with the license’s key, at the store’s prices, once for each order', async () => {
    const { id, checkout_url, is_test } = await newOrder(2);
    expect([is_test, checkout_url]).toEqual([true, expect.stringContaining('checkout.stripe.com')]);
    const request = stripe.checkoutOf(id);
    expect(request).toMatchObject({
      method: 'POST',
      path: '/v1/checkout/sessions',
      key: `Bearer ${secret_key}`,
      idempotencyKey: `order ${id}`,
      form: {
        mode: 'payment',
        'line_items[0][price_data][currency]': 'usd',
        'line_items[0][price_data][unit_amount]': '999',
        'line_items[0][quantity]': '2',
        'metadata[order_id]': id,
        'payment_intent_data[metadata][order_id]': id,
      },
    });
    const lifetime = Number(request?.form['expires_at']) - Date.now() / 1000;
    expect(lifetime).toBeGreaterThan(30 * 60);
  });

  it('that could not be created at once is created by a job', async () => {
    stripe.openFailures.push(500);
    const { body } = await buying(world, tenant, [{ item_id: item.id, quantity: 1 }]).expect(201);
    const { id, checkout_url } = body as Schemas['PublicOrder'];
    expect(checkout_url).toBeNull();
    await until(async () => {
      await makeJobsDue(id);
      const response = await world.call('get', `${storePath(tenant)}/orders/${id}`).expect(200);
      return (response.body as Schemas['PublicOrder']).checkout_url;
    }, 'the checkout');
  });
});

/** The message that the Owner got about the order; undefined for none. */
async function warningsOf(orderId: string) {
  const mails = await world.mailsTo(tenant.owner.email);
  const found = mails.filter(({ text }) => text.includes(orderId));
  return found.length > 0 ? found : undefined;
}

it('a payment that does not fit its order is reported to the Owners once, in any currency', async () => {
  const { id } = await newOrder();
  expect(await report(paid(id, { currency: 'xxx' }))).toBe('refused');
  expect(await report(paid(id, { amount_total: 1 }))).toBe('refused');
  expect(await transactionOf(world, tenant, id)).toMatchObject({
    status: 'pending',
    problem: expect.stringContaining('0.01 USD'),
    events: [{ amount: null }, { amount: { amount: '0.01', currency: 'USD' } }],
  });
  await until(() => warningsOf(id), 'the mail');
  expect(await report(paid(id))).toBe('applied');
  expect(await report(paid(id, { payment_intent: 'pi_of_somebody_else' }))).toBe('refused');
  const last = await newOrder();
  expect(await report(paid(last.id, { amount_total: 1 }))).toBe('refused');
  await until(() => warningsOf(last.id), 'the mail after it');
  expect(await warningsOf(id)).toHaveLength(1);
});

describe('a checkout that the provider rejects', () => {
  it('is requested again with another key after a server error, and otherwise ends its order permanently', async () => {
    stripe.openFailures.push(500);
    const faulty = await newOrder();
    await until(async () => {
      await makeJobsDue(faulty.id);
      return stripe.requests.some(({ idempotencyKey }) => idempotencyKey === `order ${faulty.id} 1`);
    }, 'another key');
    stripe.openFailures.push(400);
    const { id } = await newOrder();
    expect(await transactionOf(world, tenant, id)).toMatchObject({
      status: 'failed',
      problem: 'The provider opens no checkout: Amount must be at least $0.50 usd.',
    });
    const [warned] = await until(() => warningsOf(id), 'the mail');
    expect(warned?.text).toContain('Amount must be at least');
  });

  it('returns 409 amount_too_small for an amount the provider would reject', async () => {
    const cheap = await sell(world, tenant, { price: '0.20' });
    const refused = await buying(world, tenant, [{ item_id: cheap.id, quantity: 2 }]).expect(409);
    expect(codeOf(refused)).toBe('amount_too_small');
    await buying(world, tenant, [{ item_id: cheap.id, quantity: 3 }]).expect(201);
  });
});

describe('an order without callbacks', () => {
  const askNow = (id: string) =>
    world.database.query('update store_order set next_ask_at = now() where id = $1', [id]);
  const sessionOf = async (id: string) => {
    const [row] = await world.database.query<{ checkout_reference: string }>(
      'select checkout_reference from store_order where id = $1',
      [id],
    );
    return `/v1/checkout/sessions/${row?.checkout_reference}`;
  };

  it('is looked up after three minutes, every five while it can be paid, and hourly after that', async () => {
    const { id } = await newOrder();
    const pause = async () => {
      const [row] = await world.database.query<{ minutes: number }>(
        'select extract(epoch from next_ask_at - now())::float8 / 60 as minutes from store_order where id = $1',
        [id],
      );
      return row?.minutes ?? 0;
    };
    expect(Math.abs((await pause()) - 3)).toBeLessThan(1);
    await askNow(id);
    await until(async () => (await pause()) > 4, 'the request');
    await world.database.query(
      `update store_order set expires_at = now() - interval '3 days' where id = $1`,
      [id],
    );
    stripe.readFailures.push(400);
    await askNow(id);
    await until(async () => (await pause()) > 58, 'another request');
    await until(async () => (await statusOf(id)) === 'expired', 'the end of the order');
    stripe.objects.set(await sessionOf(id), completed(id, 999, { status: 'complete' }));
    await askNow(id);
    await until(async () => (await statusOf(id)) === 'paid', 'the payment');
    expect(await deliveriesOf(world, tenant, id)).toHaveLength(1);
  });

  it("of a replaced account is looked up with that account's key, and accepts callbacks signed with its secret", async () => {
    const own = await newStore('whsec_before_it_was_replaced');
    const sold = await sell(world, own);
    const wanted = [{ item_id: sold.id, quantity: 1 }];
    const [lookedUp, reported] = [await order(world, own, wanted), await order(world, own, wanted)];
    const replaced = { secret_key: 'rk_test_another_account', webhook_secret: 'whsec_after_it_was_replaced' };
    await world.call('put', '/api/webstore/providers/stripe', own.owner).send(replaced).expect(200);
    const later = await order(world, own, wanted);
    stripe.objects.set(await sessionOf(lookedUp.id), completed(lookedUp.id, 999, { status: 'complete' }));
    await askNow(lookedUp.id);
    await until(async () => (await transactionOf(world, own, lookedUp.id)).status === 'paid', 'the payment');
    expect(stripe.requests.at(-1)?.key).toBe(`Bearer ${secret_key}`);
    const before = { secret: 'whsec_before_it_was_replaced' };
    expect(await report(paid(reported.id), before, own)).toBe('applied');
    expect(await report(paid(later.id), before, own)).toBe('ignored');
    expect(await report(paid(later.id), { secret: 'whsec_after_it_was_replaced' }, own)).toBe('applied');
  });

  it('is looked up with the current account when the key of its own is no longer valid', async () => {
    const own = await newStore('whsec_of_a_key_that_is_rolled');
    await world
      .call('put', '/api/webstore/providers/stripe', own.owner)
      .send({ secret_key: 'rk_test_before_it_was_rolled', webhook_secret: 'whsec_of_a_key_that_is_rolled' })
      .expect(200);
    const { id } = await order(world, own, [{ item_id: (await sell(world, own)).id, quantity: 1 }]);
    await world
      .call('put', '/api/webstore/providers/stripe', own.owner)
      .send({ secret_key: 'rk_test_after_it_was_rolled', webhook_secret: 'whsec_of_a_key_that_is_rolled' })
      .expect(200);
    stripe.revokedKeys.add('rk_test_before_it_was_rolled');
    stripe.objects.set(await sessionOf(id), completed(id, 999, { status: 'complete' }));
    await askNow(id);
    await until(async () => (await transactionOf(world, own, id)).status === 'paid', 'the payment');
  });

  it('of a deleted account still accepts callbacks', async () => {
    const own = await newStore('whsec_that_is_deleted');
    const { id } = await order(world, own, [{ item_id: (await sell(world, own)).id, quantity: 1 }]);
    await world.database.query(
      `update store_config set is_enabled = false, provider = null where license_id = $1`,
      [own.license.id],
    );
    await world.call('delete', '/api/webstore/providers/stripe', own.owner).expect(204);
    await world.call('delete', '/api/webstore/providers/stripe', own.owner).expect(404);
    expect(await report(paid(id), { secret: 'whsec_that_is_deleted' }, own)).toBe('applied');
  });
});

describe('a checkout that has ended', () => {
  const ended = async (session: object) => {
    const own = await sell(world, tenant, { limit_total: 1 });
    const wanted = [{ item_id: own.id, quantity: 1 }];
    const { id } = await order(world, tenant, wanted);
    const { checkout_reference: reference } = await until(async () => {
      const [row] = await world.database.query<{ checkout_reference: string | null }>(
        'select checkout_reference from store_order where id = $1',
        [id],
      );
      return row?.checkout_reference ? row : undefined;
    }, 'the checkout');
    stripe.objects.set(`/v1/checkout/sessions/${reference}`, completed(id, 999, session));
    await world.database.query(
      `update store_order set expires_at = now() - interval '1 minute' where id = $1`,
      [id],
    );
    await buying(world, tenant, wanted).expect(409);
    await makeJobsDue(id);
    return { id, wanted };
  };

  it('keeps the units of its order until the provider reports that it was not paid', async () => {
    const { id, wanted } = await ended({ status: 'open', payment_status: 'unpaid' });
    await until(async () => (await statusOf(id)) === 'expired', 'the end of the order');
    await buying(world, tenant, wanted).expect(201);
  });

  it('that is paid after its units were sold to others has a warning, and the Owners are notified', async () => {
    const { id, wanted } = await ended({ status: 'open', payment_status: 'unpaid' });
    await until(async () => (await statusOf(id)) === 'expired', 'the end of the order');
    const other = await order(world, tenant, wanted);
    expect(await report(paid(other.id))).toBe('applied');
    expect(await report(paid(id))).toBe('applied');
    expect(await transactionOf(world, tenant, other.id)).toMatchObject({ status: 'paid', problem: null });
    expect(await transactionOf(world, tenant, id)).toMatchObject({
      status: 'paid',
      problem: expect.stringContaining('(2 of 1)'),
    });
    await until(
      async () =>
        (await world.database.query('select from store_order where id = $1 and warned_at is not null', [id]))
          .length === 1,
      'the warning',
    );
  });

  const soldAfter = async (before: readonly ((id: string) => object)[]) => {
    const wanted = [{ item_id: (await sell(world, tenant, { limit_total: 1 })).id, quantity: 1 }];
    const { id } = await order(world, tenant, wanted);
    for (const event of before) await report(event(id));
    const other = await order(world, tenant, wanted);
    await report(paid(other.id));
    return id;
  };
  const failed = (id: string) => stripeEvent('checkout.session.async_payment_failed', completed(id, 999));

  it.each([
    [
      'whose dispute is won',
      [paid, (id: string) => dispute(id, 'created')],
      (id: string) => dispute(id, 'closed', 'won'),
    ],
    ['that is paid after it failed', [failed], paid],
  ] as const)('%s after others bought its units has a warning', async (_what, before, last) => {
    const id = await soldAfter(before);
    expect(await report(last(id))).toBe('applied');
    expect(await transactionOf(world, tenant, id)).toMatchObject({
      status: 'paid',
      problem: expect.stringContaining('(2 of 1)'),
    });
  });

  it('is paid when the provider reports so, even without a callback', async () => {
    const { id } = await ended({ status: 'complete' });
    await until(async () => (await statusOf(id)) === 'paid', 'the payment');
    expect(await deliveriesOf(world, tenant, id)).toHaveLength(1);
  });
});

describe('submitPaymentEvent', () => {
  it('processes an event once, and creates the deliveries with it', async () => {
    const { id } = await newOrder();
    const event = paid(id);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => report(event)));
    expect(outcomes.toSorted()).toEqual(['applied', 'repeated', 'repeated', 'repeated', 'repeated']);
    expect(await report(paid(id))).toBe('applied');
    expect(await deliveriesOf(world, tenant, id)).toHaveLength(1);
    expect(await transactionOf(world, tenant, id)).toMatchObject({
      status: 'paid',
      payment_reference: `pi_${id}`,
      events: [{ outcome: 'applied' }, { outcome: 'applied' }],
    });
  });

  it('returns 401 for a signature with another secret, and for an old one', async () => {
    const { id } = await newOrder();
    const path = `${storePath(tenant)}/webhook`;
    const event = paid(id);
    const old = Math.floor(Date.now() / 1000) - 301;
    for (const signing of [
      { secret: 'whsec_wrong' },
      { secret: platformSecret },
      { secret: webhook_secret, timestamp: old },
    ]) {
      const response = await sendEvent(world, path, event, signing).expect(401);
      expect(codeOf(response)).toBe('invalid_signature');
    }
    for (const header of [
      '',
      't=1,v1=',
      'nonsense',
      `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
    ])
      expect([400, 401]).toContain(
        (await world.call('post', path).set('Stripe-Signature', header).send(event)).status,
      );
    await world.call('post', path).send(event).expect(401);
    expect(await statusOf(id)).toBe('pending');
  });

  it('returns 401 where no secret is set, as for an unknown store', async () => {
    const bare = await world.createTenant();
    for (const path of [`${storePath(bare)}/webhook`, '/api/public-store/no-such-store/webhook'])
      for (const secret of ['x', webhook_secret, platformSecret])
        await sendEvent(world, path, paid(item.id), { secret }).expect(401);
  });

  it('returns 401 when a byte was changed after signing', async () => {
    const { id } = await newOrder();
    const event = paid(id);
    const path = `${storePath(tenant)}/webhook`;
    for (const tamper of [
      (payload: string) => `${payload} `,
      (payload: string) => payload.replace('999', '998'),
      (payload: string) => JSON.stringify(JSON.parse(payload)),
    ])
      await sendEvent(world, path, event, { secret: webhook_secret, tamper }).expect(401);
  });

  it.each([
    ['amount', { amount_total: 1 }],
    ['currency', { currency: 'jpy' }],
    ['amount that is none', { amount_total: null }],
  ])('rejects a %s other than the order’s', async (_what, values) => {
    const { id } = await newOrder();
    expect(await report(paid(id, values))).toBe('refused');
    expect(await transactionOf(world, tenant, id)).toMatchObject({
      status: 'pending',
      events: [{ outcome: 'refused' }],
    });
    expect(await deliveriesOf(world, tenant, id)).toEqual([]);
  });

  it('ignores orders of other licenses, and events without an order', async () => {
    const other = await newStore('whsec_of_the_other_license');
    const { id } = await newOrder();
    expect(await report(paid(id), { secret: 'whsec_of_the_other_license' }, other)).toBe('ignored');
    expect(await report(paid('unknown'))).toBe('ignored');
    expect(await report(paid(await createStoreOrder(world, tenant)))).toBe('ignored');
    expect(await report(stripeEvent('customer.created', { id: 'cus_1', object: 'customer' }))).toBe(
      'ignored',
    );
    expect(await report(paid(id, { payment_status: 'unpaid' }))).toBe('ignored');
    expect(await statusOf(id)).toBe('pending');
  });

  it('has the same result for any order of events', async () => {
    const eventsOf = (id: string) => [
      paid(id),
      refunded(id, 400),
      refunded(id),
      stripeEvent('checkout.session.expired', completed(id, 999, { payment_status: 'unpaid' })),
    ];
    for (const shuffle of [
      [0, 1, 2, 3],
      [2, 1, 0, 3],
      [3, 2, 0, 1],
      [1, 0, 3, 2],
    ]) {
      const { id } = await newOrder();
      for (const index of shuffle) expect(await report(eventsOf(id)[index] ?? {})).toBe('applied');
      const { status, refunded: back } = await transactionOf(world, tenant, id);
      expect({ status, back }).toEqual({ status: 'refunded', back: { amount: '9.99', currency: 'USD' } });
      const open = (await deliveriesOf(world, tenant, id)).filter(({ status: now }) => now !== 'cancelled');
      expect(open).toEqual([]);
    }
  });

  it('reverts a refund that fails later, once, and warns that the buyer was not refunded', async () => {
    const failed = (id: string, type: string) => ({
      ...stripeEvent(type, {
        id: `re_${id}`,
        object: 'refund',
        status: 'failed',
        amount: 999,
        currency: 'usd',
        payment_intent: `pi_${id}`,
      }),
      created: Math.floor(Date.now() / 1000) + 60,
    });
    const { id } = await newOrder();
    expect(await report(paid(id))).toBe('applied');
    expect(await report(refunded(id))).toBe('applied');
    expect(await statusOf(id)).toBe('refunded');
    expect(await deliveriesOf(world, tenant, id)).toMatchObject([{ status: 'cancelled' }]);
    expect(await report(failed(id, 'refund.failed'))).toBe('applied');
    expect(await report(failed(id, 'refund.updated'))).toBe('repeated');
    expect(await transactionOf(world, tenant, id)).toMatchObject({
      status: 'paid',
      refunded: { amount: '0.00' },
      problem: expect.stringContaining('The buyer has not got that money'),
    });
    expect(await deliveriesOf(world, tenant, id)).not.toMatchObject([{ status: 'cancelled' }]);
  });

  it('stores events of a payment that arrive before its order is known', async () => {
    const { id } = await newOrder();
    expect(await report(dispute(id, 'created'))).toBe('unmatched');
    expect(await report(paid(id))).toBe('applied');
    expect(await statusOf(id)).toBe('disputed');
    expect(await report(dispute(id, 'closed', 'won'))).toBe('applied');
    expect(await statusOf(id)).toBe('paid');
    expect(await report(dispute(id, 'closed', 'lost'))).toBe('applied');
    expect(await report(dispute(id, 'created'))).toBe('applied');
    expect(await statusOf(id)).toBe('disputed');
  });

  it('processes a dispute that arrives together with the payment', async () => {
    for (let round = 0; round < 15; round += 1) {
      const { id } = await newOrder();
      await Promise.all([report(dispute(id, 'created')), report(paid(id))]);
      expect(await statusOf(id)).toBe('disputed');
    }
  });

  it('leaves items with the buyer when the dispute is won before they are revoked', async () => {
    const { id } = await newOrder();
    await report(paid(id));
    const arrive = () =>
      world.database.query(
        `update store_delivery set status = 'delivered', next_attempt_at = null, finished_at = now()
         where order_id = $1 and finished_at is null`,
        [id],
      );
    const kinds = async () =>
      (await deliveriesOf(world, tenant, id)).map(({ kind, status }) => `${kind} ${status}`).toSorted();
    await arrive();
    await report(dispute(id, 'created'));
    expect(await kinds()).toEqual(['delivery delivered', 'revocation waiting']);
    await report(dispute(id, 'closed', 'won'));
    expect(await kinds()).toEqual(['delivery delivered', 'revocation cancelled']);
    await report(refunded(id));
    expect(await kinds()).toEqual(['delivery delivered', 'revocation cancelled', 'revocation waiting']);
  });

  it('resumes undelivered items as the same deliveries when a dispute is won', async () => {
    const { id } = await newOrder(2);
    await report(paid(id, { amount_total: 1998 }));
    const [arrived, waiting] = await deliveriesOf(world, tenant, id);
    await world.database.query(
      `update store_delivery set status = 'delivered', next_attempt_at = null, finished_at = now() where id = $1`,
      [arrived?.id],
    );
    await report(dispute(id, 'created'));
    const revocations = (await deliveriesOf(world, tenant, id)).filter(({ kind }) => kind === 'revocation');
    await world.database.query(
      `update store_delivery set status = 'delivered', next_attempt_at = null, finished_at = now() where id = $1`,
      [revocations[0]?.id],
    );
    await report(dispute(id, 'closed', 'won'));
    const deliveries = await deliveriesOf(world, tenant, id);
    expect(new Map(deliveries.map((each) => [each.id, [each.kind, each.status]]))).toEqual(
      new Map([
        [arrived?.id, ['delivery', 'delivered']],
        [waiting?.id, ['delivery', 'waiting']],
        [revocations[0]?.id, ['revocation', 'delivered']],
      ]),
    );
    await report(dispute(id, 'closed', 'lost'));
    expect((await deliveriesOf(world, tenant, id)).find((each) => each.id === waiting?.id)).toMatchObject({
      status: 'cancelled',
      detail: 'The payment was refunded or charged back.',
    });
  });

  it('also revokes deliveries that a member repeated', async () => {
    const { id } = await newOrder();
    await report(paid(id));
    const arrive = () =>
      world.database.query(
        `update store_delivery set status = 'delivered', next_attempt_at = null, finished_at = clock_timestamp()
         where order_id = $1 and finished_at is null`,
        [id],
      );
    await arrive();
    const [first] = await deliveriesOf(world, tenant, id);
    const resend = () =>
      world.call('post', `/api/webstore/deliveries/${first?.id ?? ''}/resend`, tenant.owner);
    await report(dispute(id, 'created'));
    await arrive();
    expect(codeOf(await resend().expect(409))).toBe('payment_disagrees');
    await report(dispute(id, 'closed', 'won'));
    await resend().expect(201);
    await arrive();
    await report(refunded(id));
    const revocations = (await deliveriesOf(world, tenant, id)).filter(({ kind }) => kind === 'revocation');
    expect(revocations.map(({ status }) => status).toSorted()).toEqual(['delivered', 'waiting']);
  });

  it('revokes nothing for an inquiry of a bank', async () => {
    const { id } = await newOrder();
    await report(paid(id));
    expect(await report(dispute(id, 'created', 'warning_needs_response'))).toBe('ignored');
    expect(await report(dispute(id, 'closed', 'warning_closed'))).toBe('ignored');
    expect(await statusOf(id)).toBe('paid');
    expect(await report(dispute(id, 'funds_withdrawn', 'needs_response'))).toBe('applied');
    expect(await statusOf(id)).toBe('disputed');
  });

  it('finds the orders of a store by its former subdomain', async () => {
    const own = await newStore('whsec_of_a_store_that_is_renamed');
    const { id: item_id } = await sell(world, own);
    const { id } = await order(world, own, [{ item_id, quantity: 1 }]);
    const path = storePath(own);
    await world.database.query('update license set subdomain = $2 where id = $1', [
      own.license.id,
      `${own.license.subdomain}-new`,
    ]);
    expect(await report(paid(id), { secret: 'whsec_of_a_store_that_is_renamed' }, own)).toBe('applied');
    expect((await world.call('get', `${path}/orders/${id}`).expect(200)).body).toMatchObject({
      status: 'paid',
    });
  });

  it('reports an instance that was deleted before the payment', async () => {
    const gone = await sell(world, tenant);
    const { id } = await order(world, tenant, [{ item_id: gone.id, quantity: 2 }]);
    await world.database.query('delete from game_instance where id = $1', [gone.instance_ids[0]]);
    for (let time = 0; time < 2; time += 1) await report(paid(id, { amount_total: 1998 }));
    const made = await deliveriesOf(world, tenant, id);
    expect(made.map(({ status, detail }) => [status, detail])).toEqual(
      Array.from({ length: 2 }, () => ['cancelled', 'The instance was deleted.']),
    );
  });

  it('leaves items with the buyer after a partial refund', async () => {
    const { id } = await newOrder();
    await report(paid(id));
    await report(refunded(id, 100));
    expect(await statusOf(id)).toBe('partially_refunded');
    expect(await deliveriesOf(world, tenant, id)).toMatchObject([{ kind: 'delivery', status: 'waiting' }]);
    expect(await report(refunded(id, 1_000_000))).toBe('refused');
    expect(await report(refunded(id, 999, { currency: 'eur' }))).toBe('refused');
  });

  it('revokes delivered items after a full refund, once', async () => {
    const { id } = await newOrder();
    await report(paid(id));
    await world.database.query(
      `update store_delivery set status = 'delivered', next_attempt_at = null, finished_at = now() where order_id = $1`,
      [id],
    );
    await report(refunded(id));
    await report(dispute(id, 'created'));
    const kinds = (await deliveriesOf(world, tenant, id)).map(({ kind, status }) => `${kind} ${status}`);
    expect(kinds.toSorted()).toEqual(['delivery delivered', 'revocation waiting']);
  });

  it('works for a disabled store', async () => {
    const own = await newStore('whsec_of_a_closed_store');
    const { id: item_id } = await sell(world, own);
    const { id } = await order(world, own, [{ item_id, quantity: 1 }]);
    const closed = storeInput({ provider: 'stripe', is_enabled: false });
    await world.call('put', '/api/webstore/config', own.owner).send(closed).expect(200);
    expect(await report(paid(id), { secret: 'whsec_of_a_closed_store' }, own)).toBe('applied');
  });
});

describe('subscriptions', () => {
  const statusOfOwn = async (own: Tenant) => {
    const { body } = await world.call('get', subscriptionPath, own.owner).expect(200);
    const { status, opens_store } = body as Schemas['StoreSubscription'];
    return { status, opens_store };
  };

  it("are confirmed at a checkout, and follow the provider's events", async () => {
    const own = await world.createTenant();
    const { id, status, opens_store, checkout_url, price } = await newSubscription(own);
    expect({ status, opens_store, price }).toEqual({
      status: 'trialing',
      opens_store: false,
      price: { amount: '9.99', currency: 'USD' },
    });
    expect(checkout_url).toContain('checkout.stripe.com');
    expect(stripe.checkoutOf(id)?.form).toMatchObject({
      mode: 'subscription',
      'line_items[0][price_data][unit_amount]': '999',
      'line_items[0][price_data][recurring][interval]': 'month',
      'subscription_data[metadata][subscription_id]': id,
      'subscription_data[trial_period_days]': '14',
    });
    const now = Math.floor(Date.now() / 1000);
    const steps = [
      [{ status: 'trialing', trial_end: now + 1_000 }, 'trialing', true],
      [{ status: 'active' }, 'active', true],
      [{ status: 'past_due' }, 'past_due', true],
      [{ status: 'active', cancel_at: now + 1_000 }, 'cancelled', true],
      [{ status: 'canceled', ended_at: now - 10 }, 'cancelled', false],
    ] as const;
    for (const [index, [values, after, opens]] of steps.entries()) {
      expect(outcomeOf(await sendSubscriptionEvent(id, values, { created: now + index }).expect(200))).toBe(
        'applied',
      );
      expect(await statusOfOwn(own)).toEqual({ status: after, opens_store: opens });
    }
    const older = await sendSubscriptionEvent(id, { status: 'active' }, { created: now }).expect(200);
    expect(outcomeOf(older)).toBe('ignored');
    expect(await statusOfOwn(own)).toMatchObject({ status: 'cancelled' });
    expect(stripe.checkoutOf((await newSubscription(own)).id)?.form).not.toHaveProperty(
      'subscription_data[trial_period_days]',
    );
  });

  it('process each event once, and none without a signature with the platform’s secret', async () => {
    const own = await world.createTenant();
    const { id } = await newSubscription(own);
    const event = { id: `evt_${id}` };
    expect(outcomeOf(await sendSubscriptionEvent(id, {}, event).expect(200))).toBe('applied');
    expect(outcomeOf(await sendSubscriptionEvent(id, { status: 'canceled' }, event).expect(200))).toBe(
      'repeated',
    );
    expect(outcomeOf(await sendSubscriptionEvent('unknown', {}).expect(200))).toBe('ignored');
    const forged = stripeEvent('customer.subscription.updated', {
      id: 'sub_1',
      status: 'active',
      metadata: { subscription_id: id },
    });
    await sendEvent(world, `${subscriptionPath}/webhook`, forged, { secret: webhook_secret }).expect(401);
  });

  it('are ended at the provider when they are cancelled', async () => {
    const own = await world.createTenant();
    const { id } = await newSubscription(own);
    await sendSubscriptionEvent(id, {}).expect(200);
    const { body } = await world.call('post', `${subscriptionPath}/cancel`, own.owner).expect(200);
    expect(body).toMatchObject({ status: 'cancelled', opens_store: true });
    const request = await until(
      () => stripe.requests.find(({ path }) => path === `/v1/subscriptions/sub_${id}`),
      'the end at the provider',
    );
    expect(request.form).toEqual({ cancel_at_period_end: 'true' });
  });

  const asked = (path: string) =>
    until(() => stripe.requests.find((request) => request.path === path), `the request to ${path}`);

  it('that were cancelled before confirmation are ended at the provider when they are paid nevertheless', async () => {
    const own = await world.createTenant();
    const { id } = await newSubscription(own);
    const intent = `pi_${id}`;
    stripe.objects.set(`/v1/subscriptions/sub_${id}`, { status: 'active', latest_invoice: `in_${id}` });
    stripe.objects.set('/v1/invoice_payments', { data: [{ payment: { payment_intent: intent } }] });
    await world.call('post', `${subscriptionPath}/cancel`, own.owner).expect(200);
    expect(outcomeOf(await sendSubscriptionEvent(id, {}).expect(200))).toBe('refused');
    expect(await statusOfOwn(own)).toEqual({ status: 'expired', opens_store: false });
    await until(
      () => stripe.requests.find(({ method, path }) => method === 'DELETE' && path.endsWith(`sub_${id}`)),
      'the end at the provider',
    );
    expect((await asked('/v1/refunds')).form).toEqual({ payment_intent: intent });
  });

  it('stay linked to the active one, whichever was created later', async () => {
    const own = await world.createTenant();
    const first = await newSubscription(own);
    await world.database.query(
      `update subscription set created_at = now() - interval '2 days' where license_id = $1`,
      [own.license.id],
    );
    const second = await newSubscription(own);
    await world.database.query(`update subscription set status = 'expired' where id = $1`, [second.id]);
    expect(outcomeOf(await sendSubscriptionEvent(first.id, {}).expect(200))).toBe('applied');
    const { body } = await world.call('post', `${subscriptionPath}/cancel`, own.owner).expect(200);
    expect(body).toMatchObject({ id: first.id, status: 'cancelled' });
  });

  it('apply the further state of events with the same second, and nothing after the end', async () => {
    const own = await world.createTenant();
    const { id } = await newSubscription(own);
    const created = Math.floor(Date.now() / 1000);
    await sendSubscriptionEvent(id, { status: 'active' }, { created }).expect(200);
    await sendSubscriptionEvent(id, { status: 'trialing' }, { created }).expect(200);
    expect(await statusOfOwn(own)).toMatchObject({ status: 'active' });
    await sendSubscriptionEvent(id, { status: 'canceled', ended_at: created }, { created }).expect(200);
    await sendSubscriptionEvent(id, { status: 'active' }, { created: created + 5 }).expect(200);
    expect(await statusOfOwn(own)).toMatchObject({ status: 'cancelled' });
  });

  it('of a sandbox that is no longer allowed open no store, and can be replaced', async () => {
    const own = await newStore('whsec_of_a_store_without_sandbox');
    await world.call('get', storePath(own)).expect(200);
    await world.database.query(`update subscription set provider = 'sandbox' where license_id = $1`, [
      own.license.id,
    ]);
    const { body } = await world.call('get', subscriptionPath, own.owner).expect(200);
    expect(body).toMatchObject({ status: 'active', opens_store: false });
    expect((await world.call('get', '/api/webstore/config', own.owner).expect(200)).body).toMatchObject({
      is_open: false,
    });
    expect(await newSubscription(own)).toMatchObject({ provider: 'stripe', status: 'trialing' });
  });

  it('cannot be forged by a caller', async () => {
    const own = await world.createTenant();
    await newSubscription(own);
    const pretend = world.call('post', `${subscriptionPath}/sandbox`, own.owner).send({ status: 'active' });
    expect(codeOf(await pretend.expect(409))).toBe('provider_not_ready');
  });
});
