// Operations of the area `sandbox`: licenses for tests that anybody creates, resets and deletes.
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import request, { type Test } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { mapFile } from '../support/map-file.ts';
import { createInstance } from '../support/rows.ts';
import { signInTo } from '../support/sandboxes.ts';
import { until } from '../support/until.ts';
import { World, type Method } from '../support/world.ts';

type Schemas = components['schemas'];
type Created = Schemas['CreatedSandbox'];

let world: World;

beforeAll(async () => {
  world = await World.create({ jobIntervals: { chores: { 'delete expired sandboxes': 50 } } });
});

afterAll(async () => {
  await world.close();
});

async function create(input: Schemas['SandboxCreate'] = {}): Promise<Created> {
  const { body } = await world.call('post', '/api/sandbox').send(input).expect(201);
  return body as Created;
}

const callAs = ({ api_key }: Created, method: Method, path: string) =>
  request(world.url)[method](path).set('X-Api-Key', api_key);

const signIn = async (made: Created) => {
  const member = await signInTo(world, { made });
  await world.call('post', '/auth/step-up', member).send({ password: made.owner.password }).expect(200);
  return member;
};

/** The tables that have rows of the license, except the append-only ones. */
async function tablesOf(licenseId: string): Promise<string[]> {
  const tables = await world.database.query<{ name: string }>(
    `select class.relname as name from pg_class as class
     join pg_attribute as attribute on attribute.attrelid = class.oid and attribute.attname = 'license_id'
     where class.relnamespace = 'public'::regnamespace and class.relkind in ('r', 'p') and not class.relispartition
       and class.relname not in ('audit_entry', 'license_activity') order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await world.database.query(`select 1 from ${name} where license_id = $1 limit 1`, [
      licenseId,
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

describe('createSandbox', () => {
  it('gives anybody a license that is marked as test, with a key of its own prefix', async () => {
    const made = await create({ name: 'Webhook tests', seed: 42 });
    expect(made).toMatchObject({
      name: 'Webhook tests',
      seed: 42,
      clock: { offset_seconds: 0 },
      reset_at: null,
    });
    expect(made.api_key).toMatch(/^gantry_test_[a-z2-7]{16}_[a-z2-7]{52}$/);
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBeGreaterThan(6.9 * 86_400_000);
    const { body } = await callAs(made, 'get', '/api/sandbox').expect(200);
    const { api_key, license_key, owner, clock, ...shown } = made;
    expect([api_key, license_key, owner, clock].every(Boolean)).toBe(true);
    expect(body).toMatchObject(shown);
    const { body: license } = await world
      .call('get', `/api/admin/licenses/${made.license_id}`, world.admin)
      .expect(200);
    expect(license).toMatchObject({ is_sandbox: true });
  });

  it('gives the Owner a password, and keys that the Owner creates the prefix of test keys', async () => {
    const made = await create();
    const owner = await signIn(made);
    const { body } = await world
      .call('post', '/api/api-keys', owner)
      .send({ name: 'Reader', permissions: { 'fleet.view': true } })
      .expect(201);
    expect((body as Schemas['CreatedApiKey']).key).toMatch(/^gantry_test_/);
    const tenant = await world.createTenant();
    const { body: real } = await world
      .call('post', '/api/api-keys', tenant.owner)
      .send({ name: 'Reader', permissions: { 'fleet.view': true } })
      .expect(201);
    expect((real as Schemas['CreatedApiKey']).key).not.toMatch(/^gantry_test_/);
  });

  it('sandboxes_disabled: refuses where the installation offers none', async () => {
    const { url = '' } = await world.addReplica({ sandboxes: { isEnabled: false, maxCount: 1 } });
    const { body } = await request(url).post('/api/sandbox').expect(403);
    expect(body).toMatchObject({ code: 'sandboxes_disabled' });
  });

  it('limit_reached: refuses beyond the number that the installation has', async () => {
    await create();
    const { url = '' } = await world.addReplica({ sandboxes: { isEnabled: true, maxCount: 1 } });
    const { body } = await request(url).post('/api/sandbox').expect(409);
    expect(body).toMatchObject({ code: 'limit_reached' });
  });
});

describe('a license that is no sandbox', () => {
  it('sandbox_required: has nothing to get, reset or delete', async () => {
    const { owner } = await world.createTenant();
    for (const [method, path] of [
      ['get', '/api/sandbox'],
      ['post', '/api/sandbox/reset'],
      ['delete', '/api/sandbox'],
    ] as const) {
      const { body } = await world.call(method, path, owner).expect(409);
      expect(body).toMatchObject({ code: 'sandbox_required' });
    }
  });
});

/** Heartbeats of the simulated host can wait, too; they do not count. */
const waitingRequests = (count: number, condition: string) =>
  until(async () => {
    const rows = await world.database.query(
      `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and ${condition}
          and query ~ 'delete_sandbox|into "instance_cluster"|from license'`,
    );
    return rows.length === count || undefined;
  }, `${count} waiting requests`);

/** A reset that loses against a heartbeat of the simulated host runs again, after the other request. */
const removeHosts = ({ license_id }: Created) =>
  world.database.query('delete from agent_host where license_id = $1', [license_id]);

/** Sends both requests, the second one when the first one waits for a table, and then lets them continue. */
const sendBoth = (first: Test, second: Test) =>
  world.database
    .whileHeld('lock table instance_cluster in exclusive mode', [], async () => {
      const sent = [first.then((reply) => reply)];
      await waitingRequests(1, `wait_event = 'relation'`);
      sent.push(second.then((reply) => reply));
      await waitingRequests(2, 'true');
      return { sent };
    })
    .then(({ sent }) => Promise.all(sent));

describe('resetSandbox', () => {
  it('keeps the license, its keys, its Owner and its expiry, and nothing else', async () => {
    const made = await create({ seed: 1 });
    await callAs(made, 'post', '/api/fleet/clusters').send({ name: 'Islands' }).expect(201);
    await callAs(made, 'put', '/api/webstore/config')
      .set('If-Match', '"0"')
      .send(storeWith('sandbox'))
      .expect(200);
    const { body } = await callAs(made, 'post', '/api/sandbox/reset').send({ seed: 2 }).expect(200);
    expect(body).toMatchObject({
      license_id: made.license_id,
      subdomain: made.subdomain,
      seed: 2,
      created_at: made.created_at,
      expires_at: made.expires_at,
      reset_at: expect.any(String) as string,
    });
    const { body: clusters } = await callAs(made, 'get', '/api/fleet/clusters').expect(200);
    expect(clusters).toMatchObject({ data: [] });
    expect(await tablesOf(made.license_id)).not.toContain('store_config');
    await signIn(made);
  });

  it('lets requests that come meanwhile work in the new state', async () => {
    const made = await create();
    await removeHosts(made);
    const [first, second] = await sendBoth(
      callAs(made, 'post', '/api/sandbox/reset'),
      callAs(made, 'post', '/api/fleet/clusters').send({ name: 'Islands' }),
    );
    expect([first?.status, second?.status]).toEqual([200, 201]);
    const { body } = await callAs(made, 'get', '/api/fleet/clusters').expect(200);
    expect((body as Schemas['InstanceClusterPage']).data).toHaveLength(1);
  });
});

describe('stored replies of an Idempotency-Key', () => {
  const cluster = (made: Created, key: string) =>
    callAs(made, 'post', '/api/fleet/clusters').set('Idempotency-Key', key).send({ name: 'Islands' });
  const reset = (made: Created) => callAs(made, 'post', '/api/sandbox/reset').expect(200);

  async function expectShown(made: Created, { body }: { body: unknown }): Promise<void> {
    const { body: page } = await callAs(made, 'get', '/api/fleet/clusters').expect(200);
    expect((page as Schemas['InstanceClusterPage']).data.map(({ id }) => id)).toEqual([
      (body as { id: string }).id,
    ]);
  }

  it('do not survive a reset', async () => {
    const made = await create();
    const key = randomUUID();
    const first = await cluster(made, key).expect(201);
    expect((await cluster(made, key).expect(201)).body).toEqual(first.body);
    await reset(made);
    await expectShown(made, await cluster(made, key).expect(201));
  });

  it('do not survive a reset if they belong to a buyer without credentials', async () => {
    const made = await create();
    const { body } = await callAs(made, 'post', '/api/sandbox/events').send({ kind: 'order' }).expect(200);
    const { order } = body as Schemas['SandboxEventResult'];
    const { body: items } = await world.call('get', `/api/public-store/${made.subdomain}/items`).expect(200);
    const [item] = (items as Schemas['PublicStoreItemList']).data;
    const key = randomUUID();
    const buy = () =>
      world
        .call('post', `/api/public-store/${made.subdomain}/purchase`)
        .set('Idempotency-Key', key)
        .send({ steam_id: '76561198000000001', items: [{ item_id: item?.id, quantity: 1 }] });
    const bought = await buy().expect(201);
    expect((bought.body as Schemas['PublicOrder']).id).not.toBe(order?.id);
    await reset(made);
    await buy().expect(404);
  });

  it('do not survive the end of the sandbox', async () => {
    const made = await create();
    const stored = () => world.database.query('select from idempotency_record');
    const before = await stored();
    await cluster(made, randomUUID()).expect(201);
    expect(await stored()).toHaveLength(before.length + 1);
    await callAs(made, 'delete', '/api/sandbox').expect(204);
    expect(await stored()).toHaveLength(before.length);
  });

  it('do not survive a reset that begins while the request runs', async () => {
    const made = await create();
    const key = randomUUID();
    const [first, second] = await sendBoth(cluster(made, key), callAs(made, 'post', '/api/sandbox/reset'));
    expect([first?.status, second?.status]).toEqual([201, 200]);
    await expectShown(made, await cluster(made, key).expect(201));
  });

  it('belong to the new life of the sandbox if the request waits for the reset', async () => {
    const made = await create();
    const key = randomUUID();
    const [first, second] = await sendBoth(callAs(made, 'post', '/api/sandbox/reset'), cluster(made, key));
    expect([first?.status, second?.status]).toEqual([200, 201]);
    await expectShown(made, await cluster(made, key).expect(201));
    await reset(made);
    await expectShown(made, await cluster(made, key).expect(201));
  });
});

describe('the end of a sandbox', () => {
  it('deleteSandbox: deletes every row of it, and its Owner', async () => {
    const made = await create();
    await createInstance(world, { license: { id: made.license_id } } as never);
    await callAs(made, 'delete', '/api/sandbox').expect(204);
    expect(await tablesOf(made.license_id)).toEqual([]);
    await callAs(made, 'get', '/api/sandbox').expect(401);
    await world.call('post', '/auth/login').send(made.owner).expect(401);
  });

  it('comes by itself when it expires', async () => {
    const made = await create();
    await world.database.query(`update sandbox set expires_at = now() where license_id = $1`, [
      made.license_id,
    ]);
    await until(
      async () => (await tablesOf(made.license_id)).length === 0 || undefined,
      'the end of the sandbox',
    );
  });
});

describe('what anybody could fill the database with', () => {
  const rows = async (sql: string, ...values: unknown[]) => {
    await world.database.query(sql, values);
  };

  it('is limited: clusters', async () => {
    const made = await create();
    const add = (name: string) => callAs(made, 'post', '/api/fleet/clusters').send({ name });
    await rows(
      `insert into instance_cluster (license_id, name) select $1, 'Cluster ' || n from generate_series(1, 99) n`,
      made.license_id,
    );
    const both = await Promise.all([add('The last'), add('One too many')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect((await add('Another').expect(409)).body).toMatchObject({ code: 'limit_reached' });
  });

  it('is limited: notes about any players', async () => {
    const made = await create();
    const { body } = await callAs(made, 'get', '/api/fleet/instances').expect(200);
    const [instance] = (body as Schemas['GameInstancePage']).data;
    const add = (steamId: string) =>
      callAs(made, 'post', `/api/instances/${instance?.id}/players/${steamId}/notes`).send({
        text: 'Suspicious',
      });
    await rows(
      `insert into player_action (license_id, instance_id, instance_name, kind, steam_id, text, status)
       select $1, $2, $3, 'note', (76561197960265728 + n)::text, 'x', 'succeeded' from generate_series(1, 999) n`,
      made.license_id,
      instance?.id,
      instance?.name,
    );
    await add('76561197960287930').expect(201);
    expect((await add('76561197960287931').expect(409)).body).toMatchObject({ code: 'limit_reached' });
  });

  it('is limited: configurations of a kind of plugin', async () => {
    const made = await create();
    const add = (name: string) =>
      callAs(made, 'post', '/api/plugin-configs/loot').send({ kind: 'loot', name, config_data: {} });
    for (let count = 0; count < 10; count += 1) await add(`Loot ${count}`).expect(201);
    expect((await add('One too many').expect(409)).body).toMatchObject({ code: 'limit_reached' });
  });
});

describe('stored files', () => {
  const storedFiles = ({ license_id }: Created) =>
    readdir(join(world.storageDirectory, 'maps', license_id)).catch(() => []);

  it('are removed once the deletion has committed, and not before', async () => {
    const made = await create();
    await callAs(made, 'post', '/api/maps')
      .field('name', 'M')
      .attach('file', mapFile({}), 'a.map')
      .expect(201);
    await world.database.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
    );
    await world.database.query(
      'create trigger refused before delete on sandbox for each row execute function refuse()',
    );
    await callAs(made, 'post', '/api/sandbox/reset').expect(500);
    await callAs(made, 'delete', '/api/sandbox').expect(500);
    await world.database.query('drop function refuse cascade');
    expect(await storedFiles(made)).toHaveLength(1);
    await callAs(made, 'post', '/api/sandbox/reset').expect(200);
    await until(async () => (await storedFiles(made)).length === 0 || undefined, 'the removal of the file');
  });
});

describe('figures of the platform', () => {
  it('leave sandboxes out', async () => {
    const stats = async () => {
      const { body } = await world.call('get', '/api/admin/stats', world.admin).expect(200);
      return body as Schemas['PlatformStats'];
    };
    const before = await stats();
    const made = await create();
    await createInstance(world, { license: { id: made.license_id } } as never, { state: 'running' });
    expect(await stats()).toEqual(before);
    const { body: users } = await world
      .call('get', `/api/admin/users?q=${encodeURIComponent(made.owner.email)}`, world.admin)
      .expect(200);
    expect(users).toMatchObject({ data: [] });
    const list = async (query: string) => {
      const { body } = await world.call('get', `/api/admin/${query}`, world.admin).expect(200);
      return (body as { data: { license_id?: string; id: string }[] }).data;
    };
    const ofSandbox = (row: { license_id?: string }) => row.license_id === made.license_id;
    expect((await list('servers?limit=100')).some(ofSandbox)).toBe(false);
    expect((await list(`servers?license_id=${made.license_id}`)).some(ofSandbox)).toBe(true);
    expect((await list('licenses?is_sandbox=false&limit=100')).some(({ id }) => id === made.license_id)).toBe(
      false,
    );
    expect((await list('licenses?is_sandbox=true&limit=100')).some(({ id }) => id === made.license_id)).toBe(
      true,
    );
  });

  it('do not take the Owner of a sandbox for the first user', async () => {
    const empty = await World.create({ withoutFirstUser: true, roles: ['api'] });
    try {
      await empty.call('post', '/api/sandbox').expect(201);
      const { firstUser } = await empty.addReplica();
      expect(firstUser.kind).toBe('setup-token');
    } finally {
      await empty.close();
    }
  });
});

const storeWith = (provider: string) => ({
  name: 'Shop',
  currency: 'USD',
  theme: { accent: '#d9481f', background: '#101418', text: '#f5f7fa' },
  terms: null,
  provider,
  is_enabled: true,
});

describe('payments and mail', () => {
  it('takes sandbox payments where the installation takes none, and no others', async () => {
    const { url = '' } = await world.addReplica({
      payments: {
        stripeUrl: 'http://127.0.0.1:1',
        allowsSandbox: false,
        price: { amount: '9.99', currency: 'USD' },
        trialDays: 14,
      },
    });
    const made = await create();
    const ask = (method: Method, path: string) => request(url)[method](path).set('X-Api-Key', made.api_key);
    const { body: providers } = await ask('get', '/api/webstore/providers').expect(200);
    expect(providers).toMatchObject({
      data: [
        { provider: 'sandbox', is_allowed: true, is_ready: true },
        { provider: 'stripe', is_allowed: false },
      ],
    });
    await ask('post', '/api/webstore/subscription/create').expect(201);
    await ask('post', '/api/webstore/subscription/sandbox').send({ status: 'active' }).expect(200);
    const { body: config } = await ask('put', '/api/webstore/config')
      .set('If-Match', '"0"')
      .send(storeWith('sandbox'))
      .expect(200);
    expect(config).toMatchObject({ is_open: true });
    await request(url).get(`/api/public-store/${made.subdomain}`).expect(200);
  });

  it('sandbox_refused: takes no account of a provider', async () => {
    const made = await create();
    const owner = await signIn(made);
    const { body } = await world
      .call('put', '/api/webstore/providers/stripe', owner)
      .send({
        secret_key: 'sk_test_0123456789abcdef01234567',
        webhook_secret: 'whsec_0123456789abcdef01234567',
      })
      .expect(409);
    expect(body).toMatchObject({ code: 'sandbox_refused' });
  });

  it('sandbox_refused: takes no agent, no other subdomain and no public map', async () => {
    const made = await create();
    const owner = await signIn(made);
    const { body: map } = await callAs(made, 'post', '/api/maps')
      .field('name', 'Test')
      .attach('file', mapFile({}), 'a.map')
      .expect(201);
    const { id } = map as { id: string };
    const refused = [
      world.call('post', '/api/license/rotate-companion-token', owner),
      world.call('patch', '/api/license', owner).send({ subdomain: 'famous-brand' }),
      callAs(made, 'patch', `/api/maps/${id}`).set('If-Match', '*').send({ is_public: true }),
    ];
    for (const { status, body } of await Promise.all(refused))
      expect({ status, body }).toMatchObject({ status: 409, body: { code: 'sandbox_refused' } });
    await world.call('patch', '/api/license', owner).send({ name: 'Renamed' }).expect(200);
  });

  it('sends no mail to addresses that are entered in it', async () => {
    const made = await create();
    const owner = await signIn(made);
    const { body: roles } = await world.call('get', '/api/roles', owner).expect(200);
    const [role] = (roles as Schemas['RolePage']).data.filter(({ name }) => name === 'Viewer');
    await world
      .call('post', '/api/team/invitations', owner)
      .send({ email: 'outsider@example.com', role_id: role?.id })
      .expect(201);
    const tenant = await world.createTenant();
    const { body: others } = await world.call('get', '/api/roles', tenant.owner).expect(200);
    const [viewer] = (others as Schemas['RolePage']).data.filter(({ name }) => name === 'Viewer');
    await world
      .call('post', '/api/team/invitations', tenant.owner)
      .send({ email: 'friend@example.com', role_id: viewer?.id })
      .expect(201);
    await world.mailTo('friend@example.com');
    expect(await world.mailsTo('outsider@example.com')).toEqual([]);
  });
});

describe('limits', () => {
  it('limit_reached: a sandbox has fewer receivers outside of the platform', async () => {
    const made = await create();
    const webhook = (number: number) =>
      callAs(made, 'post', '/api/webhooks').send({
        name: `Receiver ${number}`,
        url: 'https://receiver.example.com/',
        events: ['wipe.completed'],
      });
    for (let number = 0; number < 5; number += 1) await webhook(number).expect(201);
    const { body } = await webhook(5).expect(409);
    expect(body).toMatchObject({ code: 'limit_reached' });
  });

  it('hold a test key to its sandbox, and to its prefix', async () => {
    const made = await create();
    const other = await create();
    await callAs(made, 'get', `/api/sandbox`).expect(200);
    await callAs({ ...made, api_key: made.api_key.replace('_test_', '_') }, 'get', '/api/sandbox').expect(
      401,
    );
    const { body } = await callAs(other, 'get', '/api/fleet/instances').expect(200);
    const [instance] = (body as Schemas['GameInstancePage']).data;
    await callAs(made, 'get', `/api/fleet/instances/${instance?.id ?? ''}`).expect(404);
  });
});

it('concurrent resets, advances and first orders all succeed', async () => {
  const made = await create();
  const sending = (path: string, body: object) => callAs(made, 'post', path).send(body);
  const orders = await Promise.all([0, 1, 2, 3].map(() => sending('/api/sandbox/events', { kind: 'order' })));
  expect(orders.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const advances = await Promise.all(
    [0, 1, 2, 3].map(() => sending('/api/sandbox/clock', { seconds: 31 * 86_400 })),
  );
  expect(advances.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const resets = await Promise.all([0, 1, 2].map(() => sending('/api/sandbox/reset', {})));
  expect(resets.map(({ status }) => status)).toEqual([200, 200, 200]);
});
