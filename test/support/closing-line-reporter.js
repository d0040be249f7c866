// Ends the output with the slowest suites, those that this machine can't run, and one plain line that any tool can read.
import { relative } from 'node:path';
import { leftOut } from './needs.ts';

const slowestCount = 10;

export default class ClosingLineReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests, testResults }) {
    const slowest = testResults.toSorted((one, other) => other.perfStats.runtime - one.perfStats.runtime);
    if (slowest.length > slowestCount)
      process.stdout.write(
        `\nSLOWEST: ${slowest
          .slice(0, slowestCount)
          .map(({ testFilePath, perfStats: { runtime } }) => {
            return `${relative(process.cwd(), testFilePath)} ${Math.round(runtime / 1_000)} s`;
          })
          .join(', ')}`,
      );
    for (const { suite, reason } of leftOut) process.stdout.write(`\nLEFT OUT ${suite} (${reason})`);
    process.stdout.write(
      `\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`,
    );
  }
}
