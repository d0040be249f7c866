// Many deliveries of one webhook at once.
import type { components } from '../../generated/platform.d.ts';
import { Receiver } from './receiver.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** So many deliveries to one receiver are sent at most eight at once, each once. */
export async function expectSentOnce(world: World, count: number): Promise<void> {
  const own = await world.createTenant();
  const hook = await Receiver.start((reply) => setTimeout(() => reply.writeHead(204).end(), 2));
  world.atEnd(() => hook.close());
  const { body } = await world
    .call('post', '/api/webhooks', own.owner)
    .send({ name: 'Many deliveries', url: hook.url, events: ['host.offline'] })
    .expect(201);
  const { id } = body as components['schemas']['CreatedWebhook'];
  await world.database.query(
    `insert into webhook_delivery (license_id, webhook_id, event, body)
     select $1, $2, 'host.offline', '{}' from generate_series(1, $3::int)`,
    [own.license.id, id, count],
  );
  await until(async () => {
    const [row] = await world.database.query<{ left: number }>(
      `select count(*)::int as left from webhook_delivery where webhook_id = $1 and status = 'pending'`,
      [id],
    );
    return row?.left === 0;
  }, 'all deliveries');
  expect(hook.maxAtOnce).toBeLessThanOrEqual(8);
  expect(hook.received).toHaveLength(count);
  expect(new Set(hook.ids).size).toBe(count);
}
