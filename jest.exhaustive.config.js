// The suites that `npm test` leaves to `npm run test:all`.
import { base, exhaustive } from './jest.config.js';

export default { ...base, testPathIgnorePatterns: ['/node_modules/', `^(?!.*(${exhaustive.join('|')}))`] };
