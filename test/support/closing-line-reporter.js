// Ends the output with the suites that this machine can't run, and with one plain line that any tool can read.
import { leftOut } from './needs.ts';

export default class ClosingLineReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests }) {
    for (const { suite, reason } of leftOut) process.stdout.write(`\nLEFT OUT ${suite} (${reason})`);
    process.stdout.write(
      `\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`,
    );
  }
}
