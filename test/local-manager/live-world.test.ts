// An existing world stays, even while the cluster cannot report it.
import { ManagerWorld } from './support/manager.ts';
import { bootstrapRequest } from './support/requests.ts';

const world = 'funcom-seabass-sh-0a1b2c3d4e5f-qwerty';

let at: ManagerWorld;

afterEach(() => at.stop());

it('is not considered missing when the cluster cannot be reached', async () => {
  at = await ManagerWorld.start();
  const { cluster } = at.world;
  cluster.unlisted.set('battlegroups', Number.POSITIVE_INFINITY);
  expect(await at.status()).toMatchObject({ needsBootstrap: false, battlegroup: null });
  expect((await at.get('/api/setup')).body).toMatchObject({ needsRepair: false });
  for (const path of ['/api/setup/repair', '/api/setup/bootstrap']) {
    const { status, body } = await at.post(path, bootstrapRequest);
    expect({ status, code: body.code }).toEqual({ status: 502, code: 'guest_failed' });
    expect(body.detail).toContain('does not list its battlegroups');
  }
  cluster.unlisted.clear();
  cluster.isUp = false;
  for (const path of ['/api/setup/repair', '/api/setup/bootstrap'])
    expect((await at.post(path, bootstrapRequest)).body.code).toBe('guest_failed');
  expect((await at.get('/api/operations')).body.data).toEqual([]);
  expect(cluster.namespaces).toEqual([world]);
});

it('is not deleted when it appears only after a repair has begun', async () => {
  at = await ManagerWorld.start({ begins: 'half-way' });
  const { status, body } = await at.post('/api/setup/repair', bootstrapRequest);
  expect(status).toBe(202);
  at.world.addBattlegroup();
  const { state, problem } = await at.end(body);
  expect({ state, code: problem?.code }).toEqual({ state: 'failed', code: 'battlegroup_exists' });
  expect(at.world.cluster.namespaces).toEqual([world]);
});
