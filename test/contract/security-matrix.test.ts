// Who may call what, and what a bad request gets: generated from the contract, for every operation that it has.
import type { Response } from 'supertest';
import {
  operations,
  pathParametersOf,
  permissionsOf,
  someId,
  urlOf,
  type ContractOperation,
} from '../support/contract.ts';
import { dumpLicense, platformNames, rowsByName } from '../support/rows.ts';
import { signIn, World, type Member, type Tenant } from '../support/world.ts';

type Caller = { token: string };

let world: World;
let tenant: Tenant;
let stranger: Tenant;
/** Signed in, of the tenant's license, with a role that allows nothing. */
let powerless: Member;
/** Signed in, without a license. */
let unlicensed: Member;
/** Signed in, of a license that was revoked afterwards. */
let revoked: Member;
/** For each permission, a member who has every other one; and one who has only those of the operation. */
const lacking = new Map<string, Member>();

const permissionsUsed = [...new Set(operations.flatMap((operation) => permissionsOf(operation) ?? []))];

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  [tenant, stranger] = await Promise.all([world.createTenant(), world.createTenant()]);
  powerless = await world.addMemberWith(tenant, {});
  unlicensed = await signIn(world.url, await world.createUser());
  for (const permission of permissionsUsed) {
    const others = permissionsUsed.filter((name) => name !== permission);
    const map = Object.fromEntries([...others.map((name) => [name, true]), [permission, false]]) as Record<
      string,
      boolean
    >;
    lacking.set(permission, await world.addMemberWith(tenant, map));
  }
  const former = await world.createTenant();
  revoked = former.owner;
  await world
    .call('patch', `/api/admin/licenses/${former.license.id}`, world.admin)
    .send({ status: 'revoked' })
    .expect(200);
});

afterAll(async () => {
  await world.close();
});

/** Somebody who may call the operation. */
function callerOf({ security }: ContractOperation, { owner, license }: Tenant = tenant): Caller | undefined {
  const [scheme] = security.flatMap((requirement) => Object.keys(requirement));
  switch (scheme) {
    case undefined:
      return undefined;
    case 'bearerAuth':
      return owner;
    case 'superAdmin':
      return world.admin;
    case 'companionToken':
      return { token: license.companion_token };
    default:
      throw new Error(`say here who may call an operation that asks for ${scheme}`);
  }
}

/** The operation's example request; ids in its body refer to rows of `owner`'s license. */
async function send(
  operation: ContractOperation,
  caller: Caller | undefined,
  { path = {}, owner = tenant, body }: { path?: Record<string, string>; owner?: Tenant; body?: object } = {},
): Promise<Response> {
  const test = world.call(operation.method, urlOf(operation, path), caller);
  if (operation.body === undefined) return test;
  return test.send(body ?? (await exampleBody(operation, owner)));
}

async function exampleBody(operation: ContractOperation, owner: Tenant): Promise<object> {
  const example = operation.body?.examples['application/json'];
  if (typeof example !== 'object' || example === null) throw new Error(`${operation.id} has no example body`);
  const body: Record<string, unknown> = { ...example };
  for (const name of Object.keys(body)) {
    const create = rowsByName[name];
    if (create !== undefined) body[name] = await create(world, owner);
  }
  return body;
}

async function rowsFor(operation: ContractOperation, owner: Tenant): Promise<Record<string, string>> {
  const rows: Record<string, string> = {};
  for (const name of pathParametersOf(operation)) {
    const create = rowsByName[name];
    if (create === undefined) throw new Error(`rowsByName of test/support/rows.ts can not make a ${name}`);
    rows[name] = await create(world, owner);
  }
  return rows;
}

const isOfTenant = (operation: ContractOperation) => permissionsOf(operation) !== undefined;
const asks = (scheme: string) => (operation: ContractOperation) =>
  operation.security.some((requirement) => scheme in requirement);

describe.each(
  operations
    .filter(({ security }) => security.length > 0)
    .map((operation) => [operation.id, operation] as const),
)('%s', (_id, operation) => {
  it('401 without credentials', async () => {
    const { status, body, headers } = await send(operation, undefined);
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 'unauthorized' });
    expect(headers['www-authenticate']).toMatch(/^Bearer/);
  });

  it('401 with credentials of every other kind, and with none that is one', async () => {
    const wrong = ['', 'x', 'a.b.c', tenant.owner.session.refresh_token];
    wrong.push(asks('companionToken')(operation) ? tenant.owner.token : tenant.license.companion_token);
    for (const token of wrong) {
      const { status, body } = await send(operation, { token });
      expect(status).toBe(401);
      expect(body).toMatchObject({ code: 'unauthorized' });
    }
  });

  it('neither 401 nor 403 with the right ones', async () => {
    const { status } = await send(operation, callerOf(operation));
    expect([401, 403]).not.toContain(status);
  });
});

describe.each(
  operations
    .filter((operation) => (permissionsOf(operation)?.length ?? 0) > 0)
    .map((operation) => [operation.id, permissionsOf(operation) ?? [], operation] as const),
)('%s, which needs %j', (_id, permissions, operation) => {
  it('403 for a member whose role allows nothing', async () => {
    const { status, body } = await send(operation, powerless);
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'forbidden' });
  });

  it('403 for a member who has every permission but a needed one, and for nobody else', async () => {
    for (const [permission, member] of lacking) {
      const { status } = await send(operation, member);
      if (permissions.includes(permission)) expect([permission, status]).toEqual([permission, 403]);
      else expect([permission, [401, 403].includes(status)]).toEqual([permission, false]);
    }
  });

  it('403 license_required for a user without a license', async () => {
    const { status, body } = await send(operation, unlicensed);
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'license_required' });
  });

  it('403 license_revoked for a user of a revoked license', async () => {
    const { status, body } = await send(operation, revoked);
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'license_revoked' });
  });
});

describe.each(operations.filter(asks('superAdmin')).map((operation) => [operation.id, operation] as const))(
  '%s, which is for super admins',
  (_id, operation) => {
    it("403 for a license's owner", async () => {
      const before = await dumpLicense(world, tenant.license.id);
      const path = { license_id: tenant.license.id };
      const { status, body } = await send(operation, tenant.owner, { path });
      expect(status).toBe(403);
      expect(body).toMatchObject({ code: 'forbidden' });
      expect(await dumpLicense(world, tenant.license.id)).toEqual(before);
    });
  },
);

describe('path parameters', () => {
  it('are each known, as a row of a license or as one of the platform', () => {
    const unknown = operations.flatMap((operation) =>
      pathParametersOf(operation)
        .filter((name) => rowsByName[name] === undefined && !platformNames.has(name))
        .map((name) => `${operation.id}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('of the platform are taken from super admins only', () => {
    const open = operations.filter(
      (operation) =>
        !asks('superAdmin')(operation) && pathParametersOf(operation).some((name) => platformNames.has(name)),
    );
    expect(open.map(({ id }) => id)).toEqual([]);
  });
});

describe.each(
  operations
    .filter((operation) => isOfTenant(operation) && pathParametersOf(operation).length > 0)
    .map((operation) => [operation.id, operation] as const),
)('%s', (_id, operation) => {
  it('404 for a row of another license, as for one that does not exist, and changes nothing', async () => {
    const path = await rowsFor(operation, tenant);
    const before = await dumpLicense(world, tenant.license.id);
    const foreign = await send(operation, stranger.owner, { path, owner: stranger });
    const missing = await send(operation, stranger.owner, { owner: stranger });
    expect([foreign.status, missing.status]).toEqual([404, 404]);
    const untold = { request_id: '', instance: '' };
    expect({ ...foreign.body, ...untold }).toEqual({ ...missing.body, ...untold });
    expect(foreign.body).toMatchObject({ code: 'not_found' });
    expect(await dumpLicense(world, tenant.license.id)).toEqual(before);
  });

  it('finds the same row for its own license', async () => {
    const { status } = await send(operation, tenant.owner, { path: await rowsFor(operation, tenant) });
    expect(status).toBeGreaterThanOrEqual(200);
    expect(status).toBeLessThan(300);
  });
});

describe.each(
  operations
    .filter(
      (operation) =>
        isOfTenant(operation) &&
        Object.keys(operation.body?.examples['application/json'] ?? {}).some((name) => name in rowsByName),
    )
    .map((operation) => [operation.id, operation] as const),
)('%s, whose body refers to rows', (_id, operation) => {
  it('404 for a row of another license in the body, and changes nothing', async () => {
    const path = await rowsFor(operation, stranger);
    const body = await exampleBody(operation, tenant);
    const before = [
      await dumpLicense(world, tenant.license.id),
      await dumpLicense(world, stranger.license.id),
    ];
    const { status, body: problem } = await send(operation, stranger.owner, { path, body });
    expect(status).toBe(404);
    expect(problem).toMatchObject({ code: 'not_found' });
    expect([
      await dumpLicense(world, tenant.license.id),
      await dumpLicense(world, stranger.license.id),
    ]).toEqual(before);
  });
});

const rowFilters = operations
  .filter(isOfTenant)
  .flatMap((operation) =>
    operation.parameters
      .filter(({ name, in: place }) => place === 'query' && name in rowsByName)
      .map(({ name }) => [operation.id, name, operation] as const),
  );

describe.each(rowFilters)('%s filtered by %s', (_id, name, operation) => {
  it('200 without entries for a row of another license', async () => {
    const id = await rowsByName[name]?.(world, tenant);
    const url = `${urlOf(operation)}?${name}=${String(id)}`;
    const { body } = await world.call(operation.method, url, stranger.owner).expect(200);
    expect(body).toEqual({ data: [], next_cursor: null });
  });
});

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  it('400 for an unknown query parameter', async () => {
    const test = world.call(operation.method, `${urlOf(operation)}?unheard_of=1`, callerOf(operation));
    const { body } = await (
      operation.body === undefined ? test : test.send(await exampleBody(operation, tenant))
    ).expect(400);
    expect(body).toMatchObject({
      code: 'validation_failed',
      errors: [{ in: 'query', pointer: '/unheard_of' }],
    });
  });
});

describe.each(
  operations
    .filter((operation) => pathParametersOf(operation).length > 0)
    .map((operation) => [operation.id, operation] as const),
)('%s', (_id, operation) => {
  it('400 for a path parameter that is no id', async () => {
    for (const [name = ''] of [pathParametersOf(operation)]) {
      for (const value of [
        'x',
        '1',
        `${someId}0`,
        '%00',
        "'%20or%20true--",
        '..%2f..%2fetc',
        `${someId}%00`,
      ]) {
        const { status, body } = await send(operation, callerOf(operation), { path: { [name]: value } });
        expect([value, status, body]).toMatchObject([
          value,
          400,
          { code: 'validation_failed', errors: [{ in: 'path', pointer: `/${name}` }] },
        ]);
      }
    }
  });
});

describe.each(
  operations.filter(({ body }) => body !== undefined).map((operation) => [operation.id, operation] as const),
)('%s, which takes a body', (_id, operation) => {
  const sendRaw = (type: string | undefined, text: string | Buffer) => {
    const test = world.call(operation.method, urlOf(operation), callerOf(operation));
    if (type !== undefined) test.set('Content-Type', type);
    return test.send(text);
  };

  it('400 for text that is not JSON', async () => {
    for (const text of [
      '{',
      '{"a":',
      '{a:1}',
      '\u0000',
      '{"a":1}}',
      '[1',
      'nonsense',
      '"x"',
      'null',
      '1',
      '\ufeff\ufeff{}',
    ]) {
      const { status, body } = await sendRaw('application/json', text);
      expect([text, status, body]).toMatchObject([text, 400, { code: 'malformed_body' }]);
    }
  });

  it('400 for JSON that is not an object', async () => {
    const { body } = await sendRaw('application/json', '[]').expect(400);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ in: 'body', pointer: '' }] });
  });

  it('415 for every other content type', async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'nonsense',
    ]) {
      const { status, body } = await sendRaw(type, '{}');
      expect([type, status, body]).toMatchObject([type, 415, { code: 'unsupported_media_type' }]);
    }
  });

  it('400 for a field that the contract does not have', async () => {
    const body = { ...(await exampleBody(operation, tenant)), unheard_of: 1 };
    const { status, body: problem } = await send(operation, callerOf(operation), { body });
    expect(status).toBe(400);
    expect(problem).toMatchObject({
      code: 'validation_failed',
      errors: [{ in: 'body', pointer: '/unheard_of' }],
    });
  });

  it('413 for more than a mebibyte', async () => {
    const { body } = await sendRaw(
      'application/json',
      JSON.stringify({ padding: 'x'.repeat(1024 * 1024) }),
    ).expect(413);
    expect(body).toMatchObject({ code: 'payload_too_large' });
  });

  if (operation.body?.required) {
    it('400 for no body at all', async () => {
      const { body } = await world.call(operation.method, urlOf(operation), callerOf(operation)).expect(400);
      expect(body).toMatchObject({ code: 'validation_failed' });
    });
  }
});
