// Operations of the area `permissions`: the list of permissions, and explanations of access decisions.
import type { components } from '../../generated/platform.d.ts';
import { grants } from '../../src/services/auth/role-permissions.ts';
import { alternativesOf, enumOf, operations, urlOf } from '../support/contract.ts';
import { signIn, World, type Member, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const explain = async (operation: string, member: { token: string }) => {
  const { body } = await world
    .call('get', `/api/permissions/explain?operation=${operation}`, member)
    .expect(200);
  return body as Schemas['AccessExplanation'];
};

describe('listPermissions', () => {
  it('returns 200 with every permission of the contract and a sentence for each', async () => {
    const { body } = await world.call('get', '/api/permissions', tenant.owner).expect(200);
    const { data } = body as Schemas['PermissionList'];
    expect(data.map(({ permission }) => permission)).toEqual(enumOf('Permission'));
    for (const { description } of data) expect(description).toMatch(/^[A-Z].{15,}\.$/);
  });
});

describe('explainAccess', () => {
  it('names the deciding entry: the permission itself, the resource wildcard or the full wildcard', async () => {
    const entries = [
      [{ 'instances.power': true, 'instances.*': true, '*': true }, 'instances.power'],
      [{ 'instances.*': true, '*': true }, 'instances.*'],
      [{ '*': true, 'instances.power': false }, '*'],
    ] as const;
    for (const [map, entry] of entries) {
      const member = await world.addMemberWith(tenant, map);
      expect(await explain('startInstance', member)).toEqual({
        operation: 'startInstance',
        is_allowed: true,
        reason: 'permissions_held',
        permissions: [{ permission: 'instances.power', granted_by: entry }],
      });
    }
  });

  it('names the missing permission', async () => {
    const member = await world.addMemberWith(tenant, { 'fleet.*': true });
    expect(await explain('startInstance', member)).toEqual({
      operation: 'startInstance',
      is_allowed: false,
      reason: 'permission_missing',
      permissions: [{ permission: 'instances.power', granted_by: null }],
    });
  });

  it('names other deciding conditions', async () => {
    const outsider = await signIn(world.url, await world.createUser());
    const reasons = async (member: Member, ...ids: string[]) =>
      Promise.all(ids.map(async (id) => [id, (await explain(id, member)).reason]));
    expect(
      await reasons(tenant.owner, 'signIn', 'getCurrentUser', 'listLicenses', 'createAgentSession'),
    ).toEqual([
      ['signIn', 'public'],
      ['getCurrentUser', 'signed_in'],
      ['listLicenses', 'not_super_admin'],
      ['createAgentSession', 'not_for_users'],
    ]);
    expect(await reasons(world.admin, 'listLicenses')).toEqual([['listLicenses', 'super_admin']]);
    expect(await reasons(outsider, 'listClusters')).toEqual([['listClusters', 'license_required']]);
  });

  it('explains for a revoked license what only its Owner can still do', async () => {
    const own = await world.createTenant();
    const other = await world.addMemberWith(own, { '*': true });
    await world
      .call('patch', `/api/admin/licenses/${own.license.id}`, world.admin)
      .send({ status: 'revoked' })
      .expect(200);
    expect(await explain('listClusters', own.owner)).toMatchObject({
      is_allowed: false,
      reason: 'license_revoked',
    });
    expect(await explain('exportLicenseData', own.owner)).toMatchObject({
      is_allowed: true,
      reason: 'permissions_held',
    });
    expect(await explain('exportLicenseData', other)).toMatchObject({
      is_allowed: false,
      reason: 'license_revoked',
    });
  });

  it('agrees with the real response of every operation', async () => {
    const map = { 'fleet.*': true, 'commands.view': true, 'team.view': true };
    const member = await world.addMemberWith(tenant, map);
    const reads = operations.filter(({ method, security }) => method === 'get' && security.length > 0);
    for (const operation of reads) {
      const { is_allowed, permissions } = await explain(operation.id, member);
      const { status } = await world.call('get', urlOf(operation), member);
      expect([operation.id, is_allowed]).toEqual([operation.id, ![401, 403].includes(status)]);
      const asked =
        alternativesOf(operation).find(({ scheme }) => scheme === 'bearerAuth')?.permissions ?? [];
      for (const { permission, granted_by } of permissions)
        expect(granted_by !== null).toBe(asked.includes(permission) && grants(map, permission));
    }
  });

  it('returns 404 for an unknown operation, 400 for none', async () => {
    await world.call('get', '/api/permissions/explain?operation=flyAway', tenant.owner).expect(404);
    await world.call('get', '/api/permissions/explain', tenant.owner).expect(400);
  });
});
