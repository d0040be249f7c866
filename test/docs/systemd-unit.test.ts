// The systemd unit in docs/operations.md: its command starts, and its stop leaves game servers running.
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isRunning } from '../../src/embedded/processes.ts';
import { until } from '../support/until.ts';

const root = resolve(import.meta.dirname, '../..');

/** The settings of the unit's section `[Service]`, with the paths of the test. */
async function serviceOf(directory: string): Promise<Map<string, string>> {
  const guide = await readFile(join(root, 'docs/operations.md'), 'utf8');
  const unit = /```ini\n(\[Unit\][\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const service = /\[Service\]\n([\s\S]*?)\n\n/.exec(unit)?.[1] ?? '';
  const here = service
    .replaceAll('/opt/gantry/', `${root}/`)
    .replaceAll('/etc/gantry-agent/', `${directory}/`)
    .replaceAll('/var/lib/gantry-agent', `${directory}/state`);
  return new Map(
    here.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

it('starts the agent, and its game servers outlive a stop with KillMode=process', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-unit-'));
  const service = await serviceOf(directory);
  expect(service.get('KillMode')).toBe('process');
  const pidFile = join(directory, 'server.pid');
  const script = `require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000)`;
  const settings = {
    url: 'http://127.0.0.1:1',
    token_file: 'token',
    instances: [{ name: 'main', command: process.execPath, args: ['-e', script], autostart: true }],
  };
  await writeFile(join(directory, 'token'), 'gtc_test');
  await writeFile(join(directory, 'gantry-agent.yaml'), JSON.stringify(settings));
  const [program = '', ...args] = service.get('ExecStart')?.split(' ') ?? [];
  const [name = '', value = ''] = service.get('Environment')?.split('=') ?? [];
  const agent = spawn(program, args, {
    cwd: '/',
    env: { PATH: process.env['PATH'], [name]: value },
    stdio: 'ignore',
  });
  const serverPid = async () => Number(await readFile(pidFile, 'utf8').catch(() => '0'));
  try {
    const pid = await until(async () => (await serverPid()) || undefined, 'the game server');
    const ended = once(agent, 'exit');
    agent.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(await isRunning(pid)).toBe(true);
  } finally {
    agent.kill('SIGKILL');
    const pid = await serverPid();
    if (pid > 0) process.kill(pid, 'SIGKILL');
    await rm(directory, { recursive: true, force: true });
  }
});
