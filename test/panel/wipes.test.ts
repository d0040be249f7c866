// Wipes in the panel: planned, checked file by file, watched to their end through a reload, and cancelled.
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { createWipe } from '../support/rows.ts';
import { SimulatedServer } from '../support/simulated-server.ts';
import { World, type Tenant } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

let world: World;
let browser: Browser;
let tenant: Tenant;
let instanceId: string;

beforeAll(async () => {
  browser = await openBrowser();
  world = await World.create({ servesPanel: true, heartbeatIntervalSeconds: 1 });
  tenant = await world.createTenant();
  ({ instanceId } = await SimulatedServer.start(world, tenant));
});

afterAll(async () => {
  await world.close();
  await browser.close();
});

/** Chooses a countdown of that many seconds. */
async function choose(visitor: Visitor, seconds: number): Promise<void> {
  await visitor.page.getByLabel('Countdown').selectOption('Other …');
  await visitor.fill('Seconds', String(seconds));
}

async function confirm(visitor: Visitor): Promise<void> {
  await visitor.press('Start the wipe …');
  await visitor.fill('Type main to confirm', 'main', visitor.dialog);
  await visitor.press('Start the wipe', visitor.dialog);
}

describe('the wipes of a server', () => {
  it('are checked file by file, and watched to their end through a reload', async () => {
    const visitor = await Visitor.open(browser, world, {
      email: tenant.owner.email,
      path: `/servers/${instanceId}/wipes`,
    });
    await visitor.see('No wipes yet');
    expect(await visitor.barriers('no-wipes')).toEqual([]);
    await visitor.follow('Plan a wipe');
    await visitor.see('Plan a wipe');
    await choose(visitor, 15);
    await visitor.fill('Announcement in the game', 'kick;ban');
    await visitor.press('See what would be deleted');
    await visitor.says(/required form/);
    expect(await visitor.barriers('plan-wipe')).toEqual([]);
    await visitor.fill('Announcement in the game', 'Fresh map in {time}!');
    await visitor.fill('Seed', '4242');
    await visitor.press('See what would be deleted');
    await visitor.see('What the wipe does');
    const files = visitor.page.getByRole('table', { name: 'Files that would be deleted' });
    await files.getByText(/\.sav$/).waitFor();
    await visitor.says(/Fresh map in/);
    await visitor.says(/seed 4242/);
    expect(await visitor.barriers('review-wipe')).toEqual([]);
    const before = await world.call('get', '/api/wipes', tenant.owner).expect(200);
    expect(before.body).toMatchObject({ data: [] });

    await visitor.press('Start the wipe …');
    await visitor.dialog.getByText(/The map, the world and everything that players have in it/).waitFor();
    expect(await visitor.barriers('confirm-wipe')).toEqual([]);
    await visitor.press('Cancel', visitor.dialog);
    await confirm(visitor);
    await visitor.page.getByRole('timer').waitFor();
    const path = new URL(visitor.page.url()).pathname;
    await visitor.page.reload();
    await visitor.page.getByRole('timer').waitFor();
    expect(new URL(visitor.page.url()).pathname).toBe(path);
    expect(await visitor.barriers('wipe-countdown')).toEqual([]);
    await visitor.says('The wipe is complete');
    await visitor.page.reload();
    await visitor.says('The wipe is complete');
    await visitor.says('seed 4242');
    expect(await visitor.barriers('wipe-complete')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('are cancelled during their countdown, and stay in the history with their outcome', async () => {
    await createWipe(world, tenant, {
      instance_id: instanceId,
      status: 'rolled_back',
      error_code: 'start_failed',
      detail: 'The process ended with exit code 1 before it was ready.',
      finished_at: new Date().toISOString(),
    });
    const visitor = await Visitor.open(browser, world, {
      email: tenant.owner.email,
      path: `/servers/${instanceId}/wipes/new`,
      locale: 'en-GB',
    });
    await visitor.page.getByRole('radio', { name: 'Full wipe' }).check();
    await visitor.page.getByRole('radio', { name: 'The same map again' }).check();
    await visitor.page.getByLabel('Countdown').selectOption('3600');
    await visitor.page.getByLabel('Back up the save folder first').uncheck();
    await visitor.press('See what would be deleted');
    await confirm(visitor);
    await visitor.page.getByRole('timer').waitFor();
    const tab = await visitor.openTab(`/servers/${instanceId}/wipes`);
    await tab.getByRole('button', { name: 'Cancel the wipe' }).waitFor();
    await visitor.says('A wipe is under way: it starts and stops the server itself.');
    for (const name of ['Stop server', 'Restart server'])
      expect(await visitor.page.getByRole('button', { name }).isDisabled()).toBe(true);
    await visitor.press('Cancel the wipe');
    await visitor.says('The wipe was cancelled');
    await visitor.page.getByRole('button', { name: 'Stop server', disabled: false }).waitFor();
    await tab.getByText('The wipe was cancelled').waitFor();
    await visitor.page.getByRole('link', { name: 'Wipes' }).first().click();
    const history = visitor.page.getByRole('table', { name: 'Wipes' });
    await history.getByText('Rolled back').waitFor();
    expect(await visitor.barriers('wipes')).toEqual([]);
    await visitor.page.getByLabel('Status', { exact: true }).selectOption('rolled_back');
    await history.getByText('Cancelled').waitFor({ state: 'detached' });
    expect(new URL(visitor.page.url()).search).toBe('?status=rolled_back');
    await history.getByRole('link').click();
    await visitor.says(/exit code 1/);
    expect(visitor.faults).toEqual([]);
  });

  it('are shown to a viewer, who may start none, and in German', async () => {
    const viewer = await world.addMember(tenant, 'Viewer');
    const visitor = await Visitor.open(browser, world, {
      email: viewer.email,
      path: `/servers/${instanceId}/wipes`,
    });
    await visitor.page.getByRole('table', { name: 'Wipes' }).waitFor();
    expect(await visitor.page.getByRole('link', { name: /Plan a wipe|Schedule wipes/ }).count()).toBe(0);
    await visitor.page.evaluate(`localStorage.setItem('gantry-language', 'de')`);
    await visitor.page.reload();
    await visitor.page.getByText('Abgebrochen').first().waitFor();
    expect(await visitor.barriers('wipes-de')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });
});
