// The configured memory after a failed start.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ManagerWorld } from './support/manager.ts';
import { hostErrors } from '../../local-manager/stand-ins/windows-texts.ts';

let at: ManagerWorld;

beforeEach(async () => {
  at = await ManagerWorld.start();
  await at.world.powerOff();
});

afterEach(() => at.stop());

const note = () => existsSync(join(at.home, 'configured-memory.json'));

it('is restored exactly, or recorded until it can be restored', async () => {
  const { host } = at.world;
  host.vm!.startupGB = 30_000 / 1024;
  host.options.memoryUsedGB = 60;
  const refused = await at.post('/api/vm/start');
  expect(refused).toMatchObject({ status: 507, body: { code: 'out_of_memory', configuredGB: 29.3 } });
  expect(host.vm).toMatchObject({ state: 'Off', startupGB: 30_000 / 1024 });
  expect(note()).toBe(false);

  host.refusesMemory = hostErrors.service;
  const again = await at.post('/api/vm/start');
  expect(again).toMatchObject({ status: 507, body: { code: 'out_of_memory', startFailed: true } });
  expect(again.body.attemptedGB).toEqual([29.3, 24, 20, 18, 16, 14, 12]);
  expect({ startupGB: host.vm?.startupGB, isNoted: note() }).toEqual({ startupGB: 12, isNoted: true });

  host.refusesMemory = undefined;
  const third = await at.post('/api/vm/start', { memoryGB: 16 });
  expect(third).toMatchObject({ status: 507, body: { attemptedGB: [16], configuredGB: 29.3 } });
  expect({ startupGB: host.vm?.startupGB, isNoted: note() }).toEqual({
    startupGB: 30_000 / 1024,
    isNoted: false,
  });
});

it('is the only one with which a saved machine can resume', async () => {
  const { host } = at.world;
  host.vm!.state = 'Saved';
  host.options.memoryUsedGB = 60;
  const { status, body } = await at.post('/api/vm/start');
  expect({ status, attemptedGB: body.attemptedGB }).toEqual({ status: 507, attemptedGB: [20] });
  expect((await at.post('/api/vm/start', { memoryGB: 12 })).body.code).toBe('vm_on');
  expect(host.vm?.state).toBe('Saved');
});
