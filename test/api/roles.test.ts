// Operations of the area `roles`.
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { someId } from '../support/contract.ts';
import { createInvitation, createMember, insertRow } from '../support/rows.ts';
import { unlessBusy } from '../support/until.ts';
import { World, type Member, type Tenant } from '../support/world.ts';

type Role = components['schemas']['Role'];
type RolePage = components['schemas']['RolePage'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const said = ({ status, body }: Response) => ({ status, code: (body as { code?: string }).code });
const uniqueName = () => `Role ${randomUUID()}`;

const create = (permissions: object, name = uniqueName(), by: Member = tenant.owner) =>
  world.call('post', '/api/roles', by).send({ name, permissions });
const created = async (permissions: object = { 'fleet.view': true }) =>
  (await create(permissions).expect(201)).body as Role;
const update = (id: string, changes: object, by: Member = tenant.owner) =>
  world.call('patch', `/api/roles/${id}`, by).send(changes);
const remove = (id: string, by: Member = tenant.owner) => world.call('delete', `/api/roles/${id}`, by);
const get = (id: string) => world.call('get', `/api/roles/${id}`, tenant.owner);
const copy = (id: string, name = uniqueName(), by: Member = tenant.owner) =>
  world.call('post', `/api/roles/${id}/duplicate`, by).send({ name });

async function systemRole(name: string, of: Tenant = tenant): Promise<Role> {
  const { body } = await world.call('get', '/api/roles', of.owner).expect(200);
  const found = (body as RolePage).data.find((role) => role.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

const beyond = { status: 403, code: 'beyond_own_permissions' };

describe('listRoles', () => {
  it('returns 200 with the four system roles of a new license, and the number of members of each', async () => {
    const own = await world.createTenant();
    const { body } = await world.call('get', '/api/roles', own.owner).expect(200);
    const { data, next_cursor } = body as RolePage;
    expect(
      data.map(({ name, is_system, member_count }) => [name, is_system, member_count]).toSorted(),
    ).toEqual([
      ['Head Admin', true, 0],
      ['Moderator', true, 0],
      ['Owner', true, 1],
      ['Viewer', true, 0],
    ]);
    expect(next_cursor).toBeNull();
    expect(data.find(({ name }) => name === 'Owner')?.permissions).toEqual({ '*': true });
  });
});

describe('createRole', () => {
  it('returns 201 with its version as ETag, without permissions set to false', async () => {
    const name = uniqueName();
    const { body, headers } = await create({ 'fleet.*': true, 'console.view': false }, name).expect(201);
    expect(body).toEqual({
      id: expect.any(String),
      name,
      is_system: false,
      permissions: { 'fleet.*': true },
      member_count: 0,
      version: 1,
      created_at: expect.any(String),
    });
    expect(headers['etag']).toBe('"1"');
    expect((await get((body as Role).id).expect(200)).body).toEqual(body);
  });

  it('returns 400 for an unknown permission', async () => {
    for (const permissions of [
      { 'fleet.fly': true },
      { fleet: true },
      { '*.view': true },
      { 'fleet.view': 'yes' },
    ])
      await create(permissions).expect(400);
  });

  it('returns 403 for any permission that its creator lacks, wildcards included', async () => {
    const maker = await world.addMemberWith(tenant, {
      'roles.manage': true,
      'console.*': true,
      'fleet.view': true,
      'fleet.manage': true,
    });
    for (const permissions of [
      { '*': true },
      { 'fleet.*': true },
      { 'clusters.manage': true },
      { 'roles.*': true },
    ])
      expect(said(await create(permissions, uniqueName(), maker))).toEqual(beyond);
    await create(
      { 'console.*': true, 'console.input': true, 'fleet.view': true, 'clusters.manage': false },
      uniqueName(),
      maker,
    ).expect(201);
  });

  it('returns 409 for a taken name in any case, also that of a system role', async () => {
    const { name } = await created();
    for (const taken of [name, name.toUpperCase(), 'owner'])
      expect(said(await create({}, taken))).toEqual({ status: 409, code: 'name_taken' });
  });

  it('returns 409 beyond 100 roles, also for concurrent requests (lesson: quota race)', async () => {
    const own = await world.createTenant();
    for (let index = 0; index < 91; index += 1)
      await insertRow(world, 'role', { license_id: own.license.id, name: `Many ${index}`, permissions: {} });
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => unlessBusy(() => create({}, uniqueName(), own.owner))),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(responses.filter((response) => said(response).code === 'limit_reached')).toHaveLength(45);
  });
});

describe('updateRole', () => {
  it('returns 200 with the next version, which applies at once to members with the role (lesson: stale access)', async () => {
    const role = await created({ 'team.view': true });
    const member = await world.addMember(tenant, role.name);
    const look = () => world.call('get', '/api/fleet/instances', member);
    await look().expect(403);
    const changed = await update(role.id, { permissions: { 'fleet.view': true } }).expect(200);
    expect([changed.body, changed.headers['etag']]).toMatchObject([{ version: 2, name: role.name }, '"2"']);
    await look().expect(200);
    await update(role.id, { permissions: {} }).expect(200);
    await look().expect(403);
  });

  it('returns 412 for an outdated version; 200 with the current version, with * and without If-Match', async () => {
    const { id } = await created();
    const send = (ifMatch: string) => update(id, { name: uniqueName() }).set('If-Match', ifMatch);
    await send('"1"').expect(200);
    expect(said(await send('"1"'))).toEqual({ status: 412, code: 'stale_version' });
    await send('"2"').expect(200);
    await send('*').expect(200);
    await update(id, { name: uniqueName() }).expect(200);
    await send('2').expect(400);
    expect((await get(id)).body).toMatchObject({ version: 5 });
  });

  it.each([
    ['"1"', 200],
    ['"7", "1"', 200],
    ['"7","8"', 412],
    ['W/"1"', 412],
    ['W/"1", "1"', 200],
    ['"one"', 412],
    ['"1" "2"', 400],
    ['W/1', 400],
  ])('compares If-Match: %s strongly, as RFC 9110 says: %d', async (ifMatch, status) => {
    const { id } = await created();
    const changed = await update(id, { name: uniqueName() }).set('If-Match', ifMatch);
    expect(said(changed)).toEqual(
      status === 200 ? { status } : { status, code: status === 412 ? 'stale_version' : 'validation_failed' },
    );
  });

  it('returns 200 for one of ten requests with the same version', async () => {
    const { id } = await created();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => update(id, { name: uniqueName() }).set('If-Match', '"1"')),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(412)]);
  });

  it('returns 403 for granting more than the caller holds, and for changing a role that holds more', async () => {
    const maker = await world.addMemberWith(tenant, { 'roles.manage': true, 'fleet.view': true });
    const [low, high] = [await created({ 'fleet.view': true }), await created({ 'clusters.*': true })];
    expect(said(await update(low.id, { permissions: { 'clusters.manage': true } }, maker))).toEqual(beyond);
    expect(said(await update(high.id, { permissions: {} }, maker))).toEqual(beyond);
    expect(said(await remove(high.id, maker))).toEqual(beyond);
    expect(said(await copy(high.id, uniqueName(), maker))).toEqual(beyond);
    await update(low.id, { permissions: {} }, maker).expect(200);
  });

  it("returns 403 for adding permissions to the caller's own role", async () => {
    const member = await world.addMemberWith(tenant, { 'roles.manage': true });
    const me = await world.call('get', '/auth/me', member).expect(200);
    const { role } = me.body as components['schemas']['CurrentUser'];
    const [row] = await world.database.query<{ id: string }>(
      'select id from role where license_id = $1 and name = $2',
      [tenant.license.id, role],
    );
    expect(said(await update(row?.id ?? '', { permissions: { '*': true } }, member))).toEqual(beyond);
  });

  it('returns 409 for a system role and for a taken name', async () => {
    const { id } = await systemRole('Viewer');
    expect(said(await update(id, { name: uniqueName() }))).toEqual({ status: 409, code: 'role_immutable' });
    expect(said(await update((await created()).id, { name: 'OWNER' }))).toEqual({
      status: 409,
      code: 'name_taken',
    });
  });
});

describe('deleteRole', () => {
  it('returns 204 for a role without members', async () => {
    const { id } = await created();
    expect(said(await remove(id).set('If-Match', '"7"'))).toEqual({ status: 412, code: 'stale_version' });
    await remove(id).set('If-Match', '"1"').expect(204);
    await get(id).expect(404);
    await remove(id).expect(404);
    await remove(someId).expect(404);
  });

  it('returns 409 while a member or an open invitation has it, and 204 once the invitation has ended', async () => {
    const [had, offered] = [await created(), await created()];
    await createMember(world, tenant, { role_id: had.id });
    const invitation = await createInvitation(world, tenant, { role_id: offered.id });
    expect(said(await remove(had.id))).toEqual({ status: 409, code: 'role_in_use' });
    expect(said(await remove(offered.id))).toEqual({ status: 409, code: 'role_in_use' });
    await world.database.query('update invitation set expires_at = now() where id = $1', [invitation]);
    await remove(offered.id).expect(204);
  });

  it('returns 409 for a system role', async () => {
    expect(said(await remove((await systemRole('Viewer')).id))).toEqual({
      status: 409,
      code: 'role_immutable',
    });
  });
});

describe('duplicateRole', () => {
  it('returns 201 with the same permissions, and a copy of a system role can be changed', async () => {
    const moderator = await systemRole('Moderator');
    const { body } = await copy(moderator.id).expect(201);
    const role = body as Role;
    expect(role).toMatchObject({ is_system: false, permissions: moderator.permissions, version: 1 });
    await update(role.id, { permissions: { 'fleet.view': true } }).expect(200);
  });

  it('returns 403 for a Head Admin who copies the Owner, 404 for an unknown role, 409 for a taken name', async () => {
    const admin = await world.addMember(tenant, 'Head Admin');
    const owner = await systemRole('Owner');
    expect(said(await copy(owner.id, uniqueName(), admin))).toEqual(beyond);
    await copy(someId).expect(404);
    expect(said(await copy(owner.id, 'Viewer'))).toEqual({ status: 409, code: 'name_taken' });
  });
});

it('returns 409 for a look-alike name: fullwidth, Cyrillic, with a zero', async () => {
  const { owner } = await world.createTenant();
  const create = (name: string) =>
    world.call('post', '/api/roles', owner).send({ name, permissions: { 'fleet.view': true } });
  for (const name of ['Ｏｗｎｅｒ', 'Оwnеr', '0wner', 'Head\u00a0Admin', 'O w n e r', 'Ɵwner', 'Owneŕ'])
    expect([name, (await create(name)).body]).toMatchObject([name, { code: 'name_taken' }]);
  const { body } = await create('Night watch').expect(201);
  await world
    .call('patch', `/api/roles/${(body as { id: string }).id}`, owner)
    .send({ name: 'Ｎｉｇｈｔ watch' })
    .expect(200);
  expect((await create('Nіght watch')).body).toMatchObject({ code: 'name_taken' });
});
