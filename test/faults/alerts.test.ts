// Alerts and notifications when the processes that handle them are killed, and when several run concurrently.
import { Receiver } from '../support/receiver.ts';
import { createHost } from '../support/rows.ts';
import { startReplica } from '../support/replicas.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});

afterAll(async () => {
  await world.close();
});

async function createChannel({ owner }: Tenant, name: string): Promise<Receiver> {
  const chat = await Receiver.start();
  world.atEnd(() => chat.close());
  await world
    .call('post', '/api/notifications/channels', owner)
    .send({ name, target: { kind: 'chat_webhook', url: chat.url } })
    .expect(201);
  return chat;
}

/** Hosts with full disks. */
async function createHosts(own: Tenant, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1)
    await createHost(world, own, {
      status: 'online',
      agent_version: '999.0.0',
      last_heartbeat_at: new Date(),
      disk_used_bytes: 96,
      disk_total_bytes: 100,
    });
}

const notificationsOf = ({ license }: Tenant) =>
  world.database.query<{ id: string; event: string; status: string }>(
    'select id, event, status from notification where license_id = $1 order by id',
    [license.id],
  );

const untilNotified = (own: Tenant, event: string, count: number) =>
  until(
    async () => {
      const reported = await notificationsOf(own);
      const done = reported.filter((one) => one.event === event && one.status === 'succeeded');
      return done.length === count && reported;
    },
    `${count} notifications`,
    90_000,
  );

const keysOf = ({ received }: Receiver) => received.map(({ headers }) => String(headers['idempotency-key']));

it('a process that is killed while it sends a notification loses nothing: another process sends it', async () => {
  const own = await world.createTenant();
  const chat = await createChannel(own, 'Admins');
  chat.respond = () => undefined;
  await createHosts(own, 1);
  const first = await startReplica(world, ['jobs']);
  const interrupted = await until(() => chat.received[0], 'a notification', 60_000);
  await first.signal('SIGKILL');
  chat.respond = (reply) => reply.writeHead(204).end();
  await startReplica(world, ['jobs']);
  const [notification, ...others] = await untilNotified(own, 'raised', 1);
  expect(others).toEqual([]);
  expect(chat.received.length).toBeGreaterThan(1);
  expect(new Set(keysOf(chat))).toEqual(new Set([notification?.id]));
  expect(new Set(chat.received.map(({ text }) => text))).toEqual(new Set([interrupted.text]));
}, 180_000);

it('several processes raise each alert once, and send it and its recovery once in every channel', async () => {
  await startReplica(world, ['jobs']);
  const own = await world.createTenant();
  const chats = [await createChannel(own, 'One'), await createChannel(own, 'Other')];
  await createHosts(own, 25);
  const raised = await untilNotified(own, 'raised', 50);
  expect(raised).toHaveLength(50);
  await world.database.query('update agent_host set disk_used_bytes = 1 where license_id = $1', [
    own.license.id,
  ]);
  await until(
    async () =>
      (
        await world.database.query(
          `update alert set well_since = well_since - interval '6 minutes'
           where license_id = $1 and well_since > now() - interval '5 minutes' returning id`,
          [own.license.id],
        )
      ).length === 25,
    'all to be healthy',
    90_000,
  );
  const reported = await untilNotified(own, 'recovered', 50);
  expect(reported).toHaveLength(100);
  const alerts = await world.database.query<{ end_reason: string }>(
    'select end_reason from alert where license_id = $1',
    [own.license.id],
  );
  expect(alerts.map(({ end_reason }) => end_reason)).toEqual(Array(25).fill('recovered'));
  expect(chats.flatMap(keysOf).toSorted()).toEqual(reported.map(({ id }) => id).toSorted());
}, 180_000);
