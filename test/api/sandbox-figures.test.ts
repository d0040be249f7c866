// Figures of the platform leave sandboxes out: each operation that shows some is read before and after a sandbox lives.
import { isDeepStrictEqual } from 'node:util';
import request from 'supertest';
import { alternativesOf, operations, pathParametersOf, urlOf } from '../support/contract.ts';
import { createModule } from '../support/rows.ts';
import { askAt, createSandbox, signInTo } from '../support/sandboxes.ts';
import { World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await World.create();
});

afterAll(async () => {
  await world.close();
});

/** Operations that show no figures of licenses, or show each license by itself, marked as a sandbox. */
const exceptions: Record<string, string> = {
  getPlatformHealth: 'The health of processes and queues, which work for sandboxes too.',
  listLicenses: 'Lists single licenses with `is_sandbox`, which is a filter too.',
  listPlatformAuditEntries: 'The audit log names every change.',
};

/** Operations for administrators, or for everyone, that read without naming an object. */
const figures = operations.filter(
  (operation) =>
    operation.method === 'get' &&
    pathParametersOf(operation).length === 0 &&
    (alternativesOf(operation).length === 0 ||
      alternativesOf(operation).some(({ scheme }) => scheme === 'superAdmin')) &&
    exceptions[operation.id] === undefined,
);

/** What each of them shows; texts that are no JSON are left out, such as pages. */
async function read(): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const operation of figures) {
    const { status, body, type } = await request(world.url)
      .get(urlOf(operation))
      .set('Authorization', `Bearer ${world.admin.token}`);
    if (status === 200 && type === 'application/json') found[operation.id] = body as unknown;
  }
  return found;
}

it('has exceptions for existing operations only', () => {
  const ids = operations.map(({ id }) => id);
  expect(Object.keys(exceptions).filter((id) => !ids.includes(id))).toEqual([]);
});

it('shows the same figures with a sandbox that was used as without', async () => {
  await createModule(world, { slug: 'kits' });
  const before = await read();
  expect(Object.keys(before)).toContain('getPlatformStats');
  const sandbox = await createSandbox(world);
  const send = (path: string, body: object) => askAt(world.url, sandbox, 'post', path).send(body);
  await send('/api/sandbox/events', { kind: 'order' }).expect(200);
  await send('/api/sandbox/events', { kind: 'join', instance: 'main' }).expect(200);
  await send('/api/sandbox/clock', { seconds: 86_400 }).expect(200);
  const owner = await signInTo(world, sandbox);
  await world.call('post', '/api/modules/purchase', owner).send({ module: 'kits' }).expect(201);
  const after = await read();
  expect(Object.keys(after)).toEqual(Object.keys(before));
  const counted = Object.keys(before).filter((id) => !isDeepStrictEqual(after[id], before[id]));
  expect(counted.map((id) => ({ id, before: before[id], after: after[id] }))).toEqual([]);
});
