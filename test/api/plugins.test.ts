// Operations of the area `plugins`: the agent's lists, requested changes, and a plugin uploaded to a real
// agent.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { components } from '../../generated/platform.d.ts';
import { AgentProcess } from '../agent/support/agent.ts';
import { sourceOf } from '../agent/support/plugins.ts';
import { connectAcceptingAgent } from '../support/agent.ts';
import { someId } from '../support/contract.ts';
import { createInstance } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Method, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ heartbeatIntervalSeconds: 2 });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

/** An agent that accepts every command, with one running instance. */
const agentWithInstance = () => connectAcceptingAgent(world, tenant, { state: 'running' });

const call = (method: Method, instanceId: string, rest: string) =>
  world.call(method, `/api/instances/${instanceId}/${rest}`, tenant.owner);

const at = '2026-11-21T10:00:00.000Z';
const kits = { name: 'Kits', title: 'Rust Kits', version: '4.4.1', author: 'k1lly0u', file: 'Kits.cs' };
const copy = {
  id: '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b11',
  plugin: 'Kits',
  size: 7,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  kept_at: at,
  expires_at: '2026-12-21T10:00:00.000Z',
};

describe('listPlugins', () => {
  it("returns 200 with the agent's list", async () => {
    const { agent, instanceId } = await agentWithInstance();
    agent.onRequest('plugins', (question) => {
      expect(question).toEqual({ v: 1, host_id: agent.hostId, instance: 'main' });
      const plugins = [
        { ...kits, state: 'loaded' },
        { name: 'Worse', file: 'Worse.cs', state: 'failed', error: 'CS1002: ; expected' },
        { name: 'Core', title: 'Core', state: 'loaded' },
      ];
      return { v: 1, ok: true, at, framework: 'oxide', framework_version: '2.0.6512', plugins };
    });
    await agent.connection.flush();
    const { body } = await call('get', instanceId, 'plugins').expect(200);
    const none = { title: null, version: null, author: null, error: null };
    expect(body).toEqual({
      framework: 'oxide',
      framework_version: '2.0.6512',
      data: [
        { ...kits, state: 'loaded', error: null },
        { ...none, name: 'Worse', file: 'Worse.cs', state: 'failed', error: 'CS1002: ; expected' },
        { ...none, name: 'Core', title: 'Core', file: null, state: 'loaded' },
      ],
      observed_at: at,
    });
    await agent.close();
  });
});

describe('listPluginCopies', () => {
  it('returns 200 with the copies that the agent keeps', async () => {
    const { agent, instanceId } = await agentWithInstance();
    agent.onRequest('plugin-copies', () => ({ v: 1, ok: true, copies: [copy] }));
    await agent.connection.flush();
    const { body } = await call('get', instanceId, 'plugin-copies').expect(200);
    expect(body).toEqual({ data: [copy] });
    await agent.close();
  });
});

describe.each(['plugins', 'plugin-copies'])('the list of %s', (list) => {
  it.each([
    ['not_running', 409, 'instance_not_running'],
    ['not_supported', 409, 'not_supported'],
    ['invalid', 409, 'not_supported'],
    ['game_unreachable', 503, 'game_unreachable'],
  ])(
    "when the agent replies %s: returns %i with %s and the agent's explanation",
    async (error, status, code) => {
      const { agent, instanceId } = await agentWithInstance();
      agent.onRequest(list, () => ({ v: 1, ok: false, error: { code: error, detail: 'A reason.' } }));
      await agent.connection.flush();
      const { body } = await call('get', instanceId, list).expect(status);
      expect(body).toMatchObject({ code, detail: 'A reason.' });
      await agent.close();
    },
  );

  it.each([
    [{ v: 1, ok: true }],
    [{ v: 1, ok: true, at, framework: 'other', framework_version: '1', plugins: [] }],
    [{ v: 1, ok: true, copies: [{ ...copy, plugin: '../Kits' }] }],
  ])('returns 504 when the agent replies %j, which breaks the contract', async (response) => {
    const { agent, instanceId } = await agentWithInstance();
    agent.onRequest(list, () => response);
    await agent.connection.flush();
    const { body } = await call('get', instanceId, list).expect(504);
    expect(body).toMatchObject({ code: 'agent_timeout' });
    await agent.close();
  });

  it('returns 503 when the agent is offline, 404 for an unknown instance', async () => {
    const { body } = await call('get', await createInstance(world, tenant), list).expect(503);
    expect(body).toMatchObject({ code: 'agent_offline' });
    await call('get', someId, list).expect(404);
  });
});

describe.each([
  ['loadPlugin', 'plugins/Kits/load', 'load_plugin', { plugin: 'Kits' }],
  ['unloadPlugin', 'plugins/Kits/unload', 'unload_plugin', { plugin: 'Kits' }],
  ['reloadPlugin', 'plugins/Kits/reload', 'reload_plugin', { plugin: 'Kits' }],
  ['uninstallPlugin', 'plugins/Kits/uninstall', 'uninstall_plugin', { plugin: 'Kits' }],
  ['restorePlugin', `plugin-copies/${copy.id}/restore`, 'restore_plugin', { copy: copy.id }],
] as const)('%s', (operation, rest, verb, args) => {
  it('returns 202 with the command, which reaches the agent, and is in the audit log', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const { body } = await call('post', instanceId, rest).expect(202);
    const command = body as Schemas['Command'];
    expect(command).toMatchObject({ kind: verb, instance_id: instanceId, status: 'queued' });
    const [envelope] = await until(() => agent.commands.length > 0 && agent.commands, 'the command');
    expect(envelope).toMatchObject({ verb, args: { ...args, by: tenant.owner.email } });
    const { body: log } = await world
      .call('get', `/api/audit?target_type=command&target_id=${command.id}`, tenant.owner)
      .expect(200);
    expect((log as Schemas['AuditEntryPage']).data).toMatchObject([
      { operation, action: 'created', after: { kind: verb, args } },
    ]);
    await agent.finish(command.id, { status: 'failed', error_code: 'plugin_failed', detail: 'CS1002' });
    const { body: ended } = await world.call('get', `/api/commands/${command.id}`, tenant.owner).expect(200);
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'plugin_failed', detail: 'CS1002' } });
    await agent.close();
  });

  it('returns 202 once for the same Idempotency-Key', async () => {
    const instanceId = await createInstance(world, tenant);
    const key = randomUUID();
    const send = () => call('post', instanceId, rest).set('Idempotency-Key', key).expect(202);
    const [{ body: first }, { body: again }] = [await send(), await send()];
    expect(again).toEqual(first);
  });

  it('returns 404 for an unknown instance', async () => {
    await call('post', someId, rest).expect(404);
  });
});

describe('names of plugins', () => {
  const names = [
    '*',
    'Kits%20Other',
    '..%2fKits',
    'Kits%3Bquit',
    'Kits%0Aquit',
    'Kits.cs',
    '1Kits',
    'K%C3%AFts',
  ];

  it.each([...names, 'x'.repeat(101)])('returns 400 for %s', async (name) => {
    const instanceId = await createInstance(world, tenant);
    for (const verb of ['load', 'unload', 'reload', 'uninstall'])
      await call('post', instanceId, `plugins/${name}/${verb}`).expect(400);
    await put(instanceId, name, 'class Kits {}').expect(400);
  });
});

const put = (instanceId: string, plugin: string, source: string, query: object = {}) =>
  call('put', instanceId, `plugins/${plugin}`)
    .query(query)
    .set('Content-Type', 'application/octet-stream')
    .set('Prefer', 'wait=10')
    .send(Buffer.from(source) as never);

describe('installPlugin', () => {
  let directory: string;
  let agent: AgentProcess;
  let instanceId: string;
  const sha256 = (source: string) => createHash('sha256').update(source).digest('hex');
  const file = (name: string) => join(directory, 'oxide/plugins', name);

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gantry-plugins-'));
    mkdirSync(join(directory, 'oxide'));
    agent = new AgentProcess(directory);
    agent.configure([{}]);
    agent.start({ GANTRY_URL: world.url, GANTRY_COMPANION_TOKEN: tenant.license.companion_token });
    instanceId = await until(async () => {
      const { body } = await world.call('get', '/api/fleet/instances?limit=100', tenant.owner);
      const { data } = body as Schemas['GameInstancePage'];
      return data.find(({ name, state }) => name === 'main' && state === 'stopped')?.id;
    }, 'the instance');
  });

  afterAll(async () => {
    await agent.end();
    await rm(directory, { recursive: true, force: true });
  });

  it('returns 202 with the command that installs the plugin, and one that replaces it', async () => {
    const { body } = await put(instanceId, 'Kits', sourceOf('Kits'), { sha256: sha256(sourceOf('Kits')) });
    expect(body).toMatchObject({
      kind: 'install_plugin',
      status: 'succeeded',
      detail: 'Kits.cs is in its place. The next start loads it.',
    });
    expect(readFileSync(file('Kits.cs'), 'utf8')).toBe(sourceOf('Kits'));
    expect((await put(instanceId, 'Kits', sourceOf('Kits')).expect(409)).body).toMatchObject({
      code: 'file_exists',
    });
    await put(instanceId, 'Kits', sourceOf('Kits', '2.0.0'), { overwrite: true }).expect(202);
    expect(readFileSync(file('Kits.cs'), 'utf8')).toBe(sourceOf('Kits', '2.0.0'));
    const { body: copies } = await call('get', instanceId, 'plugin-copies').expect(200);
    expect(copies).toMatchObject({ data: [{ plugin: 'Kits', sha256: sha256(sourceOf('Kits')) }] });
  });

  it('returns 422 for an invalid, too large or corrupted plugin, and sends no command', async () => {
    const refused = [
      ['plugin_refused', 'class Other {}', {}],
      ['plugin_refused', '', {}],
      ['file_too_large', `class Fresh {}${' '.repeat(4 * 1024 * 1024)}`, {}],
      ['checksum_mismatch', sourceOf('Fresh'), { sha256: sha256('another') }],
    ] as const;
    for (const [code, source, query] of refused)
      expect((await put(instanceId, 'Fresh', source, query).expect(422)).body).toMatchObject({ code });
    expect(existsSync(file('Fresh.cs'))).toBe(false);
    expect(readdirSync(join(agent.stateDirectory, 'instances/main/plugins')).join()).not.toContain('upload');
    const { body } = await world.call('get', `/api/commands?instance_id=${instanceId}`, tenant.owner);
    expect((body as Schemas['CommandPage']).data.map(({ status }) => status)).not.toContain('failed');
  });

  it('returns 503 when the agent is offline, 404 for an unknown instance', async () => {
    const idle = await createInstance(world, tenant);
    expect((await put(idle, 'Kits', sourceOf('Kits')).expect(503)).body).toMatchObject({
      code: 'agent_offline',
    });
    await put(someId, 'Kits', sourceOf('Kits')).expect(404);
  });

  it('returns 409 for an instance without Oxide and Carbon', async () => {
    await rm(join(directory, 'oxide'), { recursive: true });
    expect((await put(instanceId, 'Kits', sourceOf('Kits')).expect(409)).body).toMatchObject({
      code: 'not_supported',
    });
  });
});
