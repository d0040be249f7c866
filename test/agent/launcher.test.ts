// The launcher of an installed agent: a new executable stays only if it confirms its trial, also when processes are killed meanwhile.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { until } from '../support/until.ts';
import { isAlive } from './support/agent.ts';

const source = resolve(import.meta.dirname, '../../src/agent-release/launch.sh');

let directory: string;
let launcher: string;
const started: ChildProcess[] = [];
const at = (name: string) => join(directory, 'bin', name);

/** An executable that records its start, and runs until it is killed. */
const program = `#!/bin/sh
printf '%s\\n' "$(basename "$0") $*" >> "$(dirname "$0")/../starts"
echo $$ >> "$(dirname "$0")/../pids"
exec sleep 600
`;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-launcher-'));
  await mkdir(at(''));
  launcher = join(directory, 'launch');
  const text = await readFile(source, 'utf8');
  // Programs of a test are scripts, so that the process has the path of their interpreter.
  const adapted = text
    .replace('trial_seconds=60', 'trial_seconds=2')
    .replace('sleep 5', 'sleep 0.5')
    .replace(/if \[ "\$\(readlink .*\]; then/, 'if true; then');
  await writeFile(launcher, adapted, { mode: 0o755 });
  for (const name of ['gantry-agent-1', 'gantry-agent-2'])
    await writeFile(at(name), program, { mode: 0o755 });
  await writeFile(at('current'), 'gantry-agent-1\n');
});
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  for (const pid of pids()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

const pids = (): number[] =>
  existsSync(join(directory, 'pids'))
    ? readFileSync(join(directory, 'pids'), 'utf8').trim().split('\n').map(Number)
    : [];

/** Under systemd, which this test plays, unless it says otherwise. */
const launch = ({ isSupervised = true } = {}): ChildProcess => {
  const env = {
    ...process.env,
    INVOCATION_ID: isSupervised ? 'a test' : '',
    GANTRY_AGENT_INSTALLATION: directory,
    GANTRY_AGENT_CONFIG: '/etc/agent.yaml',
  };
  const child = spawn(launcher, { env, stdio: 'ignore' });
  started.push(child);
  return child;
};

const starts = () =>
  existsSync(join(directory, 'starts'))
    ? readFileSync(join(directory, 'starts'), 'utf8').trim().split('\n')
    : [];

const untilStarts = (count: number) => until(() => (starts().length >= count ? starts() : undefined));

const current = () => readFileSync(at('current'), 'utf8').trim();

/** Whether nothing of a trial is left. */
const isSettled = () => ['trial', 'trial.started', 'trial.expired'].every((name) => !existsSync(at(name)));

async function beginTrial(): Promise<void> {
  await writeFile(at('trial'), 'gantry-agent-1\ngantry-agent-2\n');
  await writeFile(at('current'), 'gantry-agent-2\n');
}

it('starts the current executable with the settings of the host', async () => {
  launch();
  expect(await untilStarts(1)).toEqual(['gantry-agent-1 --config /etc/agent.yaml']);
  expect(current()).toBe('gantry-agent-1');
});

it('keeps a new executable that confirms its trial', async () => {
  await beginTrial();
  const child = launch();
  await untilStarts(1);
  await until(() => (existsSync(at('trial.started')) ? true : undefined));
  await rm(at('trial.started'));
  await rename(at('trial'), at('trial.confirmed'));
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  launch();
  expect((await untilStarts(2)).map((line) => line.split(' ')[0])).toEqual([
    'gantry-agent-2',
    'gantry-agent-2',
  ]);
  expect(current()).toBe('gantry-agent-2');
});

it('ends a new executable that does not confirm in time, and starts the former one', async () => {
  await beginTrial();
  const child = launch();
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect([signal, current(), isSettled()]).toEqual(['SIGKILL', 'gantry-agent-1', true]);
  launch();
  expect((await untilStarts(2))[1]).toMatch(/^gantry-agent-1 /);
});

it('goes back at once when the new executable ends during its trial', async () => {
  await beginTrial();
  const child = launch();
  await untilStarts(1);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  launch();
  expect((await untilStarts(2))[1]).toMatch(/^gantry-agent-1 /);
  expect([current(), isSettled()]).toEqual(['gantry-agent-1', true]);
});

it('starts the former one by itself where no supervisor does, and only once where one does', async () => {
  await beginTrial();
  const child = launch({ isSupervised: false });
  await untilStarts(1);
  await until(() => existsSync(at('trial.started')) || undefined);
  child.kill('SIGKILL');
  expect((await untilStarts(2))[1]).toMatch(/^gantry-agent-1 /);
  expect([current(), isSettled()]).toEqual(['gantry-agent-1', true]);

  await beginTrial();
  const next = launch({ isSupervised: false });
  await untilStarts(3);
  const ended = once(next, 'exit');
  next.kill('SIGKILL');
  await ended;
  await until(() => existsSync(at('restart.wanted')) || undefined);
  launch({ isSupervised: false });
  await untilStarts(4);
  expect(existsSync(at('restart.wanted'))).toBe(false);
  expect((await untilStarts(4))[3]).toMatch(/^gantry-agent-1 /);
});

it.each([
  ['before the new executable was made current', { trial: true, current: 'gantry-agent-1' }],
  [
    'when the trial had failed, before the former one was made current',
    { expired: true, current: 'gantry-agent-2' },
  ],
  ['while the former one was made current', { expired: true, started: true, current: 'gantry-agent-1' }],
  [
    'with the former one current and the trial still recorded',
    { trial: true, started: true, current: 'gantry-agent-1' },
  ],
])('completes what a power loss interrupted %s', async (_when, left) => {
  const lines = 'gantry-agent-1\ngantry-agent-2\n';
  if ('trial' in left) await writeFile(at('trial'), lines);
  if ('expired' in left) await writeFile(at('trial.expired'), lines);
  if ('started' in left) await writeFile(at('trial.started'), '');
  await writeFile(at('current'), `${left.current}\n`);
  launch();
  expect(await untilStarts(1)).toEqual(['gantry-agent-1 --config /etc/agent.yaml']);
  expect([current(), isSettled()]).toEqual(['gantry-agent-1', true]);
});
