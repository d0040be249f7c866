// Deliveries of webhooks when the processes that send them are killed, and when several send concurrently.
import type { components } from '../../generated/platform.d.ts';
import { isSigned, Receiver } from '../support/receiver.ts';
import { startReplica } from '../support/replicas.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
});

afterAll(() => world.close());

async function createWebhook(hook: Receiver): Promise<components['schemas']['CreatedWebhook']> {
  world.atEnd(() => hook.close());
  const { body } = await world
    .call('post', '/api/webhooks', tenant.owner)
    .send({ name: hook.url, url: hook.url, events: ['host.offline'] })
    .expect(201);
  return body as components['schemas']['CreatedWebhook'];
}

async function queue(webhookId: string, count: number): Promise<string[]> {
  const rows = await world.database.query<{ id: string }>(
    `insert into webhook_delivery (license_id, webhook_id, event, body)
     select $1, $2, 'host.offline', '{}' from generate_series(1, $3::int) returning id`,
    [tenant.license.id, webhookId, count],
  );
  return rows.map(({ id }) => id).toSorted();
}

const untilDelivered = (webhookId: string) =>
  until(async () => {
    const [row] = await world.database.query<{ left: number }>(
      `select count(*)::int as left from webhook_delivery where webhook_id = $1 and status <> 'succeeded'`,
      [webhookId],
    );
    return row?.left === 0;
  }, 'every delivery');

it('a process that is killed while it sends loses nothing: another sends the same deliveries', async () => {
  const hook = await Receiver.start(() => undefined);
  const { id, secret } = await createWebhook(hook);
  const ids = await queue(id, 20);
  const first = await startReplica(world, ['jobs']);
  const [interrupted] = [await hook.next()];
  await first.signal('SIGKILL');
  hook.respond = (reply) => reply.writeHead(204).end();
  await startReplica(world, ['jobs']);
  await untilDelivered(id);
  expect([...new Set(hook.ids)].toSorted()).toEqual(ids);
  const [name] = hook.ids;
  const again = hook.received.filter(({ headers }) => headers['x-service-delivery'] === name);
  expect(again.length).toBeGreaterThan(1);
  expect(again.every(({ text }) => text === interrupted.text)).toBe(true);
  expect(hook.received.every((received) => isSigned(received, secret))).toBe(true);
});

it('several processes send each delivery once, never more than eight to one receiver', async () => {
  await startReplica(world, ['jobs']);
  const hooks = [await Receiver.start(), await Receiver.start(), await Receiver.start()];
  for (const hook of hooks)
    hook.respond = (reply) => void setTimeout(() => reply.writeHead(204).end(), 10 * Math.random());
  const webhooks = [];
  for (const hook of hooks) webhooks.push({ hook, id: (await createWebhook(hook)).id });
  const queued = await Promise.all(webhooks.map(({ id }) => queue(id, 300)));
  await Promise.all(webhooks.map(({ id }) => untilDelivered(id)));
  expect(webhooks.map(({ hook }) => hook.ids.toSorted())).toEqual(queued);
  for (const { hook } of webhooks) expect(hook.maxAtOnce).toBeLessThanOrEqual(8);
});
