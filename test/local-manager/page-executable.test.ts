// The single executable, built for this machine: its page, scripts and database are inside, and nothing else is needed.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { StandInWorld } from '../../local-manager/stand-ins/world.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { ManagerProcess } from './support/manager-process.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const platform = `linux-${process.arch}`;

let folder: string;
let executable: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-executable-'));
  const out = join(folder, 'release');
  const flags = ['--platform', platform, '--out', out];
  await run(process.execPath, ['scripts/local-manager-release/build.ts', ...flags], { cwd: root });
  const [name = ''] = (await readdir(out)).filter((file) => file.endsWith(platform));
  executable = join(out, name);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it('is named by its version and its platform, and names its commands', async () => {
  const { version } = JSON.parse(await readFile(join(root, 'local-manager/package.json'), 'utf8')) as {
    version: string;
  };
  expect(executable).toMatch(
    new RegExp(`/gantry-local-manager-${version.replaceAll('.', '\\.')}-${platform}$`),
  );
  const env = { LOCAL_MANAGER_HOME: join(folder, 'unused') };
  const failure = await run(executable, ['restart'], { env, cwd: folder }).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: 1,
    stderr: 'Unknown command restart; the commands are selftest, open, stop and register-task.\n',
  });
});

it('looks after a world without Node and without its sources', async () => {
  const world = await StandInWorld.start();
  const browser = await openBrowser();
  const home = join(folder, 'home');
  const manager = await ManagerProcess.start(world, home, {
    executable,
    settings: { LOCAL_MANAGER_SAMPLE_SECONDS: '5' },
  });
  try {
    const { page, faults } = await openPage(browser, manager.link);
    await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Healthy').first().waitFor();
    await page.getByRole('link', { name: 'Monitoring' }).click();
    await page.locator('section canvas').first().waitFor();
    expect(faults).toEqual([]);
    await until(
      async () => (await manager.get('/api/monitoring?hours=1')).body.machine.length > 0,
      'figures of the machine',
    );
    expect((await manager.get('/api/openapi.json')).body).toMatchObject({ openapi: '3.1.0' });
    const { body: report } = await manager.get('/api/diagnostics/selftest');
    expect(report.checks.filter(({ state }: { state: string }) => state === 'failed')).toEqual([]);
  } finally {
    expect(await manager.signal('SIGTERM')).toBe(0);
    await browser.close();
    await world.stop();
  }
  expect(await readdir(home)).not.toContain('session.json');
});
