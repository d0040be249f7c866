// The environment of Jest for suites that Node loads itself (runtime.cjs): its globals are those of the worker.
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { takeErrorLines } from './error-log.ts';

export default class Environment {
  constructor({ projectConfig }) {
    // Jest replaces `process.exit` where it sees a process; this one is the worker's own.
    this.global = new Proxy(globalThis, {
      get: (target, key) => (key === 'process' ? undefined : target[key]),
    });
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    const { moduleMocker: mocks, fakeTimersModern: timers } = this;
    globalThis.jest = {
      fn: mocks.fn.bind(mocks),
      spyOn: mocks.spyOn.bind(mocks),
      restoreAllMocks: () => mocks.restoreAllMocks(),
      useFakeTimers: () => timers.useFakeTimers(),
      useRealTimers: () => timers.useRealTimers(),
      advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
      advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
    };
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  handleTestEvent({ name, test }) {
    if (name === 'test_start') takeErrorLines();
    if (name !== 'test_done' || test.errors.length === 0) return;
    for (const line of takeErrorLines()) process.stdout.write(`LOGGED DURING "${test.name}": ${line}\n`);
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
  }
}
