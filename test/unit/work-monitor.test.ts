// The watchdog of periodic work restarts what hangs, and ends the process in the end.
import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import { pino } from 'pino';
import { RunWatch } from '../../src/jobs/run-watch.ts';
import { Metrics } from '../../src/process/metrics.ts';
import { startPeriodic } from '../../src/process/periodic.ts';
import { Readiness } from '../../src/process/readiness.ts';
import { WorkMonitor } from '../../src/process/work-monitor.ts';

const log = pino({ level: 'silent' });
const settings = { maxQuietMs: 10_000, checkEveryMs: 1_000 };

let monitor: WorkMonitor;

beforeEach(() => {
  jest.useFakeTimers();
  monitor = new WorkMonitor(log, settings);
});

afterEach(() => {
  monitor.close();
  jest.useRealTimers();
});

const never = () => new Promise<never>(() => undefined);

it('restarts work that hangs', async () => {
  let runs = 0;
  startPeriodic({
    name: 'hang once',
    everyMs: 100,
    work: async () => {
      runs += 1;
      if (runs === 1) await never();
    },
    monitor,
    log,
  });
  await jest.advanceTimersByTimeAsync(9_000);
  expect(monitor.states).toMatchObject([{ name: 'hang once', restarts: 0, isHanging: false }]);
  expect(runs).toBe(1);
  await jest.advanceTimersByTimeAsync(3_000);
  expect(runs).toBeGreaterThan(2);
  expect(monitor.states).toMatchObject([{ restarts: 1, isHanging: false }]);
  expect(monitor.states[0]?.sinceSuccessSeconds).toBeLessThan(1);
});

it('leaves slow work with progress and failing work alone, and reports when it last succeeded', async () => {
  const work = async () => {
    for (let batch = 0; batch < 100; batch += 1) {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      monitor.progressed();
    }
  };
  startPeriodic({ name: 'long', everyMs: 100, work, monitor, log });
  startPeriodic({ name: 'fails', everyMs: 100, work: () => Promise.reject(new Error('no')), monitor, log });
  await jest.advanceTimersByTimeAsync(60_000);
  expect(monitor.states).toMatchObject([
    { name: 'long', restarts: 0, isHanging: false },
    { name: 'fails', restarts: 0, isHanging: false },
  ]);
  for (const { sinceSuccessSeconds } of monitor.states) expect(sinceSuccessSeconds).toBeGreaterThan(59);
});

it('names repeatedly failing work, each time soon, until it succeeds; and restarts nothing', async () => {
  let isBroken = true;
  const reasons: string[] = [];
  monitor.onGiveUp((reason) => reasons.push(reason));
  const work = async () => {
    monitor.progressed();
    if (isBroken) throw new Error('no');
  };
  startPeriodic({ name: 'broken', everyMs: 100, work, monitor, log });
  const readiness = () =>
    new Readiness({ checkDatabase: resolved, checkBus: resolved, monitor, log }).check();
  await jest.advanceTimersByTimeAsync(9_000);
  expect(await readiness()).toMatchObject({ status: 'ready', failing: {} });
  await jest.advanceTimersByTimeAsync(60_000);
  expect(monitor.states).toMatchObject([{ isFailing: true, isHanging: false, restarts: 0 }]);
  const report = await readiness();
  expect(report).toMatchObject({ status: 'degraded', checks: { work: 'ok' } });
  expect(report.failing['broken']).toBeGreaterThan(60);
  expect(await metricOf('gantry_work_failing_seconds')).toBeGreaterThan(60);
  isBroken = false;
  await jest.advanceTimersByTimeAsync(200);
  expect(await readiness()).toMatchObject({ status: 'ready', failing: {} });
  expect(await metricOf('gantry_work_failing_seconds')).toBe(0);
  expect(reasons).toEqual([]);
});

const resolved = () => Promise.resolve();

async function metricOf(name: string): Promise<number | undefined> {
  const metrics = new Metrics();
  metrics.watchWork(monitor);
  return (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;
}

it('retries rarely run work within a minute of its failure', async () => {
  let runs = 0;
  const work = () => (++runs === 1 ? Promise.reject(new Error('no')) : Promise.resolve());
  startPeriodic({ name: 'seldom', everyMs: 3_600_000, work, monitor, log });
  await jest.advanceTimersByTimeAsync(61_000);
  expect(monitor.states).toMatchObject([{ failingSeconds: 0 }]);
  await jest.advanceTimersByTimeAsync(600_000);
  expect(runs).toBe(2);
});

it('reports a queue whose jobs never succeed as failing, and abandons one whose jobs hang', async () => {
  const reasons: string[] = [];
  monitor.onGiveUp((reason) => reasons.push(reason));
  const events = new EventEmitter() as WorkerEvents;
  const watch = monitor.watch('jobs: mail', () => undefined);
  const queue = new RunWatch(events, watch, log, () => undefined);
  for (let job = 0; job < 11; job += 1) {
    events.emit('job:start', {} as never);
    events.emit('job:error', {} as never);
    await jest.advanceTimersByTimeAsync(1_000);
  }
  expect(monitor.states).toMatchObject([{ isFailing: true, isHanging: false }]);
  events.emit('job:success', {} as never);
  expect(monitor.states).toMatchObject([{ isFailing: false }]);
  for (let restart = 0; restart < 4; restart += 1) {
    events.emit('job:start', {} as never);
    await jest.advanceTimersByTimeAsync(12_000);
  }
  expect(reasons[0]).toBe('"jobs: mail" hangs after 3 restarts');
  queue.stop();
});

it('gives up with a reason when restarts do not help', async () => {
  const reasons: string[] = [];
  monitor.onGiveUp((reason) => reasons.push(reason));
  startPeriodic({ name: 'hang always', everyMs: 100, work: never, monitor, log });
  await jest.advanceTimersByTimeAsync(35_000);
  expect(reasons).toEqual([]);
  await jest.advanceTimersByTimeAsync(11_000);
  expect(reasons[0]).toBe('"hang always" hangs after 3 restarts');
});

it('does not treat a pause of the whole process as hanging work', async () => {
  startPeriodic({ name: 'paused', everyMs: 100, work: never, monitor, log });
  await jest.advanceTimersByTimeAsync(5_000);
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + 3_600_000);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(monitor.states).toMatchObject([{ restarts: 0, isHanging: false }]);
  jest.restoreAllMocks();
});

it('ignores the outcome of an abandoned run', async () => {
  const hanging = Promise.withResolvers<void>();
  let runs = 0;
  const stop = startPeriodic({
    name: 'late',
    everyMs: 60_000,
    work: () => (++runs === 1 ? hanging.promise : never()),
    monitor,
    log,
  });
  await jest.advanceTimersByTimeAsync(12_000);
  expect(runs).toBe(2);
  hanging.resolve();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(monitor.states[0]?.sinceSuccessSeconds).toBeGreaterThan(16);
  expect(runs).toBe(2);
  void stop;
});

it('an abandoned run that continues has no effect and is no progress of its successor', async () => {
  const gate = Promise.withResolvers<void>();
  const outcomes: string[] = [];
  let runs = 0;
  startPeriodic({
    name: 'hang once',
    everyMs: 1_000_000,
    work: async () => {
      runs += 1;
      const name = runs === 1 ? 'first' : 'second';
      await (runs === 1 ? gate.promise : Promise.resolve());
      try {
        monitor.refuseAbandoned();
        outcomes.push(`${name} done`);
      } catch {
        outcomes.push(`${name} refused`);
      }
    },
    monitor,
    log,
  });
  await jest.advanceTimersByTimeAsync(12_000);
  gate.resolve();
  await jest.advanceTimersByTimeAsync(1);
  expect(outcomes).toEqual(['second done', 'first refused']);
});
