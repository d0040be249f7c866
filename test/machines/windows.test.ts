// The executables for Windows, and the shell line of the agent's scheduled task, under the Wine of Debian 13. Wine has no
// PowerShell, without which an agent does not find its processes: it enrolls here, and does not run servers.
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { components } from '../../generated/platform.d.ts';
import { DebianRoot } from '../support/debian-root.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world.ts';

type Schemas = components['schemas'];

const run = promisify(execFile);
const clone = resolve(import.meta.dirname, '../..');
const name = 'gantry-agent-win-x64.exe';
const wine = '/usr/lib/wine/wine64';
const env = { HOME: '/root', WINEPREFIX: '/root/prefix', WINEDEBUG: '-all', XDG_RUNTIME_DIR: '/root' };

let directory: string;
let root: DebianRoot;
let world: World;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-wine-'));
  const flags = [
    '--platform',
    'win-x64',
    '--out',
    join(directory, 'release'),
    '--key',
    join(directory, 'key'),
  ];
  await run(process.execPath, ['scripts/agent-release/build.ts', ...flags], { cwd: clone });
  const manager = ['scripts/local-manager-release/build.ts', '--out', join(directory, 'manager')];
  await run(process.execPath, manager, { cwd: clone });
  root = await DebianRoot.create(join(directory, 'root'), 'trixie');
  await root.succeed(['apt-get', 'update']);
  await root.succeed(['apt-get', 'install', '--yes', '--no-install-recommends', 'wine', 'wine64']);
  await cp(join(directory, 'release'), join(root.path, 'release'), { recursive: true });
  const [built = ''] = globSync('*-win-x64.exe', { cwd: join(directory, 'manager') });
  await cp(join(directory, 'manager', built), join(root.path, 'manager.exe'));
  // Wine writes its registry when its last program has ended.
  const settle = `${wine} wineboot --init < /dev/null > /dev/null 2>&1; /usr/lib/wine/wineserver64 -w`;
  await root.succeed(['sh', '-c', settle], { env });
  world = await World.create({});
}, 1_800_000);

afterAll(async () => {
  await world.close();
  await rm(directory, { recursive: true, force: true });
});

/** Node takes no pipes from Wine, so that inputs and outputs are files. */
async function windows(
  args: readonly string[],
  input = '',
): Promise<{ code: number | null; output: string }> {
  await writeFile(join(root.path, 'input'), input);
  const script = `"$@" < /input > /output 2>&1; code=$?; cat /output; exit "$code"`;
  const { code, output } = await root.run(['sh', '-c', script, 'sh', wine, ...args], { env });
  return { code, output: output.replaceAll('\r', '') };
}

const program = `Z:\\release\\${name}`;

it('starts, and checks the signature of a release', async () => {
  expect(await windows([program, '--version'])).toEqual({
    code: 0,
    output: expect.stringMatching(/^gantry-agent 0\.1\.0 \(\S+, win32-x64, Node 24\.21\.0\)$/m),
  });
  expect(await windows([program, 'verify-release', 'Z:\\release'])).toEqual({
    code: 0,
    output: expect.stringContaining('the signature is right'),
  });
  await writeFile(join(root.path, 'release/release.json'), '{}');
  expect(await windows([program, 'verify-release', 'Z:\\release'])).toEqual({
    code: 1,
    output: expect.stringMatching(/^gantry-agent: .+ is not signed with release-key\.pem$/m),
  });
});

it('enrolls a host, and says in one line that it cannot run without PowerShell', async () => {
  const tenant = await world.createTenant();
  const { body } = await world.call('post', '/api/fleet/enrolment-codes', tenant.owner).expect(201);
  const { code } = body as Schemas['EnrolmentCode'];
  const enrolling = ['enroll', '--url', world.url, '--state', 'C:\\state', '--hostname', 'windows-1'];
  // PowerShell ends piped text with a line break.
  expect(await windows([program, ...enrolling], `${code}\r\n`)).toEqual({
    code: 0,
    output: expect.stringContaining('enrolled as host "windows-1"'),
  });
  expect(await windows([program, ...enrolling], `${code}\r\n`)).toEqual({
    code: 0,
    output: expect.stringContaining('this host is enrolled already'),
  });
  const hosts = await world.call('get', '/api/fleet/hosts', tenant.owner).expect(200);
  expect((hosts.body as Schemas['AgentHostPage']).data).toMatchObject([
    { hostname: 'windows-1', platform: 'win32-x64' },
  ]);
  const settings = `url: ${world.url}\nstate_dir: C:\\state\ninstances: []\n`;
  await writeFile(join(root.path, 'agent.yaml'), settings);
  const started = await windows([program, '--config', 'Z:\\agent.yaml']);
  expect(started.code).toBe(1);
  expect(started.output).toMatch(/^gantry-agent: .+ start time of process \d+ cannot be read\.$/m);
  expect(started.output).not.toContain('    at ');
});

it('is examined by its self-test, which ends with a summary and leaves nothing behind', async () => {
  const { code, output } = await windows([program, 'selftest', 'Z:\\tmp']);
  expect(output).toMatch(/^ok +a path of more than 260 characters is written and renamed$/m);
  expect(output).toMatch(/^ok +a process reads a line and prints it$/m);
  expect(output).toMatch(/^FAILED +a process is started: The start time of process \d+ cannot be read\.$/m);
  expect(output).toMatch(/^\d of the steps failed; the agent cannot be relied on here\.$/m);
  expect(output).not.toMatch(/directory of the test is removed| {4}at /);
  expect(code).toBe(1);
});

it('is started again and again by the line of the scheduled task', async () => {
  const script = await readFile(join(clone, 'src/agent-release/install.ps1'), 'utf8');
  const valueOf = (variable: string) =>
    (new RegExp(`^\\$${variable} = "(.+)"$`, 'm').exec(script)?.[1] ?? '').replaceAll('`"', '"');
  const line = valueOf('command')
    .replace('$run', () => valueOf('run'))
    .replace('--config "$settings"', '--version')
    .replace('$executable', () => program)
    .replace('$log', 'Z:\\my log.txt')
    .replace('(0,0,1)', '(1,1,3)');
  await writeFile(join(root.path, 'task.bat'), `cmd ${line.replaceAll('%', '%%')}\r\n`);
  await windows(['cmd', '/c', 'Z:\\task.bat']);
  const log = await readFile(join(root.path, 'my log.txt'), 'utf8');
  expect(log.match(/^gantry-agent 0\.1\.0 /gm)).toHaveLength(3);
});

it('the local manager serves its page and its API, examines itself, and ends when it is asked to', async () => {
  const port = await freePort();
  const listening = { ...env, LOCAL_MANAGER_PORT: String(port) };
  const script = `${wine} 'Z:\\manager.exe' < /dev/null > /manager.log 2>&1 &
    until [ -e /done ]; do sleep 0.1; done
    ${wine} 'Z:\\manager.exe' stop < /dev/null > /stop.log 2>&1; cat /stop.log
    ${wine} 'Z:\\manager.exe' selftest < /dev/null > /selftest.log 2>&1; cat /selftest.log; wait`;
  const child = root.run(['sh', '-c', script], { env: listening });
  const link = await until(async () => {
    const text = await readFile(join(root.path, 'manager.log'), 'utf8').catch(() => '');
    return /http:\/\/\S+\?token=\S+/.exec(text)?.[0];
  }, 'the link of the manager');
  const opened = await fetch(link, { redirect: 'manual' });
  const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const url = new URL(link).origin;
  for (const path of ['/', '/api/docs', '/api/openapi.json', '/api/status', '/api/automation']) {
    const response = await fetch(`${url}${path}`, { headers: { cookie } });
    await response.arrayBuffer();
    expect({ path, status: response.status }).toEqual({ path, status: 200 });
  }
  await writeFile(join(root.path, 'done'), '');
  const { output } = await child;
  expect(output).toContain('The manager has ended.');
  expect(output).toMatch(/"platform": "win32 10\.\S+ x64, Node\.js 24\.21\.0"/);
});
