// The suites that `npm test` leaves to `npm run test:all`.
import { base, exhaustive, ignored } from './jest.config.js';

export default { ...base, testPathIgnorePatterns: [...ignored, `^(?!.*(${exhaustive.join('|')}))`] };
