// Operations of the area `modules`: licenses buy modules and have their agents install them.
import { randomUUID } from 'node:crypto';
import type { components } from '../../generated/platform.d.ts';
import { connectAcceptingAgent } from '../support/agent.ts';
import { createInstance, createModule } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Member, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create();
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const seeded = 'player-insights';

const purchase = (module: string, member: Member = tenant.owner) =>
  world.call('post', '/api/modules/purchase', member).send({ module });

const install = (instanceId: string, module = seeded, member: Member = tenant.owner) =>
  world.call('post', '/api/modules/install', member).send({ module, instance_id: instanceId });

const installation = async (id: string, member: Member = tenant.owner) =>
  (await world.call('get', `/api/modules/installations/${id}`, member).expect(200))
    .body as Schemas['ModuleInstallation'];

const uninstall = (id: string, member: Member = tenant.owner) =>
  world.call('delete', `/api/modules/installations/${id}`, member);

/** A license that owns the seeded module, with an agent that accepts commands. */
async function ownerWithAgent() {
  const own = await world.createTenant();
  await purchase(seeded, own.owner).expect(201);
  return { own, ...(await connectAcceptingAgent(world, own)) };
}

async function slugOf(values: Record<string, unknown> = {}): Promise<string> {
  const slug = `module-${randomUUID().slice(0, 8)}`;
  await createModule(world, { slug, ...values });
  return slug;
}

describe('the catalogue', () => {
  it('returns 200 with the listed modules, and whether the license owns each', async () => {
    const own = await world.createTenant();
    const [bought, hidden] = [await slugOf(), await slugOf({ is_listed: false })];
    await purchase(bought, own.owner).expect(201);
    const { body } = await world.call('get', '/api/modules?limit=100', own.owner).expect(200);
    const { data } = body as Schemas['ModulePage'];
    expect(data[0]).toMatchObject({
      slug: seeded,
      price: { amount: '4.99', currency: 'USD' },
      is_owned: false,
    });
    expect(data.find(({ slug }) => slug === bought)).toMatchObject({ is_owned: true });
    expect(data.map(({ slug }) => slug)).not.toContain(hidden);
    expect(JSON.stringify(body)).not.toContain('modules.invalid');
  });
});

describe('POST /api/modules/purchase', () => {
  it('returns 201 at once, with a transaction at the current price, which a later price does not change', async () => {
    const slug = await slugOf({ price: 1_999, currency: 'EUR' });
    const { body } = await purchase(slug).expect(201);
    expect(body).toEqual({
      transaction_id: expect.any(String),
      module: slug,
      name: 'A module',
      amount: { amount: '19.99', currency: 'EUR' },
      purchased_by: tenant.owner.email,
      subscription_id: null,
      period: null,
      created_at: expect.any(String),
    });
    await world.database.query('update module set price = 1, is_listed = false where slug = $1', [slug]);
    const { body: owned } = await world.call('get', '/api/modules/owned', tenant.owner).expect(200);
    expect((owned as Schemas['ModulePurchasePage']).data).toContainEqual(body);
  });

  it('returns 409 for an owned module, also for concurrent requests; another license can buy it', async () => {
    const slug = await slugOf();
    const responses = await Promise.all(Array.from({ length: 10 }, () => purchase(slug)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of responses.filter((response) => response.status !== 201))
      expect([status, body.code]).toEqual([409, 'module_owned']);
    await purchase(slug, (await world.createTenant()).owner).expect(201);
  });

  it('returns 201 again with the same Idempotency-Key', async () => {
    const [slug, key] = [await slugOf(), randomUUID()];
    const { body: first } = await purchase(slug).set('Idempotency-Key', key).expect(201);
    await purchase(slug).set('Idempotency-Key', key).expect(201, first);
  });

  it('returns 404 for an unknown or unlisted module, 403 for a Head Admin', async () => {
    for (const slug of ['nothing-at-all', await slugOf({ is_listed: false })])
      expect((await purchase(slug).expect(404)).body.code).toBe('not_found');
    await purchase(seeded, await world.addMember(tenant, 'Head Admin')).expect(403);
  });
});

describe('installing', () => {
  it('returns 202 and goes from pending through downloading to installed, and is removed again', async () => {
    const { own, agent, instanceId } = await ownerWithAgent();
    const { body } = await install(instanceId, seeded, own.owner).expect(202);
    expect(body).toMatchObject({
      module: seeded,
      instance_id: instanceId,
      plugin: 'GantryEvents',
      error: null,
    });
    expect(['pending', 'downloading']).toContain(body.status);
    await until(async () => (await installation(body.id, own.owner)).status === 'downloading', 'downloading');
    expect(agent.commands.at(-1)).toMatchObject({
      verb: 'install_module',
      args: {
        plugin: 'GantryEvents',
        url: `${world.url}/api/plugin/download`,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        bytes: expect.any(Number),
        by: own.owner.email,
      },
    });
    expect((await install(instanceId, seeded, own.owner).expect(409)).body.code).toBe(
      'installation_under_way',
    );
    expect((await uninstall(body.id, own.owner).expect(409)).body.code).toBe('installation_under_way');
    await agent.finish(body.command_id, { detail: 'GantryEvents 1.0.0 is loaded.' });
    expect(await installation(body.id, own.owner)).toMatchObject({
      status: 'installed',
      detail: 'GantryEvents 1.0.0 is loaded.',
      finished_at: expect.any(String),
    });

    const { body: removal } = await uninstall(body.id, own.owner).expect(202);
    expect(removal).toMatchObject({ id: body.id, status: 'installed' });
    expect((await uninstall(body.id, own.owner).expect(409)).body.code).toBe('installation_under_way');
    await until(async () => agent.commands.at(-1)?.verb === 'uninstall_plugin', 'the command');
    await agent.finish(removal.command_id);
    expect((await installation(body.id, own.owner)).status).toBe('removed');
    expect((await uninstall(body.id, own.owner).expect(409)).body.code).toBe('module_removed');

    const { body: again } = await install(instanceId, seeded, own.owner).expect(202);
    expect(again.id).toBe(body.id);
    const { body: list } = await world
      .call('get', `/api/modules/installations?instance_id=${instanceId}`, own.owner)
      .expect(200);
    expect(list.data).toHaveLength(1);
  });

  it('fails with the reason, and is removed when the plugin is already gone', async () => {
    const { own, agent, instanceId } = await ownerWithAgent();
    const { body } = await install(instanceId, seeded, own.owner).expect(202);
    await until(async () => agent.commands.length === 1, 'the command');
    const detail = 'The download is not the module: its checksum is wrong.';
    await agent.finish(body.command_id, { status: 'failed', error_code: 'module_not_fetched', detail });
    expect(await installation(body.id, own.owner)).toMatchObject({
      status: 'failed',
      error: { code: 'module_not_fetched', detail },
    });
    const { body: removal } = await uninstall(body.id, own.owner).expect(202);
    await until(async () => agent.commands.length === 2, 'the command');
    await agent.finish(removal.command_id, { status: 'failed', error_code: 'plugin_not_found' });
    expect((await installation(body.id, own.owner)).status).toBe('removed');
  });

  it('returns 409 for a module the license does not own, 404 for an unknown instance or module', async () => {
    const instanceId = await createInstance(world, tenant);
    expect((await install(instanceId, await slugOf()).expect(409)).body.code).toBe('module_not_owned');
    expect((await install(instanceId, 'nothing-at-all').expect(404)).body.code).toBe('not_found');
    expect((await install(randomUUID()).expect(404)).body.code).toBe('not_found');
  });

  it('returns 202 for a module that is no longer listed, as long as the license owns it', async () => {
    const slug = await slugOf();
    await purchase(slug).expect(201);
    await world.database.query('update module set is_listed = false where slug = $1', [slug]);
    await install(await createInstance(world, tenant), slug).expect(202);
  });

  it('creates one installation for concurrent requests', async () => {
    const { own, instanceId } = await ownerWithAgent();
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => install(instanceId, seeded, own.owner)),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409, 409]);
  });
});
