// Operations of the area `commands`, and the life of a command: offline agents, refusals, deadlines, results.
import { randomUUID } from 'node:crypto';
import type { components as busComponents } from '../../generated/agent-bus.d.ts';
import type { components } from '../../generated/platform.d.ts';
import { TestAgent } from '../support/agent.ts';
import { someId } from '../support/contract.ts';
import { createCommand, createHost, createInstance, dumpLicense } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type Command = components['schemas']['Command'];
type Page = components['schemas']['CommandPage'];
type CommandReply = busComponents['schemas']['CommandReply'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create();
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

async function start(instanceId: string, of: Tenant = tenant): Promise<Command> {
  const { body } = await world.call('post', `/api/instances/${instanceId}/start`, of.owner).expect(202);
  return body as Command;
}

async function get(id: string, of: Tenant = tenant): Promise<Command> {
  const { body } = await world.call('get', `/api/commands/${id}`, of.owner).expect(200);
  return body as Command;
}

/** The command once it has the given status. */
const reached = (id: string, status: Command['status'], ms?: number) =>
  until(
    async () => {
      const command = await get(id);
      return command.status === status && command;
    },
    `the command being ${status}`,
    ms,
  );

async function agentWithInstance(of: Tenant = tenant) {
  const agent = await TestAgent.connect(world, of);
  return { agent, instanceId: await createInstance(world, of, { host_id: agent.hostId, name: 'main' }) };
}

/** Waits for the end of all attempts to send the agent its commands. */
async function relayed({ hostId }: TestAgent): Promise<void> {
  const jobs = () =>
    world.database.query('select from graphile_worker._private_jobs where key = $1', [`relay ${hostId}`]);
  await until(async () => (await jobs()).length === 0, 'the end of the attempts');
}

/** Runs the periodic work now: a starting replica begins with all of it. */
async function comeRound(): Promise<void> {
  const { stop } = await world.addReplica();
  await stop();
}

describe('a command', () => {
  it('goes from queued through acknowledged to succeeded, with the time of each step', async () => {
    const { agent, instanceId } = await agentWithInstance();
    agent.acceptCommands();
    const { id } = await start(instanceId);
    const acknowledged = await reached(id, 'acknowledged');
    expect(acknowledged).toMatchObject({
      sent_at: expect.any(String),
      acknowledged_at: expect.any(String),
      finished_at: null,
    });
    expect(await agent.finish(id, { detail: 'Runs with pid 1.' })).toEqual({ v: 1, ok: true });
    const { created_at, sent_at, acknowledged_at, finished_at, ...ended } = await get(id);
    expect(ended).toMatchObject({ status: 'succeeded', detail: 'Runs with pid 1.', error: null });
    const times = [created_at, sent_at, acknowledged_at, finished_at].map((time) => Date.parse(time ?? ''));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    await agent.close();
  });

  it('that failed has the reason', async () => {
    const { agent, instanceId } = await agentWithInstance();
    agent.acceptCommands();
    const { id } = await start(instanceId);
    await reached(id, 'acknowledged');
    await agent.finish(id, { status: 'failed', error_code: 'start_failed', detail: 'No such file.' });
    expect(await get(id)).toMatchObject({
      status: 'failed',
      detail: null,
      error: { code: 'start_failed', detail: 'No such file.' },
    });
    await agent.close();
  });

  it('keeps its first result', async () => {
    const { agent, instanceId } = await agentWithInstance();
    agent.acceptCommands();
    const { id } = await start(instanceId);
    await reached(id, 'acknowledged');
    await agent.finish(id, { detail: 'first' });
    const first = await get(id);
    expect(
      await agent.finish(id, { status: 'failed', error_code: 'internal', detail: 'second' }),
    ).toMatchObject({ ok: true });
    expect(await get(id)).toEqual(first);
    await agent.close();
  });

  it('whose result arrives before its acknowledgement ends all the same', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const accepted = Promise.withResolvers<void>();
    agent.connection.subscribe(agent.subject('cmd.start'), {
      callback: (_error, message) => {
        const { id } = message.json<{ id: string }>();
        void agent.finish(id).then(() => {
          message.respond(JSON.stringify({ v: 1, id, accepted: true }));
          accepted.resolve();
        });
      },
    });
    await agent.connection.flush();
    const { id } = await start(instanceId);
    await accepted.promise;
    const next = await start(instanceId);
    await reached(next.id, 'succeeded');
    expect(await get(id)).toMatchObject({ status: 'succeeded' });
    await agent.close();
  });
});

/** Less than the five seconds after which stuck commands are looked up. */
const promptlyMs = 4_000;

describe('an offline agent', () => {
  it('leaves the command queued at once, and gets it once, after its hello', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const [one, two] = [await start(instanceId), await start(instanceId)];
    await relayed(agent);
    expect(await get(one.id)).toMatchObject({ status: 'queued', sent_at: null });
    agent.acceptCommands();
    await agent.hello(['main']);
    await reached(two.id, 'acknowledged', promptlyMs);
    expect(agent.commands.map(({ id }) => id)).toEqual([one.id, two.id]);
    await agent.hello(['main']);
    const three = await start(instanceId);
    await reached(three.id, 'acknowledged');
    expect(agent.commands.map(({ id }) => id)).toEqual([one.id, two.id, three.id]);
    await agent.close();
  });

  it('gets it too when it returns under a new connection', async () => {
    const { agent, instanceId } = await agentWithInstance();
    await agent.close();
    const { id } = await start(instanceId);
    const back = await TestAgent.connect(world, tenant, agent.hostname, agent.key);
    back.acceptCommands();
    await back.hello(['main']);
    await reached(id, 'acknowledged', promptlyMs);
    await back.close();
  });
});

describe('cancelCommand', () => {
  const cancel = (id: string, caller = tenant.owner) =>
    world.call('post', `/api/commands/${id}/cancel`, caller);

  it('ends a command that waits for its agent, which never receives it, and records who did', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const [unwanted, wanted] = [await start(instanceId), await start(instanceId)];
    await relayed(agent);
    const { body } = await cancel(unwanted.id).expect(200);
    expect(body).toMatchObject({
      status: 'failed',
      sent_at: null,
      finished_at: expect.any(String),
      error: {
        code: 'cancelled',
        detail: `Cancelled by ${tenant.owner.email} before it was sent to the agent.`,
      },
    });
    await cancel(unwanted.id).expect(200, body as object);
    agent.acceptCommands();
    await agent.hello(['main']);
    await reached(wanted.id, 'acknowledged');
    expect(agent.commands.map(({ id }) => id)).toEqual([wanted.id]);
    const recorded = await world.database.query(
      `select actor_label, action from audit_entry where operation = 'cancelCommand' and target_id = $1`,
      [unwanted.id],
    );
    expect(recorded).toEqual([{ actor_label: tenant.owner.email, action: 'updated' }]);
    await agent.close();
  });

  it('wakes requests that wait for the end of the command', async () => {
    const { instanceId } = await agentWithInstance();
    const waiting = world
      .call('post', `/api/instances/${instanceId}/stop`, tenant.owner)
      .set('Prefer', 'wait=10')
      .expect(202);
    const [replied] = await Promise.all([
      waiting,
      (async () => {
        const id = await until(async () => {
          const [row] = await world.database.query<{ id: string }>(
            `select id from command where instance_id = $1 and status = 'queued' and sent_at is null`,
            [instanceId],
          );
          return row?.id ?? false;
        }, 'the command');
        await until(async () => (await cancel(id)).status === 200, 'the cancellation');
      })(),
    ]);
    expect(replied.body).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
  });

  it.each([
    ['a command that an agent may have received', { status: 'queued', sent_at: new Date() }],
    ['a command on its way', { status: 'sent', sent_at: new Date() }],
    ['a command that was acknowledged', { status: 'acknowledged', sent_at: new Date() }],
    ['a command that has ended', { status: 'expired', finished_at: new Date() }],
    ['a wipe', { status: 'queued', kind: 'wipe' }],
    ['a delivery', { status: 'queued', kind: 'deliver' }],
  ])('refuses %s with 409 command_not_cancellable', async (_what, values) => {
    const id = await createCommand(world, tenant, values);
    const { body } = await cancel(id).expect(409);
    expect(body).toMatchObject({ code: 'command_not_cancellable' });
    const [{ status } = { status: null }] = await world.database.query<{ status: string }>(
      'select status from command where id = $1',
      [id],
    );
    expect(status).toBe(values.status);
  });

  it('needs the permission to request such a command', async () => {
    const member = await world.addMemberWith(tenant, { 'commands.view': true, 'players.manage': true });
    const id = await createCommand(world, tenant, { status: 'queued', kind: 'stop' });
    const { body } = await cancel(id, member).expect(403);
    expect(body).toMatchObject({
      code: 'beyond_own_permissions',
      detail: expect.stringContaining('instances.power'),
    });
    const kick = await createCommand(world, tenant, { status: 'queued', kind: 'kick_player' });
    await cancel(kick, member).expect(200);
  });

  it('is atomic with the relay: an agent receives every command that is not cancelled, and no other', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const ids: string[] = [];
    for (let count = 0; count < 30; count += 1) ids.push((await start(instanceId)).id);
    await relayed(agent);
    agent.acceptCommands();
    const cancelled: string[] = [];
    const cancelAll = async () => {
      for (const id of ids.toReversed()) if ((await cancel(id)).status === 200) cancelled.push(id);
    };
    await Promise.all([agent.hello(['main']), cancelAll()]);
    const received = await until(async () => {
      const sent = agent.commands.map(({ id }) => id);
      return sent.length + cancelled.length >= ids.length && sent;
    }, 'all commands');
    expect(cancelled).not.toEqual([]);
    expect([...received, ...cancelled].toSorted()).toEqual(ids.toSorted());
    await agent.close();
  });
});

describe('an agent that acknowledges', () => {
  it("need not repeat the command's id", async () => {
    const { agent, instanceId } = await agentWithInstance();
    agent.acceptCommands((): CommandReply => ({ v: 1, accepted: true }));
    await agent.connection.flush();
    const { id } = await start(instanceId);
    await reached(id, 'acknowledged');
    await agent.close();
  });
});

describe('an agent that refuses', () => {
  it.each(['unknown_instance', 'expired', 'invalid', 'not_supported'] as const)(
    'for %s fails the command',
    async (reason) => {
      const { agent, instanceId } = await agentWithInstance();
      agent.acceptCommands(({ id }): CommandReply => ({
        v: 1,
        id,
        accepted: false,
        reason,
        detail: 'Because.',
      }));
      await agent.connection.flush();
      const { id } = await start(instanceId);
      expect(await reached(id, 'failed')).toMatchObject({
        error: { code: reason, detail: 'Because.' },
        finished_at: expect.any(String),
        acknowledged_at: null,
      });
      await agent.close();
    },
  );

  it.each([
    ['a reply that is not an object', 'no object'],
    ['one of a later version', { v: 2, accepted: true }],
    ['neither yes nor no', { v: 1, accepted: 'yes' }],
    ['that it takes another command', { v: 1, id: someId, accepted: true }],
  ])(
    'with a reply that breaks the contract, %s, neither ends the command nor blocks others',
    async (_what, reply) => {
      const { agent, instanceId } = await agentWithInstance();
      agent.acceptCommands(() => reply as object);
      await agent.connection.flush();
      const { id } = await start(instanceId);
      await until(() => agent.commands.length > 0, 'the command');
      const other = await agentWithInstance();
      other.agent.acceptCommands();
      await other.agent.connection.flush();
      const prompt = await start(other.instanceId);
      await reached(prompt.id, 'acknowledged', 3_000);
      expect(['queued', 'sent']).toContain((await get(id)).status);
      await Promise.all([agent.close(), other.agent.close()]);
    },
  );
});

describe('agents that never reply', () => {
  it('keep their commands queued after 5 s, and do not delay other hosts', async () => {
    const silent = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { agent, instanceId } = await agentWithInstance();
        agent.connection.subscribe(agent.subject('cmd.>'), { callback: () => undefined });
        await agent.connection.flush();
        return { agent, instanceId };
      }),
    );
    const prompt = await agentWithInstance();
    prompt.agent.acceptCommands();
    await prompt.agent.connection.flush();
    const quiet = await timed(() => start(prompt.instanceId).then(({ id }) => reached(id, 'acknowledged')));

    const waiting = await Promise.all(
      silent.flatMap(({ instanceId }) => [start(instanceId), start(instanceId), start(instanceId)]),
    );
    await until(async () =>
      (await Promise.all(waiting.map(({ id }) => get(id)))).some(({ status }) => status === 'sent'),
    );
    const read = await timed(() => world.call('get', '/api/fleet/hosts?limit=1', tenant.owner).expect(200));
    const busy = await timed(() => start(prompt.instanceId).then(({ id }) => reached(id, 'acknowledged')));
    // Behind the attempts that reach no one, both would take 5 s longer.
    expect(read).toBeLessThan(quiet + 3_000);
    expect(busy).toBeLessThan(quiet * 3 + 3_000);

    const [first] = waiting;
    await until(async () => (await get(first?.id ?? '')).status === 'queued', 'the attempt to end');
    expect(await get(first?.id ?? '')).toMatchObject({
      acknowledged_at: null,
      finished_at: null,
      error: null,
    });
    await Promise.all([...silent, prompt].map(({ agent }) => agent.close()));
  });
});

async function timed(work: () => PromiseLike<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

describe('a command that was sent and never acknowledged', () => {
  it('is sent again with the same id while its host is online', async () => {
    const { agent, instanceId } = await agentWithInstance();
    agent.acceptCommands();
    await agent.connection.flush();
    agent.publish('heartbeat', agent.heartbeat([]));
    await until(
      async () =>
        (await world.call('get', `/api/fleet/hosts/${agent.hostId}`, tenant.owner)).body.status === 'online',
      'the host being online',
    );
    const values = { host_id: agent.hostId, instance_id: instanceId, status: 'sent' };
    const recent = await createCommand(world, tenant, { ...values, sent_at: new Date() });
    const stuck = await createCommand(world, tenant, { ...values, sent_at: new Date(Date.now() - 60_000) });
    await comeRound();
    await reached(stuck, 'acknowledged');
    expect(agent.commands.map(({ id }) => id)).toEqual([recent, stuck]);
    await agent.close();
  });
});

describe('the deadline', () => {
  it('expires a command that no agent acknowledged, and one without a reported result', async () => {
    const past = new Date(Date.now() - 1_000);
    const longPast = new Date(Date.now() - 25 * 3_600_000);
    const queued = await createCommand(world, tenant, { status: 'queued', expires_at: past });
    const sent = await createCommand(world, tenant, { status: 'sent', expires_at: past });
    const running = await createCommand(world, tenant, { status: 'acknowledged', expires_at: past });
    const forgotten = await createCommand(world, tenant, { status: 'acknowledged', expires_at: longPast });
    const waiting = await createCommand(world, tenant, { status: 'queued' });
    await comeRound();
    for (const id of [queued, sent, forgotten]) {
      expect(await reached(id, 'expired')).toMatchObject({ finished_at: expect.any(String), error: null });
    }
    expect((await get(running)).status).toBe('acknowledged');
    expect((await get(waiting)).status).toBe('queued');
  });

  it('withholds a command from an agent that returns after it', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const values = { host_id: agent.hostId, instance_id: instanceId, status: 'queued' };
    const late = await createCommand(world, tenant, { ...values, expires_at: new Date(Date.now() - 1_000) });
    const inTime = await createCommand(world, tenant, values);
    agent.acceptCommands();
    await agent.hello(['main']);
    await reached(inTime, 'acknowledged');
    expect(agent.commands.map(({ id }) => id)).toEqual([inTime]);
    expect((await get(late)).acknowledged_at).toBeNull();
    await agent.close();
  });

  it('yields to a result that arrives after it', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const id = await createCommand(world, tenant, {
      host_id: agent.hostId,
      instance_id: instanceId,
      status: 'expired',
      finished_at: new Date(),
    });
    expect(await agent.finish(id, { detail: 'It did start.' })).toMatchObject({ ok: true });
    expect(await get(id)).toMatchObject({ status: 'succeeded', detail: 'It did start.' });
    await agent.close();
  });
});

describe('a result', () => {
  it('from another host is rejected and changes nothing: of the same license, another license, or for an unknown command', async () => {
    const own = await world.createTenant();
    const { agent, instanceId } = await agentWithInstance(own);
    const id = await createCommand(world, own, { host_id: agent.hostId, instance_id: instanceId });
    const sibling = await TestAgent.connect(world, own);
    const outsider = await TestAgent.connect(world, await world.createTenant());
    const before = await dumpLicense(world, own.license.id);
    for (const foreign of [sibling, outsider]) {
      expect(await foreign.finish(id)).toMatchObject({ ok: false, detail: 'This host has no such command.' });
      expect(await foreign.finish(someId)).toMatchObject({
        ok: false,
        detail: 'This host has no such command.',
      });
    }
    expect(await dumpLicense(world, own.license.id)).toEqual(before);
    await Promise.all([agent, sibling, outsider].map((each) => each.close()));
  });

  it('that breaks the contract is rejected with the reason, counted, and changes nothing', async () => {
    const { agent, instanceId } = await agentWithInstance();
    const id = await createCommand(world, tenant, { host_id: agent.hostId, instance_id: instanceId });
    const before = await get(id);
    const refused = () =>
      world.metric('gantry_bus_messages_total', { kind: 'command-result', outcome: 'refused' });
    const count = await refused();
    const faults = [
      { status: 'done' },
      { error_code: 'nonsense' },
      { detail: 'x'.repeat(1_001) },
      { detail: 'a\u0000b' },
      { detail: '\ud800' },
      { license_id: tenant.license.id },
      { command_id: 'x' },
      { finished_at: 'today' },
    ];
    for (const fault of faults) {
      expect(await agent.finish(id, fault as object)).toMatchObject({
        ok: false,
        detail: expect.stringMatching(/./),
      });
    }
    expect(await get(id)).toEqual(before);
    expect(await refused()).toBe(count + faults.length);
    await agent.close();
  });
});

describe('a revoked license', () => {
  it('has no command relayed, even to an agent that is still connected', async () => {
    const own = await world.createTenant();
    const { agent, instanceId } = await agentWithInstance(own);
    const id = await createCommand(world, own, {
      host_id: agent.hostId,
      instance_id: instanceId,
      status: 'queued',
    });
    await world.database.query(`update license set status = 'revoked' where id = $1`, [own.license.id]);
    agent.acceptCommands();
    expect(await agent.hello(['main'])).toMatchObject({ ok: false });
    await world.database.query(`select graphile_worker.add_job('relay-commands', $1)`, [
      { host_id: agent.hostId },
    ]);
    await until(
      async () =>
        (await world.database.query('select 1 from graphile_worker._private_jobs where attempts = 0'))
          .length === 0,
      'the relay',
    );
    const rows = await world.database.query('select status, sent_at from command where id = $1', [id]);
    expect(rows).toEqual([{ status: 'queued', sent_at: null }]);
    expect(agent.commands).toEqual([]);
    await agent.close();
  });
});

describe('listCommands', () => {
  it('returns 200 newest first, page by page', async () => {
    const own = await world.createTenant();
    const instanceId = await createInstance(world, own);
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) ids.unshift((await start(instanceId, own)).id);
    const seen: string[] = [];
    let query = '?limit=3';
    for (;;) {
      const { body } = await world.call('get', `/api/commands${query}`, own.owner).expect(200);
      const page = body as Page;
      seen.push(...page.data.map(({ id }) => id));
      if (page.next_cursor === null) break;
      query = `?limit=3&cursor=${page.next_cursor}`;
    }
    expect(seen).toEqual(ids);
  });

  it('returns 200 filtered by instance and status', async () => {
    const own = await world.createTenant();
    const hostId = await createHost(world, own);
    const [one, two] = [
      await createInstance(world, own, { host_id: hostId }),
      await createInstance(world, own, { host_id: hostId }),
    ];
    const make = (instance_id: string, status: string) =>
      createCommand(world, own, { host_id: hostId, instance_id, status });
    const [a, b, c] = [await make(one, 'failed'), await make(one, 'succeeded'), await make(two, 'failed')];
    const list = async (query: string) => {
      const { body } = await world.call('get', `/api/commands?${query}`, own.owner).expect(200);
      return (body as Page).data.map(({ id }) => id);
    };
    expect(await list(`instance_id=${one}`)).toEqual([b, a]);
    expect(await list('status=failed')).toEqual([c, a]);
    expect(await list(`instance_id=${two}&status=succeeded`)).toEqual([]);
    expect(await list(`instance_id=${randomUUID()}`)).toEqual([]);
  });
});

describe('getCommand', () => {
  it('returns 404 for an unknown command', async () => {
    await world.call('get', `/api/commands/${someId}`, tenant.owner).expect(404);
  });
});
