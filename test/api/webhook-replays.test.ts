// Past events that webhooks get again: replays of the log, and recovery of failed deliveries.
import type { ServerResponse } from 'node:http';
import type { components } from '../../generated/platform.d.ts';
import { respondWith, Receiver } from '../support/receiver.ts';
import { createDelivery } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Member, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];
type Webhook = Schemas['Webhook'];
type Replay = Schemas['WebhookReplay'];

let world: World;

beforeAll(async () => {
  world = await World.create({
    jobIntervals: {
      chores: { 'relay events': 20, 'replay webhooks': 20, 'begin turns of webhooks': 20 },
    },
  });
});

afterAll(async () => {
  await world.close();
});

const path = '/api/webhooks';
const past = new Date(Date.now() - 3_600_000).toISOString();

async function receiver(...handler: Parameters<typeof Receiver.start>): Promise<Receiver> {
  const started = await Receiver.start(...handler);
  world.atEnd(() => started.close());
  return started;
}

let number = 0;
const created = async ({ owner }: Tenant, values: object = {}) =>
  (
    await world
      .call('post', path, owner)
      .send({
        name: `Webhook ${++number}`,
        url: 'https://hooks.example.com',
        events: ['host.offline'],
        ...values,
      })
      .expect(201)
  ).body as Webhook;

const replay = (id: string, by: Member, body: object = { from: past }) =>
  world.call('post', `${path}/${id}/replay`, by).send(body);
const recover = (id: string, by: Member, since = past) =>
  world.call('post', `${path}/${id}/recover`, by).send({ since });
const update = (id: string, { owner }: Tenant, changes: object) =>
  world.call('patch', `${path}/${id}`, owner).send(changes).expect(200);

async function stateOf(id: string, { owner }: Tenant): Promise<Replay | null> {
  const { body } = await world.call('get', `${path}/${id}`, owner).expect(200);
  return (body as Webhook).replay;
}

const untilEnded = (id: string, tenant: Tenant) =>
  until(async () => {
    const state = await stateOf(id, tenant);
    return state?.status !== 'running' && state;
  }, 'the end of the replay');

/** Events of the license, as the platform records them; returns their ids in the order of the log. */
async function occur({ license }: Tenant, count: number, type = 'host.offline'): Promise<string[]> {
  await world.database.query(
    `insert into event_draft (license_id, type, subject_type, subject_id, host_id, data)
     select $1, $2, 'host', host, host, '{"hostname":"rust-01","reason":"host_silent","instances":[]}'
     from generate_series(1, $3::int), lateral uuidv7() as host`,
    [license.id, type, count],
  );
  const rows = await world.database.query<{ id: string }>(
    'select id from event_log where license_id = $1 and type = $2 order by seq desc limit $3',
    [license.id, type, count],
  );
  return rows.map(({ id }) => id).toReversed();
}

const eventsOf = ({ received }: Receiver) => received.map(({ body }) => body.id);

const untilReceived = (hook: Receiver, count: number) =>
  until(() => hook.received.length >= count, `${count} requests`);

const untilSucceeded = (id: string, count: number) =>
  until(async () => {
    const rows = await world.database.query(
      `select from webhook_delivery where webhook_id = $1 and status = 'succeeded'`,
      [id],
    );
    return rows.length === count;
  }, `${count} deliveries`);

describe('replayWebhook', () => {
  it('returns 202, and sends the events from a time on in order, delivered ones under their former ids', async () => {
    const tenant = await world.createTenant();
    const earlier = await occur(tenant, 3);
    const hook = await receiver();
    const { id, replay: none } = await created(tenant, { url: hook.url });
    expect(none).toBeNull();
    const delivered = await occur(tenant, 2);
    await untilSucceeded(id, 2);
    const known = hook.ids;
    const { body } = await replay(id, tenant.owner).expect(202);
    expect(body).toEqual({
      status: 'running',
      queued_count: 0,
      started_at: expect.stringMatching(/Z$/),
      finished_at: null,
    });
    await untilReceived(hook, 7);
    expect(await untilEnded(id, tenant)).toMatchObject({ status: 'finished', queued_count: 5 });
    expect(eventsOf(hook)).toEqual([...delivered, ...earlier, ...delivered]);
    expect(hook.ids.slice(5)).toEqual(known);
    expect(new Set(hook.ids).size).toBe(5);
  });

  it('sends from an event to a time, of some types, only events without a delivery on request', async () => {
    const tenant = await world.createTenant();
    const [, second = '', third = ''] = await occur(tenant, 3);
    const { owner } = tenant;
    const hook = await receiver();
    const { id } = await created(tenant, { url: hook.url, events: ['host.*', 'role.created'] });
    await replay(id, owner, { from_event_id: second, events: ['host.offline'] }).expect(202);
    await untilEnded(id, tenant);
    await untilReceived(hook, 2);
    expect(eventsOf(hook)).toEqual([second, third]);

    await replay(id, owner, { from: past, to: past }).expect(202);
    expect(await untilEnded(id, tenant)).toMatchObject({ status: 'finished', queued_count: 0 });
    await replay(id, owner, { from: past, only_missing: true, events: ['host.*'] }).expect(202);
    expect(await untilEnded(id, tenant)).toMatchObject({ status: 'finished', queued_count: 1 });
    // Doing it twice finds nothing that is missing.
    await replay(id, owner, { from: past, only_missing: true, events: ['host.*'] }).expect(202);
    expect(await untilEnded(id, tenant)).toMatchObject({ status: 'finished', queued_count: 0 });
  });

  it('sends thousands in batches, and a new event after one of them at most', async () => {
    const tenant = await world.createTenant();
    const ids = await occur(tenant, 2_100);
    const hook = await receiver();
    const { id } = await created(tenant, { url: hook.url });
    await replay(id, tenant.owner).expect(202);
    await untilReceived(hook, 1);
    const [pending] = await world.database.query<{ count: number }>(
      'select count(*)::int as count from webhook_delivery where webhook_id = $1',
      [id],
    );
    expect(pending?.count).toBeLessThanOrEqual(400);
    const [news = ''] = await occur(tenant, 1);
    await untilReceived(hook, 2_101);
    expect(eventsOf(hook).filter((each) => each !== news)).toEqual(ids);
    expect(eventsOf(hook).indexOf(news)).toBeLessThan(1_500);
    expect(await untilEnded(id, tenant)).toMatchObject({ status: 'finished', queued_count: 2_100 });
  });

  it('keeps the order of the log where events with and without deliveries alternate', async () => {
    const tenant = await world.createTenant();
    const ids = await occur(tenant, 6);
    const hook = await receiver();
    const { id } = await created(tenant, { url: hook.url });
    for (const event of [ids[1], ids[3]])
      await createDelivery(world, tenant, {
        webhook_id: id,
        event_id: event,
        body: JSON.stringify({ id: event }),
      });
    await replay(id, tenant.owner, { from: past }).expect(202);
    await untilReceived(hook, 6);
    expect(eventsOf(hook)).toEqual(ids);
  });

  it('is cancelled when the webhook is disabled, and can then be started again', async () => {
    const tenant = await world.createTenant();
    await occur(tenant, 250);
    const held: ServerResponse[] = [];
    const hook = await receiver((reply) => held.push(reply));
    const { id } = await created(tenant, { url: hook.url });
    await replay(id, tenant.owner).expect(202);
    expect((await replay(id, tenant.owner).expect(409)).body).toMatchObject({ code: 'limit_reached' });
    await untilReceived(hook, 1);
    await update(id, tenant, { is_enabled: false });
    expect(await stateOf(id, tenant)).toMatchObject({ status: 'cancelled', queued_count: 200 });
    expect((await replay(id, tenant.owner).expect(409)).body).toMatchObject({ code: 'webhook_disabled' });
    hook.respond = respondWith(204);
    for (const reply of held) reply.writeHead(204).end();
    await update(id, tenant, { is_enabled: true });
    await replay(id, tenant.owner, { from: past, only_missing: true }).expect(202);
    expect(await untilEnded(id, tenant)).toMatchObject({ status: 'finished', queued_count: 50 });
  });

  it('waits while the receiver fails, with a bounded number of deliveries', async () => {
    const tenant = await world.createTenant();
    await occur(tenant, 400);
    const hook = await receiver(respondWith(503));
    const { id } = await created(tenant, { url: hook.url });
    await replay(id, tenant.owner).expect(202);
    await untilReceived(hook, 2);
    expect(await stateOf(id, tenant)).toMatchObject({ status: 'running', queued_count: 200 });
    hook.respond = respondWith(204);
    await world.database.query('update webhook set rests_until = null where id = $1', [id]);
    expect(await untilEnded(id, tenant)).toMatchObject({ queued_count: 400 });
  });

  it('returns 400 or 404 for a start that the log does not have, and 400 for types that the webhook does not get', async () => {
    const tenant = await world.createTenant();
    const foreign = await world.createTenant();
    const [event] = await occur(foreign, 1);
    const { id } = await created(tenant);
    const day = 24 * 3_600_000;
    for (const [body, pointer] of [
      [{}, '/from'],
      [{ from: past, from_event_id: event }, '/from'],
      [{ from: new Date(Date.now() - 91 * day).toISOString() }, '/from'],
      [{ from: new Date(Date.now() + day).toISOString() }, '/from'],
      [{ from: past, events: ['order.*'] }, '/events'],
      [{ from: past, to: new Date(Date.parse(past) - 1_000).toISOString() }, '/to'],
    ] as const)
      expect((await replay(id, tenant.owner, body).expect(400)).body).toMatchObject({
        errors: [{ pointer }],
      });
    await replay(event ?? '', tenant.owner).expect(404);
    await replay(id, tenant.owner, { from_event_id: event }).expect(404);
    await replay(id, foreign.owner).expect(404);
  });

  it('returns 403 for events that the caller may not read, and is in the audit log', async () => {
    const tenant = await world.createTenant();
    const { id } = await created(tenant, { events: ['host.offline', 'order.*'] });
    const member = await world.addMemberWith(tenant, { 'webhooks.manage': true, 'fleet.view': true });
    expect((await replay(id, member).expect(403)).body).toMatchObject({ code: 'beyond_own_permissions' });
    await replay(id, member, { from: past, events: ['host.*'] }).expect(202);
    const { body } = await world
      .call('get', '/api/audit?target_type=webhook_replay', tenant.owner)
      .expect(200);
    expect((body as { data: object[] }).data).toEqual([
      expect.objectContaining({ action: 'created', target_id: id, operation: 'replayWebhook' }),
    ]);
  });
});

describe('recoverWebhook', () => {
  it.each([
    ['in the future', -3_600_000],
    ['from which deliveries are kept no longer', 31 * 24 * 3_600_000],
  ])('returns 400 for a time %s', async (_what, ageMs) => {
    const tenant = await world.createTenant();
    const { id } = await created(tenant);
    const since = new Date(Date.now() - ageMs).toISOString();
    const { body } = await recover(id, tenant.owner, since).expect(400);
    expect(body).toMatchObject({ errors: [{ in: 'body', pointer: '/since' }] });
    await recover(id, tenant.owner, new Date(Date.now() - 30 * 24 * 3_600_000).toISOString()).expect(202);
  });

  it('returns 202 and sends deliveries that failed or were cancelled since then, in order, and no others', async () => {
    const tenant = await world.createTenant();
    const hook = await receiver();
    const { id } = await created(tenant, { url: hook.url });
    const of = (values: object) => createDelivery(world, tenant, { webhook_id: id, ...values });
    const wanted = [
      await of({ attempt_count: 8 }),
      await of({ status: 'cancelled', attempt_count: 1 }),
      await of({ attempt_count: 8 }),
    ];
    await of({ finished_at: new Date(Date.now() - 7_200_000) });
    await of({ status: 'succeeded' });
    await of({ event: 'test', event_id: null });
    await recover(id, tenant.owner).expect(202);
    await untilReceived(hook, 3);
    expect(await untilEnded(id, tenant)).toMatchObject({ status: 'finished', queued_count: 3 });
    expect(hook.ids).toEqual(wanted);
    // Doing it twice sends nothing again.
    await recover(id, tenant.owner).expect(202);
    expect(await untilEnded(id, tenant)).toMatchObject({ status: 'finished', queued_count: 0 });
  });

  it('recovers hundreds batch by batch, and those that fail again only once', async () => {
    const tenant = await world.createTenant();
    const hook = await receiver();
    const { id } = await created(tenant, { url: hook.url });
    await world.database.query(
      `insert into webhook_delivery (license_id, webhook_id, event, event_id, body, status, next_attempt_at, finished_at)
       select $1, $2, 'host.offline', uuidv7(), '{}', 'failed', null, now() from generate_series(1, 450)`,
      [tenant.license.id, id],
    );
    await recover(id, tenant.owner).expect(202);
    expect(await untilEnded(id, tenant)).toMatchObject({ status: 'finished', queued_count: 450 });
    await untilReceived(hook, 450);
    expect(new Set(hook.ids).size).toBe(450);
    expect(hook.ids).toEqual(hook.ids.toSorted());
  });

  it('returns 409 for a disabled webhook, 404 for one of another license', async () => {
    const tenant = await world.createTenant();
    const { id } = await created(tenant, { is_enabled: false });
    expect((await recover(id, tenant.owner).expect(409)).body).toMatchObject({ code: 'webhook_disabled' });
    await recover(id, (await world.createTenant()).owner).expect(404);
  });
});

it('the replay of a revoked license waits until it is active again', async () => {
  const tenant = await world.createTenant();
  await occur(tenant, 1);
  const hook = await receiver();
  const { id } = await created(tenant, { url: hook.url });
  const setStatus = (status: string) =>
    world.database.query('update license set status = $2 where id = $1', [tenant.license.id, status]);
  await setStatus('revoked');
  await world.database.query(
    `insert into webhook_replay (license_id, webhook_id, kind, patterns, from_at, after_at, last_seq)
     values ($1, $2, 'replay', '{host.offline}', $3, $3, 1000)`,
    [tenant.license.id, id, past],
  );
  // The next one is done meanwhile.
  const other = await world.createTenant();
  const { id: otherId } = await created(other);
  await replay(otherId, other.owner).expect(202);
  await untilEnded(otherId, other);
  expect(hook.received).toEqual([]);
  await setStatus('active');
  expect(await untilEnded(id, tenant)).toMatchObject({ queued_count: 1 });
});
