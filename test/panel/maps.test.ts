// Maps in the panel: the library, and a map's way to a server and off it again.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { mapFile } from '../support/map-file.ts';
import { SimulatedServer } from '../support/simulated-server.ts';
import { World, type Tenant } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

let world: World;
let browser: Browser;
let tenant: Tenant;
let server: SimulatedServer;

beforeAll(async () => {
  browser = await openBrowser();
  world = await World.create({ servesPanel: true, heartbeatIntervalSeconds: 1 });
  tenant = await world.createTenant();
  server = await SimulatedServer.start(world, tenant);
});

afterAll(async () => {
  await world.close();
  await browser.close();
});

describe('the maps of a license', () => {
  it('are uploaded, published, renamed, deployed, removed and deleted', async () => {
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/maps' });
    const { page } = visitor;
    const menu = async (name: string, action: string) => {
      await visitor.press(`Actions for ${name}`);
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };
    const file = page.locator('input[type=file]');
    const transfers = page.getByRole('region', { name: 'Uploads and downloads' });
    await visitor.see('No maps yet');
    expect(await visitor.barriers('no-maps')).toEqual([]);
    const octets = { mimeType: 'application/octet-stream' };
    await file.setInputFiles({ name: 'broken.map', ...octets, buffer: Buffer.from('no map') });
    await visitor.press('Upload', visitor.dialog);
    await transfers.getByText('1 transfer failed').waitFor();
    await visitor.press('Clear the list', transfers);
    const content = mapFile();
    await file.setInputFiles({ name: 'five_islands.map', ...octets, buffer: content });
    expect(await visitor.dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('five islands');
    expect(await visitor.barriers('upload-map')).toEqual([]);
    await visitor.press('Upload', visitor.dialog);
    await visitor.row('five islands').getByText('4,500 m').waitFor();
    await visitor.press('Clear the list', transfers);

    await menu('five islands', 'Rename');
    await visitor.dialog.getByLabel('Name', { exact: true }).fill('Five\u200b islands');
    await visitor.press('Rename', visitor.dialog);
    await visitor.dialog.locator('[class*=Input-error]').waitFor();
    await visitor.dialog.getByLabel('Name', { exact: true }).fill('Five islands');
    await visitor.press('Rename', visitor.dialog);
    await visitor.row('Five islands').waitFor();
    await menu('Five islands', 'Make public');
    await visitor.press('Make public', visitor.dialog);
    await visitor.row('Five islands').getByText('Public').waitFor();
    expect(await visitor.barriers('maps')).toEqual([]);
    await visitor.follow('Five islands');
    await visitor.dialog.getByText(/\/api\/public\/maps\//).waitFor();
    expect(await visitor.barriers('map-details')).toEqual([]);
    await page.keyboard.press('Escape');
    const saved = page.waitForEvent('download');
    await menu('Five islands', 'Download');
    expect(await readFile(await (await saved).path())).toEqual(content);
    await visitor.press('Clear the list', transfers);

    await menu('Five islands', 'Deploy to a server');
    expect(await visitor.barriers('deploy-map')).toEqual([]);
    await visitor.press('Deploy', visitor.dialog);
    await visitor.row('Five islands').getByText('Deployed', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/servers/${server.instanceId}/maps`);
    expect(await visitor.barriers('deployments')).toEqual([]);
    await visitor.follow('Five islands');
    const path = await visitor.dialog.getByText(/^maps\/.*\.map$/).innerText();
    expect(existsSync(join(server.directory, path))).toBe(true);
    expect(await visitor.barriers('deployment')).toEqual([]);
    await page.keyboard.press('Escape');

    await visitor.go('/maps');
    await menu('Five islands', 'Delete');
    await visitor.fill('Type Five islands to confirm', 'Five islands', visitor.dialog);
    await visitor.press('Delete', visitor.dialog);
    await visitor.dialog.getByRole('alert').waitFor();
    expect(await visitor.barriers('delete-map')).toEqual([]);
    await visitor.go(`/servers/${server.instanceId}/maps`);
    await visitor.press(`Remove ${path}`);
    await visitor.press('Remove', visitor.dialog);
    await visitor.row('Five islands').getByText('Removed', { exact: true }).waitFor();
    expect(existsSync(join(server.directory, path))).toBe(false);
    await visitor.press('Deploy a map');
    expect(await visitor.barriers('deploy-here')).toEqual([]);
    await visitor.press('Deploy', visitor.dialog);
    await visitor.row('Five islands').getByText('Deployed', { exact: true }).waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it('can be seen by a viewer, who is offered nothing to change, and in German', async () => {
    const viewer = await world.addMember(tenant, 'Viewer');
    const visitor = await Visitor.open(browser, world, { email: viewer.email, path: '/maps' });
    await visitor.row('Five islands').waitFor();
    expect(await visitor.page.getByRole('button', { name: 'Upload a map' }).count()).toBe(0);
    await visitor.press('Actions for Five islands');
    expect(await visitor.page.getByRole('menuitem').allInnerTexts()).toEqual(['Download']);
    const german = await Visitor.open(browser, world, {
      path: '/maps',
      locale: 'de',
      email: tenant.owner.email,
    });
    await german.row('Five islands').waitFor();
    expect(await german.barriers('maps-german')).toEqual([]);
    await german.go(`/servers/${server.instanceId}/maps`);
    await german.row('Five islands').getByText('Bereit').waitFor();
    expect([...visitor.faults, ...german.faults]).toEqual([]);
  });
});
