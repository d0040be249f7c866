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

describe('a start with less than the configured memory', () => {
  beforeEach(async () => {
    at.world.host.vm!.startupGB = 22;
    at.world.host.options.memoryUsedGB = 64 - 17;
    const { body } = await at.post('/api/vm/start');
    await at.end(body.operation);
  });

  it('is temporary: the next start tries the configured memory again', async () => {
    expect((await at.status()).vm).toMatchObject({
      ...{ state: 'running', memoryGB: 16, startupMemoryGB: 16 },
      ...{ configuredMemoryGB: 22, isMemoryTemporary: true },
    });
    await at.restart();
    expect((await at.status()).vm).toMatchObject({ configuredMemoryGB: 22, isMemoryTemporary: true });
    expect(await at.done('/api/vm/stop')).toMatchObject({ state: 'succeeded' });
    expect(at.world.host.vm).toMatchObject({ state: 'Off', startupGB: 22 });
    expect((await at.status()).vm).toMatchObject({ startupMemoryGB: 22, isMemoryTemporary: false });
    at.world.host.options.memoryUsedGB = 16;
    const { body } = await at.post('/api/vm/start');
    expect(body).toMatchObject({ memoryGB: 22, attemptedGB: [22] });
    await at.end(body.operation);
  });

  it('is temporary also if the machine was turned off elsewhere', async () => {
    await at.world.powerOff();
    const { body } = await at.post('/api/vm/start');
    expect(body).toMatchObject({ memoryGB: 16, attemptedGB: [22, 20, 18, 16] });
    await at.end(body.operation);
  });

  it('is kept on request', async () => {
    const { status, body } = await at.call('PUT', '/api/vm/memory', { memoryGB: 16 });
    expect({ status, body }).toEqual({
      status: 200,
      body: { configuredMemoryGB: 16, startupMemoryGB: 16, isMemoryTemporary: false },
    });
    await at.done('/api/vm/stop');
    expect(at.world.host.vm).toMatchObject({ startupGB: 16 });
  });

  it('gives way to a value that another program has configured', async () => {
    await at.world.powerOff();
    at.world.host.vm!.startupGB = 15;
    expect((await at.status()).vm).toMatchObject({ configuredMemoryGB: 15, isMemoryTemporary: false });
  });
});

it('can be raised: for one start, permanently, and while the machine runs', async () => {
  const { host } = at.world;
  const once = await at.post('/api/vm/start', { memoryGB: 24 });
  await at.end(once.body.operation);
  expect((await at.status()).vm).toMatchObject({ memoryGB: 24, configuredMemoryGB: 20 });
  const later = await at.call('PUT', '/api/vm/memory', { memoryGB: 30 });
  expect(later.body).toEqual({ configuredMemoryGB: 30, startupMemoryGB: 24, isMemoryTemporary: true });
  await at.done('/api/vm/stop');
  expect(host.vm).toMatchObject({ startupGB: 30 });
  const kept = await at.post('/api/vm/start', { memoryGB: 32, keepMemory: true });
  await at.end(kept.body.operation);
  expect((await at.status()).vm).toMatchObject({ configuredMemoryGB: 32, isMemoryTemporary: false });
  await at.done('/api/vm/stop');
  await at.call('PUT', '/api/vm/memory', { memoryGB: 40 });
  expect(host.vm).toMatchObject({ state: 'Off', startupGB: 40 });
});
