import { spawn, type ChildProcess } from 'node:child_process';
import { superviseProcess, type ProcessPlan } from '../../../src/embedded/supervised-process.ts';
import { until } from '../../support/until.ts';
import { log } from './scratch.ts';

function plan(launch: () => ChildProcess, overrides: Partial<ProcessPlan> = {}): ProcessPlan {
  return {
    name: 'sleeper',
    log,
    launch: () => Promise.resolve(launch()),
    untilReady: () => Promise.resolve(),
    readyTimeoutMs: 5_000,
    lastWords: () => Promise.resolve('last words'),
    stopSignal: 'SIGTERM',
    stopGraceMs: 100,
    abortSignal: 'SIGKILL',
    restartDelaysMs: [1, 1, 1, 1, 1],
    ...overrides,
  };
}

describe('a supervised process', () => {
  it('is restarted when it is killed, and not after it was stopped', async () => {
    const children: ChildProcess[] = [];
    const launch = () => {
      const child = spawn('sleep', ['60']);
      children.push(child);
      return child;
    };
    const supervised = await superviseProcess(plan(launch));
    children[0]?.kill('SIGKILL');
    await until(() => children.length === 2, 'the restart');
    await Promise.all([supervised.stop(), supervised.stop()]);
    expect(children).toHaveLength(2);
    expect(children[1]?.signalCode).toBe('SIGTERM');
  });

  it('is abandoned after five failed restarts in a row, and reports this to later callers too', async () => {
    let launches = 0;
    const supervised = await superviseProcess(plan(() => (launches++, spawn('sh', ['-c', 'exit 3']))));
    const detail = 'ended with code 3: last words';
    expect(await new Promise((resolve) => supervised.onExit(resolve))).toContain(detail);
    expect(launches).toBe(6);
    expect(await new Promise((resolve) => supervised.onExit(resolve))).toContain(detail);
    await supervised.stop();
  });

  it("fails to start with the program's message", async () => {
    const never = { untilReady: () => new Promise<void>(() => undefined) };
    const dying = superviseProcess(plan(() => spawn('sh', ['-c', 'exit 3']), never));
    await expect(dying).rejects.toThrow('sleeper ended with code 3: last words');
    const missing = superviseProcess(plan(() => spawn('/no/such/program'), never));
    await expect(missing).rejects.toThrow('sleeper could not be started: spawn /no/such/program ENOENT');
    const slow = superviseProcess(plan(() => spawn('sleep', ['60']), { ...never, readyTimeoutMs: 50 }));
    await expect(slow).rejects.toThrow('sleeper was not ready within 0.05 s');
  });

  it('is killed when it ignores the request to stop', async () => {
    let child: ChildProcess | undefined;
    const untilTrapped = {
      untilReady: async () => void (await until(() => Boolean(child?.stdout?.read()), 'the trap')),
    };
    const launch = () => (child = spawn('sh', ['-c', 'trap "" TERM; echo ready; exec sleep 60']));
    const supervised = await superviseProcess(plan(launch, untilTrapped));
    await supervised.stop();
    expect(child?.signalCode).toBe('SIGKILL');
  });

  it('can be stopped during a restart', async () => {
    let launches = 0;
    const launch = () => (launches++, spawn('sleep', launches === 1 ? ['0'] : ['60']));
    let restarting = false;
    const untilReady = () => {
      if (launches === 1) return Promise.resolve();
      restarting = true;
      return new Promise<void>(() => undefined);
    };
    const supervised = await superviseProcess(plan(launch, { untilReady }));
    await until(() => restarting, 'the restart');
    await supervised.stop();
    expect(launches).toBe(2);
  });
});
