// The TypeScript client against a real platform, over a network that loses selected messages.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createClient,
  HttpError,
  ProblemError,
  type ClientOptions,
  type Tokens,
  type TokenStore,
} from '../../client/src/index.ts';
import { TestAgent } from '../support/agent.ts';
import { createInstance } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { password, World, type Member, type Tenant } from '../support/world.ts';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create();
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

/** Responds in place of the network, or returns undefined to let the request through. */
type Interference = (request: Request, count: number) => Promise<Response | undefined> | Response | undefined;

/** A client whose requests are recorded, as `GET /api/license`. */
function clientWith({ interfere, ...options }: Partial<ClientOptions> & { interfere?: Interference } = {}) {
  const sent: Request[] = [];
  const client = createClient({
    baseUrl: world.url,
    retry: { firstWaitMs: 5 },
    fetch: async (request) => {
      sent.push(request.clone());
      return (await interfere?.(request, sent.length)) ?? fetch(request);
    },
    ...options,
  });
  const lines = () => sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
  return { client, sent, lines };
}

const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  new Response(
    JSON.stringify({ type: 'about:blank', title: code, status, code, detail: 'said by the test' }),
    {
      status,
      headers: { 'Content-Type': 'application/problem+json', ...headers },
    },
  );

const signedIn = async (member: Member) => {
  const { body } = await world
    .call('post', '/auth/login')
    .send({ email: member.email, password })
    .expect(200);
  return (body as { session: Member['session'] }).session;
};

/** Tokens whose access token is rejected, as an expired one is. */
const expired = async (member: Member) => ({
  ...(await signedIn(member)),
  access_token: tenant.owner.token + 'x',
});

interface TestStore extends TokenStore {
  tokens: Tokens | undefined;
}

function storeOf(tokens: Tokens | undefined): TestStore {
  const store: TestStore = {
    tokens,
    read: () => store.tokens,
    write: (next) => {
      store.tokens = next;
    },
  };
  return store;
}

describe('signing in', () => {
  it('stores the tokens of a sign-in, and sends them with every call', async () => {
    const { client } = clientWith();
    const { data } = await client.POST('/auth/login', { body: { email: tenant.owner.email, password } });
    if (data.session !== null) await client.session.start(data.session);
    const { data: me } = await client.GET('/auth/me');
    expect(me.email).toBe(tenant.owner.email);
    await client.session.end();
    await expect(client.GET('/auth/me')).rejects.toMatchObject({ status: 401 });
  });

  it('is unnecessary with an API key', async () => {
    const { body } = await world
      .call('post', '/api/api-keys', tenant.owner)
      .send({ name: 'client', permissions: { 'fleet.view': true } })
      .expect(201);
    const { client } = clientWith({ apiKey: (body as { key: string }).key });
    expect((await client.GET('/api/fleet/instances')).data.data).toEqual([]);
    await expect(client.GET('/api/api-keys')).rejects.toMatchObject({ problem: { code: 'forbidden' } });
  });
});

it('follows no redirect: it would carry the key to another server', async () => {
  const server = createServer((_request, response) =>
    response.writeHead(302, { Location: `${world.url}/healthz` }).end(),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { client } = clientWith({ baseUrl: `http://127.0.0.1:${port}`, licenseKey: 'GNTRY-A' });
  await expect(client.GET('/api/license')).rejects.toMatchObject({ status: 302 });
  server.close();
});

describe('an expired session', () => {
  it('is renewed once for all calls that find it expired, which are then retried', async () => {
    const store = storeOf(await expired(tenant.owner));
    const { client, lines } = clientWith({ tokens: store });
    const responses = await Promise.all(Array.from({ length: 20 }, () => client.GET('/api/license')));
    expect(responses.every(({ data }) => data.id === tenant.license.id)).toBe(true);
    expect(lines().filter((line) => line === 'POST /auth/refresh')).toHaveLength(1);
    expect(lines()).toHaveLength(41);
    await client.GET('/api/license');
    expect(lines()).toHaveLength(42);
  });

  it('is renewed once when two clients share the tokens, as tabs do', async () => {
    const store = { ...storeOf(await expired(tenant.owner)), lock: 'shared by the test' };
    const [one, two] = [clientWith({ tokens: store }), clientWith({ tokens: store })];
    await Promise.all([one, two].map(({ client }) => client.GET('/api/license')));
    const all = [...one.lines(), ...two.lines()];
    expect(all.filter((line) => line === 'POST /auth/refresh')).toHaveLength(1);
  });

  it('repeats requests with a body too', async () => {
    const { client } = clientWith({ tokens: storeOf(await expired(tenant.owner)) });
    const name = randomUUID();
    const { data } = await client.POST('/api/fleet/clusters', { body: { name } });
    expect(data.name).toBe(name);
  });

  it('that cannot be renewed ends: the call is rejected, the tokens are removed, and nothing loops', async () => {
    const store = storeOf({ ...(await expired(tenant.owner)), refresh_token: 'x'.repeat(43) });
    const { client, lines } = clientWith({ tokens: store });
    await expect(client.GET('/api/license')).rejects.toMatchObject({ problem: { code: 'unauthorized' } });
    expect(lines()).toEqual(['GET /api/license', 'POST /auth/refresh']);
    expect(store.tokens).toBeUndefined();
  });

  it('whose new token is rejected as well is not renewed again', async () => {
    const { client, lines } = clientWith({
      tokens: storeOf(await signedIn(tenant.owner)),
      interfere: ({ url }) => (url.endsWith('/auth/refresh') ? undefined : problem(401, 'unauthorized')),
    });
    await expect(client.GET('/api/license')).rejects.toMatchObject({ status: 401 });
    expect(lines()).toEqual(['GET /api/license', 'POST /auth/refresh', 'GET /api/license']);
  });

  it('is renewed although the response to the first try is lost', async () => {
    let isLost = false;
    const { client } = clientWith({
      tokens: storeOf(await expired(tenant.owner)),
      interfere: async (request) => {
        if (isLost || !request.url.endsWith('/auth/refresh')) return undefined;
        isLost = true;
        await fetch(request);
        throw new TypeError('fetch failed');
      },
    });
    expect((await client.GET('/api/license')).data.id).toBe(tenant.license.id);
  });

  it('is renewed before its end, so that no request is repeated', async () => {
    const store = storeOf({ ...(await signedIn(tenant.owner)), expires_at: Date.now() + 20_000 });
    const { client, lines } = clientWith({ tokens: store });
    await Promise.all([client.GET('/api/license'), client.GET('/api/license')]);
    expect(lines()).toEqual(['POST /auth/refresh', 'GET /api/license', 'GET /api/license']);
    expect(store.tokens?.expires_at).toBeGreaterThan(Date.now() + 60_000);
  });

  it('whose renewal hangs blocks neither an aborted caller nor another client', async () => {
    const hung = Promise.withResolvers<Response>();
    const { client, lines } = clientWith({
      tokens: storeOf(await expired(tenant.owner)),
      interfere: ({ url }) => (url.endsWith('/auth/refresh') ? hung.promise : undefined),
    });
    const giveUp = new AbortController();
    const response = client.GET('/api/license', { signal: giveUp.signal });
    await until(() => lines().length === 2);
    const other = clientWith({ tokens: storeOf(await expired(tenant.owner)) });
    expect((await other.client.GET('/api/license')).data.id).toBe(tenant.license.id);
    giveUp.abort(new Error('the caller gave up'));
    await expect(response).rejects.toThrow('the caller gave up');
    hung.resolve(problem(503, 'unavailable'));
  });

  it('is renewed at another try when the platform is briefly offline', async () => {
    let isAway = true;
    const { client } = clientWith({
      tokens: storeOf(await expired(tenant.owner)),
      interfere: ({ url }) => {
        if (!url.endsWith('/auth/refresh') || !isAway) return undefined;
        isAway = false;
        return problem(503, 'unavailable');
      },
    });
    expect((await client.GET('/api/license')).data.id).toBe(tenant.license.id);
  });

  it('stays when the platform cannot be reached for renewal', async () => {
    const store = storeOf(await expired(tenant.owner));
    const { client } = clientWith({
      tokens: store,
      interfere: ({ url }) => (url.endsWith('/auth/refresh') ? problem(503, 'unavailable') : undefined),
    });
    await expect(client.GET('/api/license')).rejects.toMatchObject({ status: 503 });
    expect(store.tokens).toBeDefined();
  });

  it('keeps the newer tokens of another sign-in', async () => {
    const store = storeOf(await expired(tenant.owner));
    const newer = await signedIn(tenant.owner);
    const { client } = clientWith({
      tokens: store,
      interfere: ({ url }) => {
        if (url.endsWith('/auth/refresh')) store.tokens = newer;
        return undefined;
      },
    });
    await client.GET('/api/license');
    expect(store.tokens).toBe(newer);
  });

  it('is not renewed for a wrong password', async () => {
    const { client, lines } = clientWith({ tokens: storeOf(await signedIn(tenant.owner)) });
    const body = { email: tenant.owner.email, password: 'not the password' };
    await expect(client.POST('/auth/login', { body })).rejects.toMatchObject({ status: 401 });
    expect(lines()).toEqual(['POST /auth/login']);
  });
});

describe('a lost request', () => {
  const lost = () => Promise.reject(new TypeError('fetch failed'));

  it('is retried when it is a read', async () => {
    const { client, sent } = clientWith({
      tokens: storeOf(await signedIn(tenant.owner)),
      interfere: (_request, count) => (count < 3 ? lost() : undefined),
    });
    expect((await client.GET('/api/license')).data.id).toBe(tenant.license.id);
    expect(sent).toHaveLength(3);
  });

  it('is executed once, under one key, when its response was lost', async () => {
    const { client, sent } = clientWith({
      tokens: storeOf(await signedIn(world.admin)),
      interfere: async (request, count) => {
        if (count > 1) return undefined;
        await fetch(request);
        return lost();
      },
    });
    const name = randomUUID();
    const { data } = await client.POST('/api/admin/licenses', { body: { name } });
    const keys = sent.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toEqual([expect.stringMatching(/^[\da-f]{32}$/), keys[0]]);
    const rows = await world.database.query('select id from license where name = $1', [name]);
    expect(rows).toEqual([{ id: data.id }]);
  });

  it('is sent with the key that the caller chose', async () => {
    const { client, sent } = clientWith({ tokens: storeOf(await signedIn(world.admin)) });
    const params = { header: { 'Idempotency-Key': randomUUID() } };
    await client.POST('/api/admin/licenses', { params, body: {} });
    expect(sent[0]?.headers.get('Idempotency-Key')).toBe(params.header['Idempotency-Key']);
  });

  it('is retried when it is a dry run, which changes nothing under any key', async () => {
    const plan = {
      files: [],
      total_bytes: 0,
      stops: false,
      starts: false,
      launch_before: { seed: 1, world_size: 3500, level_url: null },
      launch_after: { seed: 1, world_size: 3500, level_url: null },
      announcements: [],
    };
    const agent = await TestAgent.connect(world, tenant);
    let asked = 0;
    agent.onRequest('wipe-plan', () => {
      asked += 1;
      return { v: 1, ok: true, plan: { ...plan, total_bytes: asked } };
    });
    await agent.connection.flush();
    const instanceId = await createInstance(world, tenant, { host_id: agent.hostId, game: 'rust' });
    const { client, sent } = clientWith({
      tokens: storeOf(await signedIn(tenant.owner)),
      interfere: async (request, count) => {
        if (count > 1) return undefined;
        await fetch(request);
        return lost();
      },
    });
    const { data } = await client.POST('/api/instances/{instance_id}/wipes', {
      params: { path: { instance_id: instanceId } },
      body: { kind: 'map', dry_run: true },
    });
    expect(data).toEqual({ wipe: null, plan: { ...plan, total_bytes: 2 } });
    const keys = sent.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toEqual([expect.stringMatching(/^[\da-f]{32}$/), keys[0]]);
    await agent.close();
  });

  it('is not retried when it might be executed twice', async () => {
    const { client, sent } = clientWith({
      tokens: storeOf(await signedIn(tenant.owner)),
      interfere: lost,
    });
    const body = { name: 'A new name' };
    await expect(client.PATCH('/api/license', { body })).rejects.toThrow('fetch failed');
    expect(sent).toHaveLength(1);
  });

  it('counts as deleted when the deletion preceded the lost response', async () => {
    const { client } = clientWith({
      tokens: storeOf(await signedIn(tenant.owner)),
      interfere: async (request, count) => {
        if (count !== 2) return undefined;
        await fetch(request);
        return lost();
      },
    });
    const { data } = await client.POST('/api/fleet/clusters', { body: { name: randomUUID() } });
    const params = { path: { cluster_id: data.id } };
    await client.DELETE('/api/fleet/clusters/{cluster_id}', { params });
    await expect(client.DELETE('/api/fleet/clusters/{cluster_id}', { params })).rejects.toMatchObject({
      problem: { code: 'not_found' },
    });
  });

  it('is abandoned after three retries', async () => {
    const { client, sent } = clientWith({ interfere: lost });
    await expect(client.GET('/auth/me')).rejects.toThrow('fetch failed');
    expect(sent).toHaveLength(4);
  });
});

describe('a temporary rejection', () => {
  const afterwards = (first: Response) =>
    clientWith({
      apiKey: 'none',
      interfere: (_request, count) => (count === 1 ? first : new Response('{}')),
    });

  it.each([502, 503, 504])('with status %s is retried', async (status) => {
    const { client, sent } = afterwards(new Response('away', { status }));
    await client.GET('/api/license');
    expect(sent).toHaveLength(2);
  });

  it('with Retry-After is retried after that time', async () => {
    const { client, sent } = afterwards(problem(429, 'rate_limited', { 'Retry-After': '1' }));
    const started = performance.now();
    await client.GET('/api/license');
    expect(performance.now() - started).toBeGreaterThanOrEqual(995);
    expect(sent).toHaveLength(2);
  });

  it('with a Retry-After that is too long is returned', async () => {
    const { client, sent } = afterwards(problem(429, 'rate_limited', { 'Retry-After': '3600' }));
    await expect(client.GET('/api/license')).rejects.toMatchObject({ problem: { code: 'rate_limited' } });
    expect(sent).toHaveLength(1);
  });

  it('for a concurrent identical request is retried', async () => {
    const { client, sent } = afterwards(problem(409, 'idempotency_in_flight'));
    await client.POST('/api/license/rotate-key');
    expect(sent).toHaveLength(2);
  });

  it('that is permanent is not retried', async () => {
    const { client, sent } = afterwards(problem(409, 'limit_reached'));
    await expect(client.POST('/api/license/rotate-key')).rejects.toMatchObject({ status: 409 });
    expect(sent).toHaveLength(1);
  });

  it('ends when the caller aborts', async () => {
    const { client, sent } = afterwards(problem(429, 'rate_limited', { 'Retry-After': '20' }));
    const giveUp = new AbortController();
    const response = client.GET('/api/license', { signal: giveUp.signal });
    await until(() => sent.length);
    giveUp.abort(new Error('the caller gave up'));
    await expect(response).rejects.toThrow('the caller gave up');
    expect(sent).toHaveLength(1);
  });
});

describe('errors', () => {
  it('are the platform’s problems, with all their members', async () => {
    const { client } = clientWith({ tokens: storeOf(await signedIn(tenant.owner)) });
    const refused = client.POST('/api/fleet/clusters', { body: { name: '' } });
    await expect(refused).rejects.toBeInstanceOf(ProblemError);
    await expect(refused).rejects.toMatchObject({
      status: 400,
      problem: { code: 'validation_failed', errors: [{ pointer: '/name' }] },
    });
  });

  it("have the status of a response that is not the platform's", async () => {
    const { client } = clientWith({ interfere: () => new Response('<h1>Teapot</h1>', { status: 418 }) });
    const refused = client.GET('/auth/me');
    await expect(refused).rejects.toBeInstanceOf(HttpError);
    await expect(refused).rejects.not.toBeInstanceOf(ProblemError);
    await expect(refused).rejects.toMatchObject({ status: 418 });
  });
});

describe('a list', () => {
  it('is iterated page by page on demand', async () => {
    const own = await world.createTenant();
    const { client, sent } = clientWith({ tokens: storeOf(await signedIn(own.owner)) });
    const names = Array.from({ length: 7 }, (_, index) => `Cluster ${index}`);
    for (const name of names) await client.POST('/api/fleet/clusters', { body: { name } });
    sent.length = 0;
    const seen: string[] = [];
    for await (const { name } of client.each('/api/fleet/clusters', { params: { query: { limit: 3 } } }))
      seen.push(name);
    expect(seen.toSorted()).toEqual(names);
    expect(sent).toHaveLength(3);
    for await (const { id } of client.each('/api/fleet/clusters', { params: { query: { limit: 3 } } })) {
      expect(id).toEqual(expect.any(String));
      break;
    }
    expect(sent).toHaveLength(4);
  });

  it('keeps its filters on every page, and uses the largest pages by default', async () => {
    const { client, sent } = clientWith({ tokens: storeOf(await signedIn(world.admin)) });
    const params = { query: { limit: 1, q: 'owner-' } };
    for await (const _user of client.each('/api/admin/users', { params }));
    expect(sent.length).toBeGreaterThan(1);
    for (const { url } of sent) expect(new URL(url).searchParams.get('q')).toBe('owner-');
    for await (const _user of client.each('/api/admin/users'));
    expect(new URL(sent.at(-1)?.url ?? '').searchParams.get('limit')).toBe('100');
  });

  it('is known by its type: other operations cannot be iterated', () => {
    const { client } = clientWith();
    // @ts-expect-error because it returns one license
    client.each('/api/license');
    // @ts-expect-error because there is no such filter
    client.each('/api/fleet/clusters', { params: { query: { colour: 'red' } } });
    expect(client.each('/api/fleet/clusters')).toHaveProperty('next');
  });
});

describe('a configuration of a plugin', () => {
  const begun = async () => {
    const { client } = clientWith();
    await client.session.start(await signedIn(tenant.owner));
    return client;
  };

  it('is typed so that defaults can be omitted, and is returned as it was sent', async () => {
    const client = await begun();
    const gather = { gather: { all: 2 } };
    const doors = { default_delay_seconds: 7 };
    const kits = {
      kits: { Starter: { items: [{ shortname: 'rock', amount: 1, container: 'main' as const }] } },
    };
    const created = await Promise.all(
      [
        { kind: 'gather' as const, name: 'Part', config_data: gather },
        { kind: 'automatic-doors' as const, name: 'Part', config_data: doors },
        { kind: 'kits' as const, name: 'Part', config_data: kits },
      ].map((body) =>
        client.POST('/api/plugin-configs/{kind}', { params: { path: { kind: body.kind } }, body }),
      ),
    );
    expect(created.map(({ data }) => data.config_data)).toEqual([gather, doors, kits]);
  });
});
