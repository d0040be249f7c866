// Operations of the area `events`: the log, the types that a caller may read, and the stream.
import type { components } from '../../generated/platform.d.ts';
import { eventTypeNames, eventTypes } from '../../src/platform-contract/events.ts';
import { errorsOfEvent, someId } from '../support/contract.ts';
import { createLargeEvents, Stream } from '../support/event-stream.ts';
import { createKeyWithText } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Member, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];
type Event = Schemas['Event'];
type Page = Schemas['EventPage'];

let world: World;
beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});
afterAll(() => world.close());

/** Opens a stream, closed with the world. */
const open = (member: Member, query = '', headers: Record<string, string> = {}): Promise<Stream> =>
  Stream.open(world, { Authorization: `Bearer ${member.token}`, ...headers }, query);

let number = 0;

const list = async (member: Member, query = '') =>
  (await world.call('get', `/api/events?${query}`, member).expect(200)).body as Page;

/** Creates a cluster over the API, which records one event. */
async function createCluster({ owner }: Tenant): Promise<{ id: string; name: string }> {
  const { body } = await world
    .call('post', '/api/fleet/clusters', owner)
    .send({ name: `Cluster ${++number}` })
    .expect(201);
  return body as { id: string; name: string };
}

const createClusters = async (tenant: Tenant, count: number) => {
  const made: { id: string; name: string }[] = [];
  for (let nth = 0; nth < count; nth += 1) made.push(await createCluster(tenant));
  return made;
};

const namesOf = ({ data }: Page) => data.map((event) => event.data['name']);

describe('listEvents', () => {
  it('returns what happened with its actor, in the form of the contract', async () => {
    const tenant = await world.createTenant();
    const cluster = await createCluster(tenant);
    const { data, stream_cursor: end } = await list(tenant.owner, 'type=cluster.*');
    expect(data).toEqual([
      {
        id: expect.any(String),
        cursor: end,
        type: 'cluster.created',
        occurred_at: expect.any(String),
        recorded_at: expect.any(String),
        license_id: tenant.license.id,
        is_test: false,
        subject: { type: 'cluster', id: cluster.id },
        instance_id: null,
        host_id: null,
        actor: { kind: 'user', label: tenant.owner.email },
        data: { name: cluster.name },
      },
    ]);
    expect(data.flatMap(errorsOfEvent)).toEqual([]);
    const [event] = data;
    const { body } = await world.call('get', `/api/events/${event?.id ?? ''}`, tenant.owner).expect(200);
    expect(body).toEqual(event);
  });

  it('pages in both orders, and filters by type, subject and time', async () => {
    const tenant = await world.createTenant();
    const made = await createClusters(tenant, 5);
    const names = made.map(({ name }) => name);
    const first = await list(tenant.owner, 'type=cluster.created&limit=3');
    expect(namesOf(first)).toEqual(names.toReversed().slice(0, 3));
    const rest = await list(tenant.owner, `type=cluster.created&limit=3&cursor=${first.next_cursor ?? ''}`);
    expect(namesOf(rest)).toEqual(names.toReversed().slice(3));
    expect(rest.next_cursor).toBeNull();
    const oldest = await list(tenant.owner, 'type=cluster.created&order=asc&limit=2');
    expect(namesOf(oldest)).toEqual(names.slice(0, 2));
    const next = await list(tenant.owner, `type=cluster.*&order=asc&after=${oldest.data[1]?.cursor ?? ''}`);
    expect(namesOf(next)).toEqual(names.slice(2));
    expect(namesOf(await list(tenant.owner, `subject_id=${made[2]?.id ?? ''}`))).toEqual([names[2]]);
    const at = encodeURIComponent(next.data[0]?.recorded_at ?? '');
    expect(namesOf(await list(tenant.owner, `type=cluster.*&from=${at}&order=asc`))).toContain(names[2]);
    expect(namesOf(await list(tenant.owner, `type=cluster.*&to=${at}`))).not.toContain(names[3]);
  });

  it('leaves out what the caller may not read', async () => {
    const tenant = await world.createTenant();
    await createCluster(tenant);
    const typesOf = async (member: Member) =>
      new Set((await list(member, 'limit=100')).data.map(({ type }) => type.split('.')[0]));
    expect(await typesOf(tenant.owner)).toEqual(new Set(['license', 'member', 'cluster']));
    const viewer = await world.addMemberWith(tenant, { 'events.view': true, 'fleet.view': true });
    expect(await typesOf(viewer)).toEqual(new Set(['cluster']));
    const outsider = await world.addMemberWith(tenant, { 'fleet.view': true });
    await world.call('get', '/api/events', outsider).expect(403);
    const [joined] = (await list(tenant.owner, 'type=member.joined')).data;
    await world.call('get', `/api/events/${joined?.id ?? ''}`, viewer).expect(404);
    const { key } = await createKeyWithText(world, tenant, { permissions: { 'events.view': true } });
    const { body } = await world.call('get', '/api/events').set('X-Api-Key', key).expect(200);
    expect((body as Page).data).toEqual([]);
  });

  it('refuses unknown types and cursors, and those of other licenses', async () => {
    const tenant = await world.createTenant();
    const other = await world.createTenant();
    await createClusters(other, 30);
    const { data } = await list(other.owner);
    const foreign = data[0]?.cursor ?? '';
    for (const query of [
      'type=nothing.*',
      'type=order.',
      'cursor=x',
      'order=asc&after=eHh4',
      `after=${foreign}`,
      'from=2026-11-22T00:00:00Z&to=2026-11-21T00:00:00Z',
    ])
      expect((await world.call('get', `/api/events?${query}`, tenant.owner).expect(400)).body).toMatchObject({
        code: 'validation_failed',
      });
    const { body } = await world
      .call('get', `/api/events?order=asc&after=${foreign}`, tenant.owner)
      .expect(410);
    expect(body).toMatchObject({ code: 'event_cursor_expired' });
    const { body: late } = await world
      .call('get', '/api/events?from=9999-12-31T23:59:59Z', tenant.owner)
      .expect(400);
    expect(JSON.stringify(late)).toContain('to 9999-12-30');
    await world.call('get', `/api/events/${data[0]?.id ?? ''}`, tenant.owner).expect(404);
    await world.call('get', `/api/events/${someId}`, tenant.owner).expect(404);
  });

  it('refuses a cursor of an event that a restored database has given to another one', async () => {
    const tenant = await world.createTenant();
    await createCluster(tenant);
    const { stream_cursor: end } = await list(tenant.owner);
    await world.database.query(
      `update event_log set id = uuidv7() where license_id = $1
       and seq = (select last_seq from event_sequence where license_id = $1)`,
      [tenant.license.id],
    );
    await world.call('get', `/api/events?order=asc&after=${end}`, tenant.owner).expect(410);
    const old = Buffer.from(`1.${Date.now() - 91 * 24 * 3_600_000}.00000000`).toString('base64url');
    await world.call('get', `/api/events?order=asc&after=${old}`, tenant.owner).expect(410);
  });
});

it('a refused or failed change leaves no event', async () => {
  const tenant = await world.createTenant();
  const { name } = await createCluster(tenant);
  const { stream_cursor: end } = await list(tenant.owner);
  await world.call('post', '/api/fleet/clusters', tenant.owner).send({ name }).expect(409);
  await world.call('delete', `/api/fleet/clusters/${someId}`, tenant.owner).expect(404);
  expect((await list(tenant.owner)).stream_cursor).toBe(end);
});

describe('listEventTypes', () => {
  it('returns every type, and whether the caller may read it', async () => {
    const tenant = await world.createTenant();
    const viewer = await world.addMember(tenant, 'Viewer');
    const { body } = await world.call('get', '/api/events/types', viewer).expect(200);
    const { data } = body as Schemas['EventTypeList'];
    expect(data.map(({ type }) => type)).toEqual(eventTypeNames);
    const readable = data.filter((entry) => entry.can_read).map(({ type }) => eventTypes[type].permission);
    expect([...new Set(readable)].sort()).toEqual(
      [
        'alerts.view',
        'backups.view',
        'commands.view',
        'fleet.view',
        'license.view',
        'maps.view',
        'modules.view',
        'pluginconfigs.view',
        'players.view',
        'plugins.view',
        'schedules.view',
        'siteconfig.view',
        'wipes.view',
      ].sort(),
    );
  });
});

describe('streamEvents', () => {
  it('sends what happens from now on, as the log has it', async () => {
    const tenant = await world.createTenant();
    await createCluster(tenant);
    const stream = await open(tenant.owner);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    await until(async () => stream.blocks.length > 0, 'the first block');
    expect(stream.blocks[0]).toMatchObject({ event: 'ready', data: { heartbeat_seconds: 15 } });
    const made = await createClusters(tenant, 3);
    const events = await stream.untilEvents(3);
    expect(events.map((event) => event.data['name'])).toEqual(made.map(({ name }) => name));
    expect(events.flatMap(errorsOfEvent)).toEqual([]);
    const { data } = await list(tenant.owner, 'limit=3');
    expect(events.toReversed()).toEqual(data);
    expect(stream.lastId).toBe(data[0]?.cursor);
  });

  it('continues after a cursor or the last event id, however often it is cut', async () => {
    const tenant = await world.createTenant();
    const { stream_cursor: start } = await list(tenant.owner);
    const writing = createClusters(tenant, 40);
    const seen: Event[] = [];
    let last = start;
    for (let cut = 0; seen.length < 40; cut += 1) {
      const stream = await open(tenant.owner, `cursor=${start}`, cut === 0 ? {} : { 'Last-Event-ID': last });
      await stream.untilEvents(Math.min(1 + (cut % 7), 40 - seen.length));
      stream.close();
      seen.push(...stream.events);
      last = stream.lastId;
    }
    const names = (await writing).map(({ name }) => name);
    expect(seen.map((event) => event.data['name'])).toEqual(names);
  });

  it('filters by type, and by what the caller may read', async () => {
    const tenant = await world.createTenant();
    const viewer = await world.addMemberWith(tenant, { 'events.view': true, 'license.view': true });
    const { stream_cursor: start } = await list(tenant.owner);
    const streams = [
      await open(viewer, `cursor=${start}`),
      await open(tenant.owner, `cursor=${start}&type=license.updated`),
    ];
    await createCluster(tenant);
    await world.call('patch', '/api/license', tenant.owner).send({ name: 'Rusty Moose' }).expect(200);
    for (const stream of streams) {
      await stream.untilEvents(1);
      expect(stream.events.map(({ type }) => type)).toEqual(['license.updated']);
    }
  });

  it('has headers only for HEAD', async () => {
    const { owner } = await world.createTenant();
    const head = await fetch(`${world.url}/api/events/stream`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${owner.token}` },
    });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ]);
  });

  it('ends when the caller has no access any more', async () => {
    const tenant = await world.createTenant();
    const member = await world.addMember(tenant, 'Viewer');
    const stream = await open(member);
    await until(async () => stream.blocks.length > 0, 'the first block');
    const { body } = await world.call('get', '/api/team/members', tenant.owner).expect(200);
    const own = (body as Schemas['MemberPage']).data.find(({ email }) => email === member.email);
    await world.call('delete', `/api/team/members/${own?.id ?? ''}`, tenant.owner).expect(204);
    await stream.untilOver();
    expect(stream.events).toEqual([]);
  });

  it('ends when the key of the caller is revoked', async () => {
    const tenant = await world.createTenant();
    const { id, key } = await createKeyWithText(world, tenant);
    const stream = await Stream.open(world, { 'X-Api-Key': key });
    await createCluster(tenant);
    await stream.untilEvents(1);
    await world.call('delete', `/api/api-keys/${id}`, tenant.owner).expect(204);
    await stream.untilOver();
    await createCluster(tenant);
    expect(stream.events.map(({ type }) => type)).not.toContain('key.revoked');
  });

  it('sends large events in small pieces, whole and in order', async () => {
    const tenant = await world.createTenant();
    const { stream_cursor: start } = await list(tenant.owner);
    await createLargeEvents(world, tenant, 60);
    const follower = await open(tenant.owner);
    const stream = await open(tenant.owner, `cursor=${start}`);
    const events = await stream.untilEvents(60);
    expect(events.map(({ data }) => Number(String(data['name']).split(' ')[0]))).toEqual(
      Array.from({ length: 60 }, (_, index) => index + 1),
    );
    await createLargeEvents(world, tenant, 60);
    expect(await follower.untilEvents(60)).toHaveLength(60);
    expect((await stream.untilEvents(120)).slice(60)).toEqual(follower.events);
  });

  it('refuses bad cursors, expired ones, and more streams than a session may have', async () => {
    const tenant = await world.createTenant();
    const refused = async (query: string, headers = {}) => (await open(tenant.owner, query, headers)).status;
    expect(await refused('cursor=x')).toBe(400);
    expect(await refused('type=nothing.*')).toBe(400);
    const gone = Buffer.from('7.1700000000000.00000000').toString('base64url');
    expect(await refused('', { 'Last-Event-ID': gone })).toBe(410);
    expect(await refused('', { 'Last-Event-ID': `${gone}A` })).toBe(400);
    const { body: refusal } = await world
      .call('get', '/api/events/stream?cursor=x', tenant.owner)
      .set('Last-Event-ID', 'x')
      .expect(400);
    expect((refusal as Schemas['Problem']).errors).toMatchObject([
      { in: 'headers', pointer: '/last-event-id', detail: 'is not a cursor of the event log' },
    ]);
    const foreign = await world.createTenant();
    await createCluster(foreign);
    const { stream_cursor: theirs } = await list(foreign.owner);
    expect(await refused(`cursor=${theirs}`)).toBe(410);
    const { stream_cursor: own } = await list(tenant.owner);
    expect(await refused(`cursor=${own}`, { 'Last-Event-ID': theirs })).toBe(410);
    const streams: Stream[] = [];
    for (let count = 0; count < 10; count += 1) {
      const stream = await open(tenant.owner);
      await until(async () => stream.blocks.length > 0, 'the first block');
      streams.push(stream);
    }
    expect(await refused('')).toBe(429);
    streams[0]?.close();
    await until(async () => (await refused('')) === 200, 'room for a stream');
  });
});

describe('streams that are opened at once', () => {
  it('are no more than a session may have', async () => {
    const { owner } = await world.createTenant();
    const streams = await Promise.all(Array.from({ length: 16 }, () => open(owner)));
    const isDecided = ({ status, blocks }: Stream) => status === 429 || blocks.length > 0;
    await until(async () => streams.every(isDecided), 'the first blocks');
    expect(streams.filter(({ blocks }) => blocks[0]?.event === 'ready').length).toBe(10);
  });
});

describe('following the log', () => {
  it('misses nothing between a list and the stream that continues it', async () => {
    const tenant = await world.createTenant();
    const writing = createClusters(tenant, 60);
    await until(async () => (await list(tenant.owner, 'type=cluster.*')).data.length > 5, 'some events');
    const before = await list(tenant.owner, 'type=cluster.*&limit=100');
    const stream = await open(tenant.owner, `type=cluster.*&cursor=${before.stream_cursor}`);
    const made = await writing;
    // The list may already have events that the stream repeats.
    const seen = () =>
      new Set([...before.data.toReversed(), ...stream.events].map((event) => event.data['name']));
    await until(async () => seen().has(made.at(-1)?.name), 'the last event');
    expect([...seen()]).toEqual(made.map(({ name }) => name));
  });
});
