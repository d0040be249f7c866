// The suites of `npm run soak`, one at a time: they measure, or they take all of the machine.
import { base, ignored, sampled, soak } from './jest.config.js';

process.env.GANTRY_TEST_SAMPLES = 'all';

export default {
  ...base,
  maxWorkers: 1,
  testPathIgnorePatterns: [...ignored, `^(?!.*(${[...soak, ...sampled].join('|')}))`],
};
