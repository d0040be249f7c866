// The action that adds to an empty list: it appears once it is known where, so that no click on it is lost.
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { SimulatedServer } from '../support/simulated-server.ts';
import { World, type Tenant } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

let world: World;
let browser: Browser;
let withoutHosts: Tenant;
let withServer: Tenant;
let instanceId: string;

beforeAll(async () => {
  browser = await openBrowser();
  world = await World.create({ servesPanel: true, heartbeatIntervalSeconds: 1 });
  [withoutHosts, withServer] = await Promise.all([world.createTenant(), world.createTenant()]);
  ({ instanceId } = await SimulatedServer.start(world, withServer));
});

afterAll(async () => {
  await world.close();
  await browser.close();
});

/** Opens a page while the reply for its list is held back. */
async function check(visitor: Visitor, path: string, list: string, action: string): Promise<void> {
  const { page } = visitor;
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const isList = ({ pathname }: URL) => pathname === list;
  await page.route(isList, async (route) => {
    await isReleased;
    await route.fallback();
  });
  await visitor.go(path);
  const main = page.locator('main');
  await main
    .getByRole('status', { name: /^Waiting for / })
    .first()
    .waitFor();
  const shown = main.getByText(action, { exact: true });
  expect([path, await shown.count()]).toEqual([path, 0]);
  release();
  await shown.waitFor();
  await page.unroute(isList);
}

it.each([
  ['/schedules', '/api/schedules', 'New schedule'],
  ['/plugin-configs', '/api/plugin-configs/kits', 'New configuration'],
  ['/clusters', '/api/fleet/clusters', 'Create a cluster'],
  ['/hosts', '/api/fleet/hosts', 'Add a host'],
  ['/api-keys', '/api/api-keys', 'Create a key'],
  ['/maps', '/api/maps', 'Upload a map'],
  ['/webhooks', '/api/webhooks', 'Add a webhook'],
  ['/alerts/channels', '/api/notifications/channels', 'Add a channel'],
])('is not shown on %s before the list is', async (path, list, action) => {
  const visitor = await Visitor.open(browser, world, { email: withoutHosts.owner.email });
  await check(visitor, path, list, action);
});

it.each([
  ['wipes', '/api/wipes', 'Plan a wipe'],
  ['schedules', '/api/schedules', 'New schedule'],
  ['backups', '/api/instances/{instance_id}/backups', 'Make a backup'],
  ['maps', '/api/instances/{instance_id}/map-deployments', 'Deploy a map'],
])('is not shown among the %s of a server before the list is', async (tab, list, action) => {
  const visitor = await Visitor.open(browser, world, { email: withServer.owner.email });
  await check(visitor, `/servers/${instanceId}/${tab}`, list.replace('{instance_id}', instanceId), action);
});
