// Operations of the area `power`: a command is created, reaches its agent, and gets one response however
// often it is requested.
import { randomUUID } from 'node:crypto';
import type { components } from '../../generated/platform.d.ts';
import { connectAcceptingAgent, TestAgent } from '../support/agent.ts';
import { someId } from '../support/contract.ts';
import { createInstance } from '../support/rows.ts';
import { unlessBusy, until } from '../support/until.ts';
import { password, World, type Member, type Tenant } from '../support/world.ts';
import { patient } from '../support/patience.ts';

type Command = components['schemas']['Command'];
type Verb = Command['kind'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create();
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

interface Headers {
  key?: string;
  prefer?: string;
}

function ask(verb: Verb, instanceId: string, { key, prefer }: Headers = {}, member: Member = tenant.owner) {
  const test = world.call('post', `/api/instances/${instanceId}/${verb}`, member);
  if (key !== undefined) test.set('Idempotency-Key', key);
  if (prefer !== undefined) test.set('Prefer', prefer);
  return test;
}

const agentWithInstance = () => connectAcceptingAgent(world, tenant);

const commandsOf = (instanceId: string) =>
  world.database.query<{ id: string }>('select id from command where instance_id = $1 order by id', [
    instanceId,
  ]);

describe.each([
  ['startInstance', 'start'],
  ['stopInstance', 'stop'],
  ['restartInstance', 'restart'],
] as const)('%s', (_id, verb) => {
  it('returns 202 with the command, which reaches the agent on its own subject and names it', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const subjects: string[] = [];
    agent.connection.subscribe(agent.subject('cmd.*'), {
      callback: (_error, { subject }) => void subjects.push(subject),
    });
    await agent.connection.flush();
    const { body } = await ask(verb, instanceId).expect(202);
    const command = body as Command;
    expect(command).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      host_id: agent.hostId,
      instance_id: instanceId,
      kind: verb,
      status: 'queued',
      detail: null,
      error: null,
      output: null,
      requested_by: tenant.owner.email,
      created_at: expect.any(String),
      sent_at: null,
      acknowledged_at: null,
      finished_at: null,
      expires_at: expect.any(String),
    });
    expect(Date.parse(command.expires_at) - Date.parse(command.created_at)).toBeGreaterThan(59 * 60_000);
    const [envelope] = await until(() => agent.commands.length > 0 && agent.commands, 'the command');
    expect(envelope).toEqual({
      v: 1,
      id: command.id,
      host_id: agent.hostId,
      instance: 'main',
      verb,
      args: verb === 'stop' ? { force: false } : {},
      issued_at: command.created_at,
      expires_at: command.expires_at,
    });
    expect(subjects).toEqual([agent.subject(`cmd.${verb}`)]);
    await agent.close();
  });

  it('returns 404 for an unknown instance, and creates no command', async () => {
    await ask(verb, someId).expect(404);
    expect(await commandsOf(someId)).toEqual([]);
  });
});

it('stopInstance with `force` sends the agent the order to kill the process', async () => {
  const { agent, instanceId } = await agentWithInstance();
  await world.call('post', `/api/instances/${instanceId}/stop?force=true`, tenant.owner).expect(202);
  const [envelope] = await until(() => agent.commands.length > 0 && agent.commands, 'the command');
  expect(envelope).toMatchObject({ verb: 'stop', args: { force: true } });
  await world.call('post', `/api/instances/${instanceId}/stop?force=now`, tenant.owner).expect(400);
  await agent.close();
});

describe('commands to one host', () => {
  it('reach it in the order of their requests, each once', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const other = await createInstance(world, tenant, { host_id: agent.hostId });
    const ids: string[] = [];
    for (let index = 0; index < 20; index += 1) {
      const { body } = await ask(
        index % 3 === 0 ? 'stop' : 'start',
        index % 2 === 0 ? instanceId : other,
      ).expect(202);
      ids.push((body as Command).id);
    }
    await until(() => agent.commands.length >= 20, 'all commands');
    expect(agent.commands.map(({ id }) => id)).toEqual(ids);
    await agent.close();
  });

  it('keep that order when several replicas relay them', async () => {
    const { url, stop } = await world.addReplica();
    const { agent, instanceId } = await agentWithInstance();
    const ids: string[] = [];
    for (let index = 0; index < 20; index += 1) {
      const base = index % 2 === 0 ? world.url : (url ?? '');
      const response = await fetch(`${base}/api/instances/${instanceId}/start`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.owner.token}` },
      });
      ids.push(((await response.json()) as Command).id);
    }
    await until(() => agent.commands.length >= 20, 'all commands');
    expect(agent.commands.map(({ id }) => id)).toEqual(ids);
    await Promise.all([agent.close(), stop()]);
  });
});

describe('Idempotency-Key', () => {
  it('returns 202 with the same response for the same request, and the agent is asked once', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const key = randomUUID();
    const { body: first } = await ask('start', instanceId, { key }).expect(202);
    await until(() => agent.commands.length > 0, 'the command');
    const { body: again } = await ask('start', instanceId, { key }).expect(202);
    expect(again).toEqual(first);
    expect(await commandsOf(instanceId)).toHaveLength(1);
    expect(agent.commands).toHaveLength(1);
    await agent.close();
  });

  it('returns 202 with the final state again when the first request waited for it', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const key = randomUUID();
    const taken = finishAtOnce(agent);
    const { body: first } = await ask('start', instanceId, { key, prefer: 'wait=10' }).expect(202);
    expect(first).toMatchObject({ status: 'succeeded' });
    const { body: again } = await ask('start', instanceId, { key, prefer: 'wait=10' }).expect(202);
    expect(again).toEqual(first);
    await taken;
    await agent.close();
  });

  it('returns 422 for the same key in another license of the same user', async () => {
    const key = randomUUID();
    const instanceId = await createInstance(world, tenant);
    await ask('start', instanceId, { key }).expect(202);
    const other = await world.createTenant();
    await world.join(other, tenant.owner.email, 'Owner');
    const { body } = await world
      .call('post', '/auth/login')
      .send({ email: tenant.owner.email, password, license_id: other.license.id })
      .expect(200);
    const elsewhere = {
      ...tenant.owner,
      token: (body as { session: { access_token: string } }).session.access_token,
    };
    await ask('start', instanceId, { key }, elsewhere).expect(422);
  });

  it('returns 422 for another instance', async () => {
    const [one, other] = [await createInstance(world, tenant), await createInstance(world, tenant)];
    const key = randomUUID();
    await ask('start', one, { key }).expect(202);
    const { body } = await ask('start', other, { key }).expect(422);
    expect(body).toMatchObject({ code: 'idempotency_key_reused' });
    expect(await commandsOf(other)).toEqual([]);
  });

  it('returns 202 for the same key with another operation, which has its own keys', async () => {
    const instanceId = await createInstance(world, tenant);
    const key = randomUUID();
    await ask('start', instanceId, { key }).expect(202);
    await ask('stop', instanceId, { key }).expect(202);
    expect(await commandsOf(instanceId)).toHaveLength(2);
  });

  it('returns 202 or 409 for 50 concurrent requests, and creates one command', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const key = randomUUID();
    const responses = await Promise.all(Array.from({ length: 50 }, () => ask('start', instanceId, { key })));
    const good = responses.filter(({ status }) => status === 202);
    expect(good.length).toBeGreaterThanOrEqual(1);
    for (const { status, body } of responses.filter((reply) => !good.includes(reply))) {
      expect([status, body]).toMatchObject([409, { code: 'idempotency_in_flight' }]);
    }
    const commands = await commandsOf(instanceId);
    expect(commands).toHaveLength(1);
    expect(new Set(good.map(({ body }) => (body as Command).id))).toEqual(new Set([commands[0]?.id]));
    await until(() => agent.commands.length > 0, 'the command');
    expect(agent.commands).toHaveLength(1);
    await agent.close();
  });

  it('does not store 404: the key works once the instance exists', async () => {
    const key = randomUUID();
    const instanceId = randomUUID();
    await ask('start', instanceId, { key }).expect(404);
    await createInstance(world, tenant, { id: instanceId });
    await ask('start', instanceId, { key }).expect(202);
  });
});

/** Has the agent complete the next command at once; settles when the platform has processed the result. */
function finishAtOnce(agent: TestAgent): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  agent.acceptCommands(({ id }) => {
    resolve(agent.finish(id, { detail: 'The process runs.' }));
    return { v: 1, id, accepted: true };
  });
  return promise;
}

describe('Prefer', () => {
  it('returns 202 with the final state when the command ends within the given time', async () => {
    const agent = await TestAgent.connect(world, tenant);
    const instanceId = await createInstance(world, tenant, { host_id: agent.hostId });
    const taken = finishAtOnce(agent);
    const { body } = await ask('start', instanceId, { prefer: 'wait=10' }).expect(202);
    await taken;
    expect(body).toMatchObject({ status: 'succeeded', detail: 'The process runs.', error: null });
    expect((body as Command).finished_at).toEqual(expect.any(String));
    await agent.close();
  });

  it('returns 202 with the current state after that time', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const started = performance.now();
    const { body } = await ask('start', instanceId, { prefer: 'wait=1' }).expect(202);
    const took = performance.now() - started;
    expect(body).toMatchObject({ finished_at: null });
    expect(took).toBeGreaterThanOrEqual(1_000);
    expect(took).toBeLessThan(patient(10_000));
    await agent.close();
  });

  it('returns 202 and waits without holding a database connection', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const waiting = Array.from({ length: 30 }, () =>
      ask('start', instanceId, { prefer: 'wait=8' }).expect(202),
    );
    const all = Promise.all(waiting);
    await until(async () => (await commandsOf(instanceId)).length === 30, 'all commands');
    const started = performance.now();
    await world.call('get', '/api/fleet/hosts', tenant.owner).expect(200);
    expect(performance.now() - started).toBeLessThan(patient(7_000));
    for (const { body } of await all) expect(body).toMatchObject({ kind: 'start' });
    await agent.close();
  });

  it.each(['wait=', 'wait=-1', 'wait=1.5', 'wait=soon', 'respond-async', 'return=minimal, x'])(
    'returns 202 at once for %s, which is an unknown preference',
    async (prefer) => {
      const { agent, instanceId } = await agentWithInstance();
      const { body } = await ask('start', instanceId, { prefer }).expect(202);
      // The relay may have sent it before the response was written, and the agent may have acknowledged it.
      expect(['queued', 'sent', 'acknowledged']).toContain((body as Command).status);
      await agent.close();
    },
  );

  it.each(['respond-async, wait=10', 'wait = "60"; x', 'WAIT=10'])(
    'returns 202 with the final state for %s',
    async (prefer) => {
      const { agent, instanceId } = await agentWithInstance();
      const taken = finishAtOnce(agent);
      const { body } = await ask('start', instanceId, { prefer }).expect(202);
      expect(body).toMatchObject({ status: 'succeeded' });
      await taken;
      await agent.close();
    },
  );
});

it('returns 404 when the instance is deleted while the request waits', async () => {
  const instanceId = await createInstance(world, tenant);
  const { status, body } = await world.database.commitWhileWaiting(
    'delete from game_instance where id = $1',
    [instanceId],
    () => ask('start', instanceId),
  );
  expect([status, body]).toMatchObject([404, { code: 'not_found' }]);
});

it('accepts at most a hundred of 130 concurrent commands', async () => {
  const instanceId = await createInstance(world, tenant);
  const start = () => unlessBusy(() => ask('start', instanceId));
  const responses = await Promise.all(Array.from({ length: 130 }, start));
  expect(responses.filter(({ status }) => status === 202)).toHaveLength(100);
  expect(responses.filter(({ status }) => status === 409)).toHaveLength(30);
});

it('returns 409 when a hundred commands wait for the agent, and 202 again once it has acknowledged them', async () => {
  const instanceId = await createInstance(world, tenant);
  const other = await createInstance(world, tenant);
  await world.database.query(
    `insert into command (license_id, host_id, instance_id, kind, expires_at)
     select license_id, host_id, id, 'start', now() + interval '1 hour'
     from game_instance, generate_series(1, 100) where id = $1`,
    [instanceId],
  );
  const { body } = await ask('start', instanceId).expect(409);
  expect(body).toMatchObject({ code: 'limit_reached' });
  await ask('start', other).expect(202);
  await world.database.query(`update command set status = 'acknowledged' where instance_id = $1`, [
    instanceId,
  ]);
  await ask('start', instanceId).expect(202);
});
