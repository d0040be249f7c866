// How the time of a stop is divided.
import { stopSettings, stopTimes } from '../../src/config/stop-settings.ts';

it.each([
  [{}, { drainMs: 0, requestsMs: 15_000, jobsMs: 5_000 }],
  [{ NODE_ENV: 'production' }, { drainMs: 5_000, requestsMs: 10_000, jobsMs: 5_000 }],
  [
    { NODE_ENV: 'production', GANTRY_STOP_SECONDS: '2' },
    { drainMs: 0, requestsMs: 1_000, jobsMs: 500 },
  ],
  [
    { GANTRY_STOP_SECONDS: '2', GANTRY_DRAIN_SECONDS: '1' },
    { drainMs: 1_000, requestsMs: 500, jobsMs: 250 },
  ],
  [
    { GANTRY_STOP_SECONDS: '3600', GANTRY_DRAIN_SECONDS: '30' },
    { drainMs: 30_000, requestsMs: 3_560_000, jobsMs: 5_000 },
  ],
])('%j', (environment, times) => {
  expect(stopTimes(stopSettings(environment))).toEqual(times);
});
