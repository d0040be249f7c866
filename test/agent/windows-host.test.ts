// The host of Windows, against stand-ins for its tools that reply as these are documented to.
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { WindowsHost } from '../../agent/src/supervisor/windows-host.ts';
import { until } from '../support/until.ts';

const path = process.env['PATH'];
const host = new WindowsHost();
let directory: string;

/** Both tools log their arguments; what they print and their exit codes come from files. */
const tool = `#!/bin/sh
here=$(dirname "$0")
name=$(basename "$0" .exe)
printf '%s\\n' "$*" >> "$here/$name.log"
cat "$here/$name.out" 2> /dev/null
exit "$(cat "$here/$name.code" 2> /dev/null || echo 0)"
`;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-windows-'));
  for (const name of ['powershell.exe', 'taskkill.exe']) {
    await writeFile(join(directory, name), tool);
    await chmod(join(directory, name), 0o755);
  }
  process.env['PATH'] = `${directory}${delimiter}${path ?? ''}`;
});
afterEach(async () => {
  process.env['PATH'] = path;
  await rm(directory, { recursive: true, force: true });
});

async function reply(name: 'powershell' | 'taskkill', output: string, exitCode = 0): Promise<void> {
  await writeFile(join(directory, `${name}.out`), output);
  await writeFile(join(directory, `${name}.code`), String(exitCode));
}

const callsOf = async (name: 'powershell' | 'taskkill') =>
  (await readFile(join(directory, `${name}.log`), 'utf8').catch(() => '')).trim().split('\n');

const started = '134086560000000000\r\n';

describe('a process', () => {
  it('is identified by its full start time', async () => {
    await reply('powershell', started);
    expect(await host.identify(4711)).toEqual({ pid: 4711, mark: started.trim() });
    expect(await callsOf('powershell')).toEqual([expect.stringContaining('Get-Process -Id 4711 ')]);
  });

  it('is gone if PowerShell finds none', async () => {
    await reply('powershell', 'none\r\n');
    expect(await host.identify(4711)).toBeNull();
  });

  it.each([
    ['has no readable start time', '\r\n', 0],
    ['belongs to another user', 'Access is denied\r\n', 0],
    ['cannot be looked up', '', 1],
  ])('that %s is not taken for one that has ended', async (_what, output, exitCode) => {
    await reply('powershell', output, exitCode);
    await expect(host.identify(4711)).rejects.toThrow();
  });

  it('whose pid was given to another one is no survivor', async () => {
    await reply('powershell', started);
    expect(await host.survivors('main', { pid: 4711, mark: started.trim() })).toEqual([4711]);
    expect(await host.survivors('main', { pid: 4711, mark: '1' })).toEqual([]);
    expect(await host.survivors('main', null)).toEqual([]);
  });

  it('is asked to end with its children, and killed with force', async () => {
    const known = { pid: 4711, mark: '1' };
    await host.askToEnd(known, 'SIGTERM');
    await host.askToEnd(known, 'SIGKILL');
    await host.killAll([4711, 4712]);
    expect(await callsOf('taskkill')).toEqual([
      '/PID 4711 /T',
      '/PID 4711 /T /F',
      '/PID 4711 /T /F',
      '/PID 4712 /T /F',
    ]);
  });

  it.each([
    ['it has ended already', 128],
    ['it is a console program without a window, which only force ends', 1],
  ])('is not reported as a fault when %s', async (_why, exitCode) => {
    await reply('taskkill', '', exitCode);
    await host.askToEnd({ pid: 4711, mark: '1' }, 'SIGTERM');
  });

  it('that cannot be ended for another reason is', async () => {
    await reply('taskkill', '', 5);
    await expect(host.killAll([4711])).rejects.toThrow();
  });
});

describe('an adopted process', () => {
  it('counts as running while it cannot be looked up, and as ended once it is gone', async () => {
    await reply('powershell', '', 1);
    const adopted = host.adopt({ pid: 4711, mark: started.trim() });
    let hasEnded = false;
    void adopted.ended.then(() => (hasEnded = true));
    await until(async () =>
      (await callsOf('powershell')).length >= 1 && (await callsOf('powershell'))[0] !== '' ? true : undefined,
    );
    expect(hasEnded).toBe(false);
    await reply('powershell', 'none\r\n');
    expect(await adopted.ended).toEqual({ exitCode: null, signal: null });
  });

  it('says that its input is lost', () => {
    const adopted = host.adopt({ pid: 4711, mark: '1' });
    expect(() => adopted.writeLine('save')).toThrow(/console input is lost until it is restarted/);
    adopted.release();
  });
});

describe('a start', () => {
  const request = (changes: object = {}) => ({
    command: process.execPath,
    args: ['-e', "process.stdin.on('data', (text) => { process.stdout.write(text); process.exit(3); })"],
    cwd: directory,
    env: { PATH: path ?? '' },
    marker: 'main',
    stdoutFile: join(directory, 'stdout.log'),
    stderrFile: join(directory, 'stderr.log'),
    inputFile: join(directory, 'input'),
    ...changes,
  });

  it('gives the pid at once, a console to type at, and the exit code', async () => {
    let pid = 0;
    const server = await host.spawn(request(), (known) => (pid = known));
    expect([server.pid, pid > 0]).toEqual([pid, true]);
    server.writeLine('save');
    expect(await server.ended).toEqual({ exitCode: 3, signal: null });
    expect(await readFile(join(directory, 'stdout.log'), 'utf8')).toBe('save\n');
  });

  it('works in a directory whose path has more than 260 characters', async () => {
    const deep = join(directory, ...Array.from({ length: 10 }, () => 'long-'.repeat(6)));
    await mkdir(deep, { recursive: true });
    const server = await host.spawn(
      request({ cwd: deep, args: ['-e', 'process.exit(process.cwd().length > 260 ? 0 : 1)'] }),
      () => undefined,
    );
    expect(await server.ended).toEqual({ exitCode: 0, signal: null });
  });

  it.each([
    ['without its working directory', { cwd: '/none' }, 'The working directory /none does not exist.'],
    ['of a missing program', { command: '/none.exe' }, 'The command /none.exe cannot be started'],
  ])('%s is refused in words', async (_what, changes, message) => {
    await expect(host.spawn(request(changes), () => undefined)).rejects.toThrow(message);
  });
});
