// Operations of the area `plugin-applications`, and the outcome of applications as their commands end.
import { TestAgent } from '../support/agent.ts';
import {
  createCommand,
  createInstance,
  createPluginApplication,
  createPluginConfig,
} from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

let world: World;
let tenant: Tenant;
let agent: TestAgent;
let instanceId: string;
/** Files that the agent is asked for, and the error with which it refuses them. */
const asked: unknown[] = [];
let refusal = { code: 'not_found', detail: 'There is none.' };

beforeAll(async () => {
  world = await World.create({ jobIntervals: { pollMs: 100 } });
  tenant = await world.createTenant();
  agent = await TestAgent.connect(world, tenant);
  instanceId = await createInstance(world, tenant, { host_id: agent.hostId, name: 'main' });
  agent.onRequest('file-download', (question) => {
    asked.push(question['plugin_file']);
    return { v: 1, ok: false, error: refusal };
  });
});

beforeEach(() => {
  refusal = { code: 'not_found', detail: 'There is none.' };
});

afterAll(async () => {
  await world.close();
});

const get = (id: string) => world.call('get', `/api/plugin-applications/${id}`, tenant.owner);

const ended = (id: string) =>
  until(async () => {
    const { body } = await get(id).expect(200);
    return (body as { finished_at: unknown }).finished_at === null ? undefined : (body as object);
  }, 'the end');

/** One whose command the agent is executing. */
async function underWay(values: Record<string, unknown> = {}) {
  const commandId = await createCommand(world, tenant, {
    host_id: agent.hostId,
    instance_id: instanceId,
    kind: 'apply_plugin_files',
  });
  const id = await createPluginApplication(world, tenant, {
    instance_id: instanceId,
    command_id: commandId,
    ...values,
  });
  return { id, commandId };
}

describe('listPluginConfigApplications', () => {
  it('returns 200 with those of an instance, newest first', async () => {
    const own = await createInstance(world, tenant);
    const first = await createPluginApplication(world, tenant, { instance_id: own });
    const second = await createPluginApplication(world, tenant, { instance_id: own });
    const { body } = await world
      .call('get', '/api/plugin-applications', tenant.owner)
      .query({ instance_id: own })
      .expect(200);
    expect(body).toMatchObject({
      data: [{ id: second }, { id: first, status: 'applying' }],
      next_cursor: null,
    });
  });

  it('returns those of a configuration, page by page', async () => {
    const config = { plugin_config_id: await createPluginConfig(world, tenant) };
    const first = await createPluginApplication(world, tenant, config);
    await createPluginApplication(world, tenant);
    const second = await createPluginApplication(world, tenant, config);
    const pageOf = async (query: object) =>
      (
        await world
          .call('get', '/api/plugin-applications', tenant.owner)
          .query({ ...config, limit: 1, ...query })
          .expect(200)
      ).body as { data: { id: string }[]; next_cursor: string | null };
    const page = await pageOf({});
    expect(page.data).toMatchObject([{ id: second }]);
    expect(await pageOf({ cursor: page.next_cursor })).toMatchObject({
      data: [{ id: first }],
      next_cursor: null,
    });
  });
});

describe('an application', () => {
  it('succeeds with its command', async () => {
    const { id, commandId } = await underWay();
    await agent.finish(commandId, { detail: '1 file is written.' });
    expect((await get(id).expect(200)).body).toMatchObject({
      status: 'succeeded',
      detail: '1 file is written.',
      error: null,
      finished_at: expect.any(String),
    });
  });

  it('is read back once plugins have loaded its files, and is complete afterwards', async () => {
    const configId = await createPluginConfig(world, tenant, {
      config_data: JSON.stringify({ gather: { wood: 3, others: { Scrap: 2 } } }),
    });
    const { id, commandId } = await underWay({ plugin_config_id: configId, config_version: 1 });
    await agent.finish(commandId, { detail: '1 file is written.', is_loaded: true });
    expect(await ended(id)).toMatchObject({
      status: 'succeeded',
      is_loaded: true,
      detail: '1 file is written.',
      remarks: [{ pointer: '/gather', detail: 'The server does not have it.' }],
    });
  });

  it.each([
    ['was changed', 'update plugin_config set version = 2 where id = $1', 'is at version 2 now'],
    ['was deleted', 'delete from plugin_config where id = $1', 'The configuration was deleted.'],
  ])('is not read back when its configuration %s meanwhile, and reports this', async (_, change, why) => {
    const configId = await createPluginConfig(world, tenant);
    const { id, commandId } = await underWay({ plugin_config_id: configId, config_version: 1 });
    await world.database.query(change, [configId]);
    await agent.finish(commandId, { is_loaded: true });
    expect(await ended(id)).toMatchObject({
      status: 'succeeded',
      remarks: [{ pointer: '', detail: expect.stringContaining(why) }],
    });
  });

  it('of an outdated version fails and writes nothing', async () => {
    const configId = await createPluginConfig(world, tenant, { version: 2 });
    const { id, commandId } = await underWay({ plugin_config_id: configId, config_version: 1 });
    await agent.finish(commandId, {
      status: 'failed',
      error_code: 'files_changed',
      detail: 'They changed.',
    });
    expect(await ended(id)).toMatchObject({ status: 'failed', error: { code: 'config_changed' } });
  });

  it('ends after a few unexpected failures', async () => {
    // Of a kind that only another version of the platform knows.
    const { id, commandId } = await underWay({ kind: 'unheard-of', config_version: 1, failures: 5 });
    await agent.finish(commandId, {
      status: 'failed',
      error_code: 'files_changed',
      detail: 'They changed.',
    });
    expect(await ended(id)).toMatchObject({ status: 'failed', error: { code: 'internal' } });
  });

  it('fails with its command', async () => {
    const { id, commandId } = await underWay();
    await agent.finish(commandId, {
      status: 'failed',
      error_code: 'plugin_failed',
      detail: 'It does not load.',
    });
    expect((await get(id).expect(200)).body).toMatchObject({
      status: 'failed',
      detail: null,
      error: { code: 'plugin_failed', detail: 'It does not load.' },
    });
  });

  it('is prepared again a few times when files change meanwhile', async () => {
    asked.length = 0;
    refusal = { code: 'busy', detail: 'Too many transfers.' };
    const changed = { status: 'failed', error_code: 'files_changed', detail: 'They changed.' } as const;
    const { id, commandId } = await underWay();
    await agent.finish(commandId, changed);
    // The agent refuses to send the files, which ends the application.
    const now = await ended(id);
    expect(asked).toEqual(['config/GatherManager.json']);
    expect(now).toMatchObject({ status: 'failed', error: { code: 'limit_reached' } });

    const last = await underWay({ attempts: 4 });
    await agent.finish(last.commandId, changed);
    expect((await get(last.id).expect(200)).body).toMatchObject({
      status: 'failed',
      error: { code: 'files_changed' },
    });
  });

  it('returns 404 for an unknown application', async () => {
    const { body } = await get(instanceId).expect(404);
    expect(body).toMatchObject({ code: 'not_found' });
  });
});
