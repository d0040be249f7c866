// The first five minutes: from a platform that was just started to a wiped game server, by clicking and one paste.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { endGroup, processesBelow } from '../support/guide.ts';
import { Program } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { phone, Visitor, type PanelSite } from './support/panel.ts';

const root = resolve(import.meta.dirname, '../..');
const password = 'four quiet lakes behind a fence';
const email = 'owner@example.com';
const limitMs = 5 * 60_000;

let browser: Browser;
let directory: string;
let platform: Program;
let startedAt: number;
let setupLink: string;
let site: PanelSite;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  directory = await mkdtemp(join(tmpdir(), 'gantry-first-'));
  startedAt = performance.now();
  platform = Program.platform({
    GANTRY_DATA_DIR: join(directory, 'platform'),
    PORT: String(await freePort()),
    LOG_LEVEL: 'warn',
  });
  const url = await platform.start();
  setupLink = await until(
    async () => /Create the first user\s+(\S+)/.exec(platform.output)?.[1],
    'the link for the first user',
  );
  site = { url, atEnd: (close) => closers.push(close) };
});

afterAll(async () => {
  for (const close of closers.reverse()) await close();
  await platform.signal('SIGTERM');
  await browser.close();
  await rm(directory, { recursive: true, force: true });
});

/** Runs what was copied, as a terminal in the clone would; its files are in a directory of the test. */
function paste(command: string, name: string): void {
  const state = join(directory, name);
  const shell = spawn('sh', ['-c', command], {
    cwd: root,
    env: { ...process.env, GANTRY_AGENT_STATE: state },
    stdio: 'ignore',
    detached: true,
  });
  const group = shell.pid ?? 0;
  closers.push(async () => {
    endGroup(group, 'SIGTERM');
    // A failed test leaves its game server running, which outlives the agent.
    for (const { pid } of await processesBelow(join(state, 'rust-1'), group)) process.kill(pid, 'SIGTERM');
    await until(async () => (await processesBelow(state, group)).length === 0, 'the end of the agent');
  });
}

async function createLicense(visitor: Visitor, name: string): Promise<void> {
  await visitor.see('Create your license');
  await visitor.fill('Name', name);
  await visitor.keepPicture(`${name}-license`);
  await visitor.press('Create the license');
}

/** From the page that adds a host to a server that was started, watched, wiped and stopped. */
async function runServer(visitor: Visitor, name: string): Promise<void> {
  const { page } = visitor;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await visitor.see('Add a host');
  await visitor.says('Waiting for a new host …');
  await visitor.press('Copy the command');
  await visitor.press('Copied');
  await visitor.keepPicture(`${name}-add-host`);
  const command = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(command).toMatch(/^GANTRY_URL='http:\S+' GANTRY_COMPANION_TOKEN='\S+' npm run agent:trial$/);
  paste(command, name);
  await visitor.says(/-trial is connected$/);
  await visitor.keepPicture(`${name}-host-found`);
  await visitor.follow('Go to its servers');
  await visitor.follow('rust-1');
  await visitor.press('Start server');
  await page.getByRole('button', { name: 'Restart server' }).waitFor();
  await page.locator('main').getByText('Running', { exact: true }).first().waitFor();
  await visitor.keepPicture(`${name}-running`);

  await visitor.follow('Console');
  const log = page.getByRole('log');
  await log.getByText('Server startup complete').waitFor();
  await visitor.fill('Console command', 'status');
  await page.keyboard.press('Enter');
  await log.getByText('hostname:').first().waitFor();
  await visitor.keepPicture(`${name}-console`);

  await visitor.follow('Wipes');
  await visitor.follow('Plan a wipe');
  await page.getByLabel('Countdown').selectOption('0');
  await visitor.press('See what would be deleted');
  await visitor.see('What the wipe does');
  await visitor.keepPicture(`${name}-wipe-review`);
  await visitor.press('Start the wipe …');
  await visitor.fill('Type rust-1 to confirm', 'rust-1', visitor.dialog);
  await visitor.press('Start the wipe', visitor.dialog);
  await visitor.says('The wipe is complete');
  await visitor.keepPicture(`${name}-wiped`);

  await visitor.press('Stop server');
  await visitor.press('Stop server', visitor.dialog);
  await page.getByRole('button', { name: 'Start server' }).waitFor();
}

it(
  'takes less than five minutes from the start of the platform to a wiped server',
  async () => {
    expect(setupLink).toMatch(new RegExp(`^${site.url}/setup#`));
    const visitor = await Visitor.open(browser, site, { path: setupLink.slice(site.url.length) });
    await visitor.see('Set up Gantry');
    await visitor.keepPicture('desk-setup');
    await visitor.fill('E-mail address', email);
    await visitor.fill('New password', password);
    await visitor.press('Create the account');
    await createLicense(visitor, 'desk');
    await runServer(visitor, 'desk');
    const tookMs = performance.now() - startedAt;
    process.stdout.write(`first server at 1280 px: ${Math.round(tookMs / 1000)} s\n`);
    expect(tookMs).toBeLessThan(limitMs);
    expect(visitor.faults).toEqual([]);
  },
  limitMs,
);

it(
  'works on a phone, with another license',
  async () => {
    const visitor = await Visitor.open(browser, site, { viewport: phone });
    const begunAt = performance.now();
    await visitor.fill('E-mail address', email);
    await visitor.fill('Password', password);
    await visitor.press('Sign in');
    await visitor.press('Open the menu');
    await visitor.press(/^Switch license/);
    await visitor.page.getByRole('menuitem', { name: 'Create a license' }).click();
    await createLicense(visitor, 'phone');
    await runServer(visitor, 'phone');
    const tookMs = performance.now() - begunAt;
    process.stdout.write(`first server at 390 px: ${Math.round(tookMs / 1000)} s\n`);
    expect(tookMs).toBeLessThan(limitMs);
    expect(visitor.faults).toEqual([]);
  },
  limitMs,
);
