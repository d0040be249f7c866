// The self-test of the agent, which owners of Windows hosts run, on this machine.
import { execFile } from 'node:child_process';
import { readdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const program = resolve(import.meta.dirname, '../../agent/src/main.ts');

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-selftest-of-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it('starts, types at and ends a process, and leaves nothing behind', async () => {
  const { stdout } = await run(process.execPath, [program, 'selftest', directory]);
  const lines = stdout.trim().split('\n');
  expect(lines.slice(0, -1).filter((line) => !line.startsWith('ok '))).toEqual([]);
  expect(lines).toHaveLength(9);
  expect(lines.at(-1)).toBe('This machine does everything that the agent relies on.');
  expect(await readdir(directory)).toEqual([]);
});

it('says in one line that a directory cannot be written to', async () => {
  const failure = await run(process.execPath, [program, 'selftest', '/proc']).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^gantry-agent: \/proc cannot be written to: .+\n$/),
  });
});
