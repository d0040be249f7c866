// The event log when processes are killed or stopped, when the bus is away, and when readers are slow: every change has
// its event, and every reader gets each event once.
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { components } from '../../generated/platform.d.ts';
import { freePort } from '../support/free-port.ts';
import { createLargeEvents, Stream } from '../support/event-stream.ts';
import { Program } from '../support/processes.ts';
import { Receiver } from '../support/receiver.ts';
import { startApiReplica, startReplica } from '../support/replicas.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';
import { firstNumber, Scratch } from '../unit/embedded/scratch.ts';
import { patient } from '../support/patience.ts';

type Schemas = components['schemas'];
type Event = Schemas['Event'];

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});
afterAll(() => world.close());

const authorized = ({ owner }: Tenant) => ({ Authorization: `Bearer ${owner.token}` });
let number = 0;

/** Creates a cluster at that replica. Returns its name, or undefined if no response shows that it was created. */
async function createCluster(tenant: Tenant, url = world.url): Promise<string | undefined> {
  const name = `Cluster ${++number}`;
  const response = await fetch(`${url}/api/fleet/clusters`, {
    method: 'POST',
    headers: { ...authorized(tenant), 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  }).catch(() => undefined);
  return response?.status === 201 ? name : undefined;
}

/** Creates clusters until it is stopped, several at a time; returns the names of those that were created for certain. */
function createMany(tenant: Tenant, url: string, atOnce = 4) {
  let isStopped = false;
  const names: string[] = [];
  const work = async () => {
    while (!isStopped) {
      const name = await createCluster(tenant, url);
      if (name === undefined) return;
      names.push(name);
    }
  };
  const working = Promise.all(Array.from({ length: atOnce }, work));
  return {
    names,
    stop: async () => {
      isStopped = true;
      await working;
    },
  };
}

const clustersOf = async ({ license }: Tenant) =>
  (
    await world.database.query<{ name: string }>('select name from instance_cluster where license_id = $1', [
      license.id,
    ])
  ).map(({ name }) => name);

const eventsOf = ({ license }: Tenant, type = 'cluster.created') =>
  world.database.query<{ id: string; name: string }>(
    `select id, data ->> 'name' as name from event_log where license_id = $1 and type = $2 order by seq`,
    [license.id, type],
  );

async function expectNoGaps({ license }: Tenant): Promise<void> {
  const [log] = await world.database.query(
    `select count(*)::int as count, count(distinct seq)::int as numbers, min(seq)::int as first, max(seq)::int as last
     from event_log where license_id = $1`,
    [license.id],
  );
  const { count } = log as { count: number };
  expect(log).toEqual({ count, numbers: count, first: 1, last: count });
}

const namesOf = (events: readonly Event[]) => events.map(({ data }) => String(data['name']));

/** The cursor of the end of the log. */
async function startOf({ owner }: Tenant): Promise<string> {
  const { body } = await world.call('get', '/api/events?limit=1', owner).expect(200);
  return (body as Schemas['EventPage']).stream_cursor;
}

it('changes have their events, and only they, when the process that makes them is killed', async () => {
  const tenant = await world.createTenant();
  for (let kill = 0; kill < 2; kill += 1) {
    const { url, replica } = await startApiReplica(world);
    const load = createMany(tenant, url, 8);
    await until(() => load.names.length > 20, 'some changes');
    await pause(randomInt(100));
    await replica.signal('SIGKILL');
    await load.stop();
    // The database ends the transactions of the killed process.
    await until(async () => {
      const created = await clustersOf(tenant);
      return (
        created.length === (await eventsOf(tenant)).length &&
        load.names.every((name) => created.includes(name))
      );
    }, 'the end of its transactions');
  }
  expect((await eventsOf(tenant)).map(({ name }) => name).toSorted()).toEqual(
    (await clustersOf(tenant)).toSorted(),
  );
  expect(await world.database.query('select from event_draft')).toEqual([]);
  await expectNoGaps(tenant);
});

it('a process that is stopped while it records events delays no other one', async () => {
  const tenant = await world.createTenant();
  const { url, replica } = await startApiReplica(world);
  const load = createMany(tenant, url, 8);
  await until(() => load.names.length > 20, 'some changes');
  for (let stop = 0; stop < 3; stop += 1) {
    await pause(randomInt(30));
    process.kill(replica.pid, 'SIGSTOP');
    const before = Date.now();
    // Clusters themselves wait: the stopped process may hold the lock of their names.
    for (let count = 0; count < 5; count += 1)
      await world
        .call('patch', '/api/license', tenant.owner)
        .send({ name: `Rusty Moose ${++number}` })
        .expect(200);
    expect(Date.now() - before).toBeLessThan(patient(5_000));
    process.kill(replica.pid, 'SIGCONT');
  }
  await load.stop();
  expect((await eventsOf(tenant)).map(({ name }) => name).toSorted()).toEqual(
    (await clustersOf(tenant)).toSorted(),
  );
  await expectNoGaps(tenant);
});

it('webhooks get each event when processes that relay and replay are killed', async () => {
  const tenant = await world.createTenant();
  const hook = await Receiver.start();
  world.atEnd(() => hook.close());
  const { body } = await world
    .call('post', '/api/webhooks', tenant.owner)
    .send({ name: 'All', url: hook.url, events: ['cluster.*'] })
    .expect(201);
  const { id } = body as Schemas['Webhook'];
  const deliveries = () =>
    world.database.query<{ event_id: string }>(
      'select event_id from webhook_delivery where webhook_id = $1 order by id',
      [id],
    );
  await createLargeEvents(world, tenant, 100);
  for (let kill = 0; kill < 2; kill += 1) {
    const before = (await deliveries()).length;
    const replica = await startReplica(world, ['jobs']);
    const load = createMany(tenant, world.url, 2);
    await until(async () => (await deliveries()).length > before, 'some deliveries');
    await replica.signal('SIGKILL');
    await load.stop();
  }
  await world
    .call('post', `/api/webhooks/${id}/replay`, tenant.owner)
    .send({ from: new Date(Date.now() - 3_600_000).toISOString() })
    .expect(202);
  const queued = async () => {
    const { body: webhook } = await world.call('get', `/api/webhooks/${id}`, tenant.owner).expect(200);
    return (webhook as Schemas['Webhook']).replay;
  };
  const interrupted = await startReplica(world, ['jobs']);
  await until(async () => ((await queued())?.queued_count ?? 0) > 0, 'the first batch of the replay');
  await interrupted.signal('SIGKILL');
  await startReplica(world, ['jobs']);
  await until(async () => (await queued())?.status === 'finished', 'the end of the replay');
  const wanted = [...(await eventsOf(tenant, 'cluster.deleted')), ...(await eventsOf(tenant))].map(
    (event) => event.id,
  );
  await until(async () => (await deliveries()).length >= wanted.length, 'every delivery');
  const made = (await deliveries()).map((delivery) => delivery.event_id);
  expect(made.toSorted()).toEqual(wanted.toSorted());
  await until(
    () => new Set(hook.received.map((received) => received.body.id)).size === wanted.length,
    'every event',
  );
});

it('a reader gets each event once, although the replica that it reads from is killed', async () => {
  const tenant = await world.createTenant();
  const count = 150;
  const start = await startOf(tenant);
  const making = (async () => {
    for (let made = 0; made < count; made += 1) await createCluster(tenant);
  })();
  const seen: Event[] = [];
  let last = start;
  const read = async (url: string, upTo: number) => {
    const stream = await Stream.open(
      world,
      { ...authorized(tenant), 'Last-Event-ID': last },
      'type=cluster.*',
      url,
    );
    await stream.untilEvents(upTo - seen.length);
    return stream;
  };
  const keep = (stream: Stream) => {
    stream.close();
    seen.push(...stream.events);
    last = stream.lastId;
  };
  for (let kill = 1; kill <= 2; kill += 1) {
    const { url, replica } = await startApiReplica(world);
    const stream = await read(url, Math.min(count, seen.length + 30));
    await replica.signal('SIGKILL');
    await stream.untilOver();
    keep(stream);
  }
  keep(await read(world.url, count));
  await making;
  expect(namesOf(seen)).toEqual((await eventsOf(tenant)).map(({ name }) => name));
  expect(seen).toHaveLength(count);
});

it('streams continue while the bus is away', async () => {
  const tenant = await world.createTenant();
  const { hostname, port } = new URL(world.nats.url);
  const proxy = await TcpProxy.start({ host: hostname, port: Number(port) });
  world.atEnd(() => proxy.stop());
  const { url } = await startApiReplica(world, { NATS_URL: `nats://127.0.0.1:${proxy.port}` });
  const stream = await Stream.open(world, authorized(tenant), 'type=cluster.*', url);
  await until(() => stream.blocks.length > 0, 'the beginning of the stream');
  proxy.stall();
  await createCluster(tenant);
  await stream.untilEvents(1);
});

it('a reader that leaves what was sent unread is cut off in time, and continues without a gap', async () => {
  const tenant = await world.createTenant();
  const start = await startOf(tenant);
  await createLargeEvents(world, tenant, 400);
  await until(async () => (await world.metric('gantry_event_streams')) === 0, 'the end of earlier streams');
  const slow = await Stream.open(world, authorized(tenant), `cursor=${start}`);
  slow.pause();
  await until(async () => (await world.metric('gantry_event_streams')) > 0, 'the open stream');
  await until(async () => (await world.metric('gantry_event_streams')) === 0, 'its end');
  slow.resume();
  await slow.untilOver();
  expect(slow.events.length).toBeLessThan(400);
  const stream = await Stream.open(world, { ...authorized(tenant), 'Last-Event-ID': slow.lastId });
  await stream.untilEvents(400 - slow.events.length);
  expect(
    [...namesOf(slow.events), ...namesOf(stream.events)].map((name) => Number(name.split(' ')[0])),
  ).toEqual(Array.from({ length: 400 }, (_, index) => index + 1));
});

it('a database that is cut off in the middle of commits has each change with its event', async () => {
  const scratch = new Scratch();
  const dataDir = await scratch.dataDir();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const own = { HOST: '127.0.0.1', PORT: String(port), GANTRY_PUBLIC_URL: url, LOG_LEVEL: 'error' };
  const platform = Program.platform({ GANTRY_DATA_DIR: dataDir, ...own });
  let isOver = false;
  try {
    await platform.start();
    const made = await fetch(`${url}/api/sandbox`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(made.status).toBe(201);
    const { api_key: key } = (await made.json()) as Schemas['CreatedSandbox'];
    const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
    const read = async <T>(path: string) => (await (await fetch(`${url}${path}`, { headers })).json()) as T;
    const { stream_cursor: start } = await read<Schemas['EventPage']>('/api/events?limit=1');
    const stream = await Stream.open(world, { ...headers, 'Last-Event-ID': start }, 'type=cluster.*', url);
    const names: string[] = [];
    const work = async () => {
      while (!isOver) {
        const name = `Cluster ${++number}`;
        const body = JSON.stringify({ name });
        const reply = await fetch(`${url}/api/fleet/clusters`, { method: 'POST', headers, body });
        if (reply.status === 201) names.push(name);
      }
    };
    const working = Promise.all([work(), work(), work(), work()]);
    await until(() => names.length > 30, 'some changes');
    // What a crash leaves: no transaction is ended in order.
    process.kill(await firstNumber(join(dataDir, 'postgres/postmaster.pid')), 'SIGQUIT');
    const before = names.length;
    await until(() => names.length > before + 30, 'changes after the recovery');
    isOver = true;
    await working;
    const last = JSON.stringify({ name: 'last' });
    await fetch(`${url}/api/fleet/clusters`, { method: 'POST', headers, body: last });
    const events: Event[] = [];
    for (let after: string | null = start; after !== null;) {
      const page: Schemas['EventPage'] = await read(`/api/events?order=asc&limit=100&after=${after}`);
      events.push(...page.data);
      after = page.next_cursor === null ? null : (page.data.at(-1)?.cursor ?? null);
    }
    const numbers = events.map(({ cursor }) =>
      Number(Buffer.from(cursor, 'base64url').toString().split('.')[0]),
    );
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    const created = namesOf(events.filter(({ type }) => type === 'cluster.created'));
    const clusters: string[] = [];
    for (let query: string | null = ''; query !== null;) {
      const page: Schemas['InstanceClusterPage'] = await read(`/api/fleet/clusters?limit=100${query}`);
      clusters.push(...page.data.map(({ name }) => name));
      query = page.next_cursor === null ? null : `&cursor=${page.next_cursor}`;
    }
    expect(created.toSorted()).toEqual(clusters.toSorted());
    expect(clusters).toEqual(expect.arrayContaining(names));
    // The stream went on by itself, or continues after its last event.
    await until(
      () => stream.isOver || stream.events.at(-1)?.data['name'] === 'last',
      'the last event, or the end',
    );
    const seen = namesOf(stream.events);
    if (stream.isOver) {
      const next = await Stream.open(
        world,
        { ...headers, 'Last-Event-ID': stream.lastId },
        'type=cluster.*',
        url,
      );
      seen.push(...namesOf(await next.untilEvents(created.length - seen.length)));
    }
    expect(seen).toEqual(created);
  } finally {
    isOver = true;
    await platform.signal('SIGTERM');
    await scratch.remove();
  }
});
