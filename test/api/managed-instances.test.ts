// Operations of the area `managed-instances`, by a real agent: instances created from templates, updated and
// removed.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { components } from '../../generated/platform.d.ts';
import { AgentProcess } from '../agent/support/agent.ts';
import { gameFile } from '../agent/support/game-file.ts';
import { TestAgent } from '../support/agent.ts';
import { someId } from '../support/contract.ts';
import { createHost, createInstance } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Method, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;
let tenant: Tenant;
let agent: AgentProcess;
let base: string;
let hostId: string;

beforeAll(async () => {
  world = await World.create({ heartbeatIntervalSeconds: 2 });
  tenant = await world.createTenant();
  agent = new AgentProcess(await mkdtemp(join(tmpdir(), 'gantry-managed-')));
  base = join(agent.directory, 'managed');
  mkdirSync(join(agent.directory, 'files'));
  configure();
  startAgent();
  hostId = await until(async () => {
    const { body } = await call('get', '/api/fleet/instances');
    return (body as Schemas['GameInstancePage']).data.find(({ state }) => state !== 'offline')?.host_id;
  }, 'the host');
  await until(async () => (await templates()).max_instances, 'the templates');
});
afterAll(async () => {
  await agent.end('SIGKILL');
  for (const pid of agent.allStarts()) killed(pid);
  await world.close();
  await rm(agent.directory, { recursive: true, force: true });
});

function configure(): void {
  agent.configure([{ cwd: join(agent.directory, 'files') }], {
    managed_instances: {
      base_directory: base,
      maximum: 2,
      templates: {
        game: {
          description: 'A plain game',
          game: 'openttd',
          command: process.execPath,
          args: [gameFile, '--port', '{{port}}', '{{title}}'],
          env: { STARTS_FILE: join(agent.directory, 'starts-{{name}}.txt') },
          ready_after_seconds: 20,
          ready_pattern: 'started ',
          stop_grace_seconds: 5,
          parameters: {
            port: { type: 'port', minimum: 3979, maximum: 3989 },
            title: { type: 'text', max_length: 30, default: 'A server' },
          },
        },
      },
    },
  });
}

function startAgent(): void {
  agent.start({ GANTRY_URL: world.url, GANTRY_COMPANION_TOKEN: tenant.license.companion_token });
}

const call = (method: Method, path: string, member = tenant.owner) => world.call(method, path, member);
const ofHost = (method: Method, rest: string, id = hostId) => call(method, `/api/fleet/hosts/${id}${rest}`);
const definition = (method: Method, id: string) => call(method, `/api/fleet/instances/${id}/definition`);
const templates = async () =>
  (await ofHost('get', '/instance-templates').expect(200)).body as Schemas['InstanceTemplateList'];

/** The command once it has ended. */
async function ended(response: ReturnType<typeof call>): Promise<Schemas['Command']> {
  const { body } = await response.set('Prefer', 'wait=10').expect(202);
  return until(async () => {
    const { body: command } = await call('get', `/api/commands/${(body as Schemas['Command']).id}`).expect(
      200,
    );
    return (command as Schemas['Command']).finished_at !== null && (command as Schemas['Command']);
  }, 'the end of the command');
}

const create = (body: object) => ended(ofHost('post', '/instances').send(body));

async function created(body: object): Promise<string> {
  const command = await create(body);
  expect(command).toMatchObject({ status: 'succeeded', error: null });
  return String(command.instance_id);
}

const instanceOf = async (id: string) =>
  (await call('get', `/api/fleet/instances/${id}`).expect(200)).body as Schemas['GameInstance'];

async function removed(id: string, query = ''): Promise<void> {
  const command = await ended(call('delete', `/api/fleet/instances/${id}/definition${query}`));
  expect(command).toMatchObject({ status: 'succeeded', instance_id: null });
}

it('lists the templates the agent offers', async () => {
  expect(await templates()).toEqual({
    max_instances: 2,
    data: [
      {
        name: 'game',
        description: 'A plain game',
        game: 'openttd',
        parameters: [
          { name: 'port', type: 'port', minimum: 3979, maximum: 3989 },
          { name: 'title', type: 'text', max_length: 30, default: 'A server' },
        ],
      },
    ],
  });
});

it('creates, starts, types at, updates, stops and removes an instance', async () => {
  const id = await created({ name: 'event', template: 'game', parameters: { title: 'One' } });
  expect(await instanceOf(id)).toMatchObject({ name: 'event', managed_by: 'platform', state: 'stopped' });
  const shown = await definition('get', id).expect(200);
  expect(shown.body).toEqual({
    template: 'game',
    parameters: { port: '3979', title: 'One' },
    version: 1,
    problem: null,
  });
  expect(shown.headers['etag']).toBe('"1"');

  expect(await ended(call('post', `/api/instances/${id}/start`))).toMatchObject({ status: 'succeeded' });
  await until(async () => (await instanceOf(id)).state === 'running', 'the instance running');
  const ticket = await call('post', `/api/instances/${id}/console-tickets`);
  expect(ticket.status).toBe(201);
  const refused = await call('delete', `/api/fleet/instances/${id}/definition`).expect(409);
  expect(refused.body).toMatchObject({ code: 'still_online' });

  await definition('patch', id)
    .set('If-Match', '"7"')
    .send({ parameters: { title: 'Two' } })
    .expect(412);
  const change = definition('patch', id)
    .set('If-Match', '"1"')
    .send({ parameters: { title: 'Two' } });
  expect(await ended(change)).toMatchObject({ status: 'succeeded', instance_id: id });
  expect((await definition('get', id)).body).toMatchObject({
    parameters: { port: '3979', title: 'Two' },
    version: 2,
  });

  await ended(call('post', `/api/instances/${id}/stop`));
  writeFileSync(join(base, 'event', 'save.db'), 'world');
  await removed(id);
  await call('get', `/api/fleet/instances/${id}`).expect(404);
  expect(existsSync(join(base, 'event', 'save.db'))).toBe(true);
  const again = await created({ name: 'event', template: 'game' });
  expect(again).not.toBe(id);
  await removed(again, '?delete_files=true');
  await until(() => !existsSync(join(base, 'event')), 'the removal of its files');
});

it.each([
  ['a name that leads elsewhere', { name: '../x' }, '/name'],
  ['a template that the file does not have', { template: 'other' }, '/template'],
  ['a parameter that the template does not have', { parameters: { exec: 'x' } }, '/parameters/exec'],
  ['a value that would be an option', { parameters: { title: '-rm' } }, '/parameters/title'],
  ['a second line', { parameters: { title: 'one\ntwo' } }, '/parameters/title'],
  ['a path', { parameters: { title: 'a/b' } }, '/parameters/title'],
  ['a value of 10 KB', { parameters: { title: 'x'.repeat(10_240) } }, '/parameters/title'],
  ['a port beyond the range', { parameters: { port: '22' } }, '/parameters/port'],
  ['a directory', { directory: '/etc' }, '/directory'],
])('returns 400 for %s', async (_what, changes, pointer) => {
  const { body } = await ofHost('post', '/instances')
    .send({ name: 'event', template: 'game', ...changes })
    .expect(400);
  expect(body).toMatchObject({ code: 'validation_failed', errors: [{ pointer }] });
});

it('returns 409 name_taken for the name of an existing or pending instance', async () => {
  const send = (name: string) => ofHost('post', '/instances').send({ name, template: 'game' });
  expect((await send('main').expect(409)).body).toMatchObject({ code: 'name_taken' });
  const responses = await Promise.all([send('twin'), send('twin')]);
  expect(responses.map(({ status }) => status).toSorted()).toEqual([202, 409]);
  const id = await until(async () => {
    const { body } = await call('get', '/api/fleet/instances');
    return (body as Schemas['GameInstancePage']).data.find(({ name }) => name === 'twin')?.id;
  }, 'the one instance');
  await until(async () => (await instanceOf(id)).state === 'stopped', 'its state');
  await until(async () => (await openCommands()) === 0, 'the command to end');
  await removed(id);
});

const openCommands = async () => {
  const { body } = await call('get', '/api/commands');
  return (body as Schemas['CommandPage']).data.filter(({ finished_at }) => finished_at === null).length;
};

it('fails with an explanation when a port is used by another instance', async () => {
  const id = await created({ name: 'first', template: 'game', parameters: { port: '3985' } });
  expect(await create({ name: 'second', template: 'game', parameters: { port: '3985' } })).toMatchObject({
    status: 'failed',
    instance_id: null,
    error: {
      code: 'invalid',
      detail: expect.stringContaining('port 3985 is already used by the instance "first"'),
    },
  });
  await removed(id);
});

it("returns 409 limit_reached beyond the maximum of the agent's file", async () => {
  const ids = [
    await created({ name: 'a', template: 'game' }),
    await created({ name: 'b', template: 'game' }),
  ];
  const { body } = await ofHost('post', '/instances').send({ name: 'c', template: 'game' }).expect(409);
  expect(body).toMatchObject({ code: 'limit_reached' });
  for (const id of ids) await removed(id);
});

it('repeats the first response for the same idempotency key', async () => {
  const key = randomUUID();
  const send = () =>
    ofHost('post', '/instances')
      .set('Idempotency-Key', key)
      .send({ name: 'once', template: 'game' })
      .expect(202);
  const [first, second] = [await send(), await send()];
  expect((second.body as Schemas['Command']).id).toBe((first.body as Schemas['Command']).id);
  const { instance_id: id } = await until(async () => {
    const { body } = await call('get', `/api/commands/${(first.body as Schemas['Command']).id}`);
    return (body as Schemas['Command']).finished_at !== null && (body as Schemas['Command']);
  }, 'its end');
  await removed(String(id));
});

it('waits for an offline agent, and continues from its record after it was killed', async () => {
  const id = await created({ name: 'kept', template: 'game' });
  await agent.end('SIGKILL');
  const { body } = await definition('patch', id)
    .send({ parameters: { title: 'Later' } })
    .expect(202);
  expect(body).toMatchObject({ finished_at: null });
  startAgent();
  await until(async () => {
    const { body: now } = await definition('get', id);
    return (now as Schemas['InstanceDefinition']).version === 2;
  }, 'the change');
  expect((await definition('get', id)).body).toMatchObject({ parameters: { title: 'Later' } });
  await until(async () => (await openCommands()) === 0, 'the command to end');
  await removed(id);
});

describe('instances it does not manage', () => {
  it("returns 409 for an instance from the agent's file, and 404 for its definition", async () => {
    const id = await createInstance(world, tenant, { host_id: hostId });
    expect(await instanceOf(id)).toMatchObject({ managed_by: 'file' });
    await definition('get', id).expect(404);
    for (const request of [definition('patch', id).send({ parameters: {} }), definition('delete', id)]) {
      const { body } = await request.expect(409);
      expect(body).toMatchObject({
        code: 'not_supported',
        detail: expect.stringContaining('configuration file'),
      });
    }
  });

  it('returns 409 with an explanation for a host whose agent reported no templates', async () => {
    const other = await createHost(world, tenant);
    expect((await ofHost('get', '/instance-templates', other).expect(200)).body).toEqual({
      data: [],
      max_instances: 0,
    });
    const { body } = await ofHost('post', '/instances', other)
      .send({ name: 'x', template: 'game' })
      .expect(409);
    expect(body).toMatchObject({ code: 'not_supported', detail: expect.stringContaining('not reported') });
  });

  it('returns 404 for a host and an instance of another license', async () => {
    const outsider = await world.createTenant();
    const foreign = await createInstance(world, tenant, { host_id: hostId });
    const as = (method: Method, path: string) => call(method, path, outsider.owner);
    await as('get', `/api/fleet/hosts/${hostId}/instance-templates`).expect(404);
    await as('post', `/api/fleet/hosts/${hostId}/instances`)
      .send({ name: 'x', template: 'game' })
      .expect(404);
    await as('get', `/api/fleet/instances/${foreign}/definition`).expect(404);
    await as('patch', `/api/fleet/instances/${foreign}/definition`).send({ parameters: {} }).expect(404);
    await as('delete', `/api/fleet/instances/${foreign}/definition`).expect(404);
    await ofHost('get', '/instance-templates', someId).expect(404);
  });
});

describe('what an agent reports', () => {
  const report = (agent: TestAgent, seq: number, names: string[], overrides: object = {}) =>
    agent.request('managed-instances', {
      v: 1,
      boot: agent.boot,
      seq,
      maximum: 5,
      templates: [{ name: 'game', parameters: [] }],
      instances: names.map((name) => ({ name, template: 'game', parameters: {}, version: 1 })),
      ...overrides,
    });
  const names = async (id: string, manager: string) => {
    const { body } = await call('get', `/api/fleet/instances?host_id=${id}`);
    return (body as Schemas['GameInstancePage']).data
      .filter(({ managed_by }) => managed_by === manager)
      .map(({ name }) => name);
  };

  it('is shown by the platform in the order of the reports', async () => {
    const reporter = await TestAgent.connect(world, tenant);
    await reporter.hello([]);
    expect(await report(reporter, 2, ['one', 'two'])).toEqual({ v: 1, ok: true });
    await report(reporter, 1, []);
    expect(await names(reporter.hostId, 'platform')).toEqual(['one', 'two']);
    await report(reporter, 3, ['two']);
    expect(await names(reporter.hostId, 'platform')).toEqual(['two']);
    expect(await names(reporter.hostId, 'file')).toEqual(['one']);
  });

  it('is rejected from another boot, and changes no other host', async () => {
    const reporter = await TestAgent.connect(world, tenant);
    await reporter.hello([]);
    expect(await report(reporter, 1, ['x'], { boot: randomUUID() })).toMatchObject({ ok: false });
    expect(await reporter.mayPublish(reporter.subject('up.managed-instances', hostId))).toBe(false);
  });

  it('does not restore a deleted instance when an older heartbeat arrives late', async () => {
    const reporter = await TestAgent.connect(world, tenant);
    reporter.acceptCommands();
    await reporter.hello(['gone']);
    await report(reporter, 1, ['gone']);
    const late = reporter.heartbeat([{ name: 'gone', state: 'stopped', uptime_seconds: 0 }]);
    const { body } = await call('get', `/api/fleet/instances?host_id=${reporter.hostId}`);
    const [instance] = (body as Schemas['GameInstancePage']).data;
    const response = await definition('delete', String(instance?.id)).expect(202);
    const { id: commandId } = response.body as Schemas['Command'];
    await until(() => reporter.commands.some(({ id }) => id === commandId), 'the command');
    await reporter.finish(commandId);
    reporter.publish('heartbeat', late);
    const fresh = reporter.heartbeat([{ name: 'fresh', state: 'stopped', uptime_seconds: 0 }]);
    reporter.publish('heartbeat', fresh);
    await until(async () => (await names(reporter.hostId, 'file')).includes('fresh'), 'the newer heartbeat');
    expect(await names(reporter.hostId, 'file')).toEqual(['fresh']);
  });
});

function killed(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    return; // it has ended by itself
  }
}
