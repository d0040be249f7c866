// The suites of `npm run soak`, one at a time: they measure, or they take all of the machine.
import { base, ignored, soak } from './jest.config.js';

export default { ...base, maxWorkers: 1, testPathIgnorePatterns: [...ignored, `^(?!.*(${soak.join('|')}))`] };
