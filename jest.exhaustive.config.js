// The suites that `npm test` leaves to `npm run test:all`.
import { base, exhaustive, ignored, soak } from './jest.config.js';

export default { ...base, testPathIgnorePatterns: [...ignored, ...soak, `^(?!.*(${exhaustive.join('|')}))`] };
