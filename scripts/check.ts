// All checks: contracts, lint, types and tests, fastest failure first.
import { spawnSync } from 'node:child_process';

const steps = ['check:contract', 'types', 'lint', 'test'];
const skipsTests = process.env['GANTRY_CHECK_SKIP_TESTS'] === '1';

for (const step of steps) {
  if (step === 'test' && skipsTests) {
    console.log('\n== test: skipped, because the caller has just run it');
    continue;
  }
  console.log(`\n== ${step}`);
  const { status } = spawnSync('npm', ['run', '--silent', step], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
console.log('\n== all checks passed');
