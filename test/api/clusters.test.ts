// Operations of the area `clusters`.
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { someId } from '../support/contract.ts';
import { createInstance } from '../support/rows.ts';
import { World, type Tenant } from '../support/world.ts';

type Cluster = components['schemas']['InstanceCluster'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const path = '/api/fleet/clusters';
const uniqueName = () => `Cluster ${randomUUID()}`;

const create = (name: string, { owner }: Tenant = tenant) => world.call('post', path, owner).send({ name });
const created = async (name = uniqueName(), owner?: Tenant) =>
  (await create(name, owner).expect(201)).body as Cluster;
const rename = (id: string, name: string) =>
  world.call('patch', `${path}/${id}`, tenant.owner).send({ name });
const get = (id: string) => world.call('get', `${path}/${id}`, tenant.owner);
const remove = (id: string) => world.call('delete', `${path}/${id}`, tenant.owner);

describe('createCluster', () => {
  it('returns 201 with an empty cluster', async () => {
    const name = uniqueName();
    const cluster = await created(name);
    expect(cluster).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name,
      description: null,
      instance_count: 0,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect((await get(cluster.id).expect(200)).body).toEqual(cluster);
  });

  it.each([' ', ' x', 'x ', 'a\u0001b', 'two\nlines', '\u202eevil', 'zero\u200bwidth', '\u2028'])(
    'returns 400 for the name %j',
    async (name) => {
      expect((await create(name).expect(400)).body).toMatchObject({ errors: [{ pointer: '/name' }] });
    },
  );

  it.each(['x', 'EU islands', 'Остров 2 🏝', "l'île d'été", '島'])(
    'returns 201 for the name %j',
    async (name) => {
      expect(await created(name)).toMatchObject({ name });
    },
  );

  it('returns 409 when the name is taken', async () => {
    const { name } = await created();
    expect((await create(name).expect(409)).body).toMatchObject({ code: 'name_taken' });
  });

  it('returns 201 for exactly one of 20 concurrent requests with one name', async () => {
    const name = uniqueName();
    const responses = await Promise.all(Array.from({ length: 20 }, () => create(name)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)]);
  });

  it('returns 201 for a name that another license uses', async () => {
    const other = await world.createTenant();
    const { name } = await created();
    expect(await created(name, other)).toMatchObject({ name });
  });
});

describe('listClusters', () => {
  it('returns 200 oldest first, page by page, with the number of instances in each', async () => {
    const own = await world.createTenant();
    const clusters: Cluster[] = [];
    for (let index = 0; index < 5; index += 1) clusters.push(await created(`Cluster ${index}`, own));
    for (const index of [1, 1, 3]) await createInstance(world, own, { cluster_id: clusters[index]?.id });
    const seen: unknown[] = [];
    let next: string | null = `${path}?limit=2`;
    while (next !== null) {
      const { body, headers }: Response = await world.call('get', next, own.owner).expect(200);
      seen.push(
        ...(body as { data: Cluster[] }).data.map(({ name, instance_count }) => [name, instance_count]),
      );
      next = /^<(.+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1] ?? null;
    }
    expect(seen).toEqual([0, 2, 0, 1, 0].map((count, index) => [`Cluster ${index}`, count]));
  });
});

describe('updateCluster', () => {
  it('returns 200 with its new name', async () => {
    const { id } = await created();
    const name = uniqueName();
    expect((await rename(id, name).expect(200)).body).toMatchObject({ id, name });
    expect((await get(id)).body).toMatchObject({ name });
  });

  it('returns 200 with the given changes, and omitted fields unchanged', async () => {
    const { id, name } = await created();
    const update = (changes: object) => world.call('patch', `${path}/${id}`, tenant.owner).send(changes);
    expect((await update({ description: 'In Frankfurt' }).expect(200)).body).toMatchObject({
      name,
      description: 'In Frankfurt',
    });
    const renamed = { name: uniqueName(), description: 'In Frankfurt' };
    expect((await update({ name: renamed.name }).expect(200)).body).toMatchObject(renamed);
    expect((await update({ description: null }).expect(200)).body).toMatchObject({ description: null });
    await update({}).expect(400);
    expect((await get(id)).body).toMatchObject({ name: renamed.name, description: null });
  });

  it('returns 200 for its own current name', async () => {
    const { id, name } = await created();
    await rename(id, name).expect(200);
  });

  it('returns 409 when the name is taken, and keeps its own', async () => {
    const [taken, cluster] = [await created(), await created()];
    expect((await rename(cluster.id, taken.name).expect(409)).body).toMatchObject({ code: 'name_taken' });
    expect((await get(cluster.id)).body).toMatchObject({ name: cluster.name });
  });

  it('returns 200 for exactly one of ten concurrent requests for one name', async () => {
    const clusters = await Promise.all(Array.from({ length: 10 }, () => created()));
    const name = uniqueName();
    const responses = await Promise.all(clusters.map(({ id }) => rename(id, name)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(409)]);
  });

  it('returns 404 for an unknown cluster', async () => {
    await rename(someId, uniqueName()).expect(404);
  });
});

describe('deleteCluster', () => {
  it('returns 204, and its instances remain without a cluster', async () => {
    const { id } = await created();
    const instanceId = await createInstance(world, tenant, { cluster_id: id });
    const { body } = await remove(id).expect(204);
    expect(body).toEqual({});
    await get(id).expect(404);
    const { body: instance } = await world
      .call('get', `/api/fleet/instances/${instanceId}`, tenant.owner)
      .expect(200);
    expect(instance).toMatchObject({ cluster_id: null });
  });

  it('returns 204 for exactly one of ten concurrent requests', async () => {
    const { id } = await created();
    const responses = await Promise.all(Array.from({ length: 10 }, () => remove(id)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, ...Array<number>(9).fill(404)]);
  });

  it('returns 404 for an unknown cluster', async () => {
    await remove(someId).expect(404);
  });

  it('returns 204, and 404 for an instance that is moved into it concurrently', async () => {
    const { id } = await created();
    const instanceId = await createInstance(world, tenant);
    const { status, body } = await world.database.commitWhileWaiting(
      'delete from instance_cluster where id = $1',
      [id],
      () => world.call('patch', `/api/fleet/instances/${instanceId}`, tenant.owner).send({ cluster_id: id }),
    );
    expect([status, body]).toMatchObject([404, { code: 'not_found' }]);
  });
});
