// Receipts: one message for each paid order, sent only to the address its buyer left.
import { pino } from 'pino';
import { keptDays, unpaidAddressDays } from '../../src/queue/retention-periods.ts';
import { maxReceipts } from '../../src/services/store/checkout/buyer-mail.ts';
import type { components } from '../../generated/platform.d.ts';
import { MailServer } from '../support/mail-server.ts';
import { parseMail, type ReceivedMail } from '../support/mail.ts';
import { createStoreOrder } from '../support/rows.ts';
import {
  buying,
  openStore,
  order,
  sell,
  settle,
  someSteamId,
  storeInput,
  storePath,
  transactionOf,
} from '../support/store.ts';
import { completed, sendEvent, StandInStripe, stripeEvent } from '../support/stripe.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

const webhook_secret = 'whsec_of_a_store_with_receipts';
const live = { secret_key: 'rk_live_0123456789abcdef', webhook_secret };
const logged: string[] = [];

let mail: MailServer;
let stripe: StandInStripe;
let world: World;
let tenant: Tenant;
let item: Schemas['StoreItem'];
let number = 0;

beforeAll(async () => {
  mail = new MailServer();
  await mail.start();
  stripe = await StandInStripe.start();
  world = await World.create({
    smtpUrl: mail.url,
    payments: { stripeUrl: stripe.url },
    log: pino({ level: 'info' }, { write: (line) => void logged.push(line) }),
  });
  world.atEnd(() => mail.stop());
  world.atEnd(() => stripe.close());
  tenant = await world.createTenant();
  await openStore(world, tenant);
  item = await sell(world, tenant, { name: 'VIP' });
});

afterAll(async () => {
  await world.close();
});

const newAddress = () => `buyer-${++number}@players.example.com`;

/** An order of one unit by default, by a buyer who left that address. */
const orderFor = (email: string, quantity = 1, own = tenant, bought = item) =>
  order(world, own, [{ item_id: bought.id, quantity }], { email, player_name: 'Aster' });

/** Waits until everything that payments caused so far is sent. */
const allSent = () =>
  until(async () => {
    const [waiting] = await world.database.query<{ count: number }>(
      `select count(*)::int as count from graphile_worker.jobs
       where task_identifier in ('write-to-buyer', 'send-mail') and attempts < max_attempts`,
    );
    return waiting?.count === 0;
  }, 'an empty queue of mail');

/** Every message to that address, once no work is left. */
async function mailsTo(address: string): Promise<ReceivedMail[]> {
  await allSent();
  return mail.messages.map(parseMail).filter(({ to }) => to === address);
}

/** A store that takes real payments of a provider with callbacks. */
async function newLiveStore(): Promise<{ own: Tenant; sold: Schemas['StoreItem'] }> {
  const own = await world.createTenant();
  await openStore(world, own);
  await world.call('put', '/api/webstore/providers/stripe', own.owner).send(live).expect(200);
  await world
    .call('put', '/api/webstore/config', own.owner)
    .send(storeInput({ provider: 'stripe' }))
    .expect(200);
  return { own, sold: await sell(world, own, { name: 'Kit' }) };
}

const report = async (own: Tenant, event: object) => {
  const { body } = await sendEvent(world, `${storePath(own)}/webhook`, event, {
    secret: webhook_secret,
  }).expect(200);
  return (body as { outcome?: string }).outcome;
};

const paid = (orderId: string, total = 999) =>
  stripeEvent('checkout.session.completed', completed(orderId, total));
const refunded = (orderId: string, amount_refunded: number) =>
  stripeEvent('charge.refunded', {
    id: `ch_${orderId}`,
    object: 'charge',
    amount_refunded,
    currency: 'usd',
    payment_intent: `pi_${orderId}`,
    metadata: { order_id: orderId },
  });

const receiptOf = async (id: string, own = tenant) => (await transactionOf(world, own, id)).receipt;

describe('a receipt', () => {
  it('is sent once the order is paid, with the items, the player, the amount and a contact', async () => {
    const email = newAddress();
    const { id } = await orderFor(email, 3);
    const { steam_id } = await transactionOf(world, tenant, id);
    expect(await mailsTo(email)).toEqual([]);
    expect(await receiptOf(id)).toEqual({ email, status: 'waiting', queued_at: null });
    await settle(world, tenant, id);
    const [receipt, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(receipt?.subject).toBe('Receipt for your order at Rusty Islands');
    for (const text of [
      `Order: ${id}`,
      'Sold by: Rusty Islands',
      `For the player: Aster (SteamID ${steam_id})`,
      '3 × VIP, 9.99 USD each: 29.97 USD',
      'Total: 29.97 USD',
      'a test in which no money moves',
      `${world.url}/store/${tenant.license.subdomain}?order=${id}`,
      'turn to them and name the order',
    ])
      expect(receipt?.text).toContain(text);
    expect(receipt?.html).toContain(`<a href="${world.url}/store/${tenant.license.subdomain}?order=${id}">`);
    expect(await receiptOf(id)).toEqual({ email, status: 'queued', queued_at: expect.any(String) });
  });

  it('is not sent for an unpaid order or to a buyer without an address', async () => {
    const email = newAddress();
    await orderFor(email);
    const failed = await orderFor(email);
    await settle(world, tenant, failed.id, 'failed');
    const silent = await order(world, tenant, [{ item_id: item.id, quantity: 1 }]);
    const before = mail.messages.length;
    await settle(world, tenant, silent.id);
    expect(await mailsTo(email)).toEqual([]);
    expect(mail.messages).toHaveLength(before);
    expect(await receiptOf(silent.id)).toEqual({ email: null, status: 'none', queued_at: null });
  });

  it('is sent once, however many events the provider sends about the payment', async () => {
    const { own, sold } = await newLiveStore();
    const email = newAddress();
    const { id } = await orderFor(email, 1, own, sold);
    const first = paid(id);
    const events = [first, first, first, paid(id), paid(id)];
    const outcomes = await Promise.all(events.map((event) => report(own, event)));
    expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(3);
    await world.database.query(
      `select graphile_worker.add_job('write-to-buyer', json_build_object('license_id', $1::text, 'order_id', $2::text))
       from generate_series(1, 8)`,
      [own.license.id, id],
    );
    const [receipt, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(receipt?.text).toContain(`Payment: Stripe, pi_${id}`);
    expect(receipt?.text).not.toContain('test');
  });

  it('is sent by a job of the same transaction that records the payment', async () => {
    const { own, sold } = await newLiveStore();
    const email = newAddress();
    const { id } = await orderFor(email, 1, own, sold);
    await world.database.query(
      `create function refuse_buyer_mail() returns trigger language plpgsql as $$
       begin
         if new.receipt_email = '${email}' and new.paid_at is not null then raise 'refused'; end if;
         return new;
       end $$;
       create trigger refused before update on store_order for each row execute function refuse_buyer_mail()`,
    );
    const event = paid(id);
    await sendEvent(world, `${storePath(own)}/webhook`, event, { secret: webhook_secret }).expect(500);
    await world.database.query('drop trigger refused on store_order; drop function refuse_buyer_mail()');
    expect(await mailsTo(email)).toEqual([]);
    expect(await report(own, event)).toBe('applied');
    expect(await mailsTo(email)).toHaveLength(1);
  });

  it('renders the names of the shop, its items and players without links', async () => {
    const own = await world.createTenant();
    await openStore(world, own, { name: 'Win at https://evil.example.com' });
    const bait = await sell(world, own, { name: 'www.evil.example.com <b>free</b>' });
    const email = newAddress();
    const buyer = { email, player_name: 'mail a@evil.example.com' };
    const { id } = await order(world, own, [{ item_id: bait.id, quantity: 1 }], buyer);
    await settle(world, own, id);
    const [receipt] = await mailsTo(email);
    for (const shown of [receipt?.subject, receipt?.text, receipt?.html]) {
      expect(shown).toBeDefined();
      expect(shown).not.toMatch(/evil\.example|https:\/\/evil|a@evil|www\.e/);
    }
    expect(receipt?.html).not.toContain('<b>');
  });
});

describe('a refund', () => {
  it('is sent once for each refunded part, and not again when a refund failed and is repeated', async () => {
    const { own, sold } = await newLiveStore();
    const email = newAddress();
    const { id } = await orderFor(email, 1, own, sold);
    await report(own, paid(id));
    const part = refunded(id, 300);
    await report(own, part);
    await report(own, part);
    await allSent();
    await report(own, refunded(id, 999));
    const [, first, second, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(first?.subject).toBe('Refund for your order at Rusty Islands');
    expect(first?.text).toContain('Refunded now: 3.00 USD\nRefunded in all: 3.00 USD of 9.99 USD');
    expect(second?.text).toContain('Refunded now: 6.99 USD\nRefunded in all: 9.99 USD of 9.99 USD');
  });

  it('of a sandbox order is sent once, regardless of later payment events', async () => {
    const email = newAddress();
    const { id } = await orderFor(email);
    for (const outcome of ['paid', 'refunded', 'refund_failed', 'refunded', 'refunded', 'disputed'] as const)
      await settle(world, tenant, id, outcome);
    const subjects = (await mailsTo(email)).map(({ subject }) => subject.split(' ')[0]);
    expect(subjects.toSorted()).toEqual(['Receipt', 'Refund']);
  });
});

describe('an address', () => {
  it.each([
    'no address',
    'a@example.com\r\nBcc: everybody@example.com',
    'a@example.com, b@example.com',
    'Ann <a@example.com>',
    '"a b"@example.com',
    'a@example.com\n',
    'a@example.com\u0000',
    '@example.com',
    'a@',
    '',
    `${'a'.repeat(250)}@example.com`,
    null,
    ['a@example.com'],
  ])('%j is rejected, and no order is created', async (email) => {
    const steam_id = someSteamId();
    const reply = await buying(world, tenant, [{ item_id: item.id, quantity: 1 }], {
      steam_id,
      email: email as string,
    }).expect(400);
    expect((reply.body as { errors: { pointer: string }[] }).errors[0]?.pointer).toContain('email');
    expect(await world.database.query('select from store_order where steam_id = $1', [steam_id])).toEqual([]);
  });

  it('is shown to members who may see a transaction, and in no list, table, public order, event or log', async () => {
    const email = newAddress();
    const made = await orderFor(email);
    await settle(world, tenant, made.id);
    await allSent();
    const get = (path: string, member?: Tenant['owner']) => world.call('get', path, member);
    const texts = [
      JSON.stringify(made),
      (await get(`${storePath(tenant)}/orders/${made.id}`).expect(200)).text,
      (await get('/api/webstore/transactions', tenant.owner).expect(200)).text,
      (await get('/api/webstore/transactions?format=csv', tenant.owner).expect(200)).text,
      (await get(`/store/${tenant.license.subdomain}?order=${made.id}`).expect(200)).text,
      (await get('/api/audit', tenant.owner).expect(200)).text,
      JSON.stringify(await world.database.query('select * from event_log')),
      JSON.stringify(await world.database.query('select * from audit_entry')),
      logged.join(''),
    ];
    for (const text of texts) expect(text).not.toContain(email);
    expect(texts[2]).toContain(made.id);
    const outsider = await world.createTenant();
    await get(`/api/webstore/transactions/${made.id}`, outsider.owner).expect(404);
    expect(await receiptOf(made.id)).toMatchObject({ email });
  });

  it('that the mail server rejects is not in the log, and the order is paid nevertheless', async () => {
    const email = newAddress();
    const { id } = await orderFor(email);
    mail.refusal = 550;
    mail.refusalText = `5.1.1 <${email.toUpperCase()}>: no such user`;
    const { status } = await settle(world, tenant, id);
    await allSent();
    mail.refusal = undefined;
    mail.refusalText = undefined;
    expect(status).toBe('paid');
    expect(logged.join('')).toContain('a message was refused and is given up');
    expect(logged.join('').toLowerCase()).not.toContain(email);
  });

  it('gets at most the daily number of test receipts, in any spelling', async () => {
    const email = newAddress();
    const written = [email, email.toUpperCase(), `B${email.slice(1)}`, email, email];
    const ids: string[] = [];
    for (const address of written) {
      const { id } = await orderFor(address);
      ids.push(id);
      await settle(world, tenant, id);
    }
    await allSent();
    const receipts = await Promise.all(ids.map((id) => receiptOf(id)));
    const states = receipts.map(({ status }) => status);
    expect(states.filter((status) => status === 'queued')).toHaveLength(maxReceipts.test.toAddress);
    expect(states.filter((status) => status === 'withheld')).toHaveLength(
      written.length - maxReceipts.test.toAddress,
    );
    const withheld = ids[states.indexOf('withheld')] ?? '';
    const before = mail.messages.length;
    await settle(world, tenant, withheld, 'refunded');
    await allSent();
    expect(mail.messages).toHaveLength(before);
    expect(await receiptOf(withheld)).toMatchObject({ status: 'withheld', queued_at: null });
  });

  it('is erased over time: sooner for unpaid orders', async () => {
    const email = newAddress();
    const days = (count: number) => new Date(Date.now() - count * 24 * 60 * 60_000);
    const unpaid = { status: 'expired', paid_at: null };
    const make = (age: number, values: object = {}) =>
      createStoreOrder(world, tenant, {
        receipt_email: email,
        receipt_status: 'queued',
        created_at: days(age),
        ...values,
      });
    const kept = [await make(keptDays.store_order - 1), await make(unpaidAddressDays - 1, unpaid)];
    const gone = [await make(keptDays.store_order + 1), await make(unpaidAddressDays + 1, unpaid)];
    await world.database.query(`select graphile_worker.add_job('housekeeping', '{}'::json)`);
    for (const id of gone) await until(async () => (await receiptOf(id)).email === null, 'an erased address');
    for (const id of [...kept, ...gone]) expect(await receiptOf(id)).toMatchObject({ status: 'queued' });
    for (const id of kept) expect(await receiptOf(id)).toMatchObject({ email });
  });
});

it('a license sends at most the daily number of test receipts to all addresses together', async () => {
  const own = await world.createTenant();
  await openStore(world, own);
  const sold = await sell(world, own);
  const sent = Array.from({ length: maxReceipts.test.ofLicense - 1 }, (_, index) =>
    createStoreOrder(world, own, {
      receipt_email: `${index}@players.example.com`,
      receipt_status: 'queued',
      receipt_at: new Date(),
    }),
  );
  await Promise.all(sent);
  const emails = [newAddress(), newAddress()];
  for (const email of emails) {
    const { id } = await orderFor(email, 1, own, sold);
    await settle(world, own, id);
    await allSent();
  }
  expect(await mailsTo(emails[0] ?? '')).toHaveLength(1);
  expect(await mailsTo(emails[1] ?? '')).toEqual([]);
});
