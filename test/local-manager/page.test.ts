// The manager's page in a real browser: the tasks of an admin, from an empty host on.
import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pino } from 'pino';
import type { Browser } from 'playwright-core';
import { preparePage } from '../../local-manager/src/pages/page-build.ts';
import type { WorldOptions } from '../../local-manager/stand-ins/world.ts';
import { hostErrors } from '../../local-manager/stand-ins/windows-texts.ts';
import { openBrowser } from '../support/browser.ts';
import { createEmptyDatabase, executeOnce, type TestDatabase } from '../support/database.ts';
import { ManagerPage } from './support/page.ts';

const token = 'eyJhbGciOiJub25lIn0.eyJIb3N0SWQiOiIwYTFiMmMzZDRlNWYifQ.c2lnbmF0dXJl';
const gameDatabase = readFileSync(
  resolve(import.meta.dirname, '../../local-manager/stand-ins/game-database.sql'),
  'utf8',
);
const tabs = ['Dashboard', 'Setup', 'Game Config', 'Visibility', 'Characters', 'Diagnostics'];

const placeOfFocus = `(() => {
  const { activeElement: element, body } = document;
  if (element === body) return 'the browser';
  return element.closest('dialog') ? element.ariaLabel ?? element.textContent : 'behind the question';
})()`;

/** A busy machine takes its time for each of the many programs started by a button. */
const patienceMs = 300_000;

describe('the page of the local manager', () => {
  let browser: Browser;

  beforeAll(async () => {
    await preparePage(() => undefined, pino({ level: 'error' }));
    browser = await openBrowser();
  }, patienceMs);

  afterAll(() => browser.close());

  /** Runs `work` with a world of its own, and checks for policy violations and errors of the page. */
  async function within(world: WorldOptions, work: (at: ManagerPage) => Promise<void>): Promise<void> {
    const at = await ManagerPage.open(browser, world);
    try {
      await work(at);
      expect(at.faults).toEqual([]);
    } finally {
      await at.close();
    }
  }

  const inWorld = (name: string, world: WorldOptions, work: (at: ManagerPage) => Promise<void>) =>
    it(name, () => within(world, work), patienceMs);

  inWorld(
    'leads from an empty host to a world with the wizard, by keyboard',
    { begins: 'empty' },
    async (at) => {
      await at.enter('link', 'Begin the setup');
      await at.see('Import the virtual machine');
      const full = { ...hostErrors.service, fqid: 'Unspecified', message: 'The disk is full.' };
      at.at.world.host.failsOnce.set('import-vm', full);
      await at.enter('button', 'Import');
      await at.alert('Import the virtual machine: failed');
      expect(await at.textOfFocus()).toContain('The disk is full.');
      expect(await at.barriers('a step that has failed')).toEqual([]);
      await at.enter('button', 'Import');
      await at.see('Lock it');
      expect(await at.textOfFocus()).toBe('Lock it');
      await at.type('New password', 'a long and unguessable sentence');
      await at.enter('button', 'Lock it');
      await at.see('Set up the network');
      // An admin who leaves returns to the next step.
      await at.page.reload();
      await at.see('Set up the network');
      await at.enter('button', 'Set up the network');
      await at.see('Create the world');
      await at.type('Self-hosting token', token);
      await at.type('World name', 'Sietch Tabr');
      await at.enter('button', 'Create the world');
      await at.see('Everything is set up');
      await at.enter('link', 'To the dashboard');
      await at.panel('Battlegroup').getByText('Sietch Tabr').waitFor();
      expect(await at.page.content()).not.toContain(token);
      // The browser stores nothing of the page but the position of the console.
      expect(await at.page.evaluate('Object.keys({ ...localStorage, ...sessionStorage }).sort()')).toEqual([
        'gantry-console-is-open',
        'gantry-console-seen-failure',
      ]);
    },
  );

  inWorld(
    'offers another start with less memory when the host has too little, by keyboard',
    { begins: 'imported' },
    async (at) => {
      const { world } = at.at;
      await world.powerOff();
      world.host.options.memoryUsedGB = 60;
      await at.panel('Virtual machine').getByText('Off', { exact: true }).waitFor();
      await at.enter('button', 'Start VM');
      await at.alert('The host has too little memory');
      await at.says('Tried: 20 GB, 18 GB, 16 GB, 14 GB, 12 GB.');
      await at.page.getByRole('button', { name: 'Hide the console' }).waitFor();
      // The failure and the output survive a reload.
      await at.page.reload();
      await at.alert('The host has too little memory');
      await at.page.getByRole('log').getByText('Start the virtual machine', { exact: true }).waitFor();
      world.host.options.memoryUsedGB = 48;
      await at.type('Memory for the virtual machine', '14');
      await at.enter('button', 'Retry start');
      await at.panel('Virtual machine').getByText('Running', { exact: true }).waitFor();
      await at.panel('Retry Start').waitFor({ state: 'detached' });
      expect(world.host.vm).toMatchObject({ state: 'Running', startupGB: 14 });
    },
  );

  inWorld('repairs a setup whose bootstrap did not come to its end', { begins: 'half-way' }, async (at) => {
    const repair = at.panel('Repair the setup');
    await repair.getByLabel('Self-hosting token').fill(token);
    await repair.getByLabel('World name').fill('Sietch Tabr');
    await repair.getByLabel('Region').selectOption('North America');
    await repair.getByRole('button', { name: 'Repair', exact: true }).click();
    await at.panel('Battlegroup').getByText('Sietch Tabr').waitFor();
    await repair.waitFor({ state: 'detached' });
    expect(at.at.world.setupInputs).toMatchObject({ world: 'Sietch Tabr', region: 'North America' });
  });

  inWorld(
    'deletes everything only once the word is typed, and says what it has removed',
    { begins: 'imported' },
    async (at) => {
      const panel = at.panel('Delete and start fresh');
      await panel.getByRole('button', { name: 'Show what would be deleted' }).click();
      await panel.getByRole('cell', { name: 'D:\\DuneAwakeningServer', exact: true }).waitFor();
      await panel.getByLabel('Type DELETE to confirm').fill('delete');
      await panel.getByRole('button', { name: 'Delete everything' }).click();
      await at.alert('Confirmation required');
      expect(at.at.world.host.vm).toBeDefined();
      await panel.getByLabel('Type DELETE to confirm').fill('DELETE');
      await panel.getByRole('button', { name: 'Delete everything' }).click();
      await at.see('Welcome');
      await panel.getByText('Folder D:\\DuneAwakeningServer').waitFor();
      expect(at.at.world.host.vm).toBeUndefined();
    },
  );

  inWorld('is readable when something is wrong', { begins: 'half-way' }, async (at) => {
    const { world } = at.at;
    const found: string[] = [];
    const look = async (what: string) => void found.push(...(await at.barriers(what)));
    const stopVm = () => at.panel('Virtual machine').getByRole('button', { name: 'Stop VM' }).click();
    await at
      .panel('Delete and start fresh')
      .getByRole('button', { name: /^Show what/ })
      .click();
    await at.page.getByRole('cell', { name: 'D:\\DuneAwakeningServer', exact: true }).waitFor();
    await look('repair and deletion');
    await at.press('Cancel');
    rmSync(world.keyFile);
    await at.alert('The SSH key is missing');
    await stopVm();
    await at.page.getByRole('dialog').waitFor();
    await look('a question and the missing key');
    world.host.isHung = true;
    await at.page.getByRole('dialog').getByRole('button', { name: 'Stop VM' }).click();
    await at.alert('The virtual machine does not shut down');
    await look('a machine that does not shut down');
    await at.press('Turn off');
    await at.page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await at.panel('Virtual machine').getByText('Off', { exact: true }).waitFor();
    world.host.options.memoryUsedGB = 60;
    await at.press('Start VM');
    await at.alert('The host has too little memory');
    await look('another start');
    world.host.vm!.state = 'Saved';
    await at
      .panel('Retry Start')
      .getByText(/can resume only with that much memory/)
      .waitFor();
    expect(found).toEqual([]);
  });

  describe('over a running world', () => {
    let at: ManagerPage;
    let database: TestDatabase;

    beforeAll(async () => {
      database = await createEmptyDatabase();
      await executeOnce(database.url, gameDatabase);
      at = await ManagerPage.open(browser, { begins: 'ready', databaseUrl: database.url });
      await at.press('Start');
      await at.panel('Battlegroup').getByText('Healthy').waitFor();
    }, patienceMs);

    afterAll(async () => {
      await at.close();
      await database.drop();
    });

    afterEach(() => expect(at.faults.splice(0)).toEqual([]));

    const test = (name: string, work: () => Promise<void>) => it(name, work, patienceMs);

    test('applies a new address with a stop and a start, and verifies it', async () => {
      await at.go('Visibility');
      await at.page.getByLabel('IPv4 address').fill('203.0.113.7');
      await at.press('Save the address');
      await at.see('Stop and start the battlegroup to apply it');
      await at.pressAndConfirm('1. Stop the battlegroup', 'Stop');
      await at.press('2. Start the battlegroup');
      await at.says('Verified: after its start the gateway registered 203.0.113.7.');
      expect(at.at.world.cluster.externalIp).toBe('203.0.113.7');
      await at.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await at.press('Copy port 31982 TCP');
      await at.says('Copied');
      expect(await at.page.evaluate('navigator.clipboard.readText()')).toMatch(/^31982\tTCP\t127\.0\.0\.1\t/);
    });

    test('saves game settings, shows that the servers have others, and applies them', async () => {
      await at.go('Game Config');
      await at.page.getByLabel('Display name').fill('Arrakeen');
      await at.press('Save');
      await at.says('The servers have other settings');
      await at.press('Apply to the servers');
      await at.says('The servers have the saved settings');
    });

    test('unlocks a character’s whole tech tree', async () => {
      await at.go('Characters');
      await at.page.getByRole('link', { name: 'Stilgar' }).click();
      await at.says('101 purchased · 128 in save · 356 in game');
      await at.pressAndConfirm('Unlock all', 'Unlock all');
      await at.says('356 of 356 nodes were added');
      await at.says('484 purchased · 484 in save · 356 in game');
      await at.page.goBack();
      await at.page.getByRole('link', { name: 'Chani' }).click();
      await at.says('The character may be in the game.');
      expect(await at.page.getByRole('button', { name: 'Unlock all' }).isDisabled()).toBe(true);
    });

    test('keeps the focus within a dialog, and returns it afterwards', async () => {
      await at.go('Dashboard');
      const asks = at.panel('Battlegroup').getByRole('button', { name: 'Stop', exact: true });
      await at.tabTo(asks);
      await at.page.keyboard.press('Enter');
      const dialog = at.page.getByRole('dialog');
      await dialog.waitFor();
      const found = new Set<string>();
      for (let steps = 0; steps < 8; steps += 1) {
        found.add(await at.page.evaluate<string>(placeOfFocus));
        await at.page.keyboard.press('Tab');
      }
      // After the last button comes the browser's own part, and then the dialog again.
      expect([...found].filter((place) => place !== 'the browser').toSorted()).toEqual([
        'Cancel',
        'Close the dialog',
        'Stop',
      ]);
      await at.page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      expect(await at.hasFocus(asks)).toBe(true);
    });

    test('reports a missing key at once', async () => {
      const { world } = at.at;
      await at.go('Dashboard');
      const commands = [...world.commands];
      rmSync(world.keyFile);
      await at.alert('The SSH key is missing');
      await at.pressAndConfirm('Stop', 'Stop');
      await at
        .panel('Battlegroup')
        .getByRole('alert')
        .filter({ hasText: 'The SSH key is missing' })
        .waitFor();
      expect(world.commands).toEqual(commands);
      world.installVendorKey();
      await at.panel('Battlegroup').getByText('Healthy').waitFor();
    });

    test('asks for the manager’s link after a restart of the manager', async () => {
      const cookies = await at.page.context().cookies();
      await at.page.context().clearCookies();
      await at.see('Open the manager’s link');
      await at.page.context().addCookies(cookies);
      await at.page.reload();
    });

    test('is readable on every page, wide and narrow, in light and in dark', async () => {
      const found: string[] = [];
      for (const tab of tabs) {
        await at.go(tab);
        await at.page.getByRole('status', { name: /^Waiting for/ }).waitFor({ state: 'detached' });
        found.push(...(await at.barriers(tab)));
      }
      expect(found).toEqual([]);
    });
  });
});
