// Streams of events whose log is replaced while they are open: a sandbox is reset, or a database is restored.
import type { components } from '../../generated/platform.d.ts';
import { Stream } from '../support/event-stream.ts';
import { askAt, createSandbox, type TestSandbox } from '../support/sandboxes.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;
/** The addresses of two replicas. */
let urls: string[];
beforeAll(async () => {
  world = await World.create();
  urls = [world.url, (await world.addReplica()).url ?? ''];
});
afterAll(() => world.close());

async function createClusters(sandbox: TestSandbox, prefix: string, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
  for (const name of names)
    await askAt(world.url, sandbox, 'post', '/api/fleet/clusters').send({ name }).expect(201);
  return names;
}

const list = async (sandbox: TestSandbox, query = 'limit=1') =>
  (await askAt(world.url, sandbox, 'get', `/api/events?${query}`).expect(200)).body as Schemas['EventPage'];

const reset = (sandbox: TestSandbox) => askAt(world.url, sandbox, 'post', '/api/sandbox/reset').expect(200);

/** A stream of the clusters alone, which has begun. */
async function open({ made }: TestSandbox, url: string | undefined, query = ''): Promise<Stream> {
  const stream = await Stream.open(world, { 'X-Api-Key': made.api_key }, `type=cluster.*&${query}`, url);
  await until(async () => stream.blocks.length > 0, 'the first block');
  return stream;
}

const namesOf = ({ events }: Stream) => events.map(({ data }) => data['name']);

describe.each([0, 1])('a reset seen by replica %i', (nth) => {
  const url = () => urls[nth];

  it('ends the streams of an API key, and streams of the new log have its events alone', async () => {
    const sandbox = await createSandbox(world);
    const old = await open(sandbox, url());
    const names = await createClusters(sandbox, 'OLD', 12);
    await until(async () => namesOf(old).length === names.length, 'the old events');
    await reset(sandbox);
    await createClusters(sandbox, 'NEW', 4);
    const { stream_cursor: cursor } = await list(sandbox);
    const fresh = await open(sandbox, url(), `cursor=${cursor}`);
    const further = await createClusters(sandbox, 'FURTHER', 4);
    await old.untilOver();
    await until(async () => namesOf(fresh).length >= further.length, 'the new events');
    expect(namesOf(fresh)).toEqual(further);
    expect(namesOf(old)).toEqual(names);
    const again = await Stream.open(
      world,
      { 'X-Api-Key': sandbox.made.api_key, 'Last-Event-ID': old.lastId },
      '',
      url(),
    );
    expect(again.status).toBe(410);
  });

  it('wakes the streams of a log that is shorter than the one before', async () => {
    const sandbox = await createSandbox(world);
    const old = await open(sandbox, url());
    await world.database.query(
      `insert into event_draft (license_id, type, subject_type, subject_id, data)
       select $1, 'cluster.deleted', 'cluster', uuidv7(), jsonb_build_object('name', 'OLD' || number)
       from generate_series(1, 2700) as number`,
      [sandbox.made.license_id],
    );
    await old.untilEvents(2_700);
    await reset(sandbox);
    const fresh = await open(sandbox, url());
    const names = await createClusters(sandbox, 'NEW', 3);
    await until(async () => namesOf(fresh).length >= names.length, 'the new events', 5_000);
    expect(namesOf(fresh)).toEqual(names);
    await old.untilOver();
  });

  it('ends streams that saw no event since the new log has passed their number', async () => {
    const sandbox = await createSandbox(world);
    const { stream_cursor: cursor } = await list(sandbox);
    await reset(sandbox);
    await createClusters(sandbox, 'NEW', 30);
    const refused = await Stream.open(
      world,
      { 'X-Api-Key': sandbox.made.api_key },
      `cursor=${cursor}`,
      url(),
    );
    expect(refused.status).toBe(410);
  });
});

it('a database that is restored ends the streams that are ahead of it', async () => {
  const tenant = await world.createTenant();
  const stream = await Stream.open(
    world,
    { Authorization: `Bearer ${tenant.owner.token}` },
    'type=cluster.*',
  );
  const create = (name: string) =>
    world.call('post', '/api/fleet/clusters', tenant.owner).send({ name }).expect(201);
  for (const name of ['A', 'B', 'C']) await create(name);
  await stream.untilEvents(3);
  // The log without B and C; other events get their numbers.
  await world.database.query(
    `with gone as (
       delete from event_log where license_id = $1 and seq > (select last_seq - 2 from event_sequence where license_id = $1)
     )
     update event_sequence set last_seq = kept.seq, last_id = kept.id, last_at = kept.recorded_at
     from (select seq, id, recorded_at from event_log where license_id = $1
       order by seq desc offset 2 limit 1) as kept where license_id = $1`,
    [tenant.license.id],
  );
  for (const name of ['D', 'E', 'F']) await create(name);
  await stream.untilOver();
  expect(namesOf(stream)).toEqual(['A', 'B', 'C']);
});
