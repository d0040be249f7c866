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
  at.world.host.held.set('get-state', promise);
  at.manager.services.status.forget();
}

it('has a status within ten seconds, with the age of each figure', async () => {
  const before = await at.status();
  hang();
  await new Promise((wait) => setTimeout(wait, 2_100));
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
