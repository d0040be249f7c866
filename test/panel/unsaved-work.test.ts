// What is typed in the panel is not lost: while a save is under way, when another license is chosen, and at signing out.
import type { Browser, Route } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { createCluster } from '../support/rows.ts';
import { World } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

let world: World;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  world = await World.create({ servesPanel: true });
});

afterAll(async () => {
  await world.close();
  await browser.close();
});

/** The settings of a cluster named North, open. */
async function openSettings() {
  const tenant = await world.createTenant();
  const clusterId = await createCluster(world, tenant, { name: 'North' });
  const visitor = await Visitor.open(browser, world, {
    email: tenant.owner.email,
    path: `/clusters/${clusterId}`,
  });
  await visitor.see('North');
  const name = visitor.page.getByLabel('Name', { exact: true });
  await name.waitFor();
  return { tenant, clusterId, visitor, name };
}

/** Holds requests of this method back until they are let go. */
async function hold(visitor: Visitor, url: string, method: string) {
  const { promise: held, resolve } = Promise.withResolvers<Route>();
  await visitor.page.route(url, async (route) => {
    if (route.request().method() === method) resolve(route);
    else await route.continue();
  });
  return { held, release: async () => (await held).continue() };
}

const nameOf = async ({ tenant, clusterId }: Awaited<ReturnType<typeof openSettings>>) =>
  (
    (await world.call('get', `/api/fleet/clusters/${clusterId}`, tenant.owner).expect(200)).body as {
      name: string;
    }
  ).name;

it('keeps what is typed while a save is under way, and saves it with the next one', async () => {
  const settings = await openSettings();
  const { visitor, name } = settings;
  const save = await hold(visitor, `**/api/fleet/clusters/${settings.clusterId}`, 'PATCH');
  await name.fill('South');
  await visitor.press('Save');
  await save.held;
  await name.fill('Southern islands');
  await save.release();
  await visitor.see('South');
  expect(await name.inputValue()).toBe('Southern islands');
  await visitor.page.unrouteAll();
  await visitor.press('Save');
  await visitor.see('Southern islands');
  expect(await nameOf(settings)).toBe('Southern islands');
  expect(visitor.faults).toEqual([]);
});

it('shows what was saved before it has been read again', async () => {
  const { visitor, name, clusterId } = await openSettings();
  const reading = await hold(visitor, `**/api/fleet/clusters/${clusterId}`, 'GET');
  await name.fill('South');
  await visitor.press('Save');
  await reading.held;
  await visitor.says('Saved');
  expect(await name.inputValue()).toBe('South');
  await name.fill('Southern islands');
  await reading.release();
  await visitor.see('South');
  expect(await visitor.page.getByText('in the meantime').count()).toBe(0);
  expect(await name.inputValue()).toBe('Southern islands');
  expect(visitor.faults).toEqual([]);
});

it('stays in the license and in the session if its user stays on the page', async () => {
  const settings = await openSettings();
  const { visitor, name, tenant } = settings;
  const other = await world.createTenant();
  await world.join(other, tenant.owner.email, 'Head Admin');
  await visitor.page.reload();
  await name.fill('South');
  await visitor.page.getByRole('button', { name: /Switch license/ }).click();
  await visitor.page.getByRole('menuitem', { name: other.license.name }).click();
  await visitor.press('Cancel', visitor.dialog);
  await visitor.page.getByRole('button', { name: /Account menu/ }).click();
  await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click();
  await visitor.press('Cancel', visitor.dialog);
  expect(await name.inputValue()).toBe('South');
  await visitor.press('Save');
  await visitor.see('South');
  expect(await nameOf(settings)).toBe('South');
  // A later page is still one of this license, after a renewal of the session too.
  await visitor.follow('Servers', visitor.page.getByRole('navigation', { name: 'Pages' }));
  await visitor.see('Servers');
  await visitor.page.reload();
  await visitor.page
    .getByRole('button', { name: /Switch license/ })
    .getByText(tenant.license.name)
    .waitFor();

  await visitor.go(`/clusters/${settings.clusterId}`);
  await name.fill('Unwanted');
  await visitor.page.getByRole('button', { name: /Switch license/ }).click();
  await visitor.page.getByRole('menuitem', { name: other.license.name }).click();
  await visitor.press('Leave the page', visitor.dialog);
  await visitor.page
    .getByRole('button', { name: /Switch license/ })
    .getByText(other.license.name)
    .waitFor();
  expect(visitor.faults).toEqual([]);
});

it('returns a tab to its license that another tab has left, with what is unsaved in it', async () => {
  const settings = await openSettings();
  const { visitor, name, tenant } = settings;
  const other = await world.createTenant();
  await world.join(other, tenant.owner.email, 'Head Admin');
  const tab = await visitor.openTab('/account');
  await name.fill('South');
  await tab.getByRole('button', { name: /Switch license/ }).click();
  await tab.getByRole('menuitem', { name: other.license.name }).click();
  await visitor.dialog.getByRole('heading', { name: 'The session has changed' }).waitFor();
  // Enter from a line that was being typed chooses nothing.
  await visitor.page.keyboard.press('Enter');
  expect(await visitor.barriers('session-moved')).toEqual([]);
  await visitor.press(`Return to ${tenant.license.name}`, visitor.dialog);
  await visitor.dialog.waitFor({ state: 'detached' });
  await visitor.press('Save');
  await visitor.see('South');
  expect(await nameOf(settings)).toBe('South');
  await tab.getByRole('dialog').getByRole('heading', { name: 'The session has changed' }).waitFor();
  expect(visitor.faults).toEqual([]);
});

it('says that signing out has failed, and leaves the session as it is', async () => {
  const { visitor } = await openSettings();
  await visitor.page.route('**/auth/browser-session', (route) =>
    route.fulfill({ status: 503, body: 'busy' }),
  );
  await visitor.page.getByRole('button', { name: /Account menu/ }).click();
  await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click();
  await visitor.page.getByRole('alert').getByText('503').waitFor();
  await visitor.page.unrouteAll();
  await visitor.page.reload();
  await visitor.see('Your account');
  await visitor.page.getByRole('button', { name: /Account menu/ }).click();
  await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click();
  await visitor.see('Sign in');
});
