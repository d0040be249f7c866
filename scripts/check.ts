// All checks: contracts, types and lint beside each other, then tests.
import { execFile, spawnSync } from 'node:child_process';

const readingSteps = ['check:contract', 'types', 'lint'];
const skipsTests = process.env['GANTRY_CHECK_SKIP_TESTS'] === '1';
const maxOutputBytes = 64 << 20;

/** Prints what the step says when it ends, so that lines of several do not mix; resolves to whether it passed. */
const pass = (step: string) =>
  new Promise<boolean>((resolve) => {
    execFile('npm', ['run', '--silent', step], { maxBuffer: maxOutputBytes }, (error, stdout, stderr) => {
      console.log(`\n== ${step}${error === null ? '' : ' FAILED'}`);
      process.stdout.write(stdout);
      process.stderr.write(stderr);
      resolve(error === null);
    });
  });

const passed = await Promise.all(readingSteps.map(pass));
if (passed.includes(false)) process.exit(1);
if (skipsTests) console.log('\n== test: skipped, because the caller has just run it');
else {
  console.log('\n== test');
  const { status } = spawnSync('npm', ['run', '--silent', 'test'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
console.log('\n== all checks passed');
