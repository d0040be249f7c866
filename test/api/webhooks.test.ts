// Operations of the area `webhooks`, and the requests that receivers get.
import type { components } from '../../generated/platform.d.ts';
import { contract, errorsOfEvent, someId } from '../support/contract.ts';
import { respondWith, isSigned, Receiver } from '../support/receiver.ts';
import { createDelivery, createKeyWithText, createWebhook } from '../support/rows.ts';
import { unlessBusy, until } from '../support/until.ts';
import { expectSentOnce } from '../support/webhooks.ts';
import { World, type Member, type Tenant } from '../support/world.ts';
import { patient } from '../support/patience.ts';

type Schemas = components['schemas'];
type Webhook = Schemas['Webhook'];
type Created = Schemas['CreatedWebhook'];
type Delivery = Schemas['WebhookDelivery'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ heartbeatIntervalSeconds: 0.5 });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const path = '/api/webhooks';
let number = 0;

const { parameters: headersOfWebhook } = contract.webhooks['event']!.post as unknown as {
  parameters: { name: string; schema: { pattern?: string } }[];
};

const input = (values: object = {}) => ({
  name: `Webhook ${++number}`,
  url: 'https://hooks.example.com/gantry',
  events: ['host.offline', 'wipe.completed'],
  ...values,
});

const create = (values: object = {}, member: Member = tenant.owner) =>
  world.call('post', path, member).send(input(values));
const created = async (values: object = {}, own: Tenant = tenant) =>
  (await create(values, own.owner).expect(201)).body as Created;
const get = async (id: string, own: Tenant = tenant) =>
  (await world.call('get', `${path}/${id}`, own.owner).expect(200)).body as Webhook;
const update = (id: string, changes: object, own: Tenant = tenant) =>
  world.call('patch', `${path}/${id}`, own.owner).send(changes);
const rotate = (id: string, hours: number) =>
  world.call('post', `${path}/${id}/rotate-secret`, tenant.owner).send({ overlap_hours: hours });
const test = (id: string, own: Tenant = tenant) => world.call('post', `${path}/${id}/test`, own.owner);
const resend = (id: string, deliveryId: string, own: Tenant = tenant) =>
  world.call('post', `${path}/${id}/deliveries/${deliveryId}/resend`, own.owner);

async function deliveriesOf(id: string, query = '', own: Tenant = tenant): Promise<Delivery[]> {
  const { body } = await world
    .call('get', `${path}/${id}/deliveries?limit=100${query}`, own.owner)
    .expect(200);
  return (body as { data: Delivery[] }).data;
}

const detailOf = async (id: string, deliveryId: string, own: Tenant = tenant) =>
  (await world.call('get', `${path}/${id}/deliveries/${deliveryId}`, own.owner).expect(200))
    .body as Schemas['WebhookDeliveryDetail'];

/** The newest delivery, once it has the given status and number of attempts. */
const untilDelivery = (id: string, status: Delivery['status'], attempts = 1, own: Tenant = tenant) =>
  until(async () => {
    const [delivery] = await deliveriesOf(id, '', own);
    return delivery?.status === status && delivery.attempt_count >= attempts && delivery;
  }, `a delivery that is ${status}`);

/** A real receiver, closed with the world. */
async function receiver(...handler: Parameters<typeof Receiver.start>): Promise<Receiver> {
  const started = await Receiver.start(...handler);
  world.atEnd(() => started.close());
  return started;
}

/** An event of the license, as the platform records it. */
async function occur({ license }: Tenant = tenant): Promise<void> {
  const [host] = await world.database.query<{ id: string }>(
    `insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key, status, last_heartbeat_at)
     values ($1, $2, 'test', '0', $2, 'online', now() - interval '1 day') returning id`,
    [license.id, `host-${++number}-${license.id}`],
  );
  await until(
    async () =>
      (
        await world.database.query(`select from event_log where type = 'host.offline' and subject_id = $1`, [
          host?.id,
        ])
      ).length > 0,
    'an event',
  );
}

/** Makes all waiting deliveries due now. */
const hurry = (id: string) =>
  world.database
    .query('update webhook set rests_until = null where id = $1', [id])
    .then(() =>
      world.database.query(
        `update webhook_delivery set next_attempt_at = now() where webhook_id = $1 and status = 'pending'`,
        [id],
      ),
    );

describe('createWebhook', () => {
  it('returns 201 with the secret, shown only in this response', async () => {
    const values = input();
    const { body, headers } = await world.call('post', path, tenant.owner).send(values).expect(201);
    const { secret, ...webhook } = body as Created;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toEqual({
      ...values,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      is_enabled: true,
      is_secret_readable: true,
      disabled_at: null,
      disabled_reason: null,
      previous_secret_ends_at: null,
      last_delivery_at: null,
      last_status: null,
      last_status_code: null,
      replay: null,
      version: 1,
      created_at: expect.stringMatching(/Z$/),
    });
    expect(headers['etag']).toBe('"1"');
    expect(await get(webhook.id)).toEqual(webhook);
  });

  it('encrypts the secret and keeps it out of the export and the audit log', async () => {
    const { id, secret } = await created();
    const [row] = await world.database.query<{ secret: Buffer }>('select secret from webhook where id = $1', [
      id,
    ]);
    expect(row?.secret.toString('latin1')).not.toContain(secret);
    const exported = await fetch(`${world.url}/api/license/export`, {
      headers: { authorization: `Bearer ${tenant.owner.token}` },
    }).then((response) => response.text());
    expect(exported).toContain(`"table":"webhook"`);
    expect(exported).not.toContain(secret);
    expect(exported).not.toContain(row?.secret.toString('hex'));
  });

  it.each([
    'https://127.0.0.2.nip.io:22/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://2852039166/',
    'https://0xa9.254.0xa9.0376/',
    'https://user:pass@hooks.example.com/',
    'https://hooks.example.com:25/',
    'https://',
  ])('returns 400 for the URL %s', async (url) => {
    expect((await create({ url }).expect(400)).body).toMatchObject({
      code: 'validation_failed',
      errors: [{ in: 'body', pointer: '/url' }],
    });
  });

  it.each([
    { url: 'ftp://hooks.example.com/' },
    { url: 'https://hooks.example.com/ a' },
    { url: 'https://hooks.example.com/\n' },
    { events: [] },
    { events: ['test'] },
    { events: ['host.offline', 'host.offline'] },
    { events: ['server_down'] },
    { events: ['nothing.*'] },
    { name: '' },
    { secret: 'mine' },
  ])('returns 400 for %j', async (values) => {
    expect((await create(values).expect(400)).body).toMatchObject({ code: 'validation_failed' });
  });

  it('returns 409 for a taken name', async () => {
    const { name } = await created();
    expect((await create({ name }).expect(409)).body).toMatchObject({ code: 'name_taken' });
  });

  it("returns 409 beyond a license's maximum, also for concurrent requests", async () => {
    const own = await world.createTenant();
    const responses = await Promise.all(
      Array.from({ length: 55 }, () => unlessBusy(() => create({}, own.owner))),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(
      responses.filter(({ body }) => (body as Schemas['Problem']).code === 'limit_reached'),
    ).toHaveLength(5);
  });

  it('works with an API key, and returns the same secret for the same Idempotency-Key', async () => {
    const { key } = await createKeyWithText(world, tenant, {
      permissions: { 'webhooks.manage': true, 'fleet.view': true, 'wipes.view': true },
    });
    const values = input();
    const send = () =>
      world
        .call('post', path)
        .set('X-Api-Key', key)
        .set('Idempotency-Key', 'webhook-1234')
        .send(values)
        .expect(201);
    expect((await send()).body).toEqual((await send()).body);
  });
});

describe('listWebhooks', () => {
  it('returns 200 oldest first, page by page', async () => {
    const own = await world.createTenant();
    const made = [await created({}, own), await created({}, own), await created({}, own)];
    const { body } = await world.call('get', `${path}?limit=2`, own.owner).expect(200);
    const first = body as Schemas['WebhookPage'];
    const rest = (await world.call('get', `${path}?cursor=${first.next_cursor}`, own.owner).expect(200))
      .body as Schemas['WebhookPage'];
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(made.map(({ id }) => id));
    expect(JSON.stringify([first, rest])).not.toContain('whsec_');
  });
});

describe('updateWebhook', () => {
  it('returns 200 with the given changes and the next version', async () => {
    const { id, secret: _secret, ...webhook } = await created();
    const { body, headers } = await update(id, { events: ['player.banned'] }).expect(200);
    expect(body).toEqual({ id, ...webhook, events: ['player.banned'], version: 2 });
    expect(headers['etag']).toBe('"2"');
  });

  it('returns 412 for an outdated version and changes nothing', async () => {
    const { id } = await created();
    await update(id, { events: ['player.banned'] })
      .set('If-Match', '"1"')
      .expect(200);
    const { body } = await update(id, { name: 'Late' }).set('If-Match', '"1"').expect(412);
    expect(body).toMatchObject({ code: 'stale_version' });
    const late = await world.call('delete', `${path}/${id}`, tenant.owner).set('If-Match', '"1"');
    expect(late.body).toMatchObject({ code: 'stale_version' });
  });

  it('returns 400 for a private URL, 409 for a taken name, 404 for an unknown webhook', async () => {
    const [{ id }, { name }] = [await created(), await created()];
    expect((await update(id, { url: 'https://10.0.0.1/' }).expect(400)).body).toMatchObject({
      errors: [{ pointer: '/url' }],
    });
    expect((await update(id, { name }).expect(409)).body).toMatchObject({ code: 'name_taken' });
    await update(someId, { is_enabled: false }).expect(404);
  });

  it('cancels attempted deliveries when it is disabled, and starts none meanwhile', async () => {
    const own = await world.createTenant();
    const hook = await receiver(respondWith(503));
    const { id } = await created({ url: hook.url }, own);
    await occur(own);
    await untilDelivery(id, 'pending', 1, own);
    await update(id, { is_enabled: false }, own).expect(200);
    const [delivery] = await deliveriesOf(id, '', own);
    expect(delivery).toMatchObject({ status: 'cancelled', next_attempt_at: null });
    await occur(own);
    expect(await deliveriesOf(id, '', own)).toHaveLength(1);
    expect((await test(id, own).expect(409)).body).toMatchObject({ code: 'webhook_disabled' });
    expect((await resend(id, delivery?.id ?? '', own).expect(409)).body).toMatchObject({
      code: 'webhook_disabled',
    });
  });

  it('keeps unattempted deliveries while it is disabled, and sends them in order when it is enabled', async () => {
    const own = await world.createTenant();
    const hook = await receiver((reply) => setTimeout(() => reply.writeHead(204).end(), 5));
    const { id } = await created({ url: hook.url }, own);
    await world.database.query(
      `update webhook set recent_failures = 1, rests_until = now() + interval '1 hour' where id = $1`,
      [id],
    );
    for (let count = 0; count < 5; count += 1) await occur(own);
    await update(id, { is_enabled: false }, own).expect(200);
    const waiting = await deliveriesOf(id, '&status=pending', own);
    expect(waiting).toHaveLength(5);
    await update(id, { is_enabled: true }, own).expect(200);
    await hook.next(4);
    expect(hook.ids).toEqual(waiting.map((one) => one.id).toReversed());
    expect(hook.maxAtOnce).toBe(1);
  });

  it('sends missed events in order on request, each once', async () => {
    const own = await world.createTenant();
    const hook = await receiver(respondWith(503));
    const { id } = await created({ url: hook.url }, own);
    const deaf = await created({ url: hook.url, events: ['player.banned'], is_enabled: false }, own);
    await occur(own);
    await untilDelivery(id, 'pending', 1, own);
    await update(id, { is_enabled: false }, own).expect(200);
    for (let count = 0; count < 3; count += 1) await occur(own);
    hook.received.length = 0;
    hook.maxAtOnce = 0;
    hook.respond = (reply) => setTimeout(() => reply.writeHead(204).end(), 5);
    expect((await update(id, { deliver_missed: true }, own).expect(400)).body).toMatchObject({
      errors: [{ pointer: '/deliver_missed' }],
    });
    await update(deaf.id, { is_enabled: true, deliver_missed: true }, own).expect(200);
    await update(id, { is_enabled: true, deliver_missed: true }, own).expect(200);
    await until(
      async () => (await deliveriesOf(id, '&status=succeeded', own)).length === 4,
      'four deliveries',
    );
    const events = await world.database.query<{ id: string }>(
      `select id from event_log where license_id = $1 and type = 'host.offline' order by seq`,
      [own.license.id],
    );
    expect(hook.received.map(({ body }) => body.id)).toEqual(events.map((event) => event.id));
    expect(hook.maxAtOnce).toBe(1);
    await update(id, { is_enabled: false }, own).expect(200);
    await update(id, { is_enabled: true, deliver_missed: true }, own).expect(200);
    expect(await deliveriesOf(id, '', own)).toHaveLength(4);
    expect(await deliveriesOf(deaf.id, '', own)).toEqual([]);
  });

  it('sends the latest thousand missed events of the last thirty days', async () => {
    const own = await world.createTenant();
    const hook = await receiver();
    const { id } = await created({ url: hook.url, is_enabled: false }, own);
    await world.database.query(
      `update webhook set off_since = now() - interval '60 days', created_at = now() - interval '60 days' where id = $1`,
      [id],
    );
    await world.database.query(`select create_day_partitions('event_log', current_date - 33, 33)`);
    await world.database.query(
      `insert into event_log (license_id, seq, recorded_at, id, type, subject_type, subject_id, data, occurred_at)
       select $1, 10000 - place, at, gen_random_uuid(), 'host.offline', 'host', gen_random_uuid(),
         json_build_object('place', place), at
       from generate_series(0, 1002) as place,
         lateral (select now() - interval '31 days' * (place = 1002)::int - interval '1 minute' * place as at) as when_it_was`,
      [own.license.id],
    );
    await update(id, { is_enabled: true, deliver_missed: true }, own).expect(200);
    const [row] = await world.database.query(
      `select count(*)::int as count, max((body::json -> 'data' ->> 'place')::int) as oldest
       from webhook_delivery where webhook_id = $1`,
      [id],
    );
    expect(row).toEqual({ count: 1_000, oldest: 999 });
    await world.call('delete', `${path}/${id}`, own.owner).expect(204);
  });
});

describe('deleteWebhook', () => {
  it('returns 204 and deletes its log', async () => {
    const { id } = await created();
    await createDelivery(world, tenant, { webhook_id: id });
    await world.call('delete', `${path}/${id}`, tenant.owner).expect(204);
    await world.call('get', `${path}/${id}`, tenant.owner).expect(404);
    await world.call('get', `${path}/${id}/deliveries`, tenant.owner).expect(404);
    await world.call('delete', `${path}/${id}`, tenant.owner).expect(404);
  });
});

describe('testWebhook', () => {
  it('returns 202, and the receiver gets a signed event', async () => {
    const hook = await receiver();
    const { id, secret } = await created({ url: hook.url });
    const { body } = await test(id).expect(202);
    const delivery = body as Delivery;
    expect(delivery).toMatchObject({ webhook_id: id, event: 'test', event_id: null, status: 'pending' });
    const received = await hook.next();
    expect(received.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-delivery': delivery.id,
      'x-service-event': 'test',
      'x-service-timestamp': expect.stringMatching(/^\d{10}$/),
      'x-service-signature': expect.stringMatching(/^v1=[0-9a-f]{64}$/),
    });
    expect(isSigned(received, secret)).toBe(true);
    expect(isSigned(received, `${secret}x`)).toBe(false);
    for (const { name, schema } of headersOfWebhook)
      expect([name, received.headers[name.toLowerCase()]]).toEqual([
        name,
        expect.stringMatching(schema.pattern ?? '.'),
      ]);
    expect(headersOfWebhook.map(({ name }) => name)).toContain('webhook-signature');
    expect(received.body).toEqual({
      id: delivery.id,
      type: 'test',
      occurred_at: expect.stringMatching(/Z$/),
      license_id: tenant.license.id,
      data: { webhook_id: id, requested_by: tenant.owner.email },
    });
    expect(errorsOfEvent(received.body)).toEqual([]);
    expect(await untilDelivery(id, 'succeeded')).toMatchObject({
      last_outcome: 'succeeded',
      last_status_code: 204,
      attempt_count: 1,
      next_attempt_at: null,
      finished_at: expect.stringMatching(/Z$/),
    });
    expect(await get(id)).toMatchObject({
      last_status: 'succeeded',
      last_status_code: 204,
      last_delivery_at: expect.stringMatching(/Z$/),
    });
  });

  it('is attempted once, and never disables the webhook', async () => {
    const hook = await receiver(respondWith(500));
    const { id } = await created({ url: hook.url });
    await test(id).expect(202);
    const delivery = await untilDelivery(id, 'failed');
    expect(await detailOf(id, delivery.id)).toMatchObject({
      last_outcome: 'rejected',
      last_status_code: 500,
      response: 'status 500',
      detail: 'The receiver responded with status 500.',
    });
    expect(await get(id)).toMatchObject({ is_enabled: true, last_status: 'rejected' });
    expect(hook.received).toHaveLength(1);
  });

  it('returns 409 when too many wait', async () => {
    const { id } = await created();
    await world.database.query(
      `insert into webhook_delivery (license_id, webhook_id, event, body, next_attempt_at)
       select $1, $2, 'test', '{}', now() + interval '1 hour' from generate_series(1, 10)`,
      [tenant.license.id, id],
    );
    expect((await test(id).expect(409)).body).toMatchObject({ code: 'limit_reached' });
  });
});

describe('rotateWebhookSecret', () => {
  it('returns 200, and both secrets sign until the previous one ends', async () => {
    const hook = await receiver();
    const { id, secret: former } = await created({ url: hook.url });
    const { body, headers } = await rotate(id, 24).expect(200);
    const { secret, ...webhook } = body as Created;
    expect(secret).not.toBe(former);
    expect(webhook).toEqual(await get(id));
    expect(headers['etag']).toBe('"2"');
    expect(Date.parse(webhook.previous_secret_ends_at ?? '') - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    await test(id).expect(202);
    const first = await hook.next();
    expect([isSigned(first, former), isSigned(first, secret)]).toEqual([true, true]);
    await world.database.query('update webhook set previous_secret_ends_at = now() where id = $1', [id]);
    await test(id).expect(202);
    const second = await hook.next(1);
    expect([isSigned(second, former), isSigned(second, secret)]).toEqual([false, true]);
    expect(await get(id)).toMatchObject({ previous_secret_ends_at: null });
  });

  it('ends the previous one at once without an overlap', async () => {
    const hook = await receiver();
    const { id, secret: former } = await created({ url: hook.url });
    const { secret, previous_secret_ends_at: ends } = (await rotate(id, 0).expect(200)).body as Created;
    expect(ends).toBeNull();
    await test(id).expect(202);
    const received = await hook.next();
    expect([isSigned(received, former), isSigned(received, secret)]).toEqual([false, true]);
  });

  it('returns 409 for a third secret while a previous one signs, unless both end at once', async () => {
    const hook = await receiver();
    const { id, secret: first } = await created({ url: hook.url });
    const { secret: second } = (await rotate(id, 24).expect(200)).body as Created;
    const refused = await rotate(id, 1).expect(409);
    expect(refused.body).toMatchObject({
      code: 'secret_still_signs',
      detail: expect.stringContaining(String((await get(id)).previous_secret_ends_at)),
    });
    await test(id).expect(202);
    const received = await hook.next();
    expect([isSigned(received, first), isSigned(received, second)]).toEqual([true, true]);
    const { secret: third } = (await rotate(id, 0).expect(200)).body as Created;
    await test(id).expect(202);
    const later = await hook.next(1);
    expect([first, second, third].map((secret) => isSigned(later, secret))).toEqual([false, false, true]);
    await rotate(id, 1).expect(200);
    await world.database.query('update webhook set previous_secret_ends_at = now() where id = $1', [id]);
    await rotate(id, 1).expect(200);
  });

  it('returns 400 for an overlap of more than a week, 404 for an unknown webhook', async () => {
    const { id } = await created();
    await rotate(id, 169).expect(400);
    await rotate(someId, 1).expect(404);
  });
});

describe('events', () => {
  it('go to every subscribed webhook and to no other, once each', async () => {
    const own = await world.createTenant();
    const other = await world.createTenant();
    const [wanting, too, uninterested, foreign] = [
      await receiver(),
      await receiver(),
      await receiver(),
      await receiver(),
    ];
    await created({ url: wanting.url }, own);
    await created({ url: too.url }, own);
    await created({ url: uninterested.url, events: ['player.banned'] }, own);
    await created({ url: foreign.url }, other);
    await occur(own);
    const [one, two] = [await wanting.next(), await too.next()];
    expect(one.body).toEqual(two.body);
    expect(one.body).toMatchObject({
      type: 'host.offline',
      license_id: own.license.id,
      data: { reason: 'host_silent', instances: [] },
    });
    expect(errorsOfEvent(one.body)).toEqual([]);
    expect(one.headers['x-service-delivery']).not.toBe(two.headers['x-service-delivery']);
    await occur(own);
    await wanting.next(1);
    await too.next(1);
    expect([wanting, too, uninterested, foreign].map(({ received }) => received.length)).toEqual([
      2, 2, 0, 0,
    ]);
  });

  it('wait while the license is revoked', async () => {
    const own = await world.createTenant();
    const hook = await receiver();
    const { id } = await created({ url: hook.url }, own);
    await world.database.query(`update license set status = 'revoked' where id = $1`, [own.license.id]);
    await occur(own);
    const busy = await receiver();
    await test((await created({ url: busy.url })).id).expect(202);
    await busy.next();
    expect(hook.received).toEqual([]);
    await world.database.query(`update license set status = 'active' where id = $1`, [own.license.id]);
    await hook.next();
    await untilDelivery(id, 'succeeded', 1, own);
  });
});

describe('a failed delivery', () => {
  const failures: [string, Partial<Delivery>, Parameters<typeof Receiver.start>[0]][] = [
    ['an error', { last_outcome: 'rejected', last_status_code: 500 }, respondWith(500)],
    ['not found', { last_outcome: 'rejected', last_status_code: 404 }, respondWith(404)],
    [
      'a redirect within',
      { last_outcome: 'rejected', last_status_code: 302 },
      respondWith(302, { location: 'http://169.254.169.254/latest/meta-data/' }),
    ],
    ['no response', { last_outcome: 'timed_out', last_status_code: null }, () => undefined],
    [
      'an endless slow response',
      { last_outcome: 'timed_out', last_status_code: null },
      (reply) => reply.writeHead(200).write('a'),
    ],
    [
      'a broken connection',
      { last_outcome: 'connection_failed', last_status_code: null },
      (reply) => reply.destroy(),
    ],
  ];

  it.each(failures)('with %s is retried with the same id and body', async (_, expected, handler) => {
    const own = await world.createTenant();
    const hook = await receiver(handler);
    const { id, secret } = await created({ url: hook.url }, own);
    await occur(own);
    const failed = await untilDelivery(id, 'pending', 1, own);
    expect(failed).toMatchObject({ ...expected, attempt_count: 1, finished_at: null });
    const waits = Date.parse(failed.next_attempt_at ?? '') - Date.parse(failed.last_attempt_at ?? '');
    expect(waits).toBeGreaterThanOrEqual(5_000);
    expect(await get(id, own)).toMatchObject({
      last_status: expected.last_outcome,
      last_status_code: expected.last_status_code,
    });
    hook.respond = respondWith(200);
    await hurry(id);
    expect(await untilDelivery(id, 'succeeded', 2, own)).toMatchObject({ attempt_count: 2 });
    const [first, second] = [await hook.next(), await hook.next(1)];
    expect([second.headers['x-service-delivery'], second.text]).toEqual([
      first.headers['x-service-delivery'],
      first.text,
    ]);
    expect([isSigned(first, secret), isSigned(second, secret)]).toEqual([true, true]);
  });

  it('whose endless response has status 200 has succeeded', async () => {
    const hook = await receiver((reply) => {
      const write = () => {
        while (!reply.destroyed && reply.write('x'.repeat(65_536)));
      };
      reply.on('drain', write);
      write();
    });
    const { id } = await created({ url: hook.url });
    await test(id).expect(202);
    await untilDelivery(id, 'succeeded');
  });

  it('stores 4 KB of the response, without unstorable characters', async () => {
    const hook = await receiver((reply) => reply.writeHead(400).end(`\0\ud800${'x'.repeat(10_000)}`));
    const { id } = await created({ url: hook.url });
    await test(id).expect(202);
    const { response } = await detailOf(id, (await untilDelivery(id, 'failed')).id);
    expect(response).toMatch(/^\ufffd+x+$/);
    expect(response?.length).toBeLessThanOrEqual(4_096);
  });

  it('records an unresolvable name and a private address as the cause', async () => {
    const { id } = await created({ url: 'http://gantry.invalid/' });
    await test(id).expect(202);
    expect(await untilDelivery(id, 'failed')).toMatchObject({ last_outcome: 'unresolved' });
    // Stored before today's rules applied.
    const within = await created();
    await world.database.query('update webhook set url = $1 where id = $2', [
      'http://169.254.169.254/',
      within.id,
    ]);
    await test(within.id).expect(202);
    expect(await untilDelivery(within.id, 'failed')).toMatchObject({ last_outcome: 'address_refused' });
  });

  it('is abandoned after the last attempt: the webhook is disabled, and the Owner is notified', async () => {
    const own = await world.createTenant({ name: 'Rusty Islands' });
    const hook = await receiver(respondWith(503));
    const { id, name } = await created({ url: hook.url }, own);
    await occur(own);
    await untilDelivery(id, 'pending', 1, own);
    await occur(own);
    const delays: number[] = [];
    for (let attempts = 1; attempts < 8; attempts += 1) {
      const [{ last, next } = { last: '', next: '' }] = await world.database.query<{
        last: string;
        next: string;
      }>(
        `select last_attempt_at as last, next_attempt_at as next from webhook_delivery
         where webhook_id = $1 and attempt_count = $2 order by id limit 1`,
        [id, attempts],
      );
      delays.push(Math.round((new Date(next).getTime() - new Date(last).getTime()) / 1_000));
      await world.database.query(
        `update webhook_delivery set next_attempt_at = case when id = (
           select id from webhook_delivery where webhook_id = $1 order by id limit 1) then now() else now() + interval '1 hour' end
         where webhook_id = $1 and status = 'pending'`,
        [id],
      );
      await world.database.query('update webhook set rests_until = null where id = $1', [id]);
      await until(
        async () =>
          (
            await world.database.query(
              'select from webhook_delivery where webhook_id = $1 and attempt_count = $2',
              [id, attempts + 1],
            )
          ).length > 0,
        `attempt ${attempts + 1}`,
      );
    }
    expect(delays).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]);
    const webhook = await get(id, own);
    expect(webhook).toMatchObject({
      is_enabled: false,
      disabled_at: expect.stringMatching(/Z$/),
      disabled_reason: expect.stringContaining('The receiver responded with status 503.'),
    });
    const statuses = (await deliveriesOf(id, '', own)).map(({ status }) => status);
    expect(statuses).toEqual(['pending', 'failed']);
    const { subject, text } = await world.mailTo(own.owner.email);
    expect(subject).toBe(`The webhook ${name} of Rusty Islands is disabled`);
    expect(text).toContain('The receiver responded with status 503.');

    hook.respond = respondWith(200);
    expect((await update(id, { is_enabled: true }, own).expect(200)).body).toMatchObject({
      is_enabled: true,
      disabled_at: null,
      disabled_reason: null,
    });
    // The one without an attempt is sent automatically.
    for (const { id: deliveryId } of await deliveriesOf(id, '&status=failed', own))
      await resend(id, deliveryId, own).expect(202);
    await until(
      async () => (await deliveriesOf(id, '&status=succeeded', own)).length === 2,
      'both deliveries',
    );
    const [entry] = await world.database.query<{ actor_id: string }>(
      `select actor_id from audit_entry where target_id = $1 and after ->> 'is_enabled' = 'false'`,
      [id],
    );
    expect(entry).toEqual({ actor_id: 'send-webhooks' });
  });

  it('is abandoned without disabling the webhook while others succeed', async () => {
    const own = await world.createTenant();
    const hook = await receiver();
    const { id } = await created({ url: hook.url }, own);
    const failing = await createDelivery(world, own, {
      webhook_id: id,
      body: '{"poison":true}',
      status: 'pending',
      recent_failures: 7,
      attempt_count: 7,
      finished_at: null,
      queued_at: new Date(Date.now() - 3_600_000),
      next_attempt_at: new Date(Date.now() + 3_600_000),
    });
    await test(id, own).expect(202);
    await untilDelivery(id, 'succeeded', 1, own);
    hook.respond = respondWith(422);
    await hurry(id);
    await until(async () => (await detailOf(id, failing, own)).status === 'failed', 'the last attempt');
    expect(await get(id, own)).toMatchObject({ is_enabled: true });
  });
});

describe('a receiver that has recovered', () => {
  const insert = (own: Tenant, id: string, bodies: readonly object[]) =>
    world.database.query(
      `insert into webhook_delivery (license_id, webhook_id, event, body)
       select $1, $2, 'host.offline', body from unnest($3::text[]) as body`,
      [own.license.id, id, bodies.map((body) => JSON.stringify(body))],
    );
  const bodiesOf = (hook: Receiver) => hook.received.map(({ text }) => JSON.parse(text) as object);
  /** Repeats until none has fewer attempts. */
  const untilTried = (id: string, attempts: number) =>
    until(async () => {
      await world.database.query('update webhook set rests_until = null where id = $1', [id]);
      const waiting = await world.database.query(
        `select from webhook_delivery where webhook_id = $1 and status = 'pending' and attempt_count < $2`,
        [id, attempts],
      );
      return waiting.length === 0;
    }, `${attempts} attempts`);
  const postpone = (id: string) =>
    world.database.query(
      `update webhook_delivery set next_attempt_at = now() + interval '5 hours'
       where webhook_id = $1 and status = 'pending'`,
      [id],
    );

  it('gets its waiting deliveries at once, one at a time and in order', async () => {
    const own = await world.createTenant();
    const hook = await receiver((reply) => setTimeout(() => reply.writeHead(204).end(), 5));
    const { id } = await created({ url: hook.url, is_enabled: false }, own);
    const waiting = Array.from({ length: 12 }, (_, place) => ({ place }));
    await insert(own, id, [{ refused: true }, ...waiting, { place: 'new' }]);
    // As after an outage: all were attempted but the newest, and the receiver was healthy when it rejected
    // the first.
    await world.database.query(
      `update webhook_delivery set attempt_count = 1, recent_failures = 1, last_attempt_at = now(),
         last_outcome = 'rejected', last_status_code = case when body like '%refused%' then 422 else 503 end,
         waits_for_receiver = body not like '%refused%', next_attempt_at = now() + interval '5 hours'
       where webhook_id = $1 and body not like '%new%'`,
      [id],
    );
    await world.database.query(
      'update webhook set is_enabled = true, off_since = null, recent_failures = 3 where id = $1',
      [id],
    );
    await until(
      async () => (await deliveriesOf(id, '&status=succeeded', own)).length === waiting.length + 1,
      'the waiting deliveries',
    );
    expect(bodiesOf(hook)).toEqual([{ place: 'new' }, ...waiting]);
    expect(hook.maxAtOnce).toBe(1);
    const [refused, ...others] = await deliveriesOf(id, '&status=pending', own);
    expect([refused?.last_status_code, others]).toEqual([422, []]);
  });

  it('counts failed deliveries as waiting for it, and rejected ones as rejected', async () => {
    const own = await world.createTenant();
    const hook = await receiver((reply, { text }) =>
      reply.writeHead(text.includes('refused') ? 422 : 503).end(),
    );
    const { id } = await created({ url: hook.url, is_enabled: false }, own);
    await insert(own, id, [{ refused: true }, { place: 1 }]);
    await update(id, { is_enabled: true }, own).expect(200);
    const waits = await until(async () => {
      const rows = await world.database.query<{ waits_for_receiver: boolean }>(
        `select waits_for_receiver from webhook_delivery where webhook_id = $1 and attempt_count > 0 order by id`,
        [id],
      );
      return rows.length === 2 && rows;
    }, 'an attempt of each');
    expect(waits.map(({ waits_for_receiver }) => waits_for_receiver)).toEqual([false, true]);
  });

  it('gets a delivery that makes it fail only a few times more often than scheduled', async () => {
    const own = await world.createTenant();
    const hook = await receiver((reply, { text }) =>
      reply.writeHead(text.includes('poison') ? 500 : 204).end(),
    );
    const { id } = await created({ url: hook.url }, own);
    await insert(own, id, [{ poison: true }]);
    await untilTried(id, 1);
    for (let place = 0; place < 6; place += 1) {
      await postpone(id);
      await insert(own, id, [{ place }]);
      await until(async () => {
        await world.database.query('update webhook set rests_until = null where id = $1', [id]);
        const [row] = await world.database.query<{ failures: number; sent: number; recoveries: number }>(
          `select webhook.recent_failures as failures, count(*) filter (where status = 'succeeded')::int as sent,
             sum(recovery_count)::int as recoveries
           from webhook join webhook_delivery on webhook_id = webhook.id where webhook.id = $1 group by webhook.id`,
          [id],
        );
        const isReleased = place < 3;
        return (
          row?.sent === place + 1 &&
          row.recoveries === Math.min(place + 1, 3) &&
          (!isReleased || row.failures > 0)
        );
      }, `delivery ${place} and those it unblocks`);
    }
    const [row] = await world.database.query(
      `select recovery_count, attempt_count - recent_failures as given_back from webhook_delivery
       where webhook_id = $1 and status = 'pending'`,
      [id],
    );
    expect(row).toEqual({ recovery_count: 3, given_back: 3 });
  });
});

it('a test does not overtake deliveries that wait for a failing receiver', async () => {
  const own = await world.createTenant();
  const hook = await receiver(respondWith(500));
  const { id } = await created({ url: hook.url }, own);
  await world.database.query(
    `update webhook set recent_failures = 3, rests_until = now() + interval '1 hour' where id = $1`,
    [id],
  );
  await test(id, own).expect(202);
  const waiting = { webhook_id: id, status: 'pending', attempt_count: 3, finished_at: null };
  const overdue = new Date(Date.now() - 120_000);
  await createDelivery(world, own, { ...waiting, recent_failures: 3, next_attempt_at: overdue });
  await world.database.query('update webhook set rests_until = null where id = $1', [id]);
  expect((await hook.next()).headers['x-service-event']).toBe('host.offline');
});

it('waiting deliveries go to a new URL at once, and are not abandoned for failures of the old one', async () => {
  const own = await world.createTenant();
  const hook = await receiver(respondWith(500));
  const { id } = await created({ url: 'https://gone.invalid/hook' }, own);
  const later = new Date(Date.now() + 36_000_000);
  const waiting = { webhook_id: id, status: 'pending', attempt_count: 7, finished_at: null };
  await createDelivery(world, own, { ...waiting, recent_failures: 7, next_attempt_at: later });
  await update(id, { url: hook.url }, own).expect(200);
  const delivery = await untilDelivery(id, 'pending', 8, own);
  expect(delivery).toMatchObject({ last_status_code: 500, finished_at: null });
  expect(await get(id, own)).toMatchObject({ is_enabled: true });
});

it('a receiver that sends Retry-After gets nothing until then, for an hour at most', async () => {
  const own = await world.createTenant();
  const hook = await receiver(respondWith(503, { 'retry-after': '600' }));
  const { id } = await created({ url: hook.url }, own);
  const waits = async () => {
    const [row] = await world.database.query<{ delivery: number; webhook: number }>(
      `select extract(epoch from next_attempt_at - last_attempt_at)::float8 as delivery,
         extract(epoch from rests_until - last_attempt_at)::float8 as webhook
       from webhook join webhook_delivery on webhook_id = webhook.id where webhook.id = $1`,
      [id],
    );
    return [Math.floor(row?.delivery ?? 0), Math.floor(row?.webhook ?? 0)];
  };
  await occur(own);
  await untilDelivery(id, 'pending', 1, own);
  const [delivery = 0, webhook = 0] = await waits();
  expect([delivery >= 600 && delivery < 660, webhook >= 600 && webhook < 660]).toEqual([true, true]);
  hook.respond = respondWith(429, { 'retry-after': '1000000' });
  await hurry(id);
  await untilDelivery(id, 'pending', 2, own);
  const [again = 0, still = 0] = await waits();
  expect([again >= 3_600 && again < 3_660, still >= 3_600 && still < 3_660]).toEqual([true, true]);
  // A value that is neither a number nor a date is ignored.
  hook.respond = respondWith(503, { 'retry-after': 'soon' });
  await hurry(id);
  await untilDelivery(id, 'pending', 3, own);
  const [, rest = 0] = await waits();
  expect(rest).toBeLessThan(120);
});

describe('a secret that was encrypted with another key', () => {
  const encryptWithAnotherKey = (id: string) =>
    world.database.query(
      `update webhook set secret = (select secret from webhook where id <> $1 limit 1) where id = $1`,
      [id],
    );

  it('fails its deliveries, is reported in the list and the log, and is repaired by rotating', async () => {
    const own = await world.createTenant();
    const hook = await receiver();
    const { id } = await created({ url: hook.url }, own);
    expect(await get(id, own)).toMatchObject({ is_secret_readable: true });
    await encryptWithAnotherKey(id);
    await test(id, own).expect(202);
    const failed = await untilDelivery(id, 'failed', 1, own);
    expect(failed).toMatchObject({ last_outcome: 'secret_unreadable', last_status_code: null });
    expect(await detailOf(id, failed.id, own)).toMatchObject({
      detail: expect.stringContaining('Rotate the secret.'),
      attempts: [expect.objectContaining({ outcome: 'secret_unreadable' })],
    });
    const { body: list } = await world.call('get', path, own.owner).expect(200);
    expect((list as { data: Webhook[] }).data).toEqual([
      expect.objectContaining({ last_status: 'secret_unreadable', is_secret_readable: false }),
    ]);
    await occur(own);
    expect(await untilDelivery(id, 'pending', 1, own)).toMatchObject({ last_outcome: 'secret_unreadable' });
    expect(hook.received).toEqual([]);

    const { body } = await world
      .call('post', `${path}/${id}/rotate-secret`, own.owner)
      .send({ overlap_hours: 24 })
      .expect(200);
    expect(body).toMatchObject({ is_secret_readable: true, previous_secret_ends_at: null });
    await hurry(id);
    await untilDelivery(id, 'succeeded', 2, own);
    expect(isSigned(await hook.next(), (body as Created).secret)).toBe(true);
  });

  it('is reported to the operator when the installation starts', async () => {
    const own = await world.createTenant();
    await encryptWithAnotherKey((await created({}, own)).id);
    const replica = await world.addReplica();
    await until(
      async () => (await world.metric('gantry_webhook_secrets_unreadable', {}, replica.url)) > 0,
      'the count',
    );
  });
});

it('keeps each attempt of a delivery, the last twenty', async () => {
  const own = await world.createTenant();
  const hook = await receiver(respondWith(500));
  const { id } = await created({ url: hook.url }, own);
  await occur(own);
  const { id: deliveryId } = await untilDelivery(id, 'pending', 1, own);
  hook.respond = respondWith(204);
  await hurry(id);
  await untilDelivery(id, 'succeeded', 2, own);
  const attempt = { at: expect.stringMatching(/Z$/), duration_ms: expect.any(Number) };
  const last = { ...attempt, outcome: 'succeeded', status_code: 204, detail: null };
  expect((await detailOf(id, deliveryId, own)).attempts).toEqual([
    { ...attempt, outcome: 'rejected', status_code: 500, detail: 'The receiver responded with status 500.' },
    last,
  ]);
  await world.database.query(
    `update webhook_delivery set attempts = array_to_json(array_fill(attempts -> 0, array[20]))::jsonb where id = $1`,
    [deliveryId],
  );
  await resend(id, deliveryId, own).expect(202);
  await untilDelivery(id, 'succeeded', 3, own);
  const { attempts } = await detailOf(id, deliveryId, own);
  expect([attempts.length, attempts.at(-1)]).toEqual([20, last]);
});

describe('resendWebhookDelivery', () => {
  it('returns 202 and sends the same delivery again', async () => {
    const hook = await receiver();
    const { id } = await created({ url: hook.url });
    const { id: deliveryId } = (await test(id).expect(202)).body as Delivery;
    await untilDelivery(id, 'succeeded');
    expect((await resend(id, deliveryId).expect(202)).body).toMatchObject({
      id: deliveryId,
      status: 'pending',
      finished_at: null,
    });
    await untilDelivery(id, 'succeeded', 2);
    expect(hook.ids).toEqual([deliveryId, deliveryId]);
    expect(hook.received[1]?.text).toBe(hook.received[0]?.text);
  });

  it('returns 404 for a delivery of another webhook', async () => {
    const [one, other] = [await createWebhook(world, tenant), await createWebhook(world, tenant)];
    const delivery = await createDelivery(world, tenant, { webhook_id: one });
    await resend(other, delivery).expect(404);
    await world.call('get', `${path}/${other}/deliveries/${delivery}`, tenant.owner).expect(404);
  });
});

describe('events that the caller may not read', () => {
  it('are neither shown by a delivery nor sent to another URL', async () => {
    const own = await world.createTenant();
    const webhook = await createWebhook(world, own, { is_enabled: false, events: ['wipe.*'] });
    const order = await createDelivery(world, own, { webhook_id: webhook, event: 'order.paid' });
    const wipe = await createDelivery(world, own, { webhook_id: webhook, event: 'wipe.completed' });
    const member = await world.addMemberWith(own, {
      'webhooks.view': true,
      'webhooks.manage': true,
      'wipes.view': true,
    });
    const read = (id: string) => world.call('get', `${path}/${webhook}/deliveries/${id}`, member);
    expect((await read(order).expect(403)).body).toMatchObject({ code: 'forbidden' });
    await read(wipe).expect(200);
    const move = (changes: object) =>
      world
        .call('patch', `${path}/${webhook}`, member)
        .send({ url: 'https://hooks.example.com/b', ...changes });
    for (const changes of [{}, { events: ['webhook.*'] }])
      expect((await move(changes).expect(403)).body).toMatchObject({ code: 'beyond_own_permissions' });
    await world.database.query('delete from webhook_delivery where id = $1', [order]);
    await move({}).expect(200);
  });
});

describe('listWebhookDeliveries', () => {
  it('returns 200 newest first, page by page, filtered', async () => {
    const webhook = await createWebhook(world, tenant, { is_enabled: false });
    const make = (values: object) => createDelivery(world, tenant, { webhook_id: webhook, ...values });
    const ids = [
      await make({}),
      await make({ event: 'wipe.completed', status: 'succeeded' }),
      await make({ created_at: '2026-01-01T00:00:00Z' }),
    ];
    const idsOf = async (query: string) => (await deliveriesOf(webhook, query)).map(({ id }) => id);
    expect(await idsOf('')).toEqual(ids.toReversed());
    expect(await idsOf('&status=succeeded')).toEqual([ids[1]]);
    expect(await idsOf('&event=wipe.completed')).toEqual([ids[1]]);
    expect(await idsOf('&created_to=2026-02-01T00:00:00Z')).toEqual([ids[2]]);
    const { body } = await world.call('get', `${path}/${webhook}/deliveries?limit=2`, tenant.owner);
    const { data, next_cursor: cursor } = body as Schemas['WebhookDeliveryPage'];
    const rest = await world.call('get', `${path}/${webhook}/deliveries?cursor=${cursor}`, tenant.owner);
    expect([...data, ...(rest.body as Schemas['WebhookDeliveryPage']).data].map(({ id }) => id)).toEqual(
      ids.toReversed(),
    );
  });
});

describe('many deliveries', () => {
  it('to a receiver that never responds delay no other receiver', async () => {
    const own = await world.createTenant();
    const dead = await receiver(() => undefined);
    const { id: deadId } = await created({ url: dead.url }, own);
    await world.database.query(
      `insert into webhook_delivery (license_id, webhook_id, event, body)
       select $1, $2, 'host.offline', '{}' from generate_series(1, 10000)`,
      [own.license.id, deadId],
    );
    await dead.next();
    const alive = await receiver();
    const { id } = await created({ url: alive.url }, own);
    for (let count = 0; count < 5; count += 1) {
      await test(id, own).expect(202);
      await alive.next(count);
    }
    const delivered = await until(async () => {
      const found = await deliveriesOf(id, '&status=succeeded', own);
      return found.length === 5 && found;
    }, 'five deliveries');
    const took = delivered.map((one) => Date.parse(one.last_attempt_at ?? '') - Date.parse(one.created_at));
    expect(Math.max(...took)).toBeLessThan(patient(5_000));
    await until(async () => (await get(deadId, own)).last_status === 'timed_out', 'the first timeouts');
    expect(dead.maxAtOnce).toBeLessThanOrEqual(8);
    await world.call('delete', `${path}/${deadId}`, own.owner).expect(204);
  });

  it('of one license to a slow receiver do not delay those of another to the same host', async () => {
    const [slow, quick] = [await world.createTenant(), await world.createTenant()];
    const host = await receiver((reply, { body }) => {
      if (body.license_id !== slow.license.id) reply.writeHead(204).end();
    });
    const slowIds = [];
    for (let count = 0; count < 5; count += 1) slowIds.push((await created({ url: host.url }, slow)).id);
    await world.database.query(
      `insert into webhook_delivery (license_id, webhook_id, event, body)
       select $1::uuid, unnest($2::uuid[]), 'host.offline', json_build_object('license_id', $1::uuid)::text
       from generate_series(1, 100)`,
      [slow.license.id, slowIds],
    );
    await until(() => host.received.length >= 5 * 8, "more requests than one license's share");
    const { id } = await created({ url: host.url }, quick);
    await test(id, quick).expect(202);
    const { attempt_count, created_at, last_attempt_at } = await untilDelivery(id, 'succeeded', 1, quick);
    expect(attempt_count).toBe(1);
    // A slow receiver's batch takes longer.
    expect(Date.parse(last_attempt_at ?? '') - Date.parse(created_at)).toBeLessThan(3_000);
    for (const slowId of slowIds) await world.call('delete', `${path}/${slowId}`, slow.owner).expect(204);
  });

  it('fewer than are recorded together are sent at most eight at once to one receiver, each once', () =>
    expectSentOnce(world, 30));
});
