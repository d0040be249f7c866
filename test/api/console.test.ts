// Operations of the area `console`, and the socket that a ticket opens: lines, typing, and access.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { components } from '../../generated/agent-bus.d.ts';
import { hashSecret } from '../../src/secrets/random-secrets.ts';
import { TestAgent } from '../support/agent.ts';
import { consolePath, ConsoleSocket, createTicket, type Line } from '../support/console-socket.ts';
import { someId } from '../support/contract.ts';
import { rawRequest } from '../support/http.ts';
import { createInstance } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { signIn, World, type Member, type Tenant } from '../support/world.ts';

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

/** A random key, as each client generates one. */
const webSocketKey = 'AAAAAAAAAAAAAAAAAAAAAA==';

const lineOf = (seq: number, text = `line ${seq}`): Line => ({
  seq,
  at: new Date().toISOString(),
  stream: 'stdout',
  text,
});

/** Lines with these numbers. */
const lines = (...numbers: number[]) => numbers.map((seq) => lineOf(seq));

/** An agent with one instance, whose console already has these lines. */
async function console(
  earlier: Line[] = [],
  boot: string = randomUUID(),
  of: Tenant = tenant,
  response: { truncated?: boolean } = {},
) {
  const agent = await TestAgent.connect(world, of);
  const instanceId = await createInstance(world, of, { host_id: agent.hostId, name: 'main' });
  const asked: Record<string, unknown>[] = [];
  /** The reply to requests for what is kept on disk. */
  const history = { reply: {} };
  agent.onRequest('console-tail', (question) => {
    asked.push(question);
    if (question['before'] !== undefined) return history.reply;
    return {
      v: 1,
      ok: true,
      boot,
      state: 'running',
      lines: earlier,
      ...response,
    } satisfies BusSchemas['ConsoleTailReply'];
  });
  await agent.connection.flush();
  const print = (batch: Line[], change: object = {}) =>
    agent.publish('console.main', { v: 1, instance: 'main', boot, lines: batch, ...change });
  /** Opens a socket, which gets every line printed from then on. */
  const open = async (member: Member = of.owner) => {
    const before = asked.length;
    const socket = await ConsoleSocket.open(world, instanceId, member);
    await until(() => asked.length > before, 'the request for earlier lines');
    return socket;
  };
  return { agent, instanceId, boot, asked, history, print, open };
}

/** The status of the refusal, or the status of an opened socket. */
const tryToOpen = (path: string) =>
  ConsoleSocket.at(world, path).then(
    (socket) => {
      socket.close();
      return 'opened';
    },
    (error: Error) => error.message,
  );

describe('createConsoleTicket', () => {
  it('returns 201 with a ticket for 30 seconds and its URL', async () => {
    const instanceId = await createInstance(world, tenant);
    const { body } = await world
      .call('post', `/api/instances/${instanceId}/console-tickets`, tenant.owner)
      .expect(201);
    const { ticket, url, expires_at } = body as { ticket: string; url: string; expires_at: string };
    expect(body).toEqual({
      ticket: expect.stringMatching(/^[\w-]{43}\.[0-9a-z]{8}\.[\w-]{43}$/),
      url,
      expires_at,
      may_input: true,
    });
    expect(url).toBe(consolePath(instanceId, ticket));
    const lifetime = Date.parse(expires_at) - Date.now();
    expect(lifetime).toBeGreaterThan(25_000);
    expect(lifetime).toBeLessThanOrEqual(30_000);
    const rows = await world.database.query('select t::text from console_ticket t where instance_id = $1', [
      instanceId,
    ]);
    expect(JSON.stringify(rows)).toContain(hashSecret(ticket));
    expect(JSON.stringify(rows)).not.toContain(ticket);
  });

  it('returns 201 and says whether the caller can type', async () => {
    const instanceId = await createInstance(world, tenant);
    for (const [role, may_input] of [
      ['Moderator', true],
      ['Viewer', false],
    ] as const) {
      const member = await world.addMember(tenant, role);
      const { body } = await world
        .call('post', `/api/instances/${instanceId}/console-tickets`, member)
        .expect(201);
      expect(body).toMatchObject({ may_input });
    }
  });

  it('returns 404 for an unknown instance', async () => {
    await world.call('post', `/api/instances/${someId}/console-tickets`, tenant.owner).expect(404);
  });
});

describe('a ticket', () => {
  it('opens one socket once, however many try at the same time', async () => {
    const instanceId = await createInstance(world, tenant);
    const path = consolePath(instanceId, await createTicket(world, instanceId, tenant.owner));
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => tryToOpen(path)));
    expect(outcomes.toSorted()).toEqual(['opened', ...Array<string>(9).fill('refused with 401')]);
    expect(await tryToOpen(path)).toBe('refused with 401');
  });

  it('opens none after 30 seconds', async () => {
    const instanceId = await createInstance(world, tenant);
    const ticket = await createTicket(world, instanceId, tenant.owner);
    await world.database.query(`update console_ticket set expires_at = now() where token_hash = $1`, [
      hashSecret(ticket),
    ]);
    expect(await tryToOpen(consolePath(instanceId, ticket))).toBe('refused with 401');
  });

  it('opens none of another instance, of the same license or another', async () => {
    const instanceId = await createInstance(world, tenant);
    const sibling = await createInstance(world, tenant);
    const foreign = await createInstance(world, await world.createTenant());
    const ticket = await createTicket(world, instanceId, tenant.owner);
    for (const other of [sibling, foreign, someId]) {
      expect(await tryToOpen(consolePath(other, ticket))).toBe('refused with 401');
    }
    expect(await tryToOpen(consolePath(instanceId, ticket))).toBe('opened');
  });

  it('opens none after its holder has signed out or lost the permission to watch', async () => {
    const instanceId = await createInstance(world, tenant);
    const [leaving, demoted] = [
      await world.addMember(tenant, 'Viewer'),
      await world.addMemberWith(tenant, { 'console.view': true }),
    ];
    const [one, two] = [
      await createTicket(world, instanceId, leaving),
      await createTicket(world, instanceId, demoted),
    ];
    await world
      .call('post', '/auth/logout')
      .send({ refresh_token: leaving.session.refresh_token })
      .expect(204);
    expect(await tryToOpen(consolePath(instanceId, one))).toBe('refused with 401');
    await setPermissions(demoted, {});
    await until(
      async () =>
        (await world.call('post', `/api/instances/${instanceId}/console-tickets`, demoted)).status === 403,
      'the demotion',
    );
    expect(await tryToOpen(consolePath(instanceId, two))).toBe('refused with 401');
  });

  it('is required: nothing else opens a socket', async () => {
    const instanceId = await createInstance(world, tenant);
    for (const ticket of ['', 'x', tenant.owner.token, "' or true --", '%00', 'x'.repeat(5_000)]) {
      expect([ticket, await tryToOpen(consolePath(instanceId, ticket))]).toEqual([
        ticket,
        'refused with 401',
      ]);
    }
    expect(await tryToOpen(`/api/instances/${instanceId}/console`)).toBe('refused with 401');
  });

  it('opens nothing at any other path', async () => {
    const instanceId = await createInstance(world, tenant);
    for (const path of [
      '/',
      '/api/fleet/hosts',
      `/api/instances/${instanceId}`,
      `/api/instances/${'-'.repeat(36)}/console`,
      `/api/instances/x/console`,
      '/%',
      '/api/instances//console',
    ]) {
      expect([path, await tryToOpen(path)]).toEqual([path, 'refused with 404']);
    }
  });

  it('returns 429 to a source with 120 invalid tickets in a minute, and to no other source', async () => {
    const limited = await World.create({ rateLimitFactor: 1, trustProxy: 1 });
    try {
      const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
      const from = (source: string) =>
        rawRequest(limited.url, consolePath(someId, 'invalid'), {
          headers: { ...headers, 'Sec-WebSocket-Key': webSocketKey, 'X-Forwarded-For': source },
        });
      const replies = await Promise.all(Array.from({ length: 150 }, () => from('192.0.2.1')));
      const refused = replies.filter(({ status }) => status === 429);
      expect([replies.filter(({ status }) => status === 401).length, refused.length]).toEqual([120, 30]);
      expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
      expect((await from('192.0.2.2')).status).toBe(401);
    } finally {
      await limited.close();
    }
  });

  it('opens a socket from an address where unauthenticated callers have used up the limit', async () => {
    const limited = await world.addReplica({ rateLimitFactor: 1 / 120, roles: new Set(['api']) });
    const instanceId = await createInstance(world, tenant);
    const at = (ticket: string) =>
      ConsoleSocket.at(world, consolePath(instanceId, ticket), limited.url).then(
        () => 'opened',
        (error: Error) => error.message,
      );
    expect(await at('invalid')).toBe('refused with 401');
    expect(await at('invalid')).toBe('refused with 429');
    const ticket = await createTicket(world, instanceId, tenant.owner);
    expect(await at(ticket)).toBe('opened');
    expect(await at('invalid')).toBe('refused with 429');
    expect(await at(ticket)).toBe('refused with 401');
  });

  it('is rejected without a database query when made up, of another instance, or used here before', async () => {
    const instanceId = await createInstance(world, tenant);
    const sibling = await createInstance(world, tenant);
    const used = await createTicket(world, instanceId, tenant.owner);
    const unused = await createTicket(world, instanceId, tenant.owner);
    expect(await tryToOpen(consolePath(instanceId, used))).toBe('opened');
    const [secret = '', expiry = '', signature = ''] = unused.split('.');
    const later = (Number.parseInt(expiry, 36) + 1).toString(36);
    const paths = [
      consolePath(instanceId, used),
      consolePath(sibling, unused),
      consolePath(instanceId, [secret, later, signature].join('.')),
      consolePath(instanceId, [secret, expiry, 'x'.repeat(43)].join('.')),
      consolePath(instanceId, 'x'.repeat(43)),
    ];
    await world.database.whileHeld('lock table console_ticket in access exclusive mode', [], async () => {
      for (const path of paths) expect([path, await tryToOpen(path)]).toEqual([path, 'refused with 401']);
    });
    expect(await tryToOpen(consolePath(instanceId, unused))).toBe('opened');
  });

  it('is accepted with an upgrade only: 405 for a plain request, 404 for an unknown path', async () => {
    const instanceId = await createInstance(world, tenant);
    const path = consolePath(instanceId, await createTicket(world, instanceId, tenant.owner));
    expect((await rawRequest(world.url, path)).status).toBe(405);
    const upgrade = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'eA==',
    };
    for (const target of ['//', '///', '//[', '//a:b', '/\\', '/%', '*', 'http://', 'http://[', 'ws://x/y'])
      expect([target, (await rawRequest(world.url, target, { headers: upgrade })).status]).toEqual([
        target,
        404,
      ]);
    expect(await tryToOpen(path)).toBe('opened');
  });

  it('closes the connection after a refusal, even if the client keeps its half open', async () => {
    const { port } = new URL(world.url);
    const sockets = Array.from({ length: 50 }, () =>
      connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true }),
    );
    const ended = sockets.map(async (socket) => {
      socket.write('GET /x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      socket.resume();
      await once(socket, 'end');
      // A connection whose other side is fully closed responds with a reset.
      const closed = once(socket, 'close').catch(() => undefined);
      socket.on('error', () => undefined);
      const poke = setInterval(() => socket.write('x'), 50);
      await closed;
      clearInterval(poke);
    });
    await Promise.all(ended);
  });

  it('opens at most 50 sockets of one user, and another when one has closed', async () => {
    const { instanceId, open } = await console();
    const member = await world.addMember(tenant, 'Viewer');
    const sockets = await Promise.all(Array.from({ length: 50 }, () => open(member)));
    const path = consolePath(instanceId, await createTicket(world, instanceId, member));
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': webSocketKey,
    };
    expect(await rawRequest(world.url, path, { headers })).toMatchObject({
      status: 429,
      headers: { 'retry-after': '5' },
    });
    expect(await tryToOpen(path)).toBe('refused with 429');
    await (await open()).frame('hello');
    sockets[0]?.close();
    await sockets[0]?.closed();
    // The refusals have not consumed the ticket.
    await until(async () => (await tryToOpen(path)) === 'opened');
    expect(await tryToOpen(path)).toBe('refused with 401');
    for (const socket of sockets) socket.close();
  });
});

async function setPermissions({ email }: Member, permissions: object): Promise<void> {
  await world.database.query(
    `update role set permissions = $2 from membership m, user_account u
     where m.role_id = role.id and u.id = m.user_id and u.email = $1`,
    [email, permissions],
  );
}

describe('an open socket', () => {
  it('begins with hello, then the earlier lines, then live ones', async () => {
    const { agent, instanceId, boot, asked, print, open } = await console(lines(1, 2, 3));
    const socket = await open();
    await socket.frame('lines');
    print(lines(4));
    print(lines(5, 6));
    await until(() => socket.lines.length === 6, 'all lines');
    expect(socket.frames.slice(0, 2)).toEqual([
      { type: 'hello', instance_id: instanceId, may_input: true },
      { type: 'lines', boot, lines: lines(1, 2, 3).map((line) => ({ ...line, at: expect.any(String) })) },
    ]);
    expect(socket.lines.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(asked).toEqual([{ v: 1, host_id: agent.hostId, instance: 'main', limit: 200 }]);
    socket.close();
  });

  it('says who typed a line, and that the earlier lines are incomplete', async () => {
    const at = new Date().toISOString();
    const typed: Line = { seq: 7, at, stream: 'input', text: 'status', by: 'owner@example.com' };
    for (const truncated of [true, false]) {
      const { open, print } = await console([typed], randomUUID(), tenant, { truncated });
      const socket = await open();
      expect(await socket.frame('lines')).toEqual({
        type: 'lines',
        boot: expect.any(String),
        lines: [typed],
        ...(truncated && { truncated }),
      });
      print([{ ...typed, seq: 8 }]);
      expect(await socket.frame('lines', 1)).toEqual({
        type: 'lines',
        boot: expect.any(String),
        lines: [{ ...typed, seq: 8 }],
      });
      socket.close();
    }
  });

  it('shows no line twice, whether it arrives live during the request for earlier lines or again later', async () => {
    const { agent, boot, print, instanceId } = await console();
    const other = await TestAgent.connect(world, tenant);
    expect(other.hostId).not.toBe(agent.hostId);
    await agent.close();
    const back = await TestAgent.connect(world, tenant, agent.hostname, agent.key);
    back.connection.subscribe(back.subject('ask.console-tail'), {
      callback: (_error, message) => {
        for (const batch of [lines(3, 4), lines(5)]) {
          back.publish('console.main', { v: 1, instance: 'main', boot, lines: batch });
        }
        message.respond(JSON.stringify({ v: 1, ok: true, boot, state: 'running', lines: lines(1, 2, 3, 4) }));
      },
    });
    await back.connection.flush();
    const socket = await ConsoleSocket.open(world, instanceId, tenant.owner);
    await until(() => socket.lines.some(({ seq }) => seq === 5), 'the live lines');
    back.publish('console.main', { v: 1, instance: 'main', boot, lines: lines(4, 5, 6) });
    await until(() => socket.lines.some(({ seq }) => seq === 6), 'the last line');
    expect(socket.lines.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(socket.frames.filter(({ type }) => type === 'gap')).toEqual([]);
    expect(print).toBeDefined();
    socket.close();
  });

  it('says where lines are missing', async () => {
    const { boot, print, open } = await console(lines(1, 2));
    const socket = await open();
    await socket.frame('lines');
    print(lines(6));
    print(lines(7));
    print(lines(9));
    await until(() => socket.lines.length === 5, 'the lines');
    expect(
      socket.frames.slice(2).map(({ type, after_seq, before_seq }) => [type, after_seq, before_seq]),
    ).toEqual([
      ['gap', 2, 6],
      ['lines', undefined, undefined],
      ['lines', undefined, undefined],
      ['gap', 7, 9],
      ['lines', undefined, undefined],
    ]);
    expect(await socket.frame('gap')).toEqual({ type: 'gap', boot, after_seq: 2, before_seq: 6 });
    socket.close();
  });

  it('restarts the numbering with each run of the process', async () => {
    const { print, open } = await console(lines(1, 2));
    const socket = await open();
    await socket.frame('lines');
    const boot = randomUUID();
    print(lines(1), { boot });
    print(lines(2), { boot });
    await until(() => socket.lines.length === 4, 'the lines');
    expect(socket.frames.filter(({ type }) => type === 'gap')).toEqual([]);
    socket.close();
  });

  it('does not receive what breaks the contract, nor lines of another instance', async () => {
    const { agent, print, open } = await console();
    const socket = await open();
    await socket.frame('hello');
    print(lines(1), { instance: 'other' });
    agent.publish('console.other', { v: 1, instance: 'other', boot: randomUUID(), lines: lines(1) });
    agent.publish('console.main', 'not JSON');
    print([{ ...lineOf(1), text: 'x'.repeat(8_193) }]);
    print([{ ...lineOf(1), text: 'a\u0000b' }]);
    print([{ ...lineOf(1), stream: 'other' as 'stdout' }]);
    print([]);
    print(lines(1));
    await until(() => socket.lines.length > 0, 'the valid line');
    expect(socket.texts).toEqual(['line 1']);
    expect(socket.closeCode).toBeUndefined();
    socket.close();
  });

  it('is one of many: each gets every line, on every replica, and closing one does not affect the others', async () => {
    const { instanceId, print, open } = await console();
    const { url, stop } = await world.addReplica();
    const [one, two] = [await open(), await open()];
    const three = await ConsoleSocket.at(
      world,
      consolePath(instanceId, await createTicket(world, instanceId, tenant.owner)),
      url,
    );
    await Promise.all([one, two, three].map((socket) => socket.frame('hello')));
    await until(() => print(lines(1)) ?? three.lines.length > 0, 'the first line');
    one.close();
    await one.closed();
    print(lines(2));
    await until(() => two.lines.length === 2 && three.lines.length === 2, 'the second line');
    expect(one.lines).toHaveLength(1);
    const stopping = stop();
    expect(await three.closed()).toBe(1001);
    await stopping;
    print(lines(3));
    await until(() => two.lines.length === 3, 'the third line');
    two.close();
  });

  it('is notified that the agent is offline, and gets live lines when it is back', async () => {
    const agent = await TestAgent.connect(world, tenant);
    const instanceId = await createInstance(world, tenant, { host_id: agent.hostId, name: 'main' });
    await agent.close();
    const socket = await ConsoleSocket.open(world, instanceId, tenant.owner);
    expect(await socket.frame('unavailable')).toEqual({
      type: 'unavailable',
      code: 'agent_offline',
      detail: expect.stringMatching(/./),
    });
    expect(await socket.type('status')).toMatchObject({ ok: false, code: 'agent_offline' });
    const back = await TestAgent.connect(world, tenant, agent.hostname, agent.key);
    back.publish('console.main', { v: 1, instance: 'main', boot: randomUUID(), lines: lines(17) });
    await until(() => socket.lines.length === 1, 'the line');
    socket.close();
  });

  it("receives the agent's reason when it cannot provide the earlier lines", async () => {
    const agent = await TestAgent.connect(world, tenant);
    const instanceId = await createInstance(world, tenant, { host_id: agent.hostId, name: 'main' });
    const responses: object[] = [
      { v: 1, ok: false, error: { code: 'unknown_instance', detail: 'No such instance.' } },
      { v: 1, ok: true, lines: 'none' },
    ];
    agent.onRequest('console-tail', () => responses.shift() ?? {});
    await agent.connection.flush();
    const [first, second] = [
      await ConsoleSocket.open(world, instanceId, tenant.owner),
      await ConsoleSocket.open(world, instanceId, tenant.owner),
    ];
    const codes = await Promise.all(
      [first, second].map(async (socket) => (await socket.frame('unavailable'))['code']),
    );
    expect(codes.toSorted()).toEqual(['agent_timeout', 'unknown_instance']);
    expect([first.closeCode, second.closeCode]).toEqual([undefined, undefined]);
  });
});

describe('earlier lines', () => {
  it('are requested from the agent, before a line or the newest', async () => {
    const { boot, asked, history, open } = await console(lines(41, 42));
    history.reply = { v: 1, ok: true, boot, state: 'stopped', lines: lines(39, 40), has_earlier: true };
    const socket = await open();
    await socket.frame('lines');
    socket.send({ type: 'history', id: 'h1', boot, before_seq: 41 });
    expect(await socket.frame('history')).toMatchObject({
      id: 'h1',
      ok: true,
      boot,
      lines: [{ seq: 39 }, { seq: 40 }],
      has_earlier: true,
    });
    expect(asked.at(-1)).toMatchObject({ limit: 500, before: { boot, seq: 41 } });
    socket.send({ type: 'history' });
    expect(await socket.frame('history', 1)).toMatchObject({ ok: true });
    expect(asked.at(-1)).toMatchObject({ before: {} });
    socket.close();
  });

  it('are refused with a reason by an older agent, and at most 20 times a second', async () => {
    const { boot, history, open } = await console(lines(1));
    history.reply = { v: 1, ok: false, error: { code: 'invalid', detail: '/before must not be given' } };
    const socket = await open();
    await socket.frame('lines');
    socket.send({ type: 'history', boot, before_seq: 1 });
    expect(await socket.frame('history')).toMatchObject({
      ok: false,
      code: 'not_supported',
      lines: [],
      has_earlier: false,
    });
    for (let count = 0; count < 25; count += 1) socket.send({ type: 'history', boot, before_seq: 1 });
    const last = await socket.frame('history', 25);
    expect(last).toMatchObject({ ok: false });
    expect(socket.frames.filter(({ code }) => code === 'too_many').length).toBeGreaterThan(0);
    expect(socket.closeCode).toBeUndefined();
    socket.close();
  });

  it('need both the run and the line', async () => {
    const { boot, open } = await console(lines(1));
    const socket = await open();
    socket.send({ type: 'history', boot });
    await until(() => socket.closeCode === 1008, 'the socket to be closed');
  });
});

describe('typing', () => {
  /** A console whose agent accepts every line. */
  async function typing() {
    const made = await console();
    const typed: Record<string, unknown>[] = [];
    made.agent.onRequest('console-input', (question) => {
      typed.push(question);
      return { v: 1, ok: true };
    });
    await made.agent.connection.flush();
    return { ...made, typed };
  }

  it('sends the line to the agent, with the user who typed it', async () => {
    const { agent, typed, open } = await typing();
    const socket = await open();
    const before = Date.now();
    for (const line of ['say hello', '  spaces  ', 'ünïcödé 🎮', '"; rm -rf /', 'x'.repeat(1_000)]) {
      expect(await socket.type(line, 'my id')).toEqual({ type: 'input_result', id: 'my id', ok: true });
      const question = typed.pop();
      expect(question).toEqual({
        v: 1,
        host_id: agent.hostId,
        instance: 'main',
        line,
        by: tenant.owner.email,
        expires_at: expect.any(String),
      });
      expect(Date.parse(String(question?.['expires_at'])) - before).toBeLessThan(60_000);
      socket.frames.length = 0;
    }
    socket.send({ type: 'input', line: 'without an id' });
    expect(await socket.frame('input_result')).toEqual({ type: 'input_result', ok: true });
    socket.close();
  });

  it('is refused without console.input, and nothing reaches the agent', async () => {
    const { typed, open } = await typing();
    const socket = await open(await world.addMember(tenant, 'Viewer'));
    expect(await socket.frame('hello')).toMatchObject({ may_input: false });
    expect(await socket.type('stop')).toMatchObject({ ok: false, code: 'forbidden' });
    expect(typed).toEqual([]);
    expect(socket.closeCode).toBeUndefined();
    socket.close();
  });

  it('is processed at most 10 times a second, also without console.input', async () => {
    const { open } = await typing();
    const socket = await open(await world.addMember(tenant, 'Viewer'));
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, index) => socket.type(`line ${index}`, `${index}`)),
    );
    const refused = results.filter(({ code }) => code === 'forbidden');
    expect(refused.length).toBeGreaterThanOrEqual(10);
    expect(refused.length).toBeLessThanOrEqual(20);
    expect(results.filter(({ code }) => code === 'too_many')).toHaveLength(30 - refused.length);
    socket.close();
  });

  it('is refused within 5 seconds once console.input is revoked, and works again once it is granted', async () => {
    const { open } = await typing();
    const member = await world.addMemberWith(tenant, { 'console.view': true, 'console.input': true });
    const socket = await open(member);
    expect(await socket.type('one')).toMatchObject({ ok: true });
    await setPermissions(member, { 'console.view': true });
    await until(async () => (await socket.type('two'))['code'] === 'forbidden', 'the refusal', 5_000);
    expect(socket.closeCode).toBeUndefined();
    socket.close();
  });

  it('reports why the agent did not take the line', async () => {
    const { agent, open } = await console();
    agent.onRequest('console-input', () => ({
      v: 1,
      ok: false,
      error: { code: 'not_running', detail: 'It is stopped.' },
    }));
    await agent.connection.flush();
    const socket = await open();
    expect(await socket.type('x', 'a')).toEqual({
      type: 'input_result',
      id: 'a',
      ok: false,
      code: 'not_running',
      detail: 'It is stopped.',
    });
    socket.close();
  });

  it('accepts at most 10 lines a second', async () => {
    const { typed, open } = await typing();
    const socket = await open();
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, index) => socket.type(`line ${index}`, `${index}`)),
    );
    const taken = results.filter(({ ok }) => ok === true);
    expect(taken.length).toBeGreaterThanOrEqual(10);
    expect(taken.length).toBeLessThanOrEqual(20);
    expect(results.filter(({ code }) => code === 'too_many')).toHaveLength(30 - taken.length);
    expect(typed).toHaveLength(taken.length);
    await until(async () => (await socket.type('later'))['ok'] === true, 'the next second', 2_000);
    socket.close();
  });

  it.each([
    ['a line feed', 'a\nstop'],
    ['a carriage return', 'a\rstop'],
    ['a tab', 'a\tb'],
    ['an escape', '\u001b[2J'],
    ['a delete', 'a\u007f'],
    ['a next line', 'a\u0085b'],
    ['a line separator', 'a\u2028b'],
    ['a paragraph separator', 'a\u2029b'],
    ['NUL', 'a\u0000b'],
    ['half a character', 'a\ud800'],
    ['nothing', ''],
    ['nothing visible', '   '],
    ['more than 1,000 characters', 'x'.repeat(1_001)],
  ])('%s is never accepted', async (_what, line) => {
    const { typed, open } = await typing();
    const socket = await open();
    socket.send({ type: 'input', id: 'a', line });
    await until(
      () => socket.closeCode !== undefined || socket.frames.some(({ type }) => type === 'input_result'),
      'a response',
    );
    if (socket.closeCode === undefined) {
      expect(socket.frames.at(-1)).toMatchObject({ ok: false, code: 'invalid' });
    } else expect(socket.closeCode).toBe(1008);
    expect(typed).toEqual([]);
    socket.close();
  });

  it.each([
    ['that is too long', 'x'.repeat(1_001)],
    ['that is null', null],
    ['that is empty', ''],
    ['with a line feed', 'a\nstop'],
  ])('a line %s gets an error, and the next one is accepted', async (_what, line) => {
    const { typed, open } = await typing();
    const socket = await open();
    socket.send({ type: 'input', id: 'a', line });
    await until(() => socket.frames.some(({ type }) => type === 'input_result'), 'a response');
    expect(socket.frames.at(-1)).toMatchObject({ id: 'a', ok: false, code: 'invalid' });
    expect(await socket.type('status')).toMatchObject({ ok: true });
    expect(typed).toHaveLength(1);
    socket.close();
  });

  it.each([
    ['no JSON', 'stop'],
    ['no object', '"stop"'],
    ['null', 'null'],
    ['of another type', { type: 'stop', line: 'x' }],
    ['without a line', { type: 'input' }],
    ['whose line is not a text', { type: 'input', line: { a: 1 } }],
    ['with a field of its own', { type: 'input', line: 'x', as: 'root' }],
    ['with __proto__', '{"type":"input","line":"x","__proto__":{"a":1}}'],
    ['whose id is not a text', { type: 'input', line: 'x', id: 1 }],
    ['whose id is too long', { type: 'input', line: 'x', id: 'x'.repeat(65) }],
    ['in bytes', Buffer.from(JSON.stringify({ type: 'input', line: 'x' }))],
    ['nested deeply', '['.repeat(8_000) + ']'.repeat(8_000)],
  ])('in a frame %s closes the socket with 1008', async (_what, frame) => {
    const { typed, open } = await typing();
    const socket = await open();
    socket.send(frame);
    expect(await socket.closed()).toBe(1008);
    expect(typed).toEqual([]);
  });

  it('in a frame of more than 16 KiB closes the socket with 1009', async () => {
    const { open } = await typing();
    const socket = await open();
    socket.send({ type: 'input', line: 'x'.repeat(17_000) });
    expect(await socket.closed()).toBe(1009);
  });
});

describe('a reader that is too slow', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const mebibyte = 1 << 20;

  /** About 400 KB. */
  const batchFrom = (seq: number) =>
    Array.from({ length: 100 }, (_, index) => lineOf(seq + index, 'x'.repeat(4_000)));

  it('is disconnected instead of growing memory, and others continue', async () => {
    const { print, open } = await console();
    const [slow, other] = [await open(), await open()];
    const sockets = await world.metric('gantry_console_sockets');
    const before = used();
    let [seq, most] = [0, 0];
    /** Prints what the other reader has read before more comes, or what exceeds a second's budget. */
    const printBatch = async () => {
      print(batchFrom(seq + 1));
      seq += 100;
      const printed = Date.now();
      await until(() => other.lines.at(-1)?.seq === seq || Date.now() - printed > 1_000, 'its arrival');
      other.frames.length = 0;
    };
    slow.pause();
    await until(
      async () => {
        for (let count = 0; count < 4; count += 1) await printBatch();
        most = Math.max(most, used() - before);
        return (await world.metric('gantry_console_sockets')) < sockets;
      },
      'the end of the slow socket',
      40_000,
    );
    expect(most).toBeLessThan(16 * mebibyte);
    slow.resume();
    // 4408 if the reader wakes up before the connection is cut; a reader that does not wake up sees the cut.
    expect([4408, 1006]).toContain(await slow.closed());
    expect(other.closeCode).toBeUndefined();
    other.close();
  });

  it('is shown the gap of lines that came while earlier ones were requested', async () => {
    const agent = await TestAgent.connect(world, tenant);
    const instanceId = await createInstance(world, tenant, { host_id: agent.hostId, name: 'main' });
    const otherId = await createInstance(world, tenant, { host_id: agent.hostId, name: 'other' });
    const boot = randomUUID();
    const question = Promise.withResolvers<() => void>();
    agent.connection.subscribe(agent.subject('ask.console-tail'), {
      callback: (_error, message) => {
        const reply = () =>
          void message.respond(JSON.stringify({ v: 1, ok: true, boot, state: 'running', lines: lines(1) }));
        if (message.json<{ instance: string }>().instance === 'main') question.resolve(reply);
        else reply();
      },
    });
    await agent.connection.flush();
    const other = await ConsoleSocket.open(world, otherId, tenant.owner);
    const socket = await ConsoleSocket.open(world, instanceId, tenant.owner);
    const response = await question.promise;
    const print = (batch: Line[]) =>
      agent.publish('console.main', { v: 1, instance: 'main', boot, lines: batch });
    // Soon enough: the platform waits for the earlier lines for five seconds.
    for (let count = 0; count < 20; count += 1) print(batchFrom(count * 100 + 2));
    // Lines arrive in the order in which they are printed: then the replica has had all of those.
    await until(() => {
      agent.publish('console.other', { v: 1, instance: 'other', boot, lines: lines(2) });
      return other.lines.at(-1)?.seq === 2;
    }, 'the arrival of what was printed');
    response();
    await until(() => {
      print(lines(20_000));
      return socket.lines.at(-1)?.seq === 20_000;
    }, 'the newest line');
    expect(socket.lines[0]?.seq).toBe(1);
    expect(socket.frames.filter(({ type }) => type === 'gap').at(-1)).toMatchObject({ before_seq: 20_000 });
    socket.close();
    other.close();
  });
});

describe('a socket whose user may no longer watch', () => {
  it('closes with 4401 within 5 seconds: signed out, disabled, removed, demoted, license revoked', async () => {
    const own = await world.createTenant();
    const { open } = await console([], randomUUID(), own);
    const [leaving, disabled, removed, demoted, bystander] = [
      await world.addMember(own, 'Viewer'),
      await world.addMember(own, 'Viewer'),
      await world.addMember(own, 'Viewer'),
      await world.addMemberWith(own, { 'console.view': true, 'fleet.view': true }),
      await world.addMember(own, 'Viewer'),
    ];
    const second = await signIn(world.url, leaving.email);
    const sockets = {
      leaving: await open(leaving),
      disabled: await open(disabled),
      removed: await open(removed),
      demoted: await open(demoted),
    };
    const [stays, sameUser] = [await open(bystander), await open(second)];
    await world
      .call('post', '/auth/logout')
      .send({ refresh_token: leaving.session.refresh_token })
      .expect(204);
    await world.database.query('update user_account set is_disabled = true where email = $1', [
      disabled.email,
    ]);
    await world.database.query(
      'delete from membership using user_account u where u.id = membership.user_id and u.email = $1',
      [removed.email],
    );
    await setPermissions(demoted, { 'fleet.view': true });
    for (const [why, socket] of Object.entries(sockets)) {
      expect([why, await socket.closed(5_000)]).toEqual([why, 4401]);
    }
    expect([stays.closeCode, sameUser.closeCode]).toEqual([undefined, undefined]);
    await world
      .call('patch', `/api/admin/licenses/${own.license.id}`, world.admin)
      .send({ status: 'revoked' })
      .expect(200);
    expect([await stays.closed(5_000), await sameUser.closed(5_000)]).toEqual([4401, 4401]);
  });

  it('closes at once when the change arrives over the bus, from another replica too', async () => {
    const { open } = await console();
    const { url, stop } = await world.addReplica();
    const member = await world.addMember(tenant, 'Viewer');
    const socket = await open(member);
    await fetch(`${url ?? ''}/auth/logout`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: member.session.refresh_token }),
    });
    expect(await socket.closed(2_000)).toBe(4401);
    await stop();
  });

  it('receives nothing more from then on', async () => {
    const { print, open } = await console();
    const member = await world.addMember(tenant, 'Viewer');
    const [leaving, stays] = [await open(member), await open()];
    await Promise.all([leaving.frame('hello'), stays.frame('hello')]);
    leaving.pause();
    await world
      .call('post', '/auth/logout')
      .send({ refresh_token: member.session.refresh_token })
      .expect(204);
    await until(
      async () => (await world.call('get', '/auth/me', member)).status === 401,
      'the closed socket',
    );
    await new Promise(setImmediate);
    print(lines(1));
    await until(() => stays.lines.length === 1, 'the line');
    leaving.resume();
    expect(await leaving.closed()).toBe(4401);
    expect(leaving.lines).toEqual([]);
    stays.close();
  });
});

describe('a socket whose instance is deleted', () => {
  it('closes with 4404', async () => {
    const { instanceId, open } = await console();
    const socket = await open();
    await socket.frame('hello');
    await world.database.query('delete from game_instance where id = $1', [instanceId]);
    expect(await socket.closed(5_000)).toBe(4404);
  });
});
