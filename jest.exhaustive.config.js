// The suites that `npm test` leaves to `npm run test:all`.
import { globSync } from 'node:fs';
import { base, daily, elsewhere, exhaustive } from './jest.config.js';
import { suitesOfToday } from './test/support/suites-of-today.js';

const isElsewhere = new RegExp(elsewhere.join('|'));
const isExhaustive = new RegExp(exhaustive.join('|'));
const all = globSync('test/**/*.test.ts', { cwd: import.meta.dirname })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((suite) => isExhaustive.test(suite) && !isElsewhere.test(suite));
const chosen = suitesOfToday(all, daily);
process.stdout.write(
  `${chosen.length} of ${all.length} exhaustive suites today; GANTRY_TEST_SAMPLES=all runs all of them.\n`,
);

export default { ...base, testMatch: chosen.map((suite) => `<rootDir>/${suite}`) };
