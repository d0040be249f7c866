// Child processes with too much output, and with children of their own.
import { runProgram } from '../../local-manager/src/processes.ts';

const sh = (script: string, timeoutMs = 60_000) =>
  runProgram({ file: '/bin/sh', args: ['-c', script], timeoutMs });

it('keep the end of the output, which has the result', async () => {
  const { stdout, exitCode } = await sh('head -c 9000000 /dev/zero | tr "\\0" x; echo; echo the end');
  expect(exitCode).toBe(0);
  expect(stdout.endsWith('\nthe end\n')).toBe(true);
});

it('end at the timeout, even if a child still holds the output', async () => {
  const { hasTimedOut, stdout } = await sh('sleep 20 & echo begun; exec sleep 20', 500);
  expect({ hasTimedOut, stdout }).toEqual({ hasTimedOut: true, stdout: 'begun\n' });
});

it('are not ended by a Ctrl-C of the manager', async () => {
  const { stdout } = await sh('ps -o pgid= -p $$; echo $$');
  const [group, own] = stdout.trim().split(/\s+/);
  expect(group).toBe(own);
});
