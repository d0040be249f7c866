// Programs that print too much, and programs that leave others behind.
import { runProgram } from '../../local-manager/src/processes.ts';

const sh = (script: string, timeoutMs = 60_000) =>
  runProgram({ file: '/bin/sh', args: ['-c', script], timeoutMs });

it('keeps the end of what is printed, which says how it went', async () => {
  const { stdout, exitCode } = await sh('head -c 9000000 /dev/zero | tr "\\0" x; echo; echo the end');
  expect(exitCode).toBe(0);
  expect(stdout.endsWith('\nthe end\n')).toBe(true);
});

it('ends when its time is up, whoever still holds the output', async () => {
  const { hasTimedOut, stdout } = await sh('sleep 20 & echo begun; exec sleep 20', 500);
  expect({ hasTimedOut, stdout }).toEqual({ hasTimedOut: true, stdout: 'begun\n' });
});

it('is not what a Ctrl-C of the manager ends', async () => {
  const { stdout } = await sh('ps -o pgid= -p $$; echo $$');
  const [group, own] = stdout.trim().split(/\s+/);
  expect(group).toBe(own);
});
