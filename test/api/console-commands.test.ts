// Console commands over the API: permissions, refusals, output, and the guarantee that a line is typed at
// most once.
import { randomUUID } from 'node:crypto';
import type { components as busComponents } from '../../generated/agent-bus.d.ts';
import type { components } from '../../generated/platform.d.ts';
import { connectAcceptingAgent } from '../support/agent.ts';
import { someId } from '../support/contract.ts';
import { createInstance, createKeyWithText } from '../support/rows.ts';
import { SimulatedServer } from '../support/simulated-server.ts';
import { until } from '../support/until.ts';
import { World, type Member, type Tenant } from '../support/world.ts';

type Command = components['schemas']['Command'];
type Problem = components['schemas']['Problem'];
type CommandOutput = busComponents['schemas']['CommandOutput'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ heartbeatIntervalSeconds: 300 });
  tenant = await world.createTenant();
});
afterAll(async () => {
  await world.close();
});

const running = { state: 'running', capabilities: ['console_input', 'console_output'] };
const runningServer = (values: object = {}) =>
  connectAcceptingAgent(world, tenant, { ...running, ...values });

const run = (instanceId: string, body: object = { line: 'status' }, member: Member = tenant.owner) =>
  world.call('post', `/api/instances/${instanceId}/console`, member).send(body);

async function get(id: string, member: Member = tenant.owner): Promise<Command> {
  const { body } = await world.call('get', `/api/commands/${id}`, member).expect(200);
  return body as Command;
}

const reached = (id: string, status: Command['status']) =>
  until(async () => {
    const command = await get(id);
    return command.status === status && command;
  }, `the command being ${status}`);

const output: CommandOutput = { text: 'hostname: Main\nplayers : 12', is_truncated: false, source: 'reply' };

const commandCount = async (instanceId: string) => {
  const [row] = await world.database.query<{ count: number }>(
    'select count(*)::int as count from command where instance_id = $1',
    [instanceId],
  );
  return row?.count;
};

describe('runConsoleCommand', () => {
  it('returns 202 with the command, which asks the agent to type the line and report its output', async () => {
    const { agent, instanceId } = await runningServer();
    const { body } = await run(instanceId, { line: '  server.save "a b"' }).expect(202);
    const { id, created_at, expires_at, ...command } = body as Command;
    expect(command).toMatchObject({
      instance_id: instanceId,
      kind: 'type',
      status: 'queued',
      output: null,
      requested_by: tenant.owner.email,
    });
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBeLessThan(15_000);
    await reached(id, 'acknowledged');
    expect(agent.commands.map(({ verb, args }) => [verb, args])).toEqual([
      ['type', { line: '  server.save "a b"', by: tenant.owner.email, wants_output: true }],
    ]);
  });

  it('waits as long as the caller prefers, and then includes the output', async () => {
    const { agent, instanceId } = await runningServer();
    const replying = run(instanceId)
      .set('Prefer', 'wait=10')
      .then(({ body }) => body as Command);
    const { id } = await until(() => agent.commands[0], 'the command');
    await agent.finish(id, { detail: 'Taken.', output });
    const command = await replying;
    expect(command).toMatchObject({ id, status: 'succeeded', detail: 'Taken.', error: null, output });
    expect(await get(id)).toEqual(command);
  });

  it('includes the output of a failed command', async () => {
    const { agent, instanceId } = await runningServer();
    const { body } = await run(instanceId).expect(202);
    const { id } = body as Command;
    await reached(id, 'acknowledged');
    await agent.finish(id, {
      status: 'failed',
      error_code: 'game_refused',
      detail: 'No such command.',
      output,
    });
    expect(await get(id)).toMatchObject({ status: 'failed', error: { code: 'game_refused' }, output });
  });

  it('types the line also when the agent reports no output', async () => {
    for (const capabilities of [null, ['console_input']]) {
      const { agent, instanceId } = await runningServer({ capabilities });
      const { body } = await run(instanceId).expect(202);
      const { id } = body as Command;
      await reached(id, 'acknowledged');
      expect(agent.commands[0]?.args).toEqual({ line: 'status', by: tenant.owner.email });
      await agent.finish(id, { status: 'sent', detail: 'Typed.' });
      expect(await get(id)).toMatchObject({ status: 'sent', detail: 'Typed.', output: null });
    }
  });

  it('is typed once for one key, and repeats the stored response', async () => {
    const { agent, instanceId } = await runningServer();
    const key = randomUUID();
    const ask = (line = 'status') => run(instanceId, { line }).set('Idempotency-Key', key);
    const { body } = await ask().expect(202);
    const { id } = body as Command;
    await reached(id, 'acknowledged');
    await agent.finish(id, { output });
    expect((await ask().expect(202)).body).toMatchObject({ id });
    expect((await ask('quit').expect(422)).body).toMatchObject({ code: 'idempotency_key_reused' });
    expect(agent.commands).toHaveLength(1);
    expect(await commandCount(instanceId)).toBe(1);
  });

  it('adds an audit entry with the line, and none with the output', async () => {
    const { agent, instanceId } = await runningServer();
    const { body, headers } = await run(instanceId, { line: 'ban Aster' }).expect(202);
    const { id } = body as Command;
    await reached(id, 'acknowledged');
    await agent.finish(id, { output });
    const entries = await world.call('get', `/api/audit?target_id=${id}`, tenant.owner).expect(200);
    expect((entries.body as components['schemas']['AuditEntryPage']).data).toMatchObject([
      {
        operation: 'runConsoleCommand',
        action: 'created',
        actor: { label: tenant.owner.email },
        request_id: headers['x-request-id'],
        after: { kind: 'type', args: { line: 'ban Aster' } },
      },
    ]);
    expect(JSON.stringify(entries.body)).not.toContain(output.text.split('\n')[0]);
  });
});

describe('nothing is written when', () => {
  it.each<[string, unknown]>([
    ['there is no line', {}],
    ['it is empty', { line: '' }],
    ['it is blank', { line: '   ' }],
    ['it is two lines', { line: 'status\nquit' }],
    ['it has a carriage return', { line: 'status\rquit' }],
    ['it has a NUL', { line: 'status\0' }],
    ['it has an escape', { line: '\u001b[2J' }],
    ['it has a line separator', { line: 'status\u2028quit' }],
    ['it has half a character', { line: 'status \ud800' }],
    ['it has 1,001 characters', { line: 'x'.repeat(1_001) }],
    ['it has 10 KB', { line: 'x'.repeat(10_240) }],
    ['it is not a text', { line: 7 }],
    ['there is more than a line', { line: 'status', by: 'another user' }],
  ])('%s: returns 400', async (_what, body) => {
    const instanceId = await createInstance(world, tenant, running);
    const reply = await run(instanceId, body as object);
    expect([reply.status, (reply.body as Problem).code]).toEqual([400, 'validation_failed']);
    expect(await commandCount(instanceId)).toBe(0);
  });

  it.each([
    [409, 'instance_not_running', { state: 'stopped' }],
    [409, 'instance_not_running', { state: 'crashed' }],
    [409, 'not_supported', { capabilities: ['players'] }],
    [503, 'agent_offline', { state: 'offline' }],
  ] as const)('the instance cannot take commands: returns %i %s for %j', async (status, code, values) => {
    const instanceId = await createInstance(world, tenant, { ...running, ...values });
    const reply = await run(instanceId);
    expect([reply.status, (reply.body as Problem).code]).toEqual([status, code]);
    expect(await commandCount(instanceId)).toBe(0);
  });

  it('the instance is unknown or of another license: returns 404', async () => {
    const other = await world.createTenant();
    const foreign = await createInstance(world, other, running);
    for (const instanceId of [someId, foreign]) await run(instanceId).expect(404);
    expect(await commandCount(foreign)).toBe(0);
  });

  it('the caller may only watch, or only type: returns 403', async () => {
    const instanceId = await createInstance(world, tenant, running);
    for (const permission of ['console.view', 'console.input']) {
      const member = await world.addMemberWith(tenant, { [permission]: true });
      await run(instanceId, { line: 'status' }, member).expect(403);
      const { key } = await createKeyWithText(world, tenant, { permissions: { [permission]: true } });
      await world
        .call('post', `/api/instances/${instanceId}/console`)
        .set('X-Api-Key', key)
        .send({ line: 'status' })
        .expect(403);
    }
    expect(await commandCount(instanceId)).toBe(0);
  });
});

describe('the output', () => {
  async function ended(): Promise<Command> {
    const { agent, instanceId } = await runningServer();
    const { body } = await run(instanceId, { line: 'find secret' }).expect(202);
    const { id } = body as Command;
    await reached(id, 'acknowledged');
    await agent.finish(id, { detail: '"find secret" replied: the secret', output });
    return get(id);
  }

  it('is shown only to users who can watch the console', async () => {
    const { id } = await ended();
    const watching = await world.addMemberWith(tenant, { 'commands.view': true, 'console.view': true });
    expect(await get(id, watching)).toMatchObject({ output, detail: expect.stringContaining('secret') });
    const counting = await world.addMemberWith(tenant, { 'commands.view': true });
    expect(await get(id, counting)).toMatchObject({ status: 'succeeded', output: null, detail: null });
    const list = await world.call('get', '/api/commands', counting).expect(200);
    expect(JSON.stringify(list.body)).not.toContain('secret');
  });

  it('is left out of lists', async () => {
    const { id } = await ended();
    const { body } = await world.call('get', '/api/commands', tenant.owner).expect(200);
    const listed = (body as components['schemas']['CommandPage']).data.find((command) => command.id === id);
    expect(listed).toMatchObject({ id, kind: 'type' });
    expect(listed).not.toHaveProperty('output');
  });

  it.each([
    ['more than 16 KiB', { text: 'x'.repeat(16_385) }],
    ['what no text may have', { text: 'a\0b' }],
    ['another source', { source: 'rumour' }],
  ])('is rejected from an agent that sends %s', async (_what, change) => {
    const { agent, instanceId } = await runningServer();
    const { body } = await run(instanceId).expect(202);
    const { id } = body as Command;
    await reached(id, 'acknowledged');
    const wrong = { ...output, ...change } as CommandOutput;
    expect(await agent.finish(id, { output: wrong })).toMatchObject({ ok: false });
    expect(await agent.finish(id, { output: { ...output, text: '"'.repeat(16_384) } })).toMatchObject({
      ok: true,
    });
  });
});

it('a line that its agent did not receive in time is never sent, and its command expires', async () => {
  const instanceId = await createInstance(world, tenant, { ...running, name: 'late' });
  const { body } = await run(instanceId).expect(202);
  const { id } = body as Command;
  await world.database.query(`update command set expires_at = now() - interval '1 second' where id = $1`, [
    id,
  ]);
  const { stop } = await world.addReplica();
  await stop();
  expect(await reached(id, 'expired')).toMatchObject({ output: null, acknowledged_at: null });
});

it('a real agent beside a server with RCON reports its reply', async () => {
  const owned = await world.createTenant();
  const server = await SimulatedServer.start(world, owned);
  const status = async (line: string) => {
    const { body } = await run(server.instanceId, { line }, owned.owner).set('Prefer', 'wait=10').expect(202);
    return body as Command;
  };
  const connected = await until(async () => {
    const command = await status('status');
    return command.output?.source === 'reply' && command;
  }, 'the reply over RCON');
  expect(connected).toMatchObject({
    status: 'succeeded',
    detail: 'The line was typed at the console; the game server has taken it.',
    output: {
      text: expect.stringMatching(/^hostname: Simulated Rust server\nplayers : /),
      is_truncated: false,
    },
  });
  expect(await status('no.such.command')).toMatchObject({
    status: 'failed',
    error: { code: 'game_refused' },
    output: { text: "Command 'no.such.command' not found", source: 'reply' },
  });
});
