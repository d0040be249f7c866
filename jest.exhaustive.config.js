// The suites that `npm test` leaves to `npm run test:all`.
import { base, elsewhere, exhaustive } from './jest.config.js';

export default { ...base, testPathIgnorePatterns: [...elsewhere, `^(?!.*(${exhaustive.join('|')}))`] };
