// Operations of the area `agents`, and the limits of an agent's credentials on the bus: its own host only.
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { components } from '../../generated/agent-bus.d.ts';
import {
  connectBus,
  connectMonitor,
  createAgentKey,
  openSession,
  TestAgent,
  type AgentSession,
} from '../support/agent.ts';
import { createCommand, createInstance, dumpLicense } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type BusSchemas = components['schemas'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create();
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

/** Owning the seed matters only on the bus. */
const somePublicKey = 'UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4';
const newPublicKey = () => createAgentKey().publicKey;

const open = (hostname: string, publicKey = newPublicKey(), { license }: Tenant = tenant) =>
  openSession(world, license.companion_token, hostname, publicKey);

const opened = async (hostname: string, publicKey?: string, of?: Tenant) =>
  (await open(hostname, publicKey, of).expect(200)).body as AgentSession;

const uniqueHostname = () => `host-${randomUUID().slice(0, 8)}`;

const setStatus = ({ license }: Tenant, status: string) =>
  world.call('patch', `/api/admin/licenses/${license.id}`, world.admin).send({ status }).expect(200);

/** Connects and closes again; rejects when the broker refuses. */
async function tryToConnect(session: AgentSession, seed: Uint8Array): Promise<void> {
  const connection = await connectBus(world, session, seed, { reconnect: false });
  await connection.flush();
  await connection.close();
}

describe('createAgentSession', () => {
  it('returns 200 with the host and credentials valid for fifteen minutes', async () => {
    const before = Date.now();
    const publicKey = newPublicKey();
    const session = await opened(uniqueHostname(), publicKey);
    expect(session).toEqual({
      host_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      heartbeat_interval_seconds: 10,
      server_time: expect.any(String),
      bus: {
        urls: [world.nats.url],
        jwt: expect.any(String),
        expires_at: expect.any(String),
        prefix: 'gantry',
      },
    });
    const lifetimeMs = Date.parse(session.bus.expires_at) - before;
    expect(lifetimeMs).toBeGreaterThan(14 * 60_000);
    expect(lifetimeMs).toBeLessThan(16 * 60_000);
    const [, payload = ''] = session.bus.jwt.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
      exp: number;
      sub: string;
      nats: object;
    };
    expect(claims).toMatchObject({ sub: publicKey, nats: { tags: [`host:${session.host_id}`] } });
    expect(claims.exp).toBe(Math.floor(Date.parse(session.bus.expires_at) / 1000));
    expect(claims.nats).not.toHaveProperty('pub');
  });

  it('returns 200 with the same host for the same name, and another host for another name or license', async () => {
    const hostname = uniqueHostname();
    const publicKey = newPublicKey();
    const first = await opened(hostname, publicKey);
    expect((await opened(hostname, publicKey)).host_id).toBe(first.host_id);
    expect((await opened(uniqueHostname())).host_id).not.toBe(first.host_id);
    const other = await world.createTenant();
    const foreign = await opened(hostname, newPublicKey(), other);
    expect(foreign.host_id).not.toBe(first.host_id);
    await world.call('get', `/api/fleet/hosts/${foreign.host_id}`, other.owner).expect(200);
    await world.call('get', `/api/fleet/hosts/${foreign.host_id}`, tenant.owner).expect(404);
  });

  it('returns 200 with one host for 20 concurrent calls', async () => {
    const hostname = uniqueHostname();
    const publicKey = newPublicKey();
    const responses = await Promise.all(Array.from({ length: 20 }, () => open(hostname, publicKey)));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(responses.map(({ body }) => (body as AgentSession).host_id)).size).toBe(1);
    expect(
      await world.database.query('select 1 from agent_host where hostname = $1', [hostname]),
    ).toHaveLength(1);
  });

  it('returns 200 and lists the host as offline with its reported version until the first heartbeat', async () => {
    const hostname = uniqueHostname();
    const publicKey = newPublicKey();
    const { host_id } = await opened(hostname, publicKey);
    const { body } = await world.call('get', `/api/fleet/hosts/${host_id}`, tenant.owner).expect(200);
    expect(body).toMatchObject({
      hostname,
      status: 'offline',
      agent_version: '0.0.0-test',
      cpu_percent: null,
    });
    await world
      .call('post', '/api/agent/session', { token: tenant.license.companion_token })
      .send({ hostname, public_key: publicKey, agent_version: '2.0.0', platform: 'win32-x64' })
      .expect(200);
    const { body: later } = await world.call('get', `/api/fleet/hosts/${host_id}`, tenant.owner).expect(200);
    expect(later).toMatchObject({ agent_version: '2.0.0', platform: 'win32-x64' });
  });

  it('returns 409 for host 1,001 of a license, and 200 for known hosts', async () => {
    const full = await world.createTenant();
    await world.database.query(
      `insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key)
       select $1, 'host-' || n, 'linux-x64', '1', 'key ' || n || gen_random_uuid() from generate_series(1, 998) as n`,
      [full.license.id],
    );
    const known = newPublicKey();
    await open('known', known, full).expect(200);
    const [one, other] = await Promise.all([
      open('new-1', newPublicKey(), full),
      open('new-2', newPublicKey(), full),
    ]);
    expect([one.status, other.status].toSorted()).toEqual([200, 409]);
    const refused = one.status === 409 ? one : other;
    expect(refused.body).toMatchObject({ code: 'limit_reached' });
    await open('known', known, full).expect(200);
  });

  it('returns 401 for a wrong token and a license key', async () => {
    for (const token of ['wrong', `${tenant.license.companion_token}x`, tenant.license.key]) {
      const { body } = await openSession(world, token, uniqueHostname(), somePublicKey).expect(401);
      expect(body).toMatchObject({ code: 'unauthorized' });
    }
  });

  it("returns 403 for a user's access token", async () => {
    for (const token of [tenant.owner.token, world.admin.token]) {
      const { body } = await openSession(world, token, uniqueHostname(), somePublicKey).expect(403);
      expect(body).toMatchObject({ code: 'forbidden' });
    }
  });

  it('returns 403 while the license is revoked', async () => {
    const own = await world.createTenant();
    await setStatus(own, 'revoked');
    const { body } = await open('a', newPublicKey(), own).expect(403);
    expect(body).toMatchObject({ code: 'license_revoked' });
    await setStatus(own, 'active');
    await open('a', newPublicKey(), own).expect(200);
  });

  it('returns 409 for the key of another host, in this license or another, and that host keeps the key', async () => {
    const other = await world.createTenant();
    const victim = await TestAgent.connect(world, other);
    const attackers = [
      { hostname: uniqueHostname(), of: tenant },
      { hostname: victim.hostname, of: tenant },
      { hostname: uniqueHostname(), of: other },
    ];
    for (const { hostname, of } of attackers) {
      const refused = async (code: string) => {
        const { body } = await open(hostname, victim.key.publicKey, of).expect(409);
        expect(body).toMatchObject({ code });
        expect(JSON.stringify(body)).not.toContain(victim.hostId);
      };
      await refused('public_key_taken');
      const own = newPublicKey();
      await opened(hostname, own, of);
      await refused('hostname_taken');
      await opened(hostname, own, of);
    }
    expect(
      await world.database.query('select 1 from bus_revocation where public_key = $1', [
        victim.key.publicKey,
      ]),
    ).toEqual([]);
    await tryToConnect(victim.session, victim.key.seed);
    expect(await victim.hello()).toMatchObject({ ok: true });
    await victim.close();
  });

  it('returns 200 for one of two hosts that enroll with the same key concurrently', async () => {
    const publicKey = newPublicKey();
    const responses = await Promise.all(
      [tenant, await world.createTenant()].map((of) => open(uniqueHostname(), publicKey, of)),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it.each(['', '*', '>', 'a.*', 'a b', 'a/b', '-a', 'a-', 'ä', 'x'.repeat(254), 'a\u0000'])(
    'returns 400 for the hostname %j',
    async (hostname) => {
      await open(hostname).expect(400);
    },
  );

  it.each([
    ['of an account', `A${somePublicKey.slice(1)}`],
    ['of another alphabet', `${somePublicKey.slice(0, -1)}1`],
    ['that is too short', somePublicKey.slice(0, -1)],
    ['with something behind it', `${somePublicKey}\n`],
    ['with a wrong checksum', `${somePublicKey.slice(0, -1)}5`],
    ['that is none', `U${'A'.repeat(55)}`],
  ])('returns 400 for a public key %s', async (_what, publicKey) => {
    const { body } = await open(uniqueHostname(), publicKey).expect(400);
    expect(body).toMatchObject({ errors: [{ in: 'body', pointer: '/public_key' }] });
  });
});

describe("an agent's credentials", () => {
  let agent: TestAgent;
  let sibling: TestAgent;
  let foreignAgent: TestAgent;

  beforeAll(async () => {
    const other = await world.createTenant();
    agent = await TestAgent.connect(world, tenant);
    sibling = await TestAgent.connect(world, tenant);
    foreignAgent = await TestAgent.connect(world, other);
  });

  afterAll(async () => {
    await Promise.all([agent, sibling, foreignAgent].map((each) => each.close()));
  });

  it('allow subscribing to its own commands, requests and replies', async () => {
    for (const subject of [
      agent.subject('cmd.>'),
      agent.subject('cmd.start'),
      agent.subject('ask.>'),
      `_INBOX_A.${agent.hostId}.>`,
    ]) {
      expect([subject, await agent.maySubscribe(subject)]).toEqual([subject, true]);
    }
  });

  const closed: Record<string, () => string> = {
    "a sibling's commands": () => sibling.subject('cmd.>'),
    "a sibling's questions": () => sibling.subject('ask.>'),
    "a sibling's reports": () => sibling.subject('up.>'),
    "a sibling's replies": () => `_INBOX_A.${sibling.hostId}.>`,
    "a foreign agent's commands": () => foreignAgent.subject('cmd.start'),
    "a foreign agent's requests": () => foreignAgent.subject('ask.console-input'),
    "a foreign agent's console": () => foreignAgent.subject('up.console.main'),
    "a foreign agent's replies": () => `_INBOX_A.${foreignAgent.hostId}.>`,
    'its own reports': () => agent.subject('up.>'),
    'everything of its own host': () => agent.subject('>'),
    "everybody's commands": () => agent.subject('cmd.>', '*'),
    "everybody's questions": () => agent.subject('ask.>', '*'),
    "everybody's heartbeats": () => agent.subject('up.heartbeat', '*'),
    'everything of the platform': () => `${agent.session.bus.prefix}.>`,
    everything: () => '>',
    'everything of one level': () => '*',
    'everything of two levels': () => '*.>',
    "every agent's replies": () => '_INBOX_A.>',
    "the replies to every license's agents": () => '_INBOX_A.*.>',
    "the platform's replies": () => '_INBOX.>',
    "the replicas' talk": () => `${agent.session.bus.prefix}_internal.>`,
    "the server's own events": () => '$SYS.>',
    streams: () => '$JS.>',
    "streams' programming interface": () => '$JS.API.>',
  };

  it.each(Object.keys(closed))('do not allow subscribing to %s', async (what) => {
    expect(await agent.maySubscribe(closed[what]?.() ?? '')).toBe(false);
  });

  it("do not allow taking work from the platform's queue group or sharing a host’s commands", async () => {
    expect(await agent.maySubscribe(agent.subject('up.heartbeat', '*'), 'ingest')).toBe(false);
    expect(await agent.maySubscribe(sibling.subject('cmd.>'), 'x')).toBe(false);
  });

  it('allow publishing reports', async () => {
    const monitor = await connectMonitor(world);
    const heard: string[] = [];
    monitor.subscribe(agent.subject('up.>'), { callback: (_error, { subject }) => void heard.push(subject) });
    await monitor.flush();
    for (const kind of [
      'hello',
      'heartbeat',
      'instance-state',
      'command-result',
      'backups',
      'bye',
      'console.main',
    ]) {
      expect(await agent.mayPublish(agent.subject(`up.${kind}`))).toBe(true);
    }
    await until(() => heard.length === 7, 'all seven messages');
    await monitor.close();
  });

  const shut: Record<string, () => string> = {
    'as a sibling': () => sibling.subject('up.heartbeat'),
    'as a foreign agent': () => foreignAgent.subject('up.hello'),
    "on a foreign agent's console": () => foreignAgent.subject('up.console.main'),
    'as a host that is none': () => agent.subject('up.heartbeat', randomUUID()),
    'a command to itself': () => agent.subject('cmd.start'),
    'a command to a sibling': () => sibling.subject('cmd.stop'),
    'a command to a foreign agent': () => foreignAgent.subject('cmd.stop'),
    'a request to a foreign agent': () => foreignAgent.subject('ask.console-input'),
    'a question to itself': () => agent.subject('ask.console-tail'),
    'a reply to a foreign agent': () => `_INBOX_A.${foreignAgent.hostId}.x`,
    'a reply to itself': () => `_INBOX_A.${agent.hostId}.x`,
    'a reply to the platform': () => '_INBOX.x',
    'news to the replicas': () => `${agent.session.bus.prefix}_internal.access-changed`,
    'a request to the server': () => '$SYS.REQ.SERVER.PING',
    'new keys for the account': () => '$SYS.REQ.CLAIMS.UPDATE',
    'a request for a stream': () => '$JS.API.STREAM.CREATE.x',
    'anything else': () => 'anything.else',
  };

  it.each(Object.keys(shut))('do not allow publishing %s', async (what) => {
    const monitor = await connectMonitor(world);
    const heard: string[] = [];
    const subject = shut[what]?.() ?? '';
    monitor.subscribe(subject, { callback: (_error, message) => void heard.push(message.subject) });
    await monitor.flush();
    expect(await agent.mayPublish(subject, { v: 1 })).toBe(false);
    await monitor.flush();
    expect(heard).toEqual([]);
    await monitor.close();
  });

  it('are useless without the seed of their key', async () => {
    await expect(tryToConnect(agent.session, foreignAgent.key.seed)).rejects.toThrow(/authorization/i);
    await expect(tryToConnect(agent.session, createAgentKey().seed)).rejects.toThrow(/authorization/i);
  });

  it('are useless when altered', async () => {
    const [head, payload = '', signature] = agent.session.bus.jwt.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { nats: object };
    const changed = { ...claims, nats: { ...claims.nats, tags: [`host:${foreignAgent.hostId}`] } };
    const jwt = `${head}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`;
    const session = { ...agent.session, bus: { ...agent.session.bus, jwt } };
    await expect(tryToConnect(session, agent.key.seed)).rejects.toThrow(/authorization/i);
  });
});

describe('a broker that is asked to reply on another subject', () => {
  /** One valid message of each kind that gets a reply, and an invalid one. */
  const requests: Record<string, () => object | string> = {
    hello: (): BusSchemas['Hello'] => ({
      v: 1,
      sent_at: new Date().toISOString(),
      agent_version: '1',
      boot: randomUUID(),
      platform: 'test',
      instances: [],
    }),
    'instance-state': (): BusSchemas['InstanceStateChange'] => ({
      v: 1,
      id: randomUUID(),
      boot: randomUUID(),
      seq: 1,
      instance: 'main',
      state: 'running',
      at: new Date().toISOString(),
    }),
    'command-result': (): BusSchemas['CommandResult'] => ({
      v: 1,
      command_id: randomUUID(),
      status: 'succeeded',
      finished_at: new Date().toISOString(),
    }),
    heartbeat: () => ({ v: 1 }),
    bye: () => 'not JSON',
  };

  it.each(Object.keys(requests))(
    'does not: the reply to %s goes only to an inbox of its sender',
    async (kind) => {
      const [deputy, victim] = [
        await TestAgent.connect(world, tenant),
        await TestAgent.connect(world, tenant),
      ];
      const monitor = await connectMonitor(world);
      const responded: string[] = [];
      for (const subject of ['gantry.*.cmd.>', 'gantry.*.ask.>', '_INBOX_A.>', 'elsewhere']) {
        monitor.subscribe(subject, { callback: (_error, message) => void responded.push(message.subject) });
      }
      await monitor.flush();
      const message = requests[kind]?.() ?? {};
      const text = typeof message === 'string' ? message : JSON.stringify(message);
      const own = `_INBOX_A.${deputy.hostId}.mine`;
      const replies = [
        victim.subject('cmd.start'),
        victim.subject('ask.console-input'),
        `_INBOX_A.${victim.hostId}.x`,
        `_INBOX_A.${deputy.hostId}`,
        `_INBOX_A.${deputy.hostId}x.y`,
        deputy.subject('cmd.start'),
        'elsewhere',
        own,
      ];
      for (const reply of replies) deputy.connection.publish(deputy.subject(`up.${kind}`), text, { reply });
      await until(() => responded.includes(own), 'the reply in its own inbox');
      await monitor.flush();
      expect(responded).toEqual([own]);
      await Promise.all([deputy.close(), victim.close(), monitor.close()]);
    },
  );
});

describe('log volume of a misbehaving agent', () => {
  it('is limited to one line a minute for foreign reply subjects and one for contract violations', async () => {
    const lines: { msg: string }[] = [];
    const log = pino(
      { level: 'warn' },
      { write: (line: string) => void lines.push(JSON.parse(line) as { msg: string }) },
    );
    const logged = await World.create({ log });
    try {
      const own = await logged.createTenant();
      const [agent, victim] = [await TestAgent.connect(logged, own), await TestAgent.connect(logged, own)];
      for (let index = 0; index < 50; index += 1) {
        const reply = `_INBOX_A.${victim.hostId}.${index}`;
        agent.connection.publish(agent.subject('up.hello'), '{}', { reply });
      }
      expect(await agent.hello()).toMatchObject({ ok: true });
      const count = (msg: string) => lines.filter((line) => line.msg === msg).length;
      expect(count('an agent asked for a reply at another inbox')).toBe(1);
      expect(count('a message of an agent was refused')).toBe(1);
      await Promise.all([agent.close(), victim.close()]);
    } finally {
      await logged.close();
    }
  });
});

describe('messages in the name of another host', () => {
  it('are rejected by the broker for every kind and change nothing', async () => {
    const other = await world.createTenant();
    const [agent, victim] = [await TestAgent.connect(world, tenant), await TestAgent.connect(world, other)];
    const instanceId = await createInstance(world, other, {
      host_id: victim.hostId,
      name: 'main',
      state: 'running',
    });
    const commandId = await createCommand(world, other, { host_id: victim.hostId, instance_id: instanceId });
    const before = await dumpLicense(world, other.license.id);
    const now = new Date().toISOString();
    const messages: Record<string, object> = {
      hello: { v: 1, sent_at: now, agent_version: 'x', boot: randomUUID(), platform: 'x', instances: [] },
      heartbeat: agent.heartbeat([{ name: 'main', state: 'crashed', uptime_seconds: 0 }]),
      'instance-state': {
        v: 1,
        id: randomUUID(),
        boot: agent.boot,
        seq: 9,
        instance: 'main',
        state: 'crashed',
        at: now,
      },
      'command-result': { v: 1, command_id: commandId, status: 'succeeded', finished_at: now },
      bye: { v: 1, sent_at: now, boot: randomUUID(), reason: 'x' },
      'console.main': {
        v: 1,
        instance: 'main',
        boot: agent.boot,
        lines: [{ seq: 1, at: now, stream: 'stdout', text: 'x' }],
      },
    };
    for (const [kind, message] of Object.entries(messages)) {
      expect([kind, await agent.mayPublish(victim.subject(`up.${kind}`), message)]).toEqual([kind, false]);
    }
    // Its own subject with the other host's ids in the message: the subject decides.
    expect(await agent.request('command-result', messages['command-result'] ?? {})).toMatchObject({
      ok: false,
    });
    expect(await dumpLicense(world, other.license.id)).toEqual(before);
    await Promise.all([agent.close(), victim.close()]);
  });
});

describe('an enrolled host', () => {
  const resetKey = (hostId: string, by = tenant.owner) =>
    world.call('post', `/api/fleet/hosts/${hostId}/reset-key`, by);
  const refusedAs = async (code: string, hostname: string, publicKey: string) => {
    const { body } = await open(hostname, publicKey).expect(409);
    expect(body).toMatchObject({ code, detail: expect.stringContaining(hostname) });
  };

  it('cannot be taken over: a second machine of its name gets an explained refusal, and the first stays connected', async () => {
    const first = await TestAgent.connect(world, tenant);
    await refusedAs('hostname_taken', first.hostname, newPublicKey());
    expect(
      await world.database.query('select 1 from bus_revocation where public_key = $1', [first.key.publicKey]),
    ).toEqual([]);
    expect(await first.hello()).toMatchObject({ ok: true });
    expect((await opened(first.hostname, first.key.publicKey)).host_id).toBe(first.hostId);
    await first.close();
  });

  it('belongs to one of two machines that enroll with one name concurrently', async () => {
    const hostname = uniqueHostname();
    const responses = await Promise.all(Array.from({ length: 6 }, () => open(hostname)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(5).fill(409)]);
  });

  it('keeps its connection when it requests a session again with the same key', async () => {
    const agent = await TestAgent.connect(world, tenant);
    const session = await opened(agent.hostname, agent.key.publicKey);
    expect(session.host_id).toBe(agent.hostId);
    await tryToConnect(session, agent.key.seed);
    expect(await agent.hello()).toMatchObject({ ok: true });
    await agent.close();
  });

  it('gets one new key after a reset: the old one is disconnected within 2 s and never works again', async () => {
    const old = await TestAgent.connect(world, tenant);
    const { body } = await resetKey(old.hostId).expect(200);
    const { key_reset_expires_at } = body as { key_reset_expires_at: string };
    expect(Date.parse(key_reset_expires_at) - Date.now()).toBeGreaterThan(59 * 60_000);
    expect(Date.parse(key_reset_expires_at) - Date.now()).toBeLessThan(61 * 60_000);
    await cutOff(old);
    await refusedAs('host_key_revoked', old.hostname, old.key.publicKey);
    const next = await TestAgent.connect(world, tenant, old.hostname);
    expect(next.hostId).toBe(old.hostId);
    expect(await next.hello()).toMatchObject({ ok: true });
    await expect(tryToConnect(old.session, old.key.seed)).rejects.toThrow(/authorization/i);
    for (const key of [old.key.publicKey, newPublicKey()])
      await refusedAs('hostname_taken', old.hostname, key);
    const { body: host } = await world
      .call('get', `/api/fleet/hosts/${old.hostId}`, tenant.owner)
      .expect(200);
    expect(host).toMatchObject({ key_reset_expires_at: null });
    const { body: log } = await world
      .call('get', `/api/events?type=host.*&subject_id=${old.hostId}&order=asc`, tenant.owner)
      .expect(200);
    expect((log as { data: { type: string }[] }).data.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['host.enrolled', 'host.key_reset', 'host.key_replaced']),
    );
    await next.close();
  });

  it('is given to one of several machines that enroll after a reset', async () => {
    const hostname = uniqueHostname();
    const { host_id } = await opened(hostname);
    await resetKey(host_id).expect(200);
    const responses = await Promise.all(Array.from({ length: 6 }, () => open(hostname)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(5).fill(409)]);
  });

  it('accepts no key after the reset window until it is reset again', async () => {
    const hostname = uniqueHostname();
    const old = newPublicKey();
    const { host_id } = await opened(hostname, old);
    await resetKey(host_id).expect(200);
    await world.database.query('update agent_host set key_reset_expires_at = now() where id = $1', [host_id]);
    await refusedAs('hostname_taken', hostname, newPublicKey());
    await refusedAs('host_key_revoked', hostname, old);
    await resetKey(host_id).expect(200);
    await opened(hostname);
  });

  it('has the user who reset its key in the audit log', async () => {
    const { host_id } = await opened(uniqueHostname());
    await resetKey(host_id).expect(200);
    const entries = await world.database.query(
      `select actor_label, before ->> 'key_reset_expires_at' as before, after ->> 'key_reset_expires_at' as after
       from audit_entry where operation = 'resetHostKey' and target_id = $1`,
      [host_id],
    );
    expect(entries).toEqual([{ actor_label: tenant.owner.email, before: null, after: expect.any(String) }]);
  });

  it('returns 404 for a host of another license and 403 for a member without the fleet permission', async () => {
    const { host_id } = await opened(uniqueHostname());
    const other = await world.createTenant();
    await resetKey(host_id, other.owner).expect(404);
    await resetKey(host_id, await world.addMemberWith(tenant, { 'fleet.view': true })).expect(403);
  });

  it('returns 409 for key reset 201 of a license within fifteen minutes', async () => {
    const own = await world.createTenant();
    const { host_id } = await opened(uniqueHostname(), newPublicKey(), own);
    await world.database.query(
      `insert into bus_revocation (public_key, caused_by) select 'key ' || n || gen_random_uuid(), $1::uuid
       from generate_series(1, 200) as n`,
      [own.license.id],
    );
    const { body } = await resetKey(host_id, own.owner).expect(409);
    expect(body).toMatchObject({ code: 'limit_reached' });
  });
});

describe('a host that floods the bus', () => {
  it('is disconnected within seconds while messages of other hosts are processed', async () => {
    const own = await world.createTenant();
    const [flooder, bystander, neighbour] = [
      await TestAgent.connect(world, own),
      await TestAgent.connect(world, own),
      await TestAgent.connect(world, await world.createTenant()),
    ];
    const gone = flooder.connection.closed();
    let isGone = false;
    void gone.then(() => (isGone = true));
    const flood = setInterval(() => {
      for (let index = 0; index < 1_000 && !isGone; index += 1) flooder.publish('heartbeat', '{}');
    }, 20);
    world.atEnd(async () => clearInterval(flood));
    for (let beat = 0; beat < 5; beat += 1) expect(await neighbour.hello()).toMatchObject({ ok: true });
    await cutOff(flooder, 20_000);
    clearInterval(flood);
    expect(await neighbour.hello()).toMatchObject({ ok: true });
    // The host and new hosts of its license are blocked for a time; other hosts of the license connect, and
    // its key stays valid.
    const again = await open(flooder.hostname, flooder.key.publicKey, own).expect(429);
    expect(again.body).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining('60 seconds') });
    expect(again.headers).toMatchObject({ 'retry-after': '60' });
    const other = await open(uniqueHostname(), newPublicKey(), own).expect(429);
    expect(other.body).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining('5 minutes') });
    await open(bystander.hostname, bystander.key.publicKey, own).expect(200);
    const passMinutes = (minutes: number) =>
      world.database.query(
        'update agent_host set flooded_at = now() - make_interval(mins => $1) where id = $2',
        [minutes, flooder.hostId],
      );
    await passMinutes(2);
    await until(async () => {
      const session = await opened(flooder.hostname, flooder.key.publicKey, own);
      return tryToConnect(session, flooder.key.seed).then(
        () => true,
        () => false,
      );
    }, 'the host to connect again');
    await open(uniqueHostname(), newPublicKey(), own).expect(429);
    await passMinutes(6);
    await open(uniqueHostname(), newPublicKey(), own).expect(200);
    await bystander.close();
    await neighbour.close();
  });
});

describe('a message larger than the maximum of its kind', () => {
  const sizes: Record<string, number> = {
    hello: 32,
    heartbeat: 512,
    'instance-state': 8,
    'command-result': 64,
    'wipe-status': 16,
    bye: 4,
  };

  it.each(Object.entries(sizes))(
    'of the kind %s is rejected above %d KiB without being parsed',
    async (kind, KiB) => {
      const text = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
      // Each from its own host: two of them exceed what one host may send in a second.
      const response = async (bytes: number) => {
        const agent = await TestAgent.connect(world, tenant);
        const reply = await agent.connection.request(agent.subject(`up.${kind}`), text(bytes), {
          timeout: 5_000,
        });
        await agent.close();
        return reply.json();
      };
      const detail = `is larger than ${KiB * 1024} bytes`;
      expect(await response(KiB * 1024 + 1)).toMatchObject({ ok: false, detail });
      expect(await response(KiB * 1024)).toMatchObject({
        ok: false,
        detail: expect.not.stringContaining('larger'),
      });
    },
  );
});

describe('a license whose hosts together send too much', () => {
  it('loses what exceeds its budget although each host stays within its own; other licenses lose nothing', async () => {
    const own = await world.createTenant();
    const agents = await Promise.all(Array.from({ length: 8 }, () => TestAgent.connect(world, own)));
    const neighbour = await TestAgent.connect(world, await world.createTenant());
    const instances = Array.from({ length: 200 }, (_, index) => ({
      name: `instance-${index}`,
      state: 'running' as const,
      uptime_seconds: 1,
      map: 'x'.repeat(200),
      level_url: `https://maps.example.com/${'x'.repeat(175)}`,
    }));
    // From here on the platform knows the hosts and their licenses.
    for (const agent of [...agents, neighbour]) expect(await agent.hello()).toMatchObject({ ok: true });
    const counted = (outcome: string) =>
      world.metric('gantry_bus_messages_total', { kind: 'heartbeat', outcome });
    const before = { dropped: await counted('dropped'), taken: await counted('taken') };
    const eachOf = 8;
    for (let beat = 0; beat < eachOf; beat += 1)
      for (const agent of agents) agent.publish('heartbeat', agent.heartbeat(instances));
    neighbour.publish('heartbeat', neighbour.heartbeat([]));
    expect(await neighbour.hello()).toMatchObject({ ok: true });
    const sum = async () =>
      (await counted('dropped')) - before.dropped + ((await counted('taken')) - before.taken);
    await until(
      async () => (await sum()) === eachOf * agents.length + 1,
      'all of them to be counted',
      20_000,
    );
    // Two one-second windows may have begun, each with a budget of 2 MiB; a heartbeat has about 100 KiB.
    expect((await counted('dropped')) - before.dropped).toBeGreaterThanOrEqual(20);
    const [row] = await world.database.query('select status from agent_host where id = $1', [
      neighbour.hostId,
    ]);
    expect(row).toEqual({ status: 'online' });
    for (const agent of agents) expect(agent.connection.isClosed()).toBe(false);
    await Promise.all([...agents, neighbour].map((agent) => agent.close()));
  });
});

describe('a host of a license that sends too much', () => {
  it('stays online while its heartbeats are dropped unread', async () => {
    const own = await world.createTenant();
    // Together three times what a license may send, so that a busy machine receives enough in each second, too.
    const flooders = await Promise.all(Array.from({ length: 8 }, () => TestAgent.connect(world, own)));
    const quiet = await TestAgent.connect(world, own);
    // From here on the platform knows the hosts and their licenses.
    for (const agent of [...flooders, quiet]) expect(await agent.hello()).toMatchObject({ ok: true });
    quiet.publish('heartbeat', quiet.heartbeat([]));
    const lastHeartbeat = async () => {
      const [row] = await world.database.query<{ at: Date | null; is_recent: boolean }>(
        `select last_heartbeat_at as at, last_heartbeat_at > now() - interval '1 minute' as is_recent
         from agent_host where id = $1`,
        [quiet.hostId],
      );
      return row;
    };
    await until(async () => (await lastHeartbeat())?.at instanceof Date, 'the first heartbeat');
    await world.database.query(
      `update agent_host set last_heartbeat_at = now() - interval '1 hour' where id = $1`,
      [quiet.hostId],
    );
    // Each of them stays within its own budget per second.
    const flood = () => {
      for (let count = 0; count < 9; count += 1)
        for (const agent of flooders) agent.publish('heartbeat', 'x'.repeat(100 * 1024));
    };
    flood();
    const flooding = setInterval(flood, 1_100);
    world.atEnd(async () => clearInterval(flooding));
    await until(
      async () => {
        quiet.publish('heartbeat', '{}'); // if it were read, it would be rejected as invalid
        return (await lastHeartbeat())?.is_recent === true;
      },
      'an unread heartbeat to be recorded',
      20_000,
    );
    clearInterval(flooding);
    await Promise.all([...flooders, quiet].map((agent) => agent.close()));
  });
});

describe('revoking a license', () => {
  it("disconnects its agents from the bus within 2 s and permanently, and no other license's agents", async () => {
    const own = await world.createTenant();
    const agents = [await TestAgent.connect(world, own), await TestAgent.connect(world, own)];
    const bystander = await TestAgent.connect(world, tenant);
    await setStatus(own, 'revoked');
    await Promise.all(agents.map((agent) => cutOff(agent)));
    for (const { session, key } of agents) {
      await expect(tryToConnect(session, key.seed)).rejects.toThrow(/authorization/i);
    }
    expect(bystander.connection.isClosed()).toBe(false);
    expect(await bystander.hello()).toMatchObject({ ok: true });
    await bystander.close();
  });

  it('disconnects the agents of every license revoked at the same time', async () => {
    const tenants: Tenant[] = [];
    for (let index = 0; index < 6; index += 1) tenants.push(await world.createTenant());
    const agents = await Promise.all(tenants.map((each) => TestAgent.connect(world, each)));
    await Promise.all(tenants.map((each) => setStatus(each, 'revoked')));
    await Promise.all(agents.map((agent) => cutOff(agent, 3_000)));
    for (const { session, key } of agents) {
      await expect(tryToConnect(session, key.seed)).rejects.toThrow(/authorization/i);
    }
  });

  it('is undone by activating it: the same agent with the same key connects again', async () => {
    const own = await world.createTenant();
    const agent = await TestAgent.connect(world, own);
    await setStatus(own, 'revoked');
    await cutOff(agent);
    await setStatus(own, 'active');
    await until(
      async () => {
        const session = await opened(agent.hostname, agent.key.publicKey, own);
        return tryToConnect(session, agent.key.seed).then(
          () => true,
          () => false,
        );
      },
      'the agent to connect again',
      3_000,
    );
  });
});

/** Waits until the broker has closed the agent's connection permanently, and returns the elapsed time. */
async function cutOff({ connection }: TestAgent, ms = 2_000): Promise<void> {
  await until(() => connection.isClosed(), 'the disconnection', ms);
}
