// Operations of the area `api-keys`, and what keys can do in all other areas.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import request from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { createApiKey, hashSecret } from '../../src/secrets/random-secrets.ts';
import { isJsonObject, sendBody } from '../support/bodies.ts';
import {
  alternativesOf,
  enumOf,
  operations,
  pathParametersOf,
  root,
  someId,
  urlOf,
  type ContractOperation,
} from '../support/contract.ts';
import {
  createCluster,
  createHost,
  createInstance,
  createKeyWithText,
  dumpLicense,
  insertRow,
  createRows,
  marksOf,
  namesWithoutRow,
} from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Member, type Method, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];
type Created = Schemas['CreatedApiKey'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const path = '/api/api-keys';
const clusters = '/api/fleet/clusters';

const create = (input: object = {}, member: Member = tenant.owner) =>
  world.call('post', path, member).send({ name: 'Bot', permissions: { 'fleet.view': true }, ...input });

const created = async (input: object = {}, member: Member = tenant.owner) =>
  (await create(input, member).expect(201)).body as Created;

const revoke = (id: string, member: Member = tenant.owner) => world.call('delete', `${path}/${id}`, member);

const get = async (id: string) =>
  (await world.call('get', `${path}/${id}`, tenant.owner).expect(200)).body as Schemas['ApiKey'];

const callWith = (key: string, method: Method = 'get', to = clusters, url = world.url) =>
  request(url)[method](to).set('X-Api-Key', key);

async function list(query = '', owner: Member = tenant.owner): Promise<Schemas['ApiKeyPage']> {
  return (await world.call('get', `${path}?${query}`, owner).expect(200)).body as Schemas['ApiKeyPage'];
}

async function userIdOf({ email }: Member): Promise<string> {
  const [user] = await world.database.query<{ id: string }>('select id from user_account where email = $1', [
    email,
  ]);
  return user?.id ?? '';
}

describe('createApiKey', () => {
  it('returns 201 with the key, shown only in this response', async () => {
    const key = await created({
      permissions: { 'fleet.view': true, 'console.*': false },
      expires_at: '2099-01-01T00:00:00Z',
      allowed_ips: ['127.0.0.1', '2001:DB8::1/32'],
    });
    expect(key).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      identifier: expect.stringMatching(/^[a-z2-7]{16}$/),
      key: expect.stringMatching(/^gantry_[a-z2-7]{16}_[a-z2-7]{52}$/),
      name: 'Bot',
      status: 'active',
      permissions: { 'fleet.view': true, 'console.*': false },
      allowed_ips: ['127.0.0.1/32', '2001:db8::/32'],
      created_by: tenant.owner.email,
      created_at: expect.any(String),
      expires_at: '2099-01-01T00:00:00.000Z',
      last_used_at: null,
      revoked_at: null,
    });
    expect(key.key.split('_')[1]).toBe(key.identifier);
    const { key: text, ...rest } = key;
    expect(await get(key.id)).toEqual({ ...rest, deprecated_uses: [] });
    expect(JSON.stringify(await list())).not.toContain(text.split('_')[2]);
  });

  it('stores a SHA-256 hash and no other form of the secret', async () => {
    const { id, key } = await created();
    const [row] = await world.database.query('select secret_hash from api_key where id = $1', [id]);
    expect(row).toEqual({ secret_hash: hashSecret(key) });
    const dump = JSON.stringify(await dumpLicense(world, tenant.license.id));
    expect(dump).not.toContain(key.split('_')[2]);
    const audit = await world.database.query(
      `select after from audit_entry where target_type = 'api_key' and target_id = $1`,
      [id],
    );
    expect(audit).toEqual([{ after: expect.objectContaining({ secret_hash: '[secret]', name: 'Bot' }) }]);
  });

  it('returns 403 for a permission its creator lacks, a wildcard included', async () => {
    const admin = await world.addMemberWith(tenant, { 'apikeys.*': true, 'fleet.view': true });
    for (const permissions of [{ '*': true }, { 'fleet.*': true }, { 'clusters.manage': true }]) {
      const { body } = await create({ permissions }, admin).expect(403);
      expect(body).toMatchObject({
        code: 'beyond_own_permissions',
        detail: expect.stringContaining(Object.keys(permissions)[0] ?? ''),
      });
    }
    await create({ permissions: { 'fleet.view': true } }, admin).expect(201);
  });

  it('returns 400 for the permission to manage keys, by name or as apikeys.*', async () => {
    for (const permissions of [{ 'apikeys.manage': true }, { 'apikeys.*': true }]) {
      const { body } = await create({ permissions }).expect(400);
      expect(body).toMatchObject({ errors: [{ in: 'body', pointer: '/permissions' }] });
    }
  });

  it('returns 400 for an unknown permission', async () => {
    await create({ permissions: { 'nothing.view': true } }).expect(400);
    await create({ permissions: {} }).expect(400);
  });

  it('returns 400 for an expiry in the past', async () => {
    const { body } = await create({ expires_at: '2020-01-01T00:00:00Z' }).expect(400);
    expect(body).toMatchObject({ errors: [{ in: 'body', pointer: '/expires_at' }] });
  });

  it.each([
    '10.0.0.0/33',
    '::/129',
    '10.0.0',
    '010.0.0.1',
    '0x7f.0.0.1',
    'localhost',
    '10.0.0.1/8/8',
    'fe80::1%eth0',
    '1.2.3.4/',
  ])('returns 400 for %s as an address', async (address) => {
    const { body } = await create({ allowed_ips: ['10.0.0.1', address] }).expect(400);
    expect(body).toMatchObject({ errors: [{ in: 'body', pointer: '/allowed_ips/1' }] });
  });

  it('returns 201 once for an Idempotency-Key, with the same key on repetition', async () => {
    const send = () => create({ name: 'Once' }).set('Idempotency-Key', 'one-intent-only');
    const first = (await send().expect(201)).body as Created;
    expect((await send().expect(201)).body).toEqual(first);
    expect((await list()).data.filter(({ name }) => name === 'Once')).toHaveLength(1);
  });

  it('returns 409 limit_reached for exactly those beyond 200 of 20 concurrent ones; revoked ones do not count', async () => {
    const full = await world.createTenant();
    await world.database.query(
      `insert into api_key (license_id, identifier, secret_hash, name, permissions, created_by, revoked_at)
       select $1, 'filler' || n, 'x', 'x', '{}', 'x', case when n > 190 then now() end from generate_series(1, 210) n`,
      [full.license.id],
    );
    const responses = await Promise.all(Array.from({ length: 20 }, () => create({}, full.owner)));
    const refused = responses.filter(({ status }) => status === 409);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(refused).toHaveLength(10);
    expect(refused[0]?.body).toMatchObject({ code: 'limit_reached' });
  });
});

describe('listApiKeys', () => {
  it('returns 200 oldest first, page by page', async () => {
    const own = await world.createTenant();
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) ids.push((await created({}, own.owner)).id);
    const first = await list('limit=2', own.owner);
    const second = await list(`limit=2&cursor=${first.next_cursor}`, own.owner);
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
    expect(second.next_cursor).toBeNull();
  });

  it('returns 200 with the status of revoked and expired keys, and filters by it', async () => {
    const own = await world.createTenant();
    const [active, gone, old] = [
      await created({ name: 'active' }, own.owner),
      await created({ name: 'revoked' }, own.owner),
      await created({ name: 'expired' }, own.owner),
    ];
    await revoke(gone.id, own.owner).expect(204);
    await world.database.query(`update api_key set expires_at = now() - interval '1 hour' where id = $1`, [
      old.id,
    ]);
    expect((await list('', own.owner)).data.map(({ name, status }) => [name, status])).toEqual([
      ['active', 'active'],
      ['revoked', 'revoked'],
      ['expired', 'expired'],
    ]);
    for (const status of ['active', 'revoked', 'expired']) {
      expect((await list(`status=${status}`, own.owner)).data.map(({ name }) => name)).toEqual([status]);
    }
    expect(active.status).toBe('active');
  });

  it('returns 200 without secrets for a key that can view keys', async () => {
    const { key } = await created({ permissions: { 'apikeys.view': true } });
    const { text } = await callWith(key, 'get', path).expect(200);
    expect(text).not.toMatch(/secret|hash/);
  });
});

describe('revokeApiKey', () => {
  it('returns 204, and 204 again; the first time of revocation stays', async () => {
    const { id } = await created();
    await revoke(id).expect(204);
    const { revoked_at } = await get(id);
    await revoke(id).expect(204);
    expect((await get(id)).revoked_at).toBe(revoked_at);
  });

  it('returns 404 for an unknown key', async () => {
    await revoke(someId).expect(404);
  });
});

describe('a key', () => {
  it('is accepted as X-Api-Key and as bearer', async () => {
    const { key } = await created();
    await callWith(key).expect(200);
    await world.call('get', clusters, { token: key }).expect(200);
  });

  it('is distinguished from other tokens: returns 403 where only users are listed', async () => {
    const { key } = await created({ permissions: { '*': true } });
    for (const to of ['/auth/me', '/api/admin/licenses']) {
      for (const call of [callWith(key, 'get', to), world.call('get', to, { token: key })]) {
        const { body } = await call.expect(403);
        expect(body).toMatchObject({ code: 'user_required' });
      }
    }
    await callWith(tenant.owner.token).expect(401);
    await callWith(tenant.license.companion_token).expect(401);
  });

  it('returns 401 with a wrong secret, a wrong identifier or a malformed key', async () => {
    const { key, identifier } = await created();
    const other = createApiKey();
    for (const wrong of [
      other.key,
      key.replace(identifier, other.identifier),
      `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`,
      `${key}a`,
      key.toUpperCase(),
      hashSecret(key),
    ]) {
      expect([wrong, (await callWith(wrong)).status]).toEqual([wrong, 401]);
    }
    await callWith(key).expect(200);
  });

  it('returns 401 once it has expired, even if accepted just before', async () => {
    const end = Date.now() + 600_000;
    const { id, key } = await created({ expires_at: new Date(end).toISOString() });
    await callWith(key).expect(200);
    jest.spyOn(Date, 'now').mockReturnValue(end);
    try {
      await callWith(key).expect(401);
    } finally {
      jest.restoreAllMocks();
    }
    await callWith(key).expect(200);
    await world.database.query('update api_key set expires_at = now() where id = $1', [id]);
    expect((await get(id)).status).toBe('expired');
  });

  it('appears by name in what it changes and requests, and cannot pass for a user through its name', async () => {
    const { id, key } = await created({
      name: tenant.owner.email,
      permissions: { 'clusters.manage': true, 'instances.power': true },
    });
    const { body } = await callWith(key, 'post').send({ name: 'By a key' }).expect(201);
    const [entry] = await world.database.query(
      `select actor_kind, actor_id, actor_label, operation from audit_entry where target_id = $1`,
      [(body as Schemas['InstanceCluster']).id],
    );
    const label = `API key ${tenant.owner.email}`;
    expect(entry).toEqual({
      actor_kind: 'api_key',
      actor_id: id,
      actor_label: label,
      operation: 'createCluster',
    });
    const instance = await createInstance(world, tenant);
    const response = await callWith(key, 'post', `/api/instances/${instance}/start`).expect(202);
    expect(response.body).toMatchObject({ requested_by: label });
  });

  it('has its own Idempotency-Keys', async () => {
    const instance = await createInstance(world, tenant);
    const to = `/api/instances/${instance}/start`;
    const { key } = await created({ permissions: { 'instances.power': true } });
    const send = (by: string) => callWith(by, 'post', to).set('Idempotency-Key', 'the-same-for-both');
    const [one, again] = [await send(key).expect(202), await send(key).expect(202)];
    expect(again.body).toEqual(one.body);
    const { key: other } = await created({ permissions: { 'instances.power': true } });
    expect((await send(other).expect(202)).body).not.toMatchObject({ id: (one.body as { id: string }).id });
  });

  it('costs no query while it is cached', async () => {
    const { key } = await createKeyWithText(world, tenant);
    await callWith(key).expect(200);
    await world.database.whileHeld('lock table api_key in access exclusive mode', [], () =>
      callWith(key).expect(200),
    );
  });
});

describe('the time of last use', () => {
  const lastUsed = async (id: string) => (await get(id)).last_used_at;

  it('is written at most once a minute by any number of replicas', async () => {
    const { url, stop } = await world.addReplica();
    try {
      const { id, key } = await created();
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => callWith(key, 'get', clusters, index % 2 ? url : world.url)),
      );
      const first = await until(() => lastUsed(id), 'the first recorded use');
      await callWith(key, 'get', clusters, url).expect(200);
      await callWith(key).expect(200);
      expect(await lastUsed(id)).toBe(first);
      const earlier = new Date(Date.now() - 61_000).toISOString();
      await world.database.query('update api_key set last_used_at = $2 where id = $1', [id, earlier]);
      await until(async () => {
        await callWith(key).expect(200);
        return (await lastUsed(id)) !== earlier;
      }, 'the next recorded use');
    } finally {
      await stop();
    }
  });

  it('delays no request and adds no audit entry', async () => {
    const { id, key } = await created();
    await world.database.whileHeld('select id from api_key where id = $1 for update', [id], () =>
      callWith(key).timeout(10_000).expect(200),
    );
    await until(() => lastUsed(id), 'the recorded use');
    const entries = await world.database.query('select action from audit_entry where target_id = $1', [id]);
    expect(entries).toEqual([{ action: 'created' }]);
  });
});

describe('breach lesson, key scope: a key never does what its permissions do not list', () => {
  const all = enumOf('Permission');
  const keys = new Map<string, Promise<string>>();

  /** A key with every permission but these. */
  function keyWithout(missing: string[]): Promise<string> {
    const name = missing.join(' ');
    const permissions = Object.fromEntries(
      all.map((permission) => [permission, !missing.includes(permission)]),
    );
    const key = keys.get(name) ?? createKeyWithText(world, tenant, { permissions }).then((made) => made.key);
    keys.set(name, key);
    return key;
  }

  const neededBy = (operation: ContractOperation) =>
    alternativesOf(operation).find(({ scheme }) => scheme === 'apiKey')?.permissions;

  const isForUsers = (operation: ContractOperation) =>
    alternativesOf(operation).every(({ scheme }) => ['bearerAuth', 'superAdmin'].includes(scheme));

  const guarded = operations.filter(({ security }) => security.length > 0);

  it.each(guarded.map((operation) => [operation.id, operation] as const))(
    '%s, with a key that has every other permission, in either header',
    async (_id, operation) => {
      const needed = neededBy(operation);
      const key =
        needed === undefined ? (await createKeyWithText(world, tenant)).key : await keyWithout(needed);
      const names = pathParametersOf(operation)
        .map(({ name }) => name)
        .filter((name) => !namesWithoutRow.has(name));
      const url = urlOf(operation, await createRows(names, world, tenant));
      const before = await marksOf(world, [tenant.license.id]);
      for (const header of [{ 'X-Api-Key': key }, { Authorization: `Bearer ${key}` }]) {
        const call = world.call(operation.method, url).set(header);
        const type = operation.body?.types.find(isJsonObject) ?? operation.body?.types[0];
        const { status, body } = await (type === undefined ? call : sendBody(call, type, type.examples[0]));
        expect([status, body]).toMatchObject([
          403,
          { code: isForUsers(operation) ? 'user_required' : 'forbidden' },
        ]);
      }
      expect(await marksOf(world, [tenant.license.id])).toEqual(before);
    },
  );

  it('every operation that accepts keys requires the same permissions of keys as of users, at least one', () => {
    for (const operation of operations) {
      const needed = neededBy(operation);
      if (needed === undefined) continue;
      const ofUsers = alternativesOf(operation).find(({ scheme }) => scheme === 'bearerAuth')?.permissions;
      expect([operation.id, needed.length > 0, needed]).toEqual([operation.id, true, ofUsers]);
    }
  });

  it('no operation that manages keys accepts keys', () => {
    const managing = operations.filter((operation) =>
      alternativesOf(operation).some(({ permissions }) => permissions.includes('apikeys.manage')),
    );
    expect(managing.map(({ id }) => id)).toEqual(['createApiKey', 'revokeApiKey']);
    expect(managing.filter((operation) => neededBy(operation) !== undefined)).toEqual([]);
  });
});

describe('breach lesson, stale access', () => {
  it('a revoked key is rejected at once, on every replica that has just accepted it', async () => {
    const { url, stop } = await world.addReplica();
    try {
      const { id, key } = await created();
      await callWith(key).expect(200);
      await callWith(key, 'get', clusters, url).expect(200);
      await revoke(id).expect(204);
      await callWith(key).expect(401);
      const refused = async () => (await callWith(key, 'get', clusters, url)).status === 401;
      await until(refused, 'the rejection by the other replica', 2_000);
    } finally {
      await stop();
    }
  });

  it('a key loses and regains permissions together with its creator, at once', async () => {
    const maker = await world.addMemberWith(tenant, {
      'apikeys.*': true,
      'fleet.*': true,
      'clusters.*': true,
    });
    const { key } = await created({ permissions: { 'fleet.view': true, 'clusters.manage': true } }, maker);
    const manage = () => callWith(key, 'post').send({ name: `${Math.random()}` });
    await manage().expect(201);
    const setPermissions = async (permissions: object) => {
      await world.database.query(
        `update role set permissions = $3 from membership, user_account
         where role.id = membership.role_id and membership.user_id = user_account.id
           and user_account.email = $1 and role.license_id = $2`,
        [maker.email, tenant.license.id, permissions],
      );
    };
    await setPermissions({ 'fleet.view': true });
    await until(async () => (await manage()).status === 403, 'the loss of the permission', 5_000);
    await callWith(key).expect(200);
    await setPermissions({ '*': true });
    await until(async () => (await manage()).status === 201, 'the permission', 5_000);
  });

  it('a key is rejected while its creator is disabled, and permanently after they leave', async () => {
    const maker = await world.addMemberWith(tenant, { 'apikeys.*': true, 'fleet.*': true });
    const { key } = await created({}, maker);
    await callWith(key).expect(200);
    const userId = await userIdOf(maker);
    const disable = (is_disabled: boolean) =>
      world.call('patch', '/api/admin/users', world.admin).send({ user_id: userId, is_disabled }).expect(200);
    await disable(true);
    await callWith(key).expect(401);
    await disable(false);
    await callWith(key).expect(200);
    await world.database.query('delete from membership where user_id = $1', [userId]);
    await until(async () => (await callWith(key)).status === 401, 'the rejection', 5_000);
  });

  it('a key ends with the membership and stays ended when its creator is invited again', async () => {
    const maker = await world.addMemberWith(tenant, { 'apikeys.*': true, 'fleet.*': true });
    const { id, key } = await created({}, maker);
    await callWith(key).expect(200);
    await world.call('delete', '/api/team/membership', maker).expect(204);
    await callWith(key).expect(401);
    await world.join(tenant, maker.email, 'Head Admin');
    await callWith(key).expect(401);
    const { body } = await world.call('get', `/api/api-keys/${id}`, tenant.owner).expect(200);
    expect(body).toMatchObject({ status: 'revoked' });
  });

  it('keys of a revoked license are rejected at once and work again once it is active', async () => {
    const own = await world.createTenant();
    const { key } = await created({}, own.owner);
    await callWith(key).expect(200);
    const setStatus = (status: string) =>
      world.call('patch', `/api/admin/licenses/${own.license.id}`, world.admin).send({ status }).expect(200);
    await setStatus('revoked');
    expect((await callWith(key).expect(403)).body).toMatchObject({ code: 'license_revoked' });
    await setStatus('active');
    await callWith(key).expect(200);
  });
});

describe('breach lesson, another license', () => {
  it('a key reaches rows of its own license only, also when its creator belongs to others', async () => {
    const other = await world.createTenant();
    await world.join(other, tenant.owner.email, 'Owner');
    const own = await createCluster(world, tenant);
    const foreign = await createCluster(world, other);
    const foreignHost = await createHost(world, other);
    const { key } = await created({ permissions: { '*': true } });
    await callWith(key, 'get', `${clusters}/${own}`).expect(200);
    for (const [method, to] of [
      ['get', `${clusters}/${foreign}`],
      ['delete', `${clusters}/${foreign}`],
      ['get', `/api/fleet/hosts/${foreignHost}`],
    ] as const) {
      expect((await callWith(key, method, to)).status).toBe(404);
    }
    const { body } = await callWith(key, 'get', `${clusters}?limit=100`).expect(200);
    expect(JSON.stringify(body)).not.toContain(foreign);
    const keys = await callWith(key, 'get', `${path}?limit=100`).expect(200);
    const foreignKey = await created({}, other.owner);
    expect(keys.text).not.toContain(foreignKey.id);
  });

  it("a key has its creator's permissions in its own license, regardless of those in others", async () => {
    const [one, own, another] = [
      await world.createTenant(),
      await world.createTenant(),
      await world.createTenant(),
    ];
    const maker = one.owner;
    const userId = await userIdOf(maker);
    const { key } = await createKeyWithText(world, own, { created_by_id: userId, created_by: maker.email });
    await callWith(key).expect(401);
    await world.join(own, maker.email, 'Viewer');
    await world.join(another, maker.email, 'Owner');
    const { key: later } = await createKeyWithText(world, own, {
      created_by_id: userId,
      created_by: maker.email,
    });
    await callWith(later).expect(200);
    await callWith(later, 'post').send({ name: 'c' }).expect(403);
  });
});

describe('breach lesson, the address allow list', () => {
  it('a key is accepted from its networks, including IPv4 mapped to IPv6', async () => {
    for (const allowed_ips of [['127.0.0.1'], ['10.0.0.0/8', '127.0.0.0/8'], ['::ffff:127.0.0.0/104']]) {
      const { key } = await created({ allowed_ips });
      await callWith(key).expect(200);
    }
  });

  it('returns 403 from any other address, even if the request headers claim an allowed one', async () => {
    const { id, key } = await created({ allowed_ips: ['203.0.113.0/24', '::1'] });
    const claims = {
      'X-Forwarded-For': '203.0.113.7',
      'X-Real-IP': '203.0.113.7',
      Forwarded: 'for=203.0.113.7',
      'X-Client-IP': '203.0.113.7',
      'True-Client-IP': '203.0.113.7',
      'CF-Connecting-IP': '203.0.113.7',
    };
    for (const headers of [{}, claims]) {
      const { body } = await callWith(key).set(headers).expect(403);
      expect(body).toMatchObject({ code: 'address_not_allowed' });
    }
    expect((await get(id)).last_used_at).toBeNull();
  });

  it('returns 401, not 403, for a wrong secret: the list does not reveal which keys exist', async () => {
    const { identifier } = await created({ allowed_ips: ['203.0.113.0/24'] });
    const { key } = createApiKey();
    await callWith(key.replace(/_[a-z2-7]{16}_/, `_${identifier}_`)).expect(401);
  });

  it('no address is allowed when the stored list is unreadable', async () => {
    const { key } = await createKeyWithText(world, tenant, { allowed_ips: ['nonsense'] });
    await callWith(key).expect(403);
  });
});

describe('breach lesson, timing', () => {
  const textOf = (file: string) => readFileSync(resolve(root, 'src', file), 'utf8');

  it('a key is found by its identifier alone, and its hash compared in constant time', () => {
    const lookUp = textOf('services/auth/api-key-principals.ts');
    expect(lookUp.match(/\.where\(\s*'[^']*'/g)).toEqual([
      `.where('api_key.identifier'`,
      `.where('api_key.revoked_at'`,
      `.where('creator.is_disabled'`,
    ]);
    expect(lookUp.match(/[^\n]*secretHash(?!:)[^\n]*/g)).toEqual([expect.stringContaining('isHashOf(')]);
    expect(/export function isHashOf[\s\S]*?\n\}/.exec(textOf('secrets/random-secrets.ts'))?.[0]).toContain(
      'timingSafeEqual(kept, presented)',
    );
  });

  it('a corrupt stored hash matches no secret', async () => {
    for (const secret_hash of ['', 'x', hashSecret('another')]) {
      const { key } = await createKeyWithText(world, tenant, { secret_hash });
      await callWith(key).expect(401);
    }
  });
});

it('a key stops working when its creator’s account is deleted', async () => {
  const email = `leaver-${Date.now()}@example.com`;
  const userId = await insertRow(world, 'user_account', { email });
  await world.join(tenant, email, 'Owner');
  const { id, key } = await createKeyWithText(world, tenant, { created_by_id: userId, created_by: email });
  await callWith(key).expect(200);
  await world.database.query('delete from user_account where id = $1', [userId]);
  await until(async () => (await callWith(key)).status === 401, 'the rejection', 5_000);
  expect(await get(id)).toMatchObject({ created_by: email, status: 'active' });
});
