// A Windows that does not respond: the status says so in time, and shows what is known with its age.
import { battlegroupState, vmState } from '../../local-manager/web/src/dashboard/states.ts';
import { ManagerWorld } from './support/manager.ts';

let at: ManagerWorld;
let release: () => void;

beforeEach(async () => {
  at = await ManagerWorld.start();
});

afterEach(async () => {
  release();
  await at.stop();
});

function hang(): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  release = resolve;
  for (const script of ['get-state', 'get-preflight'] as const) at.world.host.held.set(script, promise);
  // Results from before are still fresh.
  at.manager.services.reader.forget();
  at.manager.services.status.forget();
}

it('has a status within ten seconds, with the age of each figure', async () => {
  const before = await at.status();
  hang();
  const started = Date.now();
  const status = await at.status();
  expect(Date.now() - started).toBeLessThan(10_000);
  expect(status.host).toMatchObject({
    ...{ state: 'noResponse', memoryTotalGB: 64 },
    observedAt: before.host.observedAt,
  });
  expect(status.vm).toMatchObject({ state: 'unknown', ip: '127.0.0.1', observedAt: before.vm.observedAt });
  // SSH does not depend on PowerShell.
  expect(status.ssh.state).toBe('ready');
  expect(status.battlegroup?.title).toBe('Sietch Tabr');
  expect(Date.parse(status.cluster.observedAt ?? '')).toBeGreaterThan(started);
  expect(vmState(status).tone).not.toBe('good');
});

it('still works within the virtual machine, and does not take its setup for undone', async () => {
  const before = await at.get('/api/setup');
  hang();
  const started = Date.now();
  const { body } = await at.get('/api/setup');
  expect(Date.now() - started).toBeLessThan(15_000);
  expect(body.steps.slice(1)).toEqual(before.body.steps.slice(1));
  expect(body).toMatchObject({ isComplete: true, nextStep: null });
  expect(await at.done('/api/battlegroup/start')).toMatchObject({ state: 'succeeded' });
  expect((await at.get('/api/server-visibility')).status).toBe(200);
});

it('says of no step that it is done or not done while it can see nothing', async () => {
  await at.world.powerOff();
  await at.restart();
  hang();
  const { body } = await at.get('/api/setup');
  expect(body.steps.map(({ state }: { state: string }) => state)).toEqual(Array(5).fill('unknown'));
  expect(body).toMatchObject({ isComplete: false, nextStep: null });
});

it('has a status also if Windows has never responded', async () => {
  hang();
  const status = await at.status();
  expect(status.host).toMatchObject({ state: 'noResponse', memoryTotalGB: null, observedAt: null });
  expect(status.vm).toMatchObject({ state: 'unknown', ip: null, observedAt: null });
  expect(battlegroupState(status).tone).not.toBe('good');
});

it('shows an old state of the battlegroup as what it was, not as good', async () => {
  release = () => undefined;
  await at.done('/api/battlegroup/start');
  const status = await at.status();
  expect(battlegroupState(status).tone).toBe('good');
  const later = Date.parse(status.cluster.observedAt ?? '') + 5 * 60_000;
  expect(battlegroupState(status, later)).toEqual({
    tone: 'idle',
    words: expect.stringContaining('5 minutes ago'),
  });
});
