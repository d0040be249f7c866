// Who may call which operation, and what a bad request gets: generated from the contract, for every
// operation.
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Response, Test } from 'supertest';
import { hashSecret } from '../../src/secrets/random-secrets.ts';
import { makeRelease } from '../support/agent-release.ts';
import { isClosed, isJsonObject, sendBody } from '../support/bodies.ts';
import {
  alternativesOf,
  badValuesOf,
  contract,
  idFieldsOf,
  operations,
  pathParametersOf,
  someId,
  urlOf,
  type Alternative,
  type Body,
  type ContractOperation,
  type IdField,
} from '../support/contract.ts';
import {
  createKeyWithText,
  dumpLicense,
  createRow,
  createRows,
  createResellerOf,
  marksOf,
  namesWithoutRow,
  platformRowsByName,
  rowsByName,
  type Rows,
} from '../support/rows.ts';
import { sampleOf } from '../support/sample.ts';
import { spotsOf } from '../support/schemas.ts';
import { adminEmail, signIn, World, type Tenant } from '../support/world.ts';

/** Headers with the caller's credentials. */
type Caller = Readonly<Record<string, string>>;

/** How the tests get credentials of a security scheme. */
interface Scheme {
  /** Schemes with the same credentials have the same name here. */
  credentials: string;
  /** Whether callers act in one license, so that rows of others do not exist for them. */
  isOfLicense: boolean;
  /** Sends a text as if it were credentials. */
  present: (text: string) => Caller;
  /** A caller with every permission in that license. */
  callerOf: (tenant: Tenant) => Caller | Promise<Caller>;
  /** A caller of the license with exactly these permissions, for schemes that have permissions. */
  callerWith?: (tenant: Tenant, permissions: readonly string[]) => Promise<Caller>;
}

const bearer = (token: string): Caller => ({ Authorization: `Bearer ${token}` });
const apiKey = (key: string): Caller => ({ 'X-Api-Key': key });
const licenseKey = (key: string): Caller => ({ 'X-License-Key': key });

/** A scheme that joins the contract joins this list; the tests fail until it does. */
const schemes: Readonly<Record<string, Scheme>> = {
  apiKey: {
    credentials: 'API key',
    isOfLicense: true,
    present: apiKey,
    callerOf: async (owner) => apiKey((await createKeyWithText(world, owner)).key),
    callerWith: async (owner, permissions) => {
      const held = Object.fromEntries(permissions.map((permission) => [permission, true]));
      return apiKey((await createKeyWithText(world, owner, { permissions: held })).key);
    },
  },
  bearerAuth: {
    credentials: 'access token',
    isOfLicense: true,
    present: bearer,
    callerOf: ({ owner }) => bearer(owner.token),
    callerWith: async (owner, permissions) => {
      const held = Object.fromEntries(permissions.map((permission) => [permission, true]));
      return bearer((await world.addMemberWith(owner, held)).token);
    },
  },
  superAdmin: {
    credentials: 'access token',
    isOfLicense: false,
    present: bearer,
    callerOf: () => bearer(world.admin.token),
  },
  companionToken: {
    credentials: 'companion token',
    isOfLicense: true,
    present: bearer,
    // Another test may have replaced it.
    callerOf: async ({ license }) => {
      await world.database.query('update license set companion_token_hash = $1 where id = $2', [
        hashSecret(license.companion_token),
        license.id,
      ]);
      return bearer(license.companion_token);
    },
  },
  hostKey: {
    credentials: 'host key',
    isOfLicense: true,
    present: bearer,
    callerOf: async (owner) => bearer((await createResellerOf(world, owner)).key),
  },
  licenseKey: {
    credentials: 'license key',
    isOfLicense: true,
    present: licenseKey,
    // Another test may have replaced it.
    callerOf: async ({ license }) => {
      const [row] = await world.database.query<{ key: string }>('select key from license where id = $1', [
        license.id,
      ]);
      return licenseKey(row?.key ?? '');
    },
  },
};

function schemeOf(name: string): Scheme {
  const scheme = schemes[name];
  if (scheme === undefined) throw new Error(`add credentials for ${name} to schemes`);
  return scheme;
}

let world: World;
let tenant: Tenant;
let outsider: Tenant;
/** Signed in, without a license. */
let unlicensed: Caller;
/**
 * For each scheme with permissions, a caller with all of them, not the owner, of a license that was revoked
 * afterwards.
 */
const revoked = new Map<string, Caller>();
/** Members of the tenant's license by their permissions. */
const members = new Map<string, Promise<Caller>>();

const guarded = operations.flatMap((operation) =>
  alternativesOf(operation)
    .filter(({ permissions }) => permissions.length > 0)
    .map((alternative) => ({ operation, ...alternative })),
);
const permissionsUsed = [...new Set(guarded.flatMap(({ permissions }) => permissions))];

beforeAll(async () => {
  const release = await makeRelease();
  world = await World.create({ roles: ['api'], agentReleaseDirectory: release });
  world.atEnd(() => rm(release, { recursive: true }));
  [tenant, outsider] = await Promise.all([world.createTenant(), world.createTenant()]);
  // With rows of their own, callers who may see everything see something.
  await createRows(Object.keys(rowsByName), world, outsider);
  unlicensed = bearer((await signIn(world.url, await world.createUser())).token);
  const former = await world.createTenant();
  for (const [name, { callerWith }] of Object.entries(schemes)) {
    const caller = await callerWith?.(former, permissionsUsed);
    if (caller !== undefined) revoked.set(name, caller);
  }
  await world
    .call('patch', `/api/admin/licenses/${former.license.id}`, world.admin)
    .send({ status: 'revoked' })
    .expect(200);
});

afterAll(async () => {
  await world.close();
});

/** A caller of the tenant's license with exactly these permissions. */
function holderOf(scheme: string, permissions: readonly string[]): Promise<Caller> {
  const key = [scheme, ...permissions.toSorted()].join(' ');
  const caller = members.get(key) ?? schemeOf(scheme).callerWith?.(tenant, permissions);
  if (caller === undefined) throw new Error(`add a caller with some permissions for ${scheme} to schemes`);
  members.set(key, caller);
  return caller;
}

/** A caller who may call the operation; unauthenticated when every caller may. */
async function callerOf(operation: ContractOperation): Promise<Caller> {
  const [alternative] = alternativesOf(operation);
  return alternative === undefined ? {} : schemeOf(alternative.scheme).callerOf(tenant);
}

interface Sent {
  path?: Rows;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
}

/** The operation's example request, with these values in it. */
async function send(
  operation: ContractOperation,
  caller: Caller,
  { path = {}, query = {}, body }: Sent = {},
): Promise<Response> {
  // Required query parameters are already in the URL.
  const needed = operation.parameters.filter(({ required }) => required).map(({ name }) => name);
  const free = Object.fromEntries(Object.entries(query).filter(([name]) => !needed.includes(name)));
  const test = requestTo(operation, caller, { ...path, ...query }).query(free);
  const type = bodyOf(operation);
  return type === undefined ? test : sendBody(test, type, body ?? type.examples[0]);
}

function requestTo(operation: ContractOperation, caller: Caller, path: Rows = {}): Test {
  const test = world.call(operation.method, urlOf(operation, path)).set(caller);
  return isStream(operation) ? test.buffer(true).parse(readUnlessStream) : test;
}

const isStream = ({ replies }: ContractOperation) => replies.some(({ type }) => type === 'text/event-stream');

/** A stream does not end by itself; its status is enough here. */
function readUnlessStream(response: Response, done: (error: Error | null, body: unknown) => void): void {
  const incoming = response as unknown as IncomingMessage;
  if (incoming.headers['content-type']?.startsWith('text/event-stream') === true) {
    incoming.destroy();
    done(null, {});
    return;
  }
  json(incoming).then(
    (body) => done(null, body),
    (error: Error) => done(error, null),
  );
}

/** The body that the tests send, JSON if the operation accepts it. */
function bodyOf({ body }: ContractOperation): Body | undefined {
  return body?.types.find(isJsonObject) ?? body?.types[0];
}

const asks = (scheme: string) => (operation: ContractOperation) =>
  alternativesOf(operation).some((alternative) => alternative.scheme === scheme);

const named = (list: ContractOperation[]) => list.map((operation) => [operation.id, operation] as const);

describe('security schemes', () => {
  it('are each known here', () => {
    const declared = Object.keys(contract.components.securitySchemes);
    expect(declared.filter((name) => schemes[name] === undefined)).toEqual([]);
  });

  it('with permissions can have credentials with only some of them', () => {
    const blunt = guarded.filter(({ scheme }) => schemeOf(scheme).callerWith === undefined);
    expect(blunt.map(({ operation, scheme }) => `${operation.id}: ${scheme}`)).toEqual([]);
  });
});

describe.each(named(operations.filter(({ security }) => security.length > 0)))('%s', (_id, operation) => {
  const alternatives = alternativesOf(operation);

  it('returns 401 without credentials', async () => {
    const { status, body, headers } = await send(operation, {});
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 'unauthorized' });
    expect(headers['www-authenticate']).toMatch(/^Bearer/);
  });

  it.each(alternatives)('returns 401 with invalid credentials of $scheme', async ({ scheme }) => {
    for (const text of ['', 'x', 'a.b.c', tenant.owner.session.refresh_token]) {
      const { status, body } = await send(operation, schemeOf(scheme).present(text));
      expect([text, status, body]).toMatchObject([text, 401, { code: 'unauthorized' }]);
    }
  });

  it('returns 403 with valid credentials of every other kind', async () => {
    const taken = alternatives.map(({ scheme }) => schemeOf(scheme).credentials);
    const code = taken.every((kind) => kind === 'access token') ? 'user_required' : 'forbidden';
    for (const other of Object.values(schemes)) {
      if (taken.includes(other.credentials)) continue;
      const { status, body } = await send(operation, await other.callerOf(tenant));
      expect([other.credentials, status, body]).toMatchObject([other.credentials, 403, { code }]);
    }
  });

  it.each(alternatives)(
    'returns neither 401 nor 403 with valid credentials of $scheme',
    async ({ scheme }) => {
      const { status } = await send(operation, await schemeOf(scheme).callerOf(tenant));
      expect([401, 403]).not.toContain(status);
    },
  );
});

describe.each(guarded)('$operation.id, which needs $permissions of $scheme', (guard) => {
  const { operation, scheme, permissions } = guard;
  const isEnough = (held: readonly string[]) =>
    alternativesOf(operation).some(
      (other) => other.scheme === scheme && other.permissions.every((name) => held.includes(name)),
    );

  it('returns 403 for a caller without permissions', async () => {
    const { status, body } = await send(operation, await holderOf(scheme, []));
    expect([status, body]).toMatchObject([403, { code: 'forbidden' }]);
  });

  it.each(permissions)('returns 403 for a caller with every permission but %s', async (missing) => {
    const held = permissionsUsed.filter((name) => name !== missing);
    const { status } = await send(operation, await holderOf(scheme, held));
    if (isEnough(held)) expect([401, 403]).not.toContain(status);
    else expect(status).toBe(403);
  });

  it('returns neither 401 nor 403 for a caller with exactly that permission, unless they would grant more', async () => {
    const { status, body } = await send(operation, await holderOf(scheme, permissions));
    if ((body as { code?: string }).code === 'beyond_own_permissions') return;
    expect([401, 403]).not.toContain(status);
  });

  it('returns 403 license_revoked for a caller of a revoked license', async () => {
    const { status, body } = await send(operation, revoked.get(scheme) ?? {});
    expect([status, body]).toMatchObject([403, { code: 'license_revoked' }]);
  });

  if (scheme === 'bearerAuth') {
    it('returns 403 license_required for a user without a license', async () => {
      const { status, body } = await send(operation, unlicensed);
      expect([status, body]).toMatchObject([403, { code: 'license_required' }]);
    });
  }
});

describe.each(named(operations.filter(asks('superAdmin'))))(
  '%s, which is for super admins',
  (_id, operation) => {
    it("returns 403 for a license's owner", async () => {
      const path = await rowsFor(operation, tenant);
      const before = await marksOfBoth();
      const { status, body } = await send(operation, bearer(tenant.owner.token), { path });
      expect([status, body]).toMatchObject([403, { code: 'forbidden' }]);
      expect(await marksOfBoth()).toEqual(before);
    });
  },
);

let confirmedAt = Date.now();

/** A step-up that a test makes ends after ten minutes; on a slow machine this file takes longer. */
beforeEach(async () => {
  if (Date.now() - confirmedAt < 240_000) return;
  confirmedAt = Date.now();
  await world.database.query(
    `update user_session set stepped_up_until = now() + interval '1 day' where stepped_up_until is not null`,
  );
});

const stepUps = operations.filter(({ requiresStepUp }) => requiresStepUp);

describe.each(named(stepUps))('%s, which requires a step-up', (_id, operation) => {
  it('returns 403 step_up_required for an access token alone, and changes nothing', async () => {
    const email = asks('superAdmin')(operation) ? adminEmail : tenant.owner.email;
    const unconfirmed = bearer((await signIn(world.url, email)).token);
    const path = await rowsFor(operation, tenant);
    const before = await marksOfBoth();
    const { status, body } = await send(operation, unconfirmed, { path });
    expect([status, body]).toMatchObject([403, { code: 'step_up_required' }]);
    expect(await marksOfBoth()).toEqual(before);
  });
});

const marksOfBoth = () => marksOf(world, [tenant.license.id, outsider.license.id]);

/** Names of the rows that the operation's path leads through, outermost first. */
const rowNamesOf = (operation: ContractOperation) =>
  pathParametersOf(operation)
    .map(({ name }) => name)
    .filter((name) => !namesWithoutRow.has(name));

/** A row of the owner's license for each name in the operation's path. */
const rowsFor = (operation: ContractOperation, owner: Tenant) =>
  createRows(rowNamesOf(operation), world, owner);

describe('ids and names', () => {
  const isKnown = (name: string) => name in rowsByName || name in platformRowsByName;

  it('in paths are each known', () => {
    const unknown = operations.flatMap((operation) =>
      rowNamesOf(operation)
        .filter((name) => !isKnown(name))
        .map((name) => `${operation.id}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('in queries and bodies are each known, at any depth', () => {
    const unknown = operations.flatMap((operation) =>
      idFieldsOf(operation)
        .filter(({ name }) => !isKnown(name))
        .map(({ in: part, path }) => `${operation.id}: ${part} /${path.join('/')}`),
    );
    expect(unknown).toEqual([]);
  });

  it('of the platform are in paths for super admins only', () => {
    const open = operations.filter(
      (operation) =>
        !asks('superAdmin')(operation) && rowNamesOf(operation).some((name) => name in platformRowsByName),
    );
    expect(open.map(({ id }) => id)).toEqual([]);
  });

  it('get their rows within those that are already known', async () => {
    const made = new Map<string, { name: string; known: Rows }>();
    for (const outer of Object.keys(rowsByName)) {
      for (const name of Object.keys(rowsByName)) {
        const known = await createRows([outer], world, tenant);
        made.set(await createRow(name, world, tenant, known), { name, known });
      }
    }
    const dump = Object.values(await dumpLicense(world, tenant.license.id));
    for (const row of dump.flat() as (Rows | null)[]) {
      const { name, known = {} } = made.get(row?.['id'] ?? '') ?? {};
      const shared = Object.keys(known).filter((column) => row !== null && column in row);
      for (const column of shared)
        expect([name, column, row?.[column]]).toEqual([name, column, known[column]]);
    }
  });
});

/** Codes that reveal only to the owner of a row that it was found. */
const found = [
  'limit_reached',
  'name_taken',
  'agent_offline',
  'agent_timeout',
  'command_not_cancellable',
  'map_not_public',
  'module_not_owned',
  'no_agent_release',
  'unavailable',
];

function expectFound({ status, body }: Response): void {
  const { code } = body as { code?: string };
  const isFound = (status >= 200 && status < 300) || found.includes(code ?? '');
  expect({ isFound, status, code }).toEqual({ isFound: true, status, code });
}

/** Fails unless the response for another license's row equals that for an unknown row. */
function expectUnseen(foreign: Response, missing: Response, ids: string[]): void {
  // The end of the caller's own log moves with each request.
  const untold = { request_id: '', instance: '', stream_cursor: undefined };
  expect({ ...foreign.body, ...untold }).toEqual({ ...missing.body, ...untold });
  expect(foreign.status).toBe(missing.status);
  for (const id of ids) expect(JSON.stringify({ ...foreign.body, instance: '' })).not.toContain(id);
}

/** Every way for a caller of a license to call the operation. */
const inLicense = (operation: ContractOperation): Alternative[] =>
  alternativesOf(operation).filter(({ scheme }) => schemeOf(scheme).isOfLicense);

const leadsThroughRows = operations
  .filter((operation) => rowNamesOf(operation).length > 0)
  .flatMap((operation) => inLicense(operation).map(({ scheme }) => ({ operation, scheme })));

describe.each(leadsThroughRows)('$operation.id with $scheme', ({ operation, scheme }) => {
  const names = rowNamesOf(operation);

  it.each(names)('returns 404 for the %s of another license, as for an unknown one', async (name) => {
    const outer = await createRows(names.slice(0, names.indexOf(name)), world, outsider);
    const path = { ...(await rowsFor(operation, tenant)), ...outer };
    const caller = await schemeOf(scheme).callerOf(outsider);
    const body = await bodyFor(operation, outsider, outer);
    const before = await marksOfBoth();
    const foreign = await send(operation, caller, { path, body });
    const missing = await send(operation, caller, { path: outer, body });
    expect([foreign.status, foreign.body]).toMatchObject([404, { code: 'not_found' }]);
    expectUnseen(foreign, missing, idsBeyond(outer, path));
    expect(await marksOfBoth()).toEqual(before);
  });

  for (const [index, name] of names.entries()) {
    if (index === 0) continue;
    it(`returns 404 for a row (${name}) that is within another one of the same license`, async () => {
      const outer = await createRows(names.slice(0, index), world, outsider);
      const path = { ...(await rowsFor(operation, outsider)), ...outer };
      const caller = await schemeOf(scheme).callerOf(outsider);
      const body = await bodyFor(operation, outsider, outer);
      const before = await marksOfBoth();
      const response = await send(operation, caller, { path, body });
      expect([response.status, response.body]).toMatchObject([404, { code: 'not_found' }]);
      expect(await marksOfBoth()).toEqual(before);
    });
  }

  it('finds rows of its own license', async () => {
    const path = await rowsFor(operation, tenant);
    const body = await bodyFor(operation, tenant, path);
    expectFound(await send(operation, await schemeOf(scheme).callerOf(tenant), { path, body }));
  });
});

/** The ids of those rows that the others do not have. */
const idsBeyond = (others: Rows, rows: Rows) =>
  Object.values(rows).filter((id) => !Object.values(others).includes(id));

/**
 * The example with the field, or else one that could have it; with rows of the owner's license for every id
 * in it.
 */
async function bodyFor(
  operation: ContractOperation,
  owner: Tenant,
  known: Rows,
  field?: IdField,
): Promise<unknown> {
  const examples = structuredClone(bodyOf(operation)?.examples ?? []);
  const spots = (example: unknown) => (field === undefined ? [] : spotsOf(example, field.path));
  const example =
    examples.find((candidate) => spots(candidate).some(({ holder, key }) => key in holder)) ??
    examples.find((candidate) => field === undefined || spots(candidate).length > 0);
  if (field !== undefined && example === undefined)
    throw new Error(`${operation.id}: give an example that has a place for /${field.path.join('/')}`);
  for (const { in: part, path, name } of idFieldsOf(operation)) {
    if (part !== 'body') continue;
    for (const { holder, key } of spotsOf(example, path)) {
      const isMeant = path.join('/') === field?.path.join('/');
      if (isMeant || typeof holder[key] === 'string')
        holder[key] = await createRow(name, world, owner, known);
    }
  }
  return example;
}

/** A document has a checksum, and an entry with an unknown id is skipped: test/api/migration covers that. */
const isEncrypted = (operation: ContractOperation, { path }: IdField) =>
  operation.id === 'importConfiguration' && path[0] === 'document';

const refersToRows = operations.flatMap((operation) =>
  idFieldsOf(operation)
    .filter((field) => !isEncrypted(operation, field))
    .flatMap((field) =>
      inLicense(operation).map(({ scheme }) => ({ operation, scheme, field, at: field.path.join('/') })),
    ),
);

describe.each(refersToRows)('$operation.id with $scheme and an id at $field.in $at', (reference) => {
  const { operation, scheme, field } = reference;

  /** The request of another license with this id in that field and its own rows everywhere else. */
  async function sendWith(id: string | undefined): Promise<Response> {
    const path = await rowsFor(operation, outsider);
    const body = await bodyFor(operation, outsider, path, field.in === 'body' ? field : undefined);
    const own = id ?? (await createRow(field.name, world, outsider, path));
    const spot = field.in === 'body' ? spotsOf(body, field.path).at(-1) : undefined;
    if (spot !== undefined) spot.holder[spot.key] = own;
    const query = field.in === 'query' ? { [field.path[0] ?? '']: own } : {};
    const caller = await schemeOf(scheme).callerOf(outsider);
    const before = await marksOfBoth();
    const response = await send(operation, caller, { path, query, body });
    if (id !== undefined) expect(await marksOfBoth()).toEqual(before);
    return response;
  }

  it('treats a row of another license as unknown, and changes nothing', async () => {
    const id = await createRow(field.name, world, tenant, {});
    const foreign = await sendWith(id);
    const missing = await sendWith(someId);
    expectUnseen(foreign, missing, [id]);
    const { status, body } = foreign;
    const nothing = isStream(operation) ? {} : { data: [], next_cursor: null };
    if (field.in === 'query' && status === 200)
      expect({ ...body, stream_cursor: undefined }).toEqual(nothing);
    else if (operation.problemCodes?.includes('not_found'))
      expect([status, body]).toMatchObject([404, { code: 'not_found' }]);
    else expect([status, body]).toMatchObject([400, { code: 'validation_failed' }]);
  });

  it('finds a row of its own license', async () => {
    expectFound(await sendWith(undefined));
  });
});

/** Those that get bad requests in this run; every run has all of them for the callers above. */
const badlyAsked = sampleOf('operations with bad requests', operations, {
  step: 4,
  labelOf: ({ id }) => id,
});

describe.each(named(badlyAsked))('%s', (_id, operation) => {
  it('returns 400 for an unknown query parameter', async () => {
    const { status, body } = await send(operation, await callerOf(operation), { query: { unheard_of: '1' } });
    expect([status, body]).toMatchObject([
      400,
      { code: 'validation_failed', errors: [{ in: 'query', pointer: '/unheard_of' }] },
    ]);
  });
});

describe.each(
  badlyAsked.flatMap((operation) =>
    pathParametersOf(operation).map((parameter) => ({ operation, parameter, name: parameter.name })),
  ),
)('$operation.id', ({ operation, parameter, name }) => {
  it(`returns 400 when ${name} breaks its schema`, async () => {
    for (const value of badValuesOf(parameter)) {
      const { status, body } = await send(operation, await callerOf(operation), { path: { [name]: value } });
      expect([value, status, body]).toMatchObject([
        value,
        400,
        { code: 'validation_failed', errors: [{ in: 'path', pointer: `/${name}` }] },
      ]);
    }
  });
});

describe.each(named(badlyAsked.filter(({ body }) => body !== undefined)))(
  '%s, which takes a body',
  (_id, operation) => {
    const types = operation.body?.types.map(({ type }) => type) ?? [];

    it('returns 415 for every other content type', async () => {
      for (const type of [
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/octet-stream',
        'application/jsonx',
        'nonsense',
      ]) {
        if (types.includes(type.split(';')[0] ?? '')) continue;
        const test = requestTo(operation, await callerOf(operation)).set('Content-Type', type);
        const { status, body } = await test.send('{}');
        expect([type, status, body]).toMatchObject([type, 415, { code: 'unsupported_media_type' }]);
      }
    });

    if (operation.body?.required && operation.body.types.every(isJsonObject)) {
      it('returns 400 without a body', async () => {
        const { status, body } = await requestTo(operation, await callerOf(operation));
        expect([status, body]).toMatchObject([400, { code: 'validation_failed' }]);
      });
    }
  },
);

describe.each(
  badlyAsked.flatMap((operation) =>
    (operation.body?.types ?? []).filter(isJsonObject).map((body) => ({ operation, body, type: body.type })),
  ),
)('$operation.id, which takes $type', ({ operation, body: kind, type }) => {
  const sendText = async (text: string) =>
    requestTo(operation, await callerOf(operation))
      .set('Content-Type', type)
      .send(text);

  it('returns 400 for text that is not JSON', async () => {
    for (const text of ['{', '{"a":', '{a:1}', '\u0000', '{"a":1}}', '[1', 'nonsense', '\ufeff\ufeff{}']) {
      const { status, body } = await sendText(text);
      expect([text, status, body]).toMatchObject([text, 400, { code: 'malformed_body' }]);
    }
  });

  it('returns 400 with a pointer for JSON that breaks its schema', async () => {
    for (const text of ['"x"', 'null', '1', 'true', '[]']) {
      const { status, body } = await sendText(text);
      expect([text, status, body]).toMatchObject([
        text,
        400,
        { code: 'validation_failed', errors: [{ in: 'body', pointer: '' }] },
      ]);
    }
  });

  it('returns 400 for JSON that is not an object', async () => {
    const { status, body } = await sendText('[]');
    expect([status, body]).toMatchObject([
      400,
      { code: 'validation_failed', errors: [{ in: 'body', pointer: '' }] },
    ]);
  });

  it(`returns 413 for more than ${operation.bodyLimit} bytes`, async () => {
    const { status, body } = await sendText(JSON.stringify({ padding: 'x'.repeat(operation.bodyLimit) }));
    expect([status, body]).toMatchObject([413, { code: 'payload_too_large' }]);
  });

  if (isClosed(kind)) {
    it('returns 400 for an unknown field', async () => {
      const { status, body } = await sendText(
        JSON.stringify({ ...(kind.examples[0] as object), unheard_of: 1 }),
      );
      expect([status, body]).toMatchObject([
        400,
        { code: 'validation_failed', errors: [{ in: 'body', pointer: '/unheard_of' }] },
      ]);
    });
  }
});
