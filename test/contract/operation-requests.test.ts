// Every path with unsupported methods, every GET operation as HEAD, and every list with the cursor of the contract.
import {
  alternativesOf,
  operations,
  pathParametersOf,
  urlOf,
  type ContractOperation,
} from '../support/contract.ts';
import { rawRequest, type RawRequest } from '../support/http.ts';
import { expectProblem } from '../support/problems.ts';
import { createResellerOf, createRows, namesWithoutRow } from '../support/rows.ts';
import { World, type Tenant } from '../support/world.ts';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const send = (path: string, request: RawRequest = {}) =>
  rawRequest(world.url, path, {
    ...request,
    headers: { authorization: `Bearer ${tenant.owner.token}`, ...request.headers },
  });

async function headersFor(operation: ContractOperation): Promise<Record<string, string>> {
  const schemes = alternativesOf(operation).map(({ scheme }) => scheme);
  if (schemes.includes('hostKey'))
    return { authorization: `Bearer ${(await createResellerOf(world, tenant)).key}` };
  return schemes.includes('superAdmin') ? { authorization: `Bearer ${world.admin.token}` } : {};
}

/** The operation's path through rows of the tenant. */
async function ownUrlOf(operation: ContractOperation): Promise<string> {
  const names = pathParametersOf(operation).map(({ name }) => name);
  const rows = names.filter((name) => !namesWithoutRow.has(name));
  return urlOf(operation, await createRows(rows, world, tenant));
}

/** A stream does not end by itself; test/api/events.test.ts has its own tests. */
const isStream = ({ replies }: ContractOperation) => replies.some(({ type }) => type === 'text/event-stream');

describe('methods', () => {
  const paths = [...new Set(operations.map(({ path }) => path))];

  it.each(paths)('returns 405 with Allow for methods that %s does not support', async (path) => {
    const here = operations.filter((operation) => operation.path === path);
    const [first] = here;
    if (first === undefined) throw new Error('a path has an operation');
    const taken = here
      .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
      .toSorted();
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'].filter(
      (method) => !taken.includes(method),
    );
    for (const method of others) {
      const response = await send(urlOf(first), { method });
      expectProblem(response, { status: 405, code: 'method_not_allowed' });
      expect(response.headers.allow?.split(', ').toSorted()).toEqual(taken);
    }
  });

  it.each(
    operations
      .filter((operation) => operation.method === 'get' && !isStream(operation))
      .map((operation) => [operation.id, operation] as const),
  )('HEAD of %s returns what GET does, without the body', async (_id, operation) => {
    const headers = await headersFor(operation);
    const url = await ownUrlOf(operation);
    const get = await send(url, { headers });
    const head = await send(url, { method: 'HEAD', headers });
    expect([head.status, head.text]).toEqual([get.status, '']);
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
  });
});

describe('cursors', () => {
  it.each(
    operations
      .filter(
        (operation) => operation.parameters.some(({ name }) => name === 'cursor') && !isStream(operation),
      )
      .map((operation) => [operation.id, operation] as const),
  )('returns 200 with the cursor that the contract shows for %s', async (_id, operation) => {
    const [page] = operation.replies.flatMap(({ examples }) => examples) as { next_cursor: string }[];
    const url = await ownUrlOf(operation);
    const headers = await headersFor(operation);
    const { status, body } = await send(`${url}?cursor=${page?.next_cursor}`, { headers });
    // Where an agent keeps the list, the cursor has been accepted once the agent is asked.
    const isAsked = (body as { code?: string }).code === 'agent_offline';
    if (!isAsked) expect([status, body]).toMatchObject([200, { data: expect.any(Array) }]);
  });
});
